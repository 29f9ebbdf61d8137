#!/usr/bin/env python3
"""A bus to the host: where programs place memory, and what crosses it.

usage: bus_test.py --cutaway PATH [TEST...]
"""
import json
import pathlib
import subprocess
import sys

import command_case
from command_case import CommandTest

HERE = pathlib.Path(__file__).resolve().parent
AGP = 'base = "geforce6800"\n[bus]\nbytes_per_cycle = 4\n'
PROGRAM = [sys.executable, HERE / "gl_precision.py", "nicest", "pixels"]


class BusTest(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "agp.toml").write_text(AGP)

    def captured(self, *options, gpu="./agp.toml", name="c"):
        result = self.call("capture", "-o", name, "--gpu", gpu, *options, "--", *PROGRAM)
        if result.returncode and subprocess.run(PROGRAM, check=False, cwd=self.folder).returncode == 77:
            self.skipTest("no OpenGL")
        self.assertEqual(result.returncode, 0, result.stderr)
        return name

    def counters(self, capture, *options):
        """The counters of the bus in the frame, which is verified."""
        result = self.call("simulate", capture, "--gpu", "./agp.toml", "--verify", "--out", "out", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)
        frame = json.loads((self.folder / "out/summary.json").read_text())["frames"][0]
        found = {name[len("gpu.bus."):]: value for name, value in frame["counters"].items() if name.startswith("gpu.bus.")}
        return found, frame["cycles"]

    def test_commands_and_writes_of_the_host_cross_the_bus(self):
        counters, _ = self.counters(self.captured())
        self.assertGreater(counters["doorbells"], 0)
        self.assertGreater(counters["host_bytes"], 0)
        self.assertGreater(counters["reads"], 0)
        self.assertGreater(counters["down_cycles"], 0)

    def test_textures_lie_beyond_the_bus_if_told_to(self):
        near, near_cycles = self.counters(self.captured())
        far, far_cycles = self.counters(self.captured("--system-textures", name="far"))
        # 64 x 64 texels of four bytes, each read at least once.
        self.assertGreaterEqual(far["read_bytes"] - near["read_bytes"], 64 * 64 * 4)
        self.assertGreater(far_cycles, near_cycles)

    def test_all_memory_may_lie_beyond_it(self):
        placed, cycles = self.counters(self.captured())
        everything, more_cycles = self.counters("c", "--set", "bus.memory=all")
        self.assertGreater(everything["write_bytes"], placed["write_bytes"])
        self.assertEqual(everything["host_bytes"], 0)
        self.assertGreater(more_cycles, cycles)

    def test_captures_for_machines_without_a_bus_place_nothing(self):
        counters, _ = self.counters(self.captured(gpu="geforce6800"))
        self.assertEqual(counters["reads"], 0)
        self.assertGreater(counters["host_bytes"], 0)

    def test_a_machine_without_a_bus_runs_what_was_placed(self):
        self.captured("--system-textures")
        result = self.call("simulate", "c", "--gpu", "geforce6800", "--verify")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_textures_beyond_a_bus_that_is_not_there(self):
        self.fails("capture", "-o", "c", "--gpu", "geforce6800", "--system-textures", "--", "true", names=["--system-textures", "bus.bytes_per_cycle"])


if __name__ == "__main__":
    command_case.main(("cutaway",))
