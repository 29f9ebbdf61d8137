#!/usr/bin/env python3
"""Reads the manual pages: manual_test.py CUTAWAY. All that --help lists is there, and man has nothing to warn of."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

command = sys.argv[1]
help_of = lambda *words: subprocess.run([command, *words, "--help"], check=True, capture_output=True, text=True).stdout


def shown(page):
    """As man prints it, on one line."""
    result = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                            env=dict(os.environ, MANWIDTH="400", LC_ALL="C.UTF-8", MAN_KEEP_FORMATTING=""))
    assert result.returncode == 0 and not result.stderr, (page, result.stderr)
    return result.stdout


if not shutil.which("man"):
    print("man is not installed")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([command, "manual", folder], check=True)
    subcommands = re.findall(r"^  (\w+) ", help_of().split("Subcommands:")[1].split("\n\n")[0], re.M)
    assert "simulate" in subcommands, subcommands
    pages = {path.name for path in pathlib.Path(folder).iterdir()}
    assert pages == {"cutaway.1"} | {f"cutaway-{name}.1" for name in subcommands}, pages
    text = shown(f"{folder}/cutaway.1")
    for word in [*(f"cutaway-{name}(1)" for name in subcommands), "EXAMPLES", "cutaway run --frames 2..4", "EXIT CODES"]:
        assert word in text, (word, text)
    for name in subcommands:
        text = shown(f"{folder}/cutaway-{name}.1")
        options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", help_of(name).split("\nOptions:")[1], re.M)
        assert options and f"cutaway {name}" in text, text
        for option in options:
            assert re.search(rf"^ +(-\w,)?{option}(\s|$)", text, re.M), (name, option, text)
    assert "--stats all|fragments|none" in shown(f"{folder}/cutaway-simulate.1")
