#!/usr/bin/env python3
"""The same frames on every chip: how long they take, how many a second that makes, and what holds them up.

usage: side_by_side.py [--cutaway COMMAND] [--gpu NAME]... [--out DIR] [--page FILE] [CAPTURE[:FRAME]...]

Simulates a frame of each capture on each preset (default: attila, geforce6800, g80, d3d11), verified, and prints tables.
Without captures they are frame 131 of out/match.cutaway, which experiments/record_match.sh records, and the example
`night`, which is captured if its capture is not there. What DIR (default out/side-by-side) holds is not simulated again.
Exit code 1: a frame did not verify, or could not be simulated.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESETS = ["attila", "geforce6800", "g80", "d3d11"]
MARKS = ["<!-- tables -->", "<!-- end of tables -->"]


class Run:
    """A frame on a chip."""

    def __init__(self, options, capture, frame, gpu):
        self.gpu, self.folder = gpu, options.out / f"{capture.stem}-{frame}-{gpu}"
        if not (self.folder / "summary.json").exists():
            print(f"{capture.name}, frame {frame}, on {gpu}", file=sys.stderr, flush=True)
            subprocess.run([options.cutaway, "simulate", capture, "--gpu", gpu, "--frames", frame, "--verify", "--quiet",
                            "--jobs", "1", "--out", self.folder], check=True, stdout=subprocess.DEVNULL)
        summary = json.loads((self.folder / "summary.json").read_text())
        self.verified = summary["verify"]
        self.frame = summary["frames"][0]
        listed = subprocess.run([options.cutaway, "gpus", gpu], check=True, capture_output=True, text=True).stdout
        self.megahertz = int(re.search(r"^gpu\.core_mhz\s+(\d+)", listed, re.MULTILINE)[1])
        explained = subprocess.run([options.cutaway, "explain", self.folder, "--json", "--quiet"], check=True,
                                   capture_output=True, text=True)
        self.causes = json.loads(explained.stdout)["frames"][0]["held_up_by"]

    def line(self):
        cycles = self.frame["cycles"]
        moved = sum(client["read"] + client["write"] for client in self.frame["memory"].values())
        causes = ", ".join(f"{cause['words']} {100 * cause['share']:.0f} %" for cause in self.causes[:3])
        return (f"| {self.gpu} | {self.megahertz} MHz | {cycles:,} | {self.megahertz * 1e6 / cycles:,.0f} | {moved / 1e6:.1f} MB"
                f" | {moved / cycles:.1f} | {causes} | {self.verified} |")


def table(runs):
    heads = ["chip", "clock", "cycles", "frames/s", "memory", "bytes/cycle", "held up by", "verified"]
    return "\n".join(["| " + " | ".join(heads) + " |", "| --- " + "| ---: " * 5 + "| --- | --- |", *(run.line() for run in runs)])


def own_captures(options):
    match, night = ROOT / "out/match.cutaway", options.out / "night.cutaway"
    if not match.exists():
        sys.exit("side_by_side.py: out/match.cutaway is missing: experiments/record_match.sh records it")
    if not night.exists():
        subprocess.run([options.cutaway, "capture", "-o", night, "--quiet", "--",
                        pathlib.Path(options.cutaway).parent / "examples/night", options.out / "night.ppm"], check=True)
    return [f"{match}:131", f"{night}:1"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="*", metavar="CAPTURE[:FRAME]")
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), help="the command")
    parser.add_argument("--gpu", action="append", help=f"a preset; default: {', '.join(PRESETS)}")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/side-by-side"))
    parser.add_argument("--page", type=pathlib.Path,
                        help="a page whose tables, between two marks, are replaced; default: standard output")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    parts, failed = [], False
    for each in options.captures or own_captures(options):
        path, _, frame = each.rpartition(":") if each.rpartition(":")[2].isdigit() else (each, "", "1")
        try:
            runs = [Run(options, pathlib.Path(path), frame, gpu) for gpu in options.gpu or PRESETS]
        except subprocess.CalledProcessError as failure:
            sys.exit(f"side_by_side.py: {' '.join(map(str, failure.cmd))}: exit code {failure.returncode}")
        failed |= any(run.verified != "equal" for run in runs)
        parts.append(f"## {pathlib.Path(path).stem}, frame {frame}\n\n{table(runs)}\n")
    text = "\n".join(parts)
    if options.page:
        before, _, rest = options.page.read_text().partition(MARKS[0])
        if MARKS[1] not in rest:
            sys.exit(f"side_by_side.py: {options.page} has no {MARKS[0]} … {MARKS[1]}")
        options.page.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}")
    else:
        print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
