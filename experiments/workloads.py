#!/usr/bin/env python3
"""Writes docs/experiments/workloads.md: on how many frames of several workloads each claim of the experiments holds.

usage: workloads.py [--cutaway COMMAND] [--jobs N] [--out DIR] NAME=CAPTURE:FRAME,FRAME,...

A workload is a capture and some of its frames, each of which is judged by itself. Simulates what DIR/NAME (default
out/workloads) does not hold already: 2 minutes of one core for a frame of OpenArena, 8 with light by fragment; an
interrupted run goes on. Without workloads it takes those that experiments/record_match.sh and
experiments/record_neverball.sh record.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/experiments/workloads.md"
MATCH = ",".join(str(frame) for frame in range(40, 149, 8))
WORKLOADS = [f"plain=out/match.cutaway:{MATCH}", f"compressed=out/match-compressed.cutaway:{MATCH}",
             f"neverball=out/neverball.cutaway:{','.join(str(frame) for frame in range(25, 151, 11))}",
             "lit=out/match-lit.cutaway:40,72"]


def workload(text):
    name, _, rest = text.partition("=")
    capture, _, frames = rest.rpartition(":")
    if not name or not capture or not all(frame.isdigit() for frame in frames.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=CAPTURE:FRAME,FRAME,...")
    return name, capture, frames.split(",")


def claims_of(load, names, options):
    """The claims of all experiments on each frame of a workload, by their ids."""
    name, capture, frames = load
    folder = options.out / name
    claims = collections.defaultdict(list)
    for frame in frames:
        command = [options.cutaway, "experiment", *names, "--capture", capture, "--frames", frame, "--jobs", options.jobs, "--out", folder]
        subprocess.run(command, check=True)
        for experiment in names:
            for claim in json.loads((folder / experiment / "verdicts.json").read_text())["claims"]:
                claims[claim["id"]].append(claim)
    return claims


def quantity(value, unit):
    text = f"{100 * value:.1f} %" if unit == "%" else f"{value:.3g}"
    return text + (f" {unit}" if unit not in ("", "%") else "")


def interval(least, most, unit):
    if least is None:
        return f"at most {quantity(most, unit)}"
    if most is None:
        return f"at least {quantity(least, unit)}"
    return f"{quantity(least, unit)} to {quantity(most, unit)}"


def holds(claims):
    return sum(claim["verdict"] == "holds" for claim in claims)


def on_most(claims):
    return 2 * holds(claims) > len(claims)


def outcome(claims):
    """On how many frames the claim holds, and the least and the greatest of the frames' values."""
    values = [value["value"] for claim in claims for value in claim["values"]]
    text = f"{holds(claims)} of {len(claims)}"
    if on_most(claims):
        text = f"**{text}**"
    if not values:
        return text
    least, most, unit = min(values), max(values), claims[0]["unit"]
    return f"{text}: " + (interval(least, most, unit) if quantity(least, unit) != quantity(most, unit) else quantity(least, unit))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"))
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/workloads"))
    parser.add_argument("workloads", nargs="*", type=workload, metavar="NAME=CAPTURE:FRAME,FRAME,...", default=[workload(text) for text in WORKLOADS])
    options = parser.parse_args()
    for name, capture, _ in options.workloads:
        if not pathlib.Path(capture).exists():
            sys.exit(f"workloads.py: {name}: there is no capture {capture}; experiments/record_match.sh and record_neverball.sh record them")
    names = sorted(path.stem for path in (ROOT / "experiments").glob("*.toml"))
    columns = {load[0]: claims_of(load, names, options) for load in options.workloads}

    lines = [f"| claim | the paper | {' | '.join(columns)} |", "| --- | --- |" + " --- |" * len(columns)]
    most, anywhere = collections.Counter(), 0
    for claim in (claims[0] for claims in next(iter(columns.values())).values()):
        found = [column[claim["id"]] for column in columns.values()]
        most[sum(on_most(claims) for claims in found)] += 1
        anywhere += any(holds(claims) for claims in found)
        cells = " | ".join(outcome(claims) for claims in found)
        lines.append(f"| {claim['id']} | {claim['words']} ({interval(claim['least'], claim['most'], claim['unit'])}) | {cells} |")
    frames = ", ".join(f"{name} {len(frames)}" for name, _, frames in options.workloads)
    by_workload = ", ".join(f"{name} {sum(on_most(claims) for claims in column.values())}" for name, column in columns.items())
    claims = sum(most.values())
    revision = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    PAGE.write_text(f"""# Claims by workload

Written by `experiments/workloads.py` at revision {revision}, not by hand. The paper's frames are of a game of 2004 whose textures are compressed, with fragment programs of 6 to 10 instructions and vertex programs of up to 100 for its lights; there is no capture of it. These workloads stand around it:

- *plain*: the match of `experiments/record_match.sh`, OpenGL 1 with plain textures;
- *compressed*: the same with compressed textures (`--compressed`);
- *neverball*: the title of Neverball, `experiments/record_neverball.sh`: fixed-function lights, a stencil reflection;
- *lit*: the match with light by fragment in GLSL (`--lit --compressed`), whose programs are longer than the paper's.

Each of {sum(len(load[2]) for load in options.workloads)} frames is judged by itself ({frames}). A cell has the number of frames on which the claim holds, bold if these are most, and the least and the greatest value of all frames and configurations.

Of {claims} claims {anywhere} hold on some frame, {claims - most[0]} on most frames of at least one workload, {most[len(columns)]} on most frames of all; by workload: {by_workload}.

    experiments/record_match.sh --frames 40..148
    experiments/record_match.sh --frames 40..148 --compressed -o out/match-compressed.cutaway
    experiments/record_match.sh --frames 40..148 --lit --compressed -o out/match-lit.cutaway
    experiments/record_neverball.sh
    experiments/workloads.py

{chr(10).join(lines)}
""")


if __name__ == "__main__":
    main()
