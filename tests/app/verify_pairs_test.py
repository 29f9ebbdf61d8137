#!/usr/bin/env python3
"""tests/verify_pairs.py: that its machines cover all pairs, that they are machines, and what is told of one that is
wrong. Each draws a frame of a written stream; with --whole two, and one that a program draws.

usage: verify_pairs_test.py --cutaway PATH --write-scene PATH --triangles PATH [--whole] [TEST...]
"""
import pathlib
import re
import subprocess
import sys
import unittest

from command_case import CommandTest, main, options, whole

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
import verify_pairs  # noqa: E402


class VerifyPairs(CommandTest):
    def pairs(self, *arguments, cutaway=None):
        return subprocess.run([sys.executable, TESTS / "verify_pairs.py", "--cutaway", cutaway or options.cutaway,
                               "--work", self.folder / "work", *map(str, arguments)],
                              capture_output=True, text=True, timeout=600)

    def test_every_pair_occurs(self):
        for axes in ({"a": list("12"), "b": list("12")}, {"a": list("123"), "b": list("12"), "c": list("1234")},
                     {name: list("1234")[:2 + i % 3] for i, name in enumerate("abcdefghij")}):
            rows = verify_pairs.covering_rows(axes)
            self.assertEqual(rows, verify_pairs.covering_rows(axes))
            expected = {(a, x, b, y) for a in axes for b in axes if a < b for x in axes[a] for y in axes[b]}
            self.assertEqual({(a, row[a], b, row[b]) for row in rows for a in axes for b in axes if a < b}, expected)
            self.assertTrue(all(row[axis] in axes[axis] for row in rows for axis in axes))
            # The two longest axes need as many; a full product far more.
            longest = sorted(map(len, axes.values()))[-2:]
            self.assertLessEqual(len(rows), 2 * longest[0] * longest[1])

    def test_axes_that_a_machine_lacks(self):
        axes = {"x": {"1": ["base = attila"], "2": ["p.q = 2"]}, "y": {"1": ["p.r = 1", "p.s = 1"]}}
        self.assertEqual(verify_pairs.usable_axes(axes, {"p.q", "p.r"}), ({"x": ["1", "2"]}, {"y": "p.s"}))

    @unittest.skipUnless(whole.WHOLE, "every machine: with --whole")
    def test_all_machines(self):
        triangles = self.folder / "triangles.cutaway"
        result = self.call("capture", "-o", triangles, "--", options.triangles, self.folder / "picture.ppm")
        self.assertEqual(result.returncode, 0, result.stderr)
        result = self.pairs(triangles, self.scene("animation4"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        machines = len(list((self.folder / "work/machines").iterdir()))
        self.assertRegex(result.stdout, rf"(?m)^{machines} machines: all \d+ pairs of values of \d+ axes$")
        self.assertIn(f"\n{machines} machines x 3 frames of 2 captures: {3 * machines} equal, 0 not\n", result.stdout)
        # They are no copies of one another.
        cycles = set(re.findall(r"^animation4 .*?([\d,]+) +[\d.]+  equal$", result.stdout, re.MULTILINE))
        self.assertGreater(len(cycles), machines // 2)
        again = self.pairs("--minutes", "0", triangles, self.scene("animation4"))
        self.assertEqual(again.returncode, 0, again.stdout)

    def test_what_is_not_equal(self):
        wrong = self.folder / "wrong.py"
        wrong.write_text(f"#!{sys.executable}\nimport subprocess, sys\na = sys.argv[1:]\n"
                         f"code = subprocess.run([{str(options.cutaway)!r}, *a]).returncode\n"
                         "sys.exit(1 if 'pairs03' in ' '.join(a) and a[0] == 'simulate' else code)\n")
        wrong.chmod(0o755)
        result = self.pairs("--sample", "1", self.scene("animation4"), cutaway=wrong)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertRegex(result.stdout, r"1 captures: \d+ equal, 1 not\n")
        self.assertRegex(result.stdout, r"(?m)^animation4 +pairs03 .*NOT EQUAL")

    def test_what_cannot_be_used(self):
        for arguments in ([], [self.folder / "none"], ["--sample", "0", "--list"], ["--frames", "x", "--list"]):
            self.assertEqual(self.pairs(*arguments).returncode, 2, arguments)


if __name__ == "__main__":
    main(("cutaway", "write-scene", "triangles"))
