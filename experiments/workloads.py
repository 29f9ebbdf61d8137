#!/usr/bin/env python3
"""Writes docs/experiments/workloads.md: on how many frames of several workloads each claim of the experiments holds.

usage: workloads.py [--cutaway COMMAND] [--jobs N] [--out DIR] [WORKLOAD ...]

A workload is one of those that the scripts experiments/record_*.sh record (plain, compressed, neverball, redeclipse,
lit), or NAME=CAPTURE:FRAME,FRAME,..., each of whose frames is judged by itself. Simulates what DIR/NAME (default
out/workloads) does not hold already: 2 to 4 minutes of one core for a frame, 15 with light by fragment; an interrupted
run goes on. experiments/workloads.json keeps the outcome of each workload and the revision that it was measured at, so
that one can be measured anew by itself. The page of a workload with a NAME of its own goes to standard output.
Default: all of them.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/experiments/workloads.md"
OUTCOMES = ROOT / "experiments/workloads.json"
MATCH = ",".join(str(frame) for frame in range(40, 149, 8))
WORKLOADS = [f"plain=out/match.cutaway:{MATCH}", f"compressed=out/match-compressed.cutaway:{MATCH}",
             f"neverball=out/neverball.cutaway:{','.join(str(frame) for frame in range(25, 151, 11))}",
             f"redeclipse=out/redeclipse.cutaway:{','.join(str(frame) for frame in range(400, 561, 40))}",
             "lit=out/match-lit.cutaway:40,72"]


def workload(text):
    text = next((known for known in WORKLOADS if known.startswith(text + "=")), text)
    name, _, rest = text.partition("=")
    capture, _, frames = rest.rpartition(":")
    if not name or not capture or not all(frame.isdigit() for frame in frames.split(",")):
        names = ", ".join(known.partition("=")[0] for known in WORKLOADS)
        raise argparse.ArgumentTypeError(f"'{text}': expected one of {names}, or NAME=CAPTURE:FRAME,FRAME,...")
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


def outcome(claims):
    """On how many frames the claim holds, and the least and the greatest of the frames' values."""
    values = [value["value"] for claim in claims for value in claim["values"]]
    unit, text = claims[0]["unit"], ""
    if values:
        least, most = quantity(min(values), unit), quantity(max(values), unit)
        text = interval(min(values), max(values), unit) if least != most else least
    return {"holds": sum(claim["verdict"] == "holds" for claim in claims), "values": text}


def measured(load, options):
    """The outcome of a workload: {"revision", "frames", "claims": {id: {"words", "paper", "holds", "values"}}}."""
    names = sorted(path.stem for path in (ROOT / "experiments").glob("*.toml"))
    revision = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], capture_output=True, text=True).stdout.strip()
    claims = {}
    for name, of_frames in claims_of(load, names, options).items():
        claim = of_frames[0]
        claims[name] = {"words": claim["words"], "paper": interval(claim["least"], claim["most"], claim["unit"]), **outcome(of_frames)}
    return {"revision": revision, "frames": len(load[2]), "claims": claims}


def holds(workload, claim):
    return workload["claims"].get(claim, {"holds": 0})["holds"]


def on_most(workload, claim):
    return 2 * holds(workload, claim) > workload["frames"]


def cell(workload, claim):
    found = workload["claims"].get(claim)
    if not found:
        return "not measured"
    text = f"{found['holds']} of {workload['frames']}"
    if on_most(workload, claim):
        text = f"**{text}**"
    return text + (f": {found['values']}" if found["values"] else "")


def page(workloads):
    """The page of all workloads, from what measured() returns by name."""
    first = {claim: texts for workload in workloads.values() for claim, texts in workload["claims"].items()}
    lines = [f"| claim | the paper | {' | '.join(workloads)} |", "| --- | --- |" + " --- |" * len(workloads)]
    most, anywhere = collections.Counter(), 0
    for claim, texts in first.items():
        most[sum(on_most(workload, claim) for workload in workloads.values())] += 1
        anywhere += any(holds(workload, claim) for workload in workloads.values())
        cells = " | ".join(cell(workload, claim) for workload in workloads.values())
        lines.append(f"| {claim} | {texts['words']} ({texts['paper']}) | {cells} |")
    frames = ", ".join(f"{name} {workload['frames']} at {workload['revision']}" for name, workload in workloads.items())
    by_workload = ", ".join(f"{name} {sum(on_most(workload, claim) for claim in first)}" for name, workload in workloads.items())
    return f"""# Claims by workload

Written by `experiments/workloads.py`, not by hand. The paper's frames are of a game of 2004 whose textures are compressed, with fragment programs of 6 to 10 instructions and vertex programs of up to 100 for its lights; there is no capture of it. These workloads stand around it:

- *plain*: the match of `experiments/record_match.sh`, OpenGL 1 with plain textures;
- *compressed*: the same with compressed textures (`--compressed`);
- *neverball*: the title of Neverball, `experiments/record_neverball.sh`: fixed-function lights, a stencil reflection;
- *redeclipse*: a match of Red Eclipse, `experiments/record_redeclipse.sh`: GLSL at the game's low detail, skinned meshes, textures as the game has them;
- *lit*: the match with light by fragment in GLSL (`--lit --compressed`), whose programs are longer than the paper's.

Each of {sum(workload['frames'] for workload in workloads.values())} frames is judged by itself. Frames and the revision that they were measured at: {frames}. A cell has the number of frames on which the claim holds, bold if these are most, and the least and the greatest value of all frames and configurations.

Of {len(first)} claims {anywhere} hold on some frame, {len(first) - most[0]} on most frames of at least one workload, {most[len(workloads)]} on most frames of all; by workload: {by_workload}.

    experiments/record_match.sh --frames 40..148
    experiments/record_match.sh --frames 40..148 --compressed -o out/match-compressed.cutaway
    experiments/record_match.sh --frames 40..148 --lit --compressed -o out/match-lit.cutaway
    experiments/record_neverball.sh
    experiments/record_redeclipse.sh
    experiments/workloads.py

{chr(10).join(lines)}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"))
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/workloads"))
    parser.add_argument("workloads", nargs="*", type=workload, metavar="WORKLOAD", default=[workload(text) for text in WORKLOADS])
    options = parser.parse_args()
    for name, capture, _ in options.workloads:
        if not pathlib.Path(capture).exists():
            sys.exit(f"workloads.py: {name}: there is no capture {capture}; the scripts experiments/record_*.sh record them")
    outcomes, order = json.loads(OUTCOMES.read_text()), [known.partition("=")[0] for known in WORKLOADS]
    for load in options.workloads:
        outcome = measured(load, options)
        if load[0] not in order:
            print(page({load[0]: outcome}))
            continue
        outcomes[load[0]] = outcome
        outcomes = {name: outcomes[name] for name in order if name in outcomes}
        OUTCOMES.write_text(json.dumps(outcomes, indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(page(outcomes))


if __name__ == "__main__":
    main()
