#!/usr/bin/env python3
"""Holds every source below src/ to the include directions of src/*/CMakeLists.txt (DEPENDS).

Prints one line per offence and exits with 1 if there is any. Tests (*_test.cpp and testing/ folders) may
include more than the folder they test, but never src/icd or src/app.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def depends():
    table = {}
    for lists in ROOT.glob("*/CMakeLists.txt"):
        text = lists.read_text()
        allowed = {lists.parent.name}
        for call in re.findall(r"#\s*includes:([^\n]*)", text) + re.findall(
                r"cutaway_library\([^)]*?DEPENDS([^)]*?)(?:LINK[^)]*)?\)", text):
            allowed |= set(call.split())
        table[lists.parent.name] = allowed
    return table


def is_test(path):
    return path.name.endswith("_test.cpp") or "testing" in path.parts


def offences():
    table = depends()
    for path in sorted([*ROOT.rglob("*.h"), *ROOT.rglob("*.cpp")]):
        parts = path.relative_to(ROOT).parts
        folder = parts[0]
        for name in INCLUDE.findall(path.read_text()):
            target = name.split("/")
            if len(target) < 2 or target[0] not in table:
                continue
            if is_test(path):
                if target[0] in ("icd", "app") and folder != target[0]:
                    yield f"{path}: a test includes {name}"
                continue
            if target[0] not in table[folder] and folder != "app":
                yield f"{path}: {folder}/ may not include {name}"
            if folder == "boxes" and target[0] == "boxes" and target[1] != parts[1]:
                yield f"{path}: a box may not include another box: {name}"


found = list(offences())
print("\n".join(found) if found else f"include directions: {len(list(ROOT.rglob('*.h')))} headers in order")
sys.exit(1 if found else 0)
