#!/usr/bin/env python3
"""names.py SOURCE: comments of plugin/src speak of what is there, in the field's words.

A name in a comment (some_function, record.member) occurs in the code, or is one of a file, a test or a scene; files of ODE end in .cpp.  Words that
stand for nothing that a reader could look up are not used.
"""
import pathlib
import re
import sys

WORDS = "carve|crew|hub|leap|lend|paced|rehearse|seat|stall|whips"
top = pathlib.Path(sys.argv[1])
source = top / "plugin/src"
files = [f for f in sorted(source.rglob("*")) if f.suffix in (".c", ".h", ".cpp")]
known, comments = set(), []
for file in files + list((top / "plugin/include").rglob("*.h")):
    text = file.read_text()
    known |= set(re.findall(r"[A-Za-z_]\w*", re.sub(r"/\*.*?\*/", " ", text, flags=re.S)))
    comments += [(file.relative_to(top), c) for c in re.findall(r"/\*.*?\*/", text, re.S)]
for folder in ("plugin", "tests", "demos", "third_party"):
    known.add(folder)
    for path in (top / folder).rglob("*"):
        known |= {path.name, path.stem}

failed = False
for file, comment in comments:
    for name in re.findall(r"[A-Za-z]\w{2,}(?:\.[A-Za-z]\w+)+|[A-Za-z]{3}\w*_\w*[A-Za-z]{2}\w*", comment):
        begins = name.endswith("_") and any(other.startswith(name) for other in known)
        foreign = name.startswith("DODE_") or name.endswith((".cpp", ".patch")) or name == "major.minor.patch"
        if not (name in known or begins or foreign or all(part in known for part in name.split("."))):
            print(f"FAILED: {file}: the comment speaks of {name}, which is not there")
            failed = True
    for word in re.findall(rf"\b(?:{WORDS})\w*", comment):
        print(f"FAILED: {file}: {word} is no word that could be looked up")
        failed = True
sys.exit(failed)
