#!/usr/bin/env python3
"""Holds the picture of docs/pipeline.md to what the command draws: diagram_test.py CUTAWAY docs/attila.svg"""
import pathlib
import subprocess
import sys
import tempfile

command, page = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    drawn = pathlib.Path(folder) / "attila.svg"
    subprocess.run([command, "gpus", "attila", "--svg", drawn], check=True, stdout=subprocess.DEVNULL)
    if drawn.read_bytes() != pathlib.Path(page).read_bytes():
        sys.exit(f"{page} is out of date: `cutaway gpus attila --svg docs/attila.svg` draws it anew")
