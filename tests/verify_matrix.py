#!/usr/bin/env python3
"""Verifies frames of captures on every machine: all GPU memory equals the emulator's after each frame.

usage: verify_matrix.py [--cutaway COMMAND] [--work WORK] [--gpu NAME|FILE.toml]... [--variant NAME]...
                        [--frames A..B] [--sample N] [--step N] [--jobs N] [--minutes N] [--fresh] CAPTURE...

Runs `cutaway simulate --verify` of each CAPTURE on each machine (all presets that `cutaway gpus` lists, or those of
--gpu) and in each variant:

  plain     as users run it
  shuffled  with --seed 1: boxes are evaluated in another order in each cycle
  unskipped with --no-skip: idle boxes tick too

All of a frame's figures must be the same in each variant that was asked for (plain alone, if none was).

A run is of --step frames (8) at most, so that little is lost when it is interrupted: WORK/results.json has what is
done and is written after each run. What stands in it for the same command, machine and capture, by their contents, is
not run again (--fresh runs all). --sample takes N frames of each capture, spread evenly. --jobs runs go on at a time
(2); none is begun after --minutes.

Prints a line for each run and then a table: capture, machine, frames, variant, equal or not, cycles, seconds of the
host. Exit status: 0 every frame was verified and is equal; 1 one is not, could not be simulated, or has not been
tried; 2 something given cannot be used.
"""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VARIANTS = {"plain": [], "shuffled": ["--seed", "1"], "unskipped": ["--no-skip"]}
EQUAL = "equal"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="+", metavar="CAPTURE", type=pathlib.Path)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), metavar="COMMAND")
    parser.add_argument("--work", default=str(ROOT / "build/verify_matrix"), metavar="WORK", type=pathlib.Path)
    parser.add_argument("--gpu", action="append", metavar="NAME")
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--frames", default="..", metavar="A..B", help="default: all of a capture")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--step", type=int, default=8, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="N")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    if min(options.step, options.jobs, 1 if options.sample is None else options.sample) < 1:
        parser.error("--step, --jobs and --sample are at least 1")
    if not re.fullmatch(r"\d+|\d*\.\.\d*", options.frames):
        parser.error(f"--frames {options.frames}: expected A..B, A.., ..B or one frame")
    options.variant = list(dict.fromkeys(options.variant or ["plain"]))
    return options


def output_of(*command):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if result.returncode:
        print(result.stderr.strip() or f"{command[0]}: exit code {result.returncode}", file=sys.stderr)
        sys.exit(2)
    return result.stdout


def hash_of(data):
    return hashlib.sha256(data).hexdigest()[:16]


