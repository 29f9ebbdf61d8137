#!/usr/bin/env python3
"""Kills the command at random moments, and looks at what is left.

After each kill: the exit code is a documented one, nothing of ours runs any more, what is left can be read, and the
same command again does its work and leaves exactly what it leaves in a fresh folder. Prints a table of what was met.

usage: kill_test.py --cutaway PATH --write-scene PATH --present-frames PATH [--whole] [--rounds N] [--seed S]
                    [--xvfb] [--small] [--only COMMAND]...
  --whole     kills each command with each signal; without, with one signal, which --seed draws
  --rounds N  as often; default 1
  --small     gives each command two units of work (frames, points, tries) or the least that it takes, so that hundreds
              of kills can be had
  --xvfb      programs get an X server of their own, as where DISPLAY is not set
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import whole

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
CAPTURE = re.compile(r"(c|capture|capture\.cutaway)(\.[a-z2-7]{8}\.part)?$")
GO_ON = ("sweep", "sample", "probe", "fidelity", "experiment")  # keep finished points, and do the rest the next time
TEMPORARY = re.compile(r"\.part$|\.cutaway-[a-z2-7]{12}$")


class Failure(Exception):
    pass


SWEEP = """captures = ["{scene}"]
frames = "{frames}"
[[vary]]
memory.channels = {channels}
"""


def commands(options, scene, run):
    """The arguments of each command, all of which write into the current folder."""
    program = ["--", options.present_frames, "0", "4", "hang"]
    sweep = scene.with_name("sweep.toml")
    small = options.small
    sweep.write_text(SWEEP.format(scene=scene, frames="100..100" if small else "100..101",
                                  channels=[1, 2] if small else [1, 2, 4]))
    probe = ["E1.0", "--gpu", "g84m"] if small else ["E1.1", "--gpu", "g80"]
    tries = ["--try", "memory.channels=1", *([] if small else ["--try", "memory.channels=2"])]
    return {
        "capture": ["capture", "-o", "c", "--frames", "2..40", "--key-frames", "5", *program],
        "run": ["run", "--out", "out/below", "--frames", "2..6", "--jobs", "2", *program],
        "simulate": ["simulate", scene, "--frames", "100..101" if small else "100..104", "--jobs", "2", "--out", "out/below"],
        "emulate": ["emulate", scene, "--frames", "300..340", "--out", "out/below", "--threads", "2"],
        "trace": ["trace", scene, "--frame", "100", "--draw", "1", "--request", "1", "--svg", "life.svg"],
        "sweep": ["sweep", sweep, "--out", "out", "--jobs", "2"],
        "sample": ["sample", scene, "--frames", "100..109" if small else "100..119", "--error", "50%" if small else "20%",
                   "--jobs", "2", "--out", "out"],
        "explain": ["explain", run, *tries, "--jobs", "2"],
        "report": ["report", run, "-o", "page.html"],
        "probe": ["probe", *probe, "--jobs", "2", "--out", "out"],
        "fidelity": ["fidelity", "R3-culled" if small else "R1-color", "--gpu", "attila", "--jobs", "2", "--out", "out"],
        "experiment": ["experiment", "attila-fig6", "--capture", scene, "--frames", "100", "--jobs", "2", "--out", "out"],
        "gpus": ["gpus", "attila", "--svg", "attila.svg"],
        "disasm": ["disasm", scene],
        "info": ["info", scene],
    }


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def temporary_files(folder):
    return [name for name in listing(folder) if any(TEMPORARY.search(part) for part in pathlib.Path(name).parts)]


def processes_in(folder):
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(folder):
                found.append((process / "comm").read_text().strip())
        except OSError:
            pass  # it has ended, or is a zombie
    return found


class Trial:
    """One command in a folder of its own."""

    def __init__(self, options, name, arguments, folder):
        self.options, self.name, self.arguments, self.folder = options, name, arguments, folder
        self.environment = dict(os.environ)
        if options.xvfb:
            self.environment.pop("DISPLAY", None)
        else:
            self.environment["DISPLAY"] = ":none"  # no program here opens a window
        self.begin()

    def begin(self):
        """One undisturbed run in an empty folder: how long it takes, and what it leaves."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        start = time.monotonic()
        self.run_whole()
        self.seconds = time.monotonic() - start
        self.whole = listing(self.folder)

    def start(self):
        return subprocess.Popen([self.options.cutaway, *self.arguments], cwd=self.folder, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run_whole(self):
        process = self.start()
        _, errors = process.communicate(timeout=120)
        if process.returncode != 0:
            raise Failure(f"undisturbed, it ends with {process.returncode}: {errors}")

    def round(self, number, delay):
        """One kill; gives what it met."""
        if self.name in GO_ON:
            shutil.rmtree(self.folder)
            self.folder.mkdir()
        before = listing(self.folder)
        process = self.start()
        time.sleep(delay)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        met = self.check_exit(process.returncode, number, errors, before)
        self.check_processes()
        held = self.check_files()
        if number != signal.SIGKILL:
            # An interrupted sweep kills its workers, and keeps their queue for the next run, which cleans it up.
            if left := [name for name in temporary_files(self.folder) if "queue" not in pathlib.Path(name).parts]:
                raise Failure(f"temporary files: {left}")
            self.check_message(errors, held)
        self.run_whole()
        self.check_processes()
        if listing(self.folder) != self.whole:
            raise Failure(f"after the next run: {sorted(set(listing(self.folder)) ^ set(self.whole))} differ")
        return met

    def check_exit(self, code, number, errors, before):
        if code == 0:
            return "ended before"
        if code == -number:
            if number == signal.SIGKILL:
                return "killed"
            if errors == "" and listing(self.folder) == before:
                return "not begun"  # the process was not ours yet
        last = (errors.splitlines() or [""])[-1]
        if number != signal.SIGKILL and last.startswith("cutaway: interrupted"):
            if code == 1 and " holds " in last and self.name in ("run", "capture"):
                return "frames kept"
            if code == 2 and "finished: the same command goes on" in last:
                return "points kept"
            if code == 2 and " holds " not in last:
                return "capture kept" if "kept" in last else "nothing kept"
        raise Failure(f"exit code {code}: {errors}")

    def check_processes(self):
        until = time.monotonic() + 30
        while processes_in(self.folder):
            if time.monotonic() > until:
                raise Failure(f"still running: {processes_in(self.folder)}")
            time.sleep(0.005)

    def check_files(self):
        """Gives the frames of each closed capture."""
        held = {}
        for path in self.folder.rglob("*"):
            if CAPTURE.match(path.name):
                self.check_capture(path, held)
            if any(TEMPORARY.search(part) for part in path.relative_to(self.folder).parts):
                continue  # half made
            if path.suffix == ".png" and path.read_bytes()[-8:-4] != b"IEND":
                raise Failure(f"{path}: half a picture")
            if path.suffix == ".json":
                json.loads(path.read_text())
        return held

    def check_capture(self, path, held):
        info = subprocess.run([self.options.cutaway, "info", path], capture_output=True, text=True, timeout=60)
        if info.returncode == 0:
            frames = re.findall(r"^ +(\d+) +\d+ ", info.stdout, re.MULTILINE)
            held[str(path.relative_to(self.folder))] = frames[0] + ".." + frames[-1] if len(frames) > 1 else frames[0]
        elif path.suffix != ".part" or not re.search("no whole frame|it has \\d+ bytes|cut off", info.stderr):
            raise Failure(f"{path.name} cannot be read: {info.stderr}")

    def check_message(self, errors, held):
        told = re.search(r"interrupted; (\S+) holds \d+ frames?, ([\d.]+)", errors)
        if told and held.get(told[1]) != told[2]:
            raise Failure(f"{errors.strip()}, but there is {held}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("cutaway", "write-scene", "present-frames"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--xvfb", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it, and so would ours
    moments = random.Random(options.seed)
    failures = 0
    print(f"{'command':10} {'signal':8} {'seconds':>7}  met")
    with tempfile.TemporaryDirectory(prefix="cutaway_kill_") as top:
        top = pathlib.Path(top).resolve()
        scene = top / "scene.cutaway"
        subprocess.run([options.write_scene, "animation1000", scene], check=True)
        run = top / "simulated"
        subprocess.run([options.cutaway, "simulate", scene, "--frames", "100" if options.small else "100..101", "--out", run, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        for name, arguments in commands(options, scene, run).items():
            if options.only and name not in options.only:
                continue
            trial = Trial(options, name, arguments, top / name)
            for number in SIGNALS if whole.WHOLE else [moments.choice(SIGNALS)]:
                met = collections.Counter()
                for _ in range(options.rounds):
                    delay = moments.uniform(0, trial.seconds * 1.05)
                    try:
                        met[trial.round(number, delay)] += 1
                    except Failure as failure:
                        failures += 1
                        met["FAILED"] += 1
                        print(f"{name}, {number.name} after {delay:.3f} s: {failure}", flush=True)
                        trial.begin()
                what = ", ".join(f"{count} {kind}" for kind, count in sorted(met.items()))
                print(f"{name:10} {number.name[3:]:8} {trial.seconds:7.2f}  {what}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
