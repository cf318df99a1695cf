#!/bin/sh
# A minute of every machine in demos/scenes/zoo at 1 ms and at 1/240 s: all finite, joints closed to 1e-12 m and rad.
# Some ten minutes.  The same for one second is the test robustness.test_zoo.
set -e
cd "$(dirname "$0")/.."
ZOO_SECONDS="${1:-60}" exec build/bin/test_zoo
