#!/usr/bin/env python3
"""Holds docs/reference.md to what the command prints: reference_test.py CUTAWAY PAGE"""
import difflib
import pathlib
import subprocess
import sys

command, page = sys.argv[1], pathlib.Path(sys.argv[2])
printed = subprocess.run([command, "gpus", "--reference"], check=True, capture_output=True, text=True).stdout
difference = list(difflib.unified_diff(page.read_text().splitlines(), printed.splitlines(), str(page), "printed",
                                       lineterm="", n=0))
if difference:
    print("\n".join(difference[:40]))
    sys.exit(f"{page} is out of date: `cutaway gpus --reference > docs/reference.md` writes it anew")