def frames_of(options, capture):
    """The frames to verify, as lists of neighbours that one run takes."""
    numbers = [int(n) for n in re.findall(r"^ +(\d+) +\d+ ", output_of(options.cutaway, "info", capture), re.MULTILINE)]
    first, dots, last = options.frames.partition("..")
    first, last = int(first or 0), int(last or 1 << 60) if dots else int(first)
    numbers = [n for n in numbers if first <= n <= last]
    if not numbers:
        print(f"{capture}: holds no frame of {options.frames}", file=sys.stderr)
        sys.exit(2)
    if options.sample and options.sample < len(numbers):
        numbers = [numbers[(2 * i + 1) * len(numbers) // (2 * options.sample)] for i in range(options.sample)]
    runs = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1 and len(runs[-1]) < options.step:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


class Run:
    """Some frames of a capture on a machine, in a variant."""

    def __init__(self, capture, gpu, frames, variant, contents):
        self.capture, self.gpu, self.frames, self.variant = capture, gpu, frames, variant
        self.range = str(frames[0]) if len(frames) == 1 else f"{frames[0]}..{frames[-1]}"
        self.key = " ".join([*contents, self.range, variant])
        self.result = None

    def name(self):
        return f"{self.capture.stem} on {pathlib.Path(self.gpu).stem}, frames {self.range}, {self.variant}"


class Matrix:
    def __init__(self, options):
        self.options = options
        self.path = options.work / "results.json"
        self.results = {}
        if self.path.exists() and not options.fresh:
            self.results = json.loads(self.path.read_text())
        self.lock = threading.Lock()
        self.processes = set()
        self.stopped = False
        self.until = time.monotonic() + 60 * options.minutes

    def plan(self):
        options = self.options
        command = hash_of(pathlib.Path(options.cutaway).read_bytes())
        presets = output_of(options.cutaway, "gpus").split("\n\n")[0]
        gpus = options.gpu or [line.split()[0] for line in presets.splitlines()]
        machines = {gpu: hash_of(output_of(options.cutaway, "gpus", gpu).encode()) for gpu in gpus}
        runs = []
        for capture in options.captures:
            frames = frames_of(options, capture)
            contents = hash_of(capture.read_bytes())
            runs += [Run(capture, gpu, some, variant, [command, machine, contents])
                     for gpu, machine in machines.items() for some in frames for variant in options.variant]
        return runs

    def save(self):
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps(self.results, indent=1))
        beside.replace(self.path)

    def simulate(self, run, out):
        """Exit code, last line of standard error, seconds."""
        command = [self.options.cutaway, "simulate", run.capture, "--gpu", run.gpu, "--frames", run.range, "--verify",
                   "--jobs", "1", "--quiet", "--out", out, *VARIANTS[run.variant]]
        if seconds := getattr(self.options, "seconds", None):
            command = ["timeout", "--kill-after=5", seconds, *command]
        begin = time.monotonic()
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, start_new_session=True) as process:
            with self.lock:
                self.processes.add(process)
                if self.stopped:
                    process.kill()
            errors = process.communicate()[1].strip().splitlines()
            with self.lock:
                self.processes.remove(process)
        return process.returncode, errors[-1] if errors else "", time.monotonic() - begin

    def execute(self, run):
        """The result of a run; None: it was not begun, or was interrupted."""
        if self.stopped or time.monotonic() > self.until:
            return None
        with tempfile.TemporaryDirectory(prefix="run_", dir=self.options.work) as out:
            code, error, seconds = self.simulate(run, out)
            summary = pathlib.Path(out) / "summary.json"
            told = json.loads(summary.read_text()) if summary.exists() else {}
        if self.stopped or code < 0:
            return None
        verdict = "took too long" if code in (124, 137) else error or f"exit code {code}"
        frames = told.get("frames", [])
        if told.get("differences"):
            verdict = "; ".join(told["differences"])
        elif code == 0 and told.get("verify") == EQUAL and [f["frame"] for f in frames] == run.frames:
            verdict = EQUAL
        return {"capture": str(run.capture), "gpu": run.gpu, "frames": run.range, "variant": run.variant,
                "verdict": verdict, "seconds": round(seconds, 2),
                "cycles": sum(f["cycles"] for f in frames),
                "figures": hash_of(json.dumps(frames, sort_keys=True).encode())}

    def finish(self, run, result):
        run.result = result
        with self.lock:
            self.results[run.key] = result
            self.save()

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.processes:
                process.kill()

    def execute_all(self, runs):
        for run in runs:
            run.result = self.results.get(run.key)
        todo = [run for run in runs if not run.result]
        if len(todo) < len(runs):
            print(f"{len(runs) - len(todo)} of {len(runs)} runs are in {self.path}", flush=True)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            running = {pool.submit(self.execute, run): run for run in todo}
            try:
                for done, future in enumerate(concurrent.futures.as_completed(running), 1):
                    run, result = running[future], future.result()
                    if result is None:
                        continue
                    self.finish(run, result)
                    print(f"[{done}/{len(todo)}] {run.name()}: {result['verdict']}, {result['cycles']:,} cycles, "
                          f"{result['seconds']:.1f} s", flush=True)
            except BaseException:
                self.stop()
                raise


def mark_figures(runs):
    """Equal memory is not enough where variants of the same frames differ in a figure."""
    first = {}
    for run in runs:
        if run.result and run.result["verdict"] == EQUAL:
            same = first.setdefault((run.capture, run.gpu, run.range), run)
            if same.result["figures"] != run.result["figures"]:
                run.result = dict(run.result, verdict=f"figures are not those of {same.variant}")


def verdict_of(runs):
    untried = sum(len(run.frames) for run in runs if not run.result)
    wrong = [f"frames {run.range}: {run.result['verdict']}" for run in runs
             if run.result and run.result["verdict"] != EQUAL]
    if wrong:
        return "NOT EQUAL: " + wrong[0] + (f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else "")
    return f"{untried} frames not tried" if untried else EQUAL


def print_table(runs):
    """A line for each capture, machine and variant. False: one is not equal, or not complete."""
    rows = {}
    for run in runs:
        rows.setdefault((run.capture.stem, pathlib.Path(run.gpu).stem, run.variant), []).append(run)
    wide = [max(7, *(len(key[column]) for key in rows)) for column in range(3)]
    titles = "  ".join(f"{title:{width}}" for title, width in zip(("capture", "machine", "variant"), wide))
    print(f"\n{titles}  frames {'cycles':>16} {'seconds':>9}")
    good = True
    for key, some in rows.items():
        done = [run for run in some if run.result]
        verdict = verdict_of(some)
        good = good and verdict == EQUAL
        print("  ".join(f"{name:{width}}" for name, width in zip(key, wide)) +
              f"  {sum(len(run.frames) for run in some):6} {sum(run.result['cycles'] for run in done):16,}"
              f" {sum(run.result['seconds'] for run in done):9.1f}  {verdict}")
    return good


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    matrix = Matrix(options)
    try:
        runs = matrix.plan()
    except OSError as error:
        print(f"verify_matrix.py: {error}", file=sys.stderr)
        return 2
    try:
        matrix.execute_all(runs)
    except KeyboardInterrupt:
        print("interrupted; the next call goes on from here", file=sys.stderr)
    mark_figures(runs)
    return 0 if print_table(runs) else 1


if __name__ == "__main__":
    sys.exit(main())
