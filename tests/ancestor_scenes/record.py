"""What is measured of a scene: its second frame, simulated with the parameters of the preset and with others."""
import json
import re
import sqlite3
import subprocess

from measure import Laboratory

PLAIN = ("z_stencil.compression=false",)
WRITTEN = ("z_stencil.fast_clear=false", *PLAIN)  # no block tags at all
PERFECT = ("texture.cache_ways=64",)  # of 64 lines: the least recently used of all of them makes room
ENDLESS = ("texture.cache_lines=4096", "texture.cache_ways=64")
NO_HZ = ("hierarchical_z.enabled=false",)


class Frame:
    def __init__(self, summary):
        frame = summary["frames"][0]
        self.cycles, self.counters, self.units = frame["cycles"], frame["counters"], frame["units"]
        self.vertices = frame["caches"]["post_transform"]

    def sum(self, pattern):
        return sum(value for name, value in self.counters.items() if re.fullmatch(pattern, name))

    def bytes_read(self, client):
        return self.sum(rf"gpu\.memory_controller\.{client}\d\.read_bytes")

    def accesses(self, unit):
        return self.sum(rf"gpu\.{unit}\d\.cache_(hits|misses)")

    def hit_rate(self, unit):
        return self.sum(rf"gpu\.{unit}\d\.cache_hits") / self.accesses(unit) if self.accesses(unit) else None

    def of_shaders(self, counter):
        """A counter of a shader unit, a mean over its cycles."""
        units = [unit["cycles"] for name, unit in self.units.items() if re.fullmatch(r"gpu\.shader\d", name)]
        return self.sum(rf"gpu\.shader\d\.{counter}") / sum(units)

    def blocks(self, kind):
        return self.sum(rf"gpu\.z_stencil\d\.blocks_{kind}")


class Studio(Laboratory):
    """Simulates the second frame."""

    def simulate(self, scene, machine):
        return Frame(self.run(scene, machine, "2..2", "--stats", "none"))

    def frame(self, scene, sets=()):
        return self.work(scene, self.machine("attila", sets))

    def verified(self, scene):
        """The same with all statistics, held against the emulator, and the findings of `explain`."""
        frame = Frame(self.run(scene, self.machine("attila", ()), "2..2", "--verify"))
        explained = subprocess.run([self.cutaway, "explain", "--json", self.folder / "out"], check=True, capture_output=True, text=True)
        return frame, json.loads(explained.stdout)["frames"][0]


class Record:
    """A scene as simulated; `frame`: its second frame on the preset as it is."""

    def __init__(self, studio, scene):
        self.studio, self.scene = studio, scene
        self.frame, self.findings = studio.verified(scene)
        self.footprint, self.first_touches = self.textures()

    def textures(self):
        database = sqlite3.connect(self.studio.folder / "out" / "run.sqlite")
        return (database.execute("SELECT texture_footprint FROM frame").fetchone()[0],
                database.execute("SELECT sum(texture_first_touches) FROM work").fetchone()[0])

    def other(self, sets=(), scene=None):
        return self.studio.frame(scene or self.scene, sets)

    def dearest(self):
        """What most cycles of the frame were for: a draw."""
        return max(self.findings["work"], key=lambda work: work["cycles"])
