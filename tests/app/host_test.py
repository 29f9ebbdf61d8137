#!/usr/bin/env python3
"""A host in time: what captures hold of it, what it costs, and what `explain` says of it.

usage: host_test.py --cutaway PATH --write-scene PATH --triangles PATH [TEST...]
"""
import json

import command_case
from command_case import CommandTest, options


class HostTest(CommandTest):
    def captured(self, name, *more):
        result = self.call("capture", "-o", name, *more, "--", options.triangles, "picture.ppm")
        self.assertEqual(result.returncode, 0, result.stderr)
        return name

    def frame(self, capture, *sets, frames="1"):
        """The frame, which is verified, and the counters of its host."""
        arguments = [word for one in sets for word in ("--set", one)]
        result = self.call("simulate", capture, "--frames", frames, *arguments, "--verify", "--out", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)
        frame = json.loads((self.folder / "out/summary.json").read_text())["frames"][0]
        host = {name[len("gpu.host."):]: value for name, value in frame["counters"].items() if name.startswith("gpu.host.")}
        return frame, host

    def test_captures_hold_the_times_of_the_program_if_they_are_asked_to(self):
        _, host = self.frame(self.captured("without"), "host.cpu=1")
        self.assertEqual(host["computed"], 0)
        frame, host = self.frame(self.captured("with", "--host-times"), "host.cpu=1")
        self.assertGreater(host["computed"], 400 * 10)  # 10 us at 400 MHz: the driver compiles programs
        self.assertGreater(host["submissions"], 0)
        _, faster = self.frame("with", "host.cpu=10")
        self.assertAlmostEqual(faster["computed"], host["computed"] / 10, delta=10)
        self.assertGreater(frame["cycles"], host["alone"])

    def test_captures_for_a_machine_with_a_host_hold_them(self):
        (self.folder / "host.toml").write_text('base = "attila"\n[host]\ncpu = 1\n')
        _, host = self.frame(self.captured("c", "--gpu", "./host.toml"), "host.cpu=1")
        self.assertGreater(host["computed"], 0)

    def test_a_host_without_time_changes_nothing(self):
        self.captured("with", "--host-times"), self.captured("without")
        with_times, without = (self.frame(name)[0] for name in ("with", "without"))
        for figure in ("cycles", "statistics_hash", "memory_hash", "counters"):
            self.assertEqual(with_times[figure], without[figure], figure)

    def test_explain_names_the_host(self):
        self.frame(self.scene("host-2000"), "host.cpu=1", frames="2")
        result = self.call("explain", "out", "--json", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        causes = json.loads(result.stdout)["frames"][0]["held_up_by"]
        self.assertEqual(causes[0]["words"], "the host")
        self.assertGreater(causes[0]["share"], 0.5)
        text = self.call("explain", "out").stdout
        self.assertIn("held up by the host", text)
        self.assertIn("waiting for the host", text)
        self.assertIn("--try host.cpu=2", text)
        text = self.call("explain", "out", "--try", "host.cpu=2", "--quiet").stdout
        self.assertIn("host.cpu=2", text)


if __name__ == "__main__":
    command_case.main(("cutaway", "write-scene", "triangles"))
