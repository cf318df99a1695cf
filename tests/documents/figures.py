#!/usr/bin/env python3
"""Makes the figures of the documents, and tells which are no longer true.

    tests/documents/figures.py BUILD/bin                 makes all tables anew, and the comparison page; takes an hour
    tests/documents/figures.py BUILD/bin NAME ...        makes those
    tests/documents/figures.py BUILD/bin --check         changes nothing; exit status 1 if a document is stale

A table stands in a document between <!-- table: NAME --> and <!-- end -->.  made.json keeps, for each, when it was made, how
long that took, and the digests of its text and of the library's sources.  The check makes the quick tables again and compares them
within the printed digits, times left out; of the others it says when they were made and whether the sources have changed since;
no table may differ from the one that was made, and a command that a document gives must have been built (CTest: documents.figures).
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import tables
from tables import HERE, TOP

RECORD = os.path.join(HERE, "made.json")
PERFORMANCE, README = "plugin/doc/performance.md", "README.md"
SOURCES = ("plugin/src", "plugin/include", "demos/scene", "demos/scenes")
ROUNDING = 1e-12  # figures below it are rounding


def at_ten_milliseconds(lines):
    return [line for line in lines if line.startswith(("| h (s)", "|---", "| 0.01 "))]


# name: maker, whether CTest can make it again, documents with what they take of it
TABLES = {
    "bricard": (tables.bricard, True, {PERFORMANCE: None, README: at_ten_milliseconds}),
    "softness": (tables.softness, True, {"plugin/doc/from-ode-defaults.md": None}),
    "speed": (tables.speed, False, {PERFORMANCE: None}),
    "works": (tables.works, False, {PERFORMANCE: None}),
    "swing": (tables.swing, False, {PERFORMANCE: None}),
    "profile": (tables.profile, False, {PERFORMANCE: None}),
    "scale": (tables.scale, False, {PERFORMANCE: None}),
    "peers": (tables.peers, False, {PERFORMANCE: None}),
    "games": (tables.games, False, {PERFORMANCE: None}),
    "contacts": (tables.contacts, False, {"plugin/doc/contacts.md": None}),
}
TIMES = ("µs", "ratio", "time", "CPU", "QuickStep, 20 sweeps", "dWorldStep")  # in heads of columns that are not compared


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_of_sources():
    """Of all that a figure can hang on but the compiler and ODE."""
    whole = hashlib.sha256()
    for folder in SOURCES:
        for path, folders, files in os.walk(os.path.join(TOP, folder)):
            folders.sort()
            for name in sorted(files):
                with open(os.path.join(path, name), "rb") as file:
                    whole.update(name.encode() + file.read())
    return whole.hexdigest()[:16]


# ---- documents ----


def split(document, name):
    """Text before the table, its lines, and text behind it."""
    with open(os.path.join(TOP, document), encoding="utf-8") as file:
        before, rest = file.read().split("<!-- table: %s -->\n" % name)
    middle, after = rest.split("<!-- end -->", 1)
    return before, middle.splitlines(), after


def fill(document, name, lines):
    before, _, after = split(document, name)
    with open(os.path.join(TOP, document), "w", encoding="utf-8") as file:
        file.write(before + "<!-- table: %s -->\n" % name + "\n".join(lines) + "\n<!-- end -->" + after)


def make(bin_, name, record):
    maker, _, documents = TABLES[name]
    print(name, flush=True)
    start = time.time()
    lines = maker(bin_)
    if not lines:
        print("%s: cannot be made here; the table of %s stays" % (name, record.get(name, {}).get("date", "before")))
        return
    entry = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "seconds": round(time.time() - start),
             "sources": digest_of_sources(), "text": {}}
    for document, part in documents.items():
        own = part(lines) if part else lines
        fill(document, name, own)
        entry["text"][document] = digest("\n".join(own))
    if name == "scale":
        tables.scale_picture()
    record[name] = entry


# ---- the check ----


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def value(text):
    try:
        return float(text.replace(" ", ""))
    except ValueError:
        return None


def same(was, now):
    """Equal within one unit of the last printed digit."""
    a, b = value(was), value(now)
    if a is None or b is None:
        return was == now
    digits = len(was.lower().split("e")[0].replace(".", "").strip("-").lstrip("0"))
    unit = 10.0 ** (1 - max(digits, 1))
    return abs(a - b) <= max(ROUNDING, 1.01 * unit * max(abs(a), abs(b)))


def differences(was, now):
    if len(was) != len(now):
        return ["%d lines were %d" % (len(now), len(was))]
    head = cells(was[0])
    return ["%s, %s: was %s, is %s" % (cells(a)[0], head[k], cells(a)[k], cells(b)[k])
            for a, b in zip(was[2:], now[2:]) for k in range(len(head))
            if not any(word in head[k] for word in TIMES) and not same(cells(a)[k], cells(b)[k])]


def pages():
    """All that is read: README.md and the pages of plugin/doc and tests/compare."""
    folders = ["plugin/doc", "tests/compare"]
    return [README] + [os.path.join(f, name) for f in folders for name in sorted(os.listdir(os.path.join(TOP, f)))
                       if name.endswith(".md")]


def not_built(bin_):
    """Programs of build/bin that a document names and that are not there."""
    found = []
    for document in pages():
        with open(os.path.join(TOP, document), encoding="utf-8") as file:
            names = set(re.findall(r"\bbuild/bin/([\w-]+)", file.read()))
        found += ["%s: build/bin/%s is not built" % (document, name) for name in sorted(names)
                  if not os.path.exists(os.path.join(bin_, name))]
    return found


def check(bin_, record):
    found, sources = not_built(bin_), digest_of_sources()
    for name, (maker, quick, documents) in TABLES.items():
        entry = record.get(name)
        if not entry:
            found.append("%s: never made" % name)
            continue
        for document in documents:
            if digest("\n".join(split(document, name)[1])) != entry["text"][document]:
                found.append("%s: the table %s is not the one that was made" % (document, name))
        changed = "the sources have changed since" if entry["sources"] != sources else "of these sources"
        print("%-10s made %s in %d s, %s" % (name, entry["date"], entry["seconds"], changed if not quick else "made again"))
        if quick:
            document = next(iter(documents))
            found += ["%s: %s: %s" % (document, name, line) for line in differences(split(document, name)[1], maker(bin_))]
    for line in found:
        print(line)
    print("%d figures are stale: run tests/documents/figures.py" % len(found) if found else "as in the documents")
    return int(bool(found))


def main():
    arguments = sys.argv[1:]
    if not arguments:
        raise SystemExit(__doc__)
    bin_, names = arguments[0], [a for a in arguments[1:] if a != "--check"]
    unknown = set(names) - set(TABLES)
    if unknown:
        raise SystemExit("no such table: " + ", ".join(sorted(unknown)))
    record = {}
    if os.path.exists(RECORD):
        with open(RECORD, encoding="utf-8") as file:
            record = json.load(file)
    if "--check" in arguments:
        raise SystemExit(check(bin_, record))
    for name in names or TABLES:
        make(bin_, name, record)
        with open(RECORD, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=1, sort_keys=True)
            file.write("\n")
    if not names:
        subprocess.run([os.path.join(TOP, "tests/compare/report.py"), bin_ + "/ode-rls"], check=True)


if __name__ == "__main__":
    main()
