"""What is measured and with what: machines by their parameters, and what the last frame of a scene takes more
than its first."""
import argparse
import json
import math
import pathlib
import re
import subprocess

BUILD = pathlib.Path(__file__).resolve().parents[2] / "build/release"


def page_parser(description):
    """Options of a program that measures scenes and may write a page."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=BUILD / "cutaway")
    parser.add_argument("--write-scene", default=BUILD / "tests/app/write_scene")
    parser.add_argument("--write", type=pathlib.Path)
    return parser


class Machine:
    """A preset with changes; m["rop.units"] is a parameter as `cutaway gpus` prints it."""

    def __init__(self, cutaway, preset, sets):
        self.preset, self.sets = preset, sets
        printed = subprocess.run([cutaway, "gpus", preset, *self.arguments()], check=True, capture_output=True, text=True).stdout
        self.values = dict(re.findall(r"^([a-z0-9_]+\.[a-z0-9_]+) {2,}(\S+)", printed, re.MULTILINE))
        classes = {name: value.split(",") for name, value in
                   ((key.split(".")[0], self.values[key]) for key in self.values if key.endswith(".stages"))
                   if int(self.values[f"{name}.units"])}
        self.shader = {stage: name for name, stages in classes.items() for stage in stages}  # the class of a stage

    def __getitem__(self, name):
        value = self.values[name]
        return int(value) if value.isdigit() else value

    def arguments(self):
        return [word for one in self.sets for word in ("--set", one)]

    def lanes_of(self, stage):
        """The parameter that says how many threads a group of the stage has."""
        c = self.shader[stage]
        return f"{c}.vertex_lanes" if stage == "vertex" and self[f"{c}.vertex_lanes"] else f"{c}.group_lanes"

    def groups_inside(self, stage, temporaries):
        """Groups of a program with that many temporaries that a shader unit holds at once."""
        c = self.shader[stage]
        lanes, step = self[self.lanes_of(stage)], self[f"{c}.register_granularity"]
        file = (self[f"{c}.threads"] + self[f"{c}.input_threads"]) * self[f"{c}.registers_per_thread"]
        each = math.ceil(temporaries / step) * step * lanes
        return min(self[f"{c}.threads"] // lanes, file // each)


class Work:
    """What the last frame of a scene did more than the one before: cycles and every counter."""

    def __init__(self, first, second):
        at_work = [frame["cycles"] - frame["phases"]["display"] for frame in (first, second)]
        self.cycles = at_work[1] - at_work[0]
        self.counters = {name: value - first["counters"].get(name, 0) for name, value in second["counters"].items()}
        self.units = {name: second["units"][name]["cycles"] - unit["cycles"] for name, unit in first["units"].items()}

    def sum(self, pattern):
        return sum(value for name, value in self.counters.items() if re.fullmatch(pattern, name))


class Laboratory:
    """Runs each scene on each machine once."""

    def __init__(self, cutaway, write_scene, folder):
        self.cutaway, self.write_scene, self.folder = cutaway, write_scene, folder
        self.machines, self.works = {}, {}

    def machine(self, preset, sets):
        key = preset, tuple(sets)
        if key not in self.machines:
            self.machines[key] = Machine(self.cutaway, *key)
        return self.machines[key]

    def work(self, scene, machine):
        key = scene, machine.preset, machine.sets
        if key not in self.works:
            self.works[key] = self.simulate(scene, machine)
        return self.works[key]

    def simulate(self, scene, machine):
        return Work(*self.run(scene, machine, "2..3", "--stats", "none")["frames"])

    def run(self, scene, machine, frames, *options):
        """The summary of a simulation, whose other files lie in the folder `out`."""
        capture, out = self.folder / f"{scene}.cutaway", self.folder / "out"
        if not capture.exists():
            subprocess.run([self.write_scene, scene, capture], check=True)
        subprocess.run([self.cutaway, "simulate", "--quiet", "--gpu", machine.preset, *machine.arguments(), "--frames", frames, *options,
                        "--out", out, capture], check=True, stdout=subprocess.DEVNULL)
        return json.loads((out / "summary.json").read_text())
