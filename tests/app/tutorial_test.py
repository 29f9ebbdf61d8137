#!/usr/bin/env python3
"""Runs the commands of docs/tutorial.md as a reader would: tutorial_test.py CUTAWAY PAGE

All blocks of commands are one session of bash, in a home of its own. A comment before a block says what it needs
(`<!-- test: needs glmark2 -->`) or that it is left out, and why. Of what is printed, the lines that the page shows
must be there: figures may be others, words may not, but for those that tell who waits.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:<!-- test: (.*?) -->\n)?```(sh|text)\n(.*?)```\n", re.S)
# Who waits for whom is timing as figures are, and such lines say little else.
WAITS = re.compile(r"held up|(?:blocked|starved) by|: [a-z][A-Za-z ]+ \d+ %| were moved; by | of the waits at |while it (?:waits|is inside)")
# The last column of the table of units, which is empty where a unit waits for nobody.
WAITS_MOST = re.compile(r"^(gpu\.\w+(?: +[\d.]+%){5}) .*")


def blocks(page):
    """Of each block of commands: what its comment says, the commands, the lines shown below it."""
    found = []
    for note, kind, text in BLOCK.findall(page.read_text()):
        if kind == "sh":
            found.append((note, text, []))
        else:
            found[-1][2].extend(line for line in text.splitlines() if line not in ("...", ""))
    return found


def missing(note, has):
    if note.startswith("left out, "):
        return note
    return next((f"{tool} is not there" for tool in note.removeprefix("needs ").split() if not has(tool)), "")


def words(line):
    """Without figures, their signs and the spaces between them, and without whom a unit waits for most."""
    return re.sub(r"(?<!\S)-(?=\d)|[\d.,]+|\s+", " ", WAITS_MOST.sub(r"\1", line)).split()


def check(commands, shown, printed):
    there = [words(line) for line in printed.splitlines()]
    absent = [line for line in shown if words(line) not in there]
    for line in absent:
        if not WAITS.search(line):
            sys.exit(f"{commands}\ndoes not print, other figures apart:\n{line}\nbut:\n{printed}")
        print("no longer printed:", line)


def main():
    cutaway, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not shutil.which("vkcube"):
        print("vkcube is not installed")
        sys.exit(77)
    has = lambda tool: (cutaway.parent / "report_page.html").exists() if tool == "npm" else shutil.which(tool)
    with tempfile.TemporaryDirectory(prefix="cutaway_tutorial_") as home:
        script, ran = "set -euo pipefail\n", []
        for number, (note, commands, shown) in enumerate(blocks(page)):
            if why := missing(note, has):
                print(f"left out: {commands.splitlines()[0]} ({why})")
                continue
            out = f"{home}/block{number}"
            script += f"{{\n{commands}}} >{out} 2>&1 || {{ cat {out}; exit 1; }}\n"
            ran.append((commands, shown, pathlib.Path(out)))
        environment = dict(os.environ, HOME=home, PATH=f"{cutaway.parent}:{os.environ['PATH']}")
        environment.pop("DISPLAY", None)
        session = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True)
        if session.returncode != 0:
            sys.exit(f"a command of {page} fails:\n{session.stdout}{session.stderr}")
        for commands, shown, out in ran:
            check(commands, shown, out.read_text())
        print(len(ran), "blocks")


main()
