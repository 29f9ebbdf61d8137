#!/usr/bin/env python3
"""Measures the cycles of a small submission of an OpenGL program.

usage: submissions_test.py --cutaway PATH [TEST...]
"""
import json
import pathlib
import subprocess
import sys

import command_case
from command_case import CommandTest

PROGRAM = pathlib.Path(__file__).resolve().parent / "gl_submissions.py"
AHEAD = ("--set", "command_processor.submissions=16", "--set", "command_processor.watched_memory=64")


class SubmissionsTest(CommandTest):
    def captured(self, name, *arguments):
        command = [sys.executable, PROGRAM, *arguments]
        result = self.call("capture", "-o", name, "--", *command)
        if result.returncode and subprocess.run(command, check=False, cwd=self.folder).returncode == 77:
            self.skipTest("no OpenGL")
        self.assertEqual(result.returncode, 0, result.stderr)

    def frame(self, name, gpu):
        result = self.call("simulate", name, "--gpu", gpu, *AHEAD, "--verify", "--out", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.folder / "out/summary.json").read_text())["frames"][0]

    def flushed(self, gpu):
        """The frame with a flush for each draw, of the capture whose program ran furthest ahead: others hold it up."""
        frames = []
        for attempt in range(5):
            self.captured(f"flushed{attempt}")
            frames.append(self.frame(f"flushed{attempt}", gpu))
        return min(frames, key=lambda frame: frame["cycles"])

    def test_a_small_submission_costs_few_cycles(self):
        self.captured("together", "together")
        for gpu, most in (("attila", 300), ("d3d11", 500)):
            flushed, together = self.flushed(gpu), self.frame("together", gpu)
            self.assertGreater(flushed["counters"]["gpu.command_processor.overlapped_submissions"], 50)
            each = (flushed["cycles"] - together["cycles"]) / 63
            print(f"{gpu}: {each:.0f} cycles a submission")
            self.assertLess(each, most, gpu)


if __name__ == "__main__":
    command_case.main(("cutaway",))
