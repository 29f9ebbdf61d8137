#!/usr/bin/env python3
"""Writes docs/experiments/: the results of all experiments, their figures and verdicts, from `cutaway experiment`.

usage: write_pages.py [--cutaway COMMAND] [--capture FILE] [--frames A..B] [--jobs N] [--out DIR]

Simulates what DIR (default out/experiments) does not hold already. The pages name the revision of the tree, which
must have no changes of its own but to pages.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs/experiments"


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def table(results):
    """A line for each claim of all experiments."""
    lines = ["| claim | experiment | verdict | the paper says |", "| --- | --- | --- | --- |"]
    for result in results:
        for claim in result["claims"]:
            name = result["experiment"]
            lines.append(f"| {claim['id']} | [{name}]({name}.md) | **{claim['verdict']}** | {claim['words']} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"))
    parser.add_argument("--capture")
    parser.add_argument("--frames", default="131")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/experiments"))
    options = parser.parse_args()
    changed = [line for line in git("status", "--porcelain").splitlines() if not re.search(r"docs/experiments/|\.md$", line)]
    if changed:
        sys.exit(f"write_pages.py: commit first, so that the revision tells what was measured: {changed[0]}")
    revision = git("rev-parse", "--short=12", "HEAD")
    names = sorted(path.stem for path in (ROOT / "experiments").glob("*.toml"))
    arguments = ["--frames", options.frames, "--jobs", options.jobs]
    if options.capture:
        arguments += ["--capture", options.capture]
    subprocess.run([options.cutaway, "experiment", *names, *arguments, "--out", options.out], check=True)

    PAGES.mkdir(exist_ok=True)
    results = []
    for name in names:
        folder = options.out / name
        results.append(json.loads((folder / "verdicts.json").read_text()))
        shutil.copy(folder / "figure.svg", PAGES / f"{name}.svg")
        page = (folder / "verdicts.md").read_text().replace("(figure.svg)", f"({name}.svg)")
        (PAGES / f"{name}.md").write_text(page)
    counts = {}
    for result in results:
        for claim in result["claims"]:
            counts[claim["verdict"]] = counts.get(claim["verdict"], 0) + 1
    words = {"holds": "hold", "in part": "hold in part", "does not hold": "do not hold", "cannot be told": "cannot be told"}
    summary = ", ".join(f"{counts[verdict]} {text}" for verdict, text in words.items() if verdict in counts)
    figures = "\n\n".join(f"![{result['title']}]({result['experiment']}.svg)" for result in results)
    (PAGES / "README.md").write_text(f"""# Results of the experiments

Written by `experiments/write_pages.py` at revision {revision}, not by hand: frame {options.frames} of the match that `experiments/record_match.sh` records ([../experiments.md](../experiments.md)). Of {sum(counts.values())} claims of the ATTILA paper: {summary}. Each experiment's page says why, from the statistics of the machines.

To repeat them (about 15 minutes on two cores):

    experiments/record_match.sh
    experiments/write_pages.py

{table(results)}

{figures}
""")


if __name__ == "__main__":
    main()
