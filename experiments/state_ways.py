#!/usr/bin/env python3
"""The four ways to keep state for draws under way (DX-2): cycles, bytes over the state bus, bytes in the units.

usage: state_ways.py [--cutaway COMMAND] [--gpu NAME]... [--out DIR] [--page FILE] CAPTURE:FRAME...

Simulates a frame of each capture on each preset (default: attila, geforce6800, g80, d3d11), verified, with all state kept in
each way, and with registers in versions and the rest renamed. What DIR (default out/state-ways) holds is not simulated again.
Exit code 1: a frame did not verify, or could not be simulated.
"""
import argparse
import json
import pathlib
import re
import sqlite3
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ["register_state", "constant_state", "descriptor_state"]
WAYS = {way: [way] * 3 for way in ["flush", "versions", "renaming", "pass-through"]}
WAYS["registers in versions, the rest renamed"] = ["versions", "renaming", "renaming"]
MARKS = ["<!-- state ways -->", "<!-- end of state ways -->"]


def sets_of(way):
    return [f"--set=command_processor.{kind}={of_kind}" for kind, of_kind in zip(KINDS, WAYS[way])]


def run(options, *arguments):
    try:
        return subprocess.run([options.cutaway, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    except subprocess.CalledProcessError as failure:
        sys.exit(f"state_ways.py: {' '.join(map(str, failure.cmd))}: exit code {failure.returncode}\n{failure.stderr}")


def stored_bytes(options, gpu, way):
    listed = run(options, "gpus", gpu, "command_processor", *sets_of(way))
    return int(re.search(r"State of draws under way: ([\d,]+) bytes", listed)[1].replace(",", ""))


def counters_of(folder):
    database = sqlite3.connect(folder / "run.sqlite")
    rows = database.execute("SELECT name, value FROM frame_counter JOIN counter USING (counter) "
                            "WHERE unit = 'gpu.command_processor'")
    return dict(rows.fetchall())


def line(options, capture, frame, gpu, way):
    folder = options.out / f"{capture.stem}-{frame}-{gpu}-{way.replace(' ', '_')}"
    if not (folder / "summary.json").exists():
        print(f"{capture.name}, frame {frame}, on {gpu}, {way}", file=sys.stderr, flush=True)
        run(options, "simulate", capture, "--gpu", gpu, "--frames", frame, "--verify", "--quiet", "--jobs", "1", "--out",
            folder, *sets_of(way))
    summary = json.loads((folder / "summary.json").read_text())
    if summary["verify"] != "equal":
        sys.exit(f"state_ways.py: {folder}: not verified")
    counted = counters_of(folder)
    return (f"| {gpu} | {way} | {summary['frames'][0]['cycles']:,} | {counted.get('state_bytes', 0):,}"
            f" | {counted.get('passed_state_bytes', 0):,} | {stored_bytes(options, gpu, way):,} |")


def table(options, capture, frame):
    lines = ["| chip | way | cycles | bytes of changes | bytes with draws | bytes in the units |",
             "| --- | --- | ---: | ---: | ---: | ---: |"]
    lines += [line(options, capture, frame, gpu, way) for gpu in options.gpu for way in WAYS]
    return f"**{capture.stem}, frame {frame}**\n\n" + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="+", metavar="CAPTURE:FRAME")
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), help="the command")
    parser.add_argument("--gpu", action="append", help="a preset; default: all four")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/state-ways"))
    parser.add_argument("--page", type=pathlib.Path, help="a page whose tables, between two marks, are replaced")
    options = parser.parse_args()
    options.gpu = options.gpu or ["attila", "geforce6800", "g80", "d3d11"]
    options.out.mkdir(parents=True, exist_ok=True)
    parts = []
    for each in options.captures:
        path, _, frame = each.rpartition(":")
        if not path or not frame.isdigit():
            sys.exit(f"state_ways.py: {each}: expected CAPTURE:FRAME")
        parts.append(table(options, pathlib.Path(path), frame))
    text = "\n".join(parts)
    if not options.page:
        print(text)
        return
    before, _, rest = options.page.read_text().partition(MARKS[0])
    if MARKS[1] not in rest:
        sys.exit(f"state_ways.py: {options.page} has no {MARKS[0]} … {MARKS[1]}")
    options.page.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}")


if __name__ == "__main__":
    main()
