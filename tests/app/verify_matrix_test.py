#!/usr/bin/env python3
"""tests/verify_matrix.py: a capture of a program and one of a written stream on every preset, in every variant; what
it makes of a machine that is wrong; and that it goes on where it was.

usage: verify_matrix_test.py --cutaway PATH --write-scene PATH --triangles PATH [--whole] [TEST...]
  --whole  every preset; else attila and the last one
"""
import json
import pathlib
import re
import subprocess
import sys

from command_case import CommandTest, main, options, whole

MATRIX = pathlib.Path(__file__).resolve().parent.parent / "verify_matrix.py"
ALL = ["--variant", "plain", "--variant", "shuffled", "--variant", "unskipped"]


class VerifyMatrix(CommandTest):
    def matrix(self, *arguments, cutaway=None):
        return subprocess.run([sys.executable, MATRIX, "--cutaway", cutaway or options.cutaway, "--work",
                               self.folder / "work", *map(str, arguments)], capture_output=True, text=True, timeout=600)

    def rows(self, result):
        """{(capture, machine, variant): (frames, cycles, verdict)} of the table."""
        table = result.stdout.split("\n\n")[-1] if "\n\n" in result.stdout else result.stdout.lstrip()
        rows = re.findall(r"^(\S+) +(\S+) +(\S+) +(\d+) +([\d,]+) +[\d.]+  (.*)$", table, re.MULTILINE)
        return {row[:3]: (int(row[3]), int(row[4].replace(",", "")), row[5]) for row in rows}

    def presets(self):
        return [line.split()[0] for line in self.call("gpus").stdout.split("\n\n")[0].splitlines()]

    def wrapper(self, body):
        """A command that is `cutaway`, but for what `body` does to a simulation: arguments `a`, folder `out`."""
        path = self.folder / "wrapped.py"
        path.write_text(f"#!{sys.executable}\nimport json, pathlib, subprocess, sys\na = sys.argv[1:]\n"
                        f"code = subprocess.run([{str(options.cutaway)!r}, *a]).returncode\n"
                        "if a[0] == 'simulate':\n    out = pathlib.Path(a[a.index('--out') + 1]) / 'summary.json'\n"
                        "    told = json.loads(out.read_text())\n"
                        f"    {body}\n    out.write_text(json.dumps(told))\nsys.exit(code)\n")
        path.chmod(0o755)
        return path

    def test_presets(self):
        triangles = self.folder / "triangles.cutaway"
        result = self.call("capture", "-o", triangles, "--", options.triangles, self.folder / "picture.ppm")
        self.assertEqual(result.returncode, 0, result.stderr)
        presets = self.presets()
        self.assertIn("attila", presets)
        some = []
        if not whole.WHOLE:
            presets = ["attila", presets[-1]]
            some = [argument for preset in presets for argument in ("--gpu", preset)]
        result = self.matrix(*ALL, *some, triangles, self.scene("animation4"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        rows = self.rows(result)
        self.assertEqual(set(rows), {(capture, gpu, variant) for capture in ("triangles", "animation4")
                                     for gpu in presets for variant in ("plain", "shuffled", "unskipped")})
        for (capture, gpu, variant), (frames, cycles, verdict) in rows.items():
            self.assertEqual((frames, verdict), (4 if capture == "animation4" else 1, "equal"))
            self.assertEqual(cycles, rows[capture, gpu, "plain"][1])
            self.assertGreater(cycles, 1000)

    def test_goes_on_where_it_was(self):
        scene = self.scene("animation4")
        some = ["--gpu", "attila", "--step", "1"]
        result = self.matrix(*some, "--frames", "2..3", scene)
        self.assertEqual(self.rows(result)["animation4", "attila", "plain"][0], 2)
        result = self.matrix(*some, scene)
        self.assertIn("2 of 4 runs are in", result.stdout)
        self.assertEqual(sorted(re.findall(r"frames (\d+), plain: equal", result.stdout)), ["1", "4"])
        result = self.matrix(*some, "--minutes", "0", scene)
        self.assertEqual(result.returncode, 0, result.stdout)
        result = self.matrix(*some, "--minutes", "0", "--fresh", scene)
        self.assertEqual(result.returncode, 1)
        self.assertIn("4 frames not tried", result.stdout)
        # Another command, and another machine of the same name, are tried anew.
        same = self.wrapper("pass")
        self.assertIn("[4/4]", self.matrix(*some, scene, cutaway=same).stdout)
        machine = self.folder / "mine.toml"
        for queue in (5, 6):
            machine.write_text(f'base = "attila"\n[streamer]\nqueue = {queue}\n')
            self.assertIn("[4/4]", self.matrix("--gpu", machine, "--step", "1", scene).stdout)

    def test_samples_are_spread(self):
        result = self.matrix("--gpu", "attila", "--sample", "2", self.scene("animation4"))
        self.assertEqual(sorted(re.findall(r"frames (\S+), plain", result.stdout)), ["2", "4"])

    def test_what_is_not_equal(self):
        scene = self.scene("animation4")
        for body, words in (
                ("told['differences'], code = ['frame 2: memory differs'], 1", "frame 2: memory differs"),
                ("code = 3", "exit code 3"), ("told['verify'] = None", "exit code 0"),
                ("told['frames'].pop()", "exit code 0")):
            result = self.matrix("--gpu", "attila", scene, cutaway=self.wrapper(body))
            self.assertEqual(result.returncode, 1, body)
            self.assertIn(f"NOT EQUAL: frames 1..4: {words}", result.stdout)
        body = "told['frames'][1]['draws'] += '--seed' in a"
        result = self.matrix("--gpu", "attila", *ALL, scene, cutaway=self.wrapper(body))
        self.assertEqual(result.returncode, 1)
        rows = self.rows(result)
        self.assertIn("figures are not those of plain", rows["animation4", "attila", "shuffled"][2])
        self.assertEqual(rows["animation4", "attila", "unskipped"][2], "equal")

    def test_what_cannot_be_used(self):
        scene = self.scene("animation4")
        for arguments in ([self.folder / "none"], ["--gpu", "none", scene], ["--frames", "7..", scene],
                          ["--frames", "x", scene], ["--step", "0", scene]):
            self.assertEqual(self.matrix(*arguments).returncode, 2, arguments)
        results = self.folder / "work/results.json"
        self.assertFalse(results.exists() and json.loads(results.read_text()))


if __name__ == "__main__":
    main(("cutaway", "write-scene", "triangles"))
