#!/usr/bin/env python3
"""Holds the pictures of docs/, one for each preset, to what the command draws: diagram_test.py CUTAWAY DOCS"""
import pathlib
import subprocess
import sys
import tempfile

command, docs = sys.argv[1], pathlib.Path(sys.argv[2])
listed = subprocess.run([command, "gpus"], check=True, capture_output=True, text=True).stdout
presets = sorted(line.split()[0] for line in listed.split("\n\n")[0].splitlines())
pages = sorted(page.stem for page in docs.glob("*.svg"))
if pages != presets:
    sys.exit(f"{docs} has pictures of {pages}, presets are {presets}")
with tempfile.TemporaryDirectory() as folder:
    for preset in presets:
        drawn = pathlib.Path(folder) / "drawn.svg"
        subprocess.run([command, "gpus", preset, "--svg", drawn], check=True, stdout=subprocess.DEVNULL)
        page = docs / f"{preset}.svg"
        if drawn.read_bytes() != page.read_bytes():
            sys.exit(f"{page} is out of date: `cutaway gpus {preset} --svg docs/{preset}.svg` draws it anew")
