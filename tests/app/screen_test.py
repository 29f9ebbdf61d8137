#!/usr/bin/env python3
"""A screen with a rate of its own: how long frames take, and what `explain` says of it.

usage: screen_test.py --cutaway PATH --write-scene PATH [TEST...]
"""
import json

import command_case
from command_case import CommandTest

MHZ = 400  # attila's core


class ScreenTest(CommandTest):
    """The scene draws each frame on one surface, in 500 to 5,000 cycles."""

    def frame(self, hz, *sets, scene="host-steps"):
        """The third frame, which is verified."""
        scene = self.scene(scene)
        arguments = [word for one in (f"dac.refresh_hz={hz}", *sets) for word in ("--set", one)]
        result = self.call("simulate", scene, "--frames", "3", "--warmup", "2", *arguments, "--verify", "--out", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)
        return json.loads((self.folder / "out/summary.json").read_text())["frames"][0]

    def test_a_frame_that_fits_into_the_blanking_takes_one_refresh(self):
        for hz in (1000, 500):
            self.assertAlmostEqual(self.frame(hz)["cycles"], MHZ * 1e6 / hz, delta=1)

    def test_a_frame_that_does_not_takes_two(self):
        period = MHZ * 1e6 / 40000
        self.assertAlmostEqual(self.frame(40000)["cycles"], 2 * period, delta=1)
        self.assertAlmostEqual(self.frame(40000, "dac.blanking=50")["cycles"], period, delta=1)

    def test_the_picture_is_that_of_the_emulator_whatever_the_rate(self):
        for hz in (60, 777, 123456, 1000000):
            self.frame(hz)

    def test_a_torn_picture_is_shown_and_verified(self):
        for mode in ("fifo", "immediate"):
            frame = self.frame(20000, f"dac.present_mode={mode}", "command_processor.presents=2", scene="three-pictures")
            torn = frame["counters"]["gpu.dac.torn"]
            (self.assertGreater if mode == "immediate" else self.assertEqual)(torn, 0)

    def test_an_immediate_picture_waits_for_no_retrace(self):
        held, cycles = {}, {}
        for mode in ("fifo", "immediate"):
            cycles[mode] = self.frame(20000, f"dac.present_mode={mode}", "command_processor.presents=2", "host.cpu=100",
                                      scene="three-pictures")["cycles"]
            held[mode] = self.call("explain", "out", "--quiet").stdout
        self.assertGreater(cycles["fifo"], 3 * cycles["immediate"])
        self.assertIn("held up by dac", held["fifo"])
        self.assertIn("--try dac.present_mode=immediate", held["fifo"])
        self.assertNotRegex(held["immediate"], "held up by.* dac ")

    def test_explain_names_the_retrace_and_the_latency(self):
        self.frame(1000, "host.cpu=100")
        result = self.call("explain", "out", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("held up by dac", result.stdout)
        self.assertIn("pictures waited for the vertical retrace in", result.stdout)
        self.assertIn("--try command_processor.presents=2 --try dac.refresh_hz=2000", result.stdout)
        self.assertIn("from a frame's begin on the host to its picture on the screen:", result.stdout)


if __name__ == "__main__":
    command_case.main(("cutaway", "write-scene"))
