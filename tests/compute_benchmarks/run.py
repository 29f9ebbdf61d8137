#!/usr/bin/env python3
"""Compute on the clock: how long the benchmarks of examples/compute_benchmarks take, and what binds them.

run.py [--cutaway PROGRAM] [--benchmarks PROGRAM] [--write docs/compute.md]
captures each, simulates it on every chip that has what it needs, held against the emulator, and on a machine that takes
away what binds it; prints figures; writes the page if asked to; and fails where another reason binds than rows.py states,
where a cure gains less than a tenth, or where a chip refuses what it should not, or the other way round."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import page
from rows import BENCHMARKS, CURED

HERE = pathlib.Path(__file__).resolve().parents[2]


class Result:
    """A benchmark on a chip: the summary's frame, and what `cutaway explain` finds."""

    def __init__(self, frame, findings, cured):
        self.cycles, self.cured = frame["cycles"], cured
        self.instructions = frame["instructions"]
        self.read, self.written = (sum(client[way] for client in frame["memory"].values()) for way in ("read", "write"))
        self.findings = findings


class Bench:
    def __init__(self, cutaway, program, folder):
        self.cutaway, self.program, self.folder = cutaway, program, folder

    def capture(self, name):
        path = self.folder / f"{name}.cutaway"
        subprocess.run([self.cutaway, "capture", "-o", path, "--", self.program, name, self.folder / "picture.ppm"], check=True,
                       stdout=subprocess.DEVNULL)
        return path

    def simulate(self, capture, chip, sets=(), verify=()):
        out = self.folder / "out"
        words = [word for one in sets for word in ("--set", one)]
        done = subprocess.run([self.cutaway, "simulate", "--quiet", "--gpu", chip, *words, *verify, "--out", out, capture], capture_output=True, text=True)
        return done, out

    def refusal(self, capture, chip):
        done, _ = self.simulate(capture, chip)
        return done.stderr.strip().removeprefix("cutaway: ") if done.returncode else None

    def result(self, capture, chip, cure):
        def cycles(**how):
            done, out = self.simulate(capture, chip, **how)
            if done.returncode:
                sys.exit(done.stderr)
            return json.loads((out / "summary.json").read_text())["frames"][0], out
        cured = cycles(sets=cure)[0]["cycles"]
        frame, out = cycles(verify=("--verify",))
        explained = subprocess.run([self.cutaway, "explain", "--json", out], check=True, capture_output=True, text=True)
        return Result(frame, json.loads(explained.stdout)["frames"][0], cured)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=HERE / "build/release/cutaway")
    parser.add_argument("--benchmarks", default=HERE / "build/release/examples/compute_benchmarks")
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    wrong, results = [], {}
    with tempfile.TemporaryDirectory(prefix="cutaway_compute_") as folder:
        bench = Bench(options.cutaway, options.benchmarks, pathlib.Path(folder))
        for benchmark in BENCHMARKS:
            capture = bench.capture(benchmark.name)
            for chip, reason in benchmark.refused.items():
                said = bench.refusal(capture, chip)
                results[benchmark.name, chip] = said
                print(f"{benchmark.name:28} {chip:6} {said}")
                if said is None or reason not in said:
                    wrong.append(f"{benchmark.name}: {chip} does not refuse it for: {reason}")
            for on in benchmark.on:
                result = results[benchmark.name, on.chip] = bench.result(capture, on.chip, on.cure)
                binds = result.findings["held_up_by"][0]["kind"]
                print(f"{benchmark.name:28} {on.chip:6} {result.cycles:9,} cycles, {result.cured:9,} cured; {page.held_up(result.findings)}", flush=True)
                if binds not in on.binds:
                    wrong.append(f"{benchmark.name}: on {on.chip} it is held up by {binds}, not by {' or '.join(on.binds)}")
                if result.cured > CURED * result.cycles:
                    wrong.append(f"{benchmark.name}: on {on.chip} {' '.join(on.cure)} leaves {result.cured:,} of {result.cycles:,} cycles")
    if options.write:
        options.write.write_text(page.text(results))
    for one in wrong:
        print(one)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
