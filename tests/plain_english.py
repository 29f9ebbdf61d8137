#!/usr/bin/env python3
"""Counts comments that keep the reader waiting for their subject (CONTRIBUTING.md "Write plain English").

    tests/plain_english.py            counts by folder; exit code 1 if there are more than LIMIT
    tests/plain_english.py --list     names each: file, line and text

A comment block is a run of lines that hold nothing but `//`; it counts once, by its first word.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST_WORD = re.compile(
    r"//\s*(?:(Of|What|Whatever|Where|Wherever|Whether|Those|Who|Whose|Whoever|Whom|Which|Nobody)\b|As far as\b)")
LIMIT = 100


def blocks(path):
    """(line, text) of the first line of each comment block."""
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        text = line.strip()
        if text.startswith("//") and not inside:
            yield number, text
        inside = text.startswith("//")


def main():
    found, total = collections.Counter(), 0
    for folder in ("src", "tests", "bench", "examples"):
        for path in sorted([*(ROOT / folder).rglob("*.h"), *(ROOT / folder).rglob("*.cpp")]):
            for number, text in blocks(path):
                total += 1
                if FIRST_WORD.match(text):
                    name = path.relative_to(ROOT)
                    found["/".join(name.parts[:2])] += 1
                    if "--list" in sys.argv:
                        print(f"{name}:{number}: {text}")
    for folder, count in sorted(found.items(), key=lambda item: -item[1]):
        print(f"{count:6} {folder}")
    print(f"{sum(found.values())} of {total} comments begin with a word that keeps the subject back; at most {LIMIT}")
    return sum(found.values()) > LIMIT


sys.exit(main())
