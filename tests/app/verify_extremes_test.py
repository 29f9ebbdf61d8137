#!/usr/bin/env python3
"""tests/verify_extremes.py: a few parameters and random machines, and the failures that it must report.

usage: verify_extremes_test.py --cutaway PATH --write-scene PATH --write-machine PATH [--whole] [TEST...]
"""
import pathlib
import subprocess
import sys
import unittest

from command_case import CommandTest, main, options, whole

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
import verify_extremes  # noqa: E402


class VerifyExtremes(CommandTest):
    def extremes(self, *arguments, cutaway=None):
        return subprocess.run([sys.executable, TESTS / "verify_extremes.py", "--cutaway", cutaway or options.cutaway, "--work",
                               self.folder / "work", "--write-machine", options.write_machine, *map(str, arguments)],
                              capture_output=True, text=True, timeout=600)

    def test_extremes_of_a_range(self):
        self.assertEqual(verify_extremes.words_of("1 to 64"), ["1", "64"])
        self.assertEqual(verify_extremes.words_of("0.5 to 10000"), ["0.5", "10000"])
        self.assertEqual(verify_extremes.words_of("true or false"), ["true", "false"])
        self.assertEqual(verify_extremes.words_of("fifo, lru, random"), ["fifo", "lru", "random"])
        self.assertEqual(verify_extremes.words_of("all, none, or a list of formats"), ["all", "none"])

    def test_extremes_and_random_machines_draw_the_same(self):
        which = [] if whole.WHOLE else ["--gpu", "attila-split", "--gpu", "g84m", "--parameter", "streamer.queue",
                                        "--parameter", "z_stencil.compression", "--parameter", "color_write.cache_replacement"]
        result = self.extremes(*which, "--random", "1..300" if whole.WHOLE else "1..3", "--sample", "1", self.scene("animation4"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        if not whole.WHOLE:
            # Two machines of the range, one of the switch, four of the five policies; on two presets.
            self.assertIn("17 machines, 0 of them refused\n", result.stdout)
            self.assertTrue(result.stdout.endswith("\n17 equal\n"), result.stdout)

    def test_what_fails(self):
        wrong = self.folder / "wrong.py"
        wrong.write_text(f"#!{sys.executable}\nimport subprocess, sys, time\na = sys.argv[1:]\n"
                         "if a[0] == 'simulate' and 'queue=1.' in ' '.join(a): time.sleep(60)\n"
                         "if a[0] == 'gpus' and 'queue=1024' in ' '.join(a): sys.exit('cutaway: refused without a name')\n"
                         f"sys.exit(subprocess.run([{str(options.cutaway)!r}, *a]).returncode)\n")
        wrong.chmod(0o755)
        result = self.extremes("--gpu", "attila", "--parameter", "streamer.queue", "--seconds", "1", self.scene("animation4"),
                               cutaway=wrong)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^FAILED animation4 on attila.streamer.queue=1, .*took too long$")
        self.assertRegex(result.stdout, r"(?m)^FAILED attila.streamer.queue=1024: ")

    def test_what_cannot_be_used(self):
        for arguments in ([], [self.folder / "none"], ["--sample", "0", "--list"], ["--random", "x", "--list"]):
            self.assertEqual(self.extremes(*arguments).returncode, 2, arguments)


if __name__ == "__main__":
    main(("cutaway", "write-scene", "write-machine"))
