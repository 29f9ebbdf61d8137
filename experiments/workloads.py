#!/usr/bin/env python3
"""Writes docs/experiments/workloads.md: on which of several workloads each claim of the experiments holds.

usage: workloads.py [--cutaway COMMAND] [--jobs N] [--out DIR] NAME=CAPTURE:FRAMES...

A workload is a capture and some of its frames. Simulates what DIR/NAME (default out/workloads) does not hold already,
about 15 minutes of one core for a frame. Without workloads it takes the three ways in which record_match.sh records
the match, frame 131 of each.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/experiments/workloads.md"
MATCH = ["plain=out/match.cutaway:131", "compressed=out/match-compressed.cutaway:131", "lit=out/match-lit.cutaway:131"]


def workload(text):
    name, _, rest = text.partition("=")
    capture, _, frames = rest.rpartition(":")
    if not name or not capture or not frames:
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=CAPTURE:FRAMES")
    return name, capture, frames


def claims_of(load, names, options):
    """The claims of all experiments on a workload, by their ids."""
    name, capture, frames = load
    folder = options.out / name
    subprocess.run([options.cutaway, "experiment", *names, "--capture", capture, "--frames", frames, "--jobs", options.jobs,
                    "--out", folder], check=True)
    return {claim["id"]: claim for experiment in names for claim in json.loads((folder / experiment / "verdicts.json").read_text())["claims"]}


def quantity(value, unit):
    text = f"{100 * value:.1f} %" if unit == "%" else f"{value:.3g}"
    return text + (f" {unit}" if unit not in ("", "%") else "")


def interval(least, most, unit):
    if least is None:
        return f"at most {quantity(most, unit)}"
    if most is None:
        return f"at least {quantity(least, unit)}"
    return f"{quantity(least, unit)} to {quantity(most, unit)}"


def outcome(claim):
    values = [value["value"] for value in claim["values"]]
    if not values:
        return claim["verdict"]
    least, most, unit = min(values), max(values), claim["unit"]
    text = interval(least, most, unit) if quantity(least, unit) != quantity(most, unit) else quantity(least, unit)
    verdict = claim["verdict"]
    return f"**{verdict}**: {text}" if verdict == "holds" else f"{verdict}: {text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"))
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/workloads"))
    parser.add_argument("workloads", nargs="*", type=workload, metavar="NAME=CAPTURE:FRAMES", default=[workload(text) for text in MATCH])
    options = parser.parse_args()
    for name, capture, _ in options.workloads:
        if not pathlib.Path(capture).exists():
            sys.exit(f"workloads.py: {name}: there is no capture {capture}; experiments/record_match.sh records those of the match")
    names = sorted(path.stem for path in (ROOT / "experiments").glob("*.toml"))
    columns = {load[0]: claims_of(load, names, options) for load in options.workloads}

    held = collections.Counter()
    lines = [f"| claim | the paper | {' | '.join(columns)} |", "| --- | --- |" + " --- |" * len(columns)]
    for claim in next(iter(columns.values())).values():
        found = [column[claim["id"]] for column in columns.values()]
        held[sum(one["verdict"] == "holds" for one in found)] += 1
        cells = " | ".join(outcome(one) for one in found)
        lines.append(f"| {claim['id']} | {claim['words']} ({interval(claim['least'], claim['most'], claim['unit'])}) | {cells} |")
    totals = [f"{name} {sum(claim['verdict'] == 'holds' for claim in claims.values())}" for name, claims in columns.items()]
    revision = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    PAGE.write_text(f"""# Claims by workload

Written by `experiments/workloads.py` at revision {revision}, not by hand. The paper's frames are of a game of 2004 whose textures are compressed, with fragment programs of 6 to 10 instructions; there is no capture of it. These workloads stand around it: the match of `experiments/record_match.sh`, frame 131, as OpenGL 1 with plain textures; the same with compressed ones (`--compressed`); and with light by fragment in GLSL (`--lit --compressed`), whose programs are longer than the paper's.

Of {sum(held.values())} claims {sum(held.values()) - held[0]} hold on at least one workload, {held[len(columns)]} on all; by workload: {', '.join(totals)}.

    experiments/record_match.sh
    experiments/record_match.sh --compressed -o out/match-compressed.cutaway
    experiments/record_match.sh --lit --compressed -o out/match-lit.cutaway
    experiments/workloads.py

{chr(10).join(lines)}
""")


if __name__ == "__main__":
    main()
