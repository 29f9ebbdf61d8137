#!/usr/bin/env python3
"""Holds docs/conformance.md to the driver: the list of entry points without code is complete and true.

usage: check_conformance.py libcutaway_icd.a conformance.md [--write]
"""
import re
import subprocess
import sys

library, page = sys.argv[1:3]
symbols = subprocess.run(["nm", "-C", library], check=True, capture_output=True, text=True).stdout
function = r" cutaway::icd::([A-Z]\w+)\("
strong = set(re.findall(" T" + function, symbols))
stubs = set(re.findall(" W" + function, symbols)) - strong

text = open(page).read()
begin, end = "<!-- entry points -->\n", "<!-- end of entry points -->"
head, rest = text.split(begin)
listed, tail = rest.split(end)
if "--write" in sys.argv:
    lines = "".join(f"- `vk{name}`\n" for name in sorted(stubs))
    open(page, "w").write(head + begin + (lines or "None.\n") + end + tail)
    sys.exit()

named = {name[2:] for name in re.findall(r"`(vk\w+)`", listed)}
for name in sorted(stubs - named):
    print(f"{page}: vk{name} has no code and is not listed")
for name in sorted(named - stubs):
    print(f"{page}: vk{name} is listed as missing and has code")
sys.exit(1 if stubs != named else 0)
