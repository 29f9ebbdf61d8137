#!/usr/bin/env python3
"""bench/speed.py: its tables of a written stream and of a short trace, the page that it writes, and its errors.

usage: speed_test.py --cutaway PATH --write-scene PATH [TEST...]
"""
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

from command_case import CommandTest, main, options

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench/speed.py"
TRACE = ROOT / "tests/traces/glxgears.trace"
sys.path.insert(0, str(ROOT / "bench"))
import speed_tables  # noqa: E402


class Speed(CommandTest):
    def speed(self, *arguments, cutaway=None):
        return subprocess.run([SCRIPT, "--cutaway", cutaway or options.cutaway, *map(str, arguments)],
                              capture_output=True, text=True, timeout=600, cwd=self.folder)

    def clock(self, *arguments):
        return self.speed("--capture", self.scene(), "--frame", "2", "--runs", "2", "--gpu", "attila",
                          "--gpu", "attila:shader.units=8", *arguments)

    def page(self):
        page = self.folder / "speed.md"
        shutil.copy(ROOT / "docs/speed.md", page)
        return page

    def test_figures_of_the_machine(self):
        result = self.clock("--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("[4/4", result.stderr)
        figures = json.loads(result.stdout)
        self.assertEqual([of["machine"] for of in figures["clock"]], ["attila", "attila:shader.units=8"])
        for of in figures["clock"]:
            rate = of["builds"]["new"]["cycles_per_second"]
            self.assertEqual(rate["runs"], 2)
            self.assertTrue(0 < rate["least"] <= rate["median"] <= rate["most"])
            self.assertTrue(of["agree"])
        for member in ("cpu", "cpus", "load", "date"):
            self.assertIn(member, figures["host"])
        self.assertRegex(figures["builds"]["new"]["compiler"], "GCC|clang")

    def test_two_builds_take_turns(self):
        old = self.folder / "old"
        old.symlink_to(options.cutaway)
        result = self.clock("--old", old)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([line.split()[-1] == str(old) for line in result.stderr.splitlines() if "run " in line],
                         [True, False] * 4)
        self.assertRegex(result.stdout, r"cycles/s \(old\) .*cycles/s \(new\) .*new / old")

    def test_page(self):
        page = self.page()
        # As if the page had not been written with the build under test, whose rows would be replaced.
        revision = json.loads(self.clock("--quiet", "--json", "-").stdout)["builds"]["new"]["revision"]
        page.write_text(page.read_text().replace(revision, "1234567"))
        others = page.read_text().split(speed_tables.END)[1]
        for _ in range(2):  # the second run replaces what the first wrote
            result = self.clock("--quiet", "--write", page)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = page.read_text()
        self.assertRegex(text, r"\| attila, 8 units \| [\d,]+ \| [\d,]+ \| [\d,]+ to [\d,]+ \| [\d.]+ \| [\d.]+ \|")
        rows = set(text.split("\n")) - set(others.split("\n"))
        self.assertEqual(len([row for row in rows if row.startswith("| 2")]), 1)
        self.assertEqual(set(others.split("\n")) - set(text.split("\n")), set())

    @unittest.skipUnless(shutil.which("vkcube") and shutil.which("Xvfb") and shutil.which("eglretrace"),
                         "vulkan-tools, xvfb or apitrace is not installed")
    def test_vkcube(self):
        result = self.speed("--only", "emulator", "--rounds", "1", "--seconds", "0.05", "--markdown", "vkcube")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\| vkcube \| [\d.]+ \(.*\) \| [\d.]+ \(.*\) \| - \| [\d.]+ \| - \|")
        result = self.speed("vkcube")
        self.assertEqual(result.returncode, 2)
        self.assertIn("give an OpenGL trace before vkcube", result.stderr)

    @unittest.skipUnless(shutil.which("eglretrace") and pathlib.Path("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")
                         .exists(), "apitrace or Mesa's software driver is not installed")
    def test_traces(self):
        result = self.speed("--only", "emulator", "--rounds", "1", "--seconds", "0.05", "--markdown", TRACE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\| glxgears(\*?) \| [\d.]+ \([\d.]+ to [\d.]+\) \| .* \| [\d.]+ \| [\d.]+ \|")
        self.assertRegex(result.stdout, r"\n\| 20[\d-]+ \| \S+ \| glxgears \| [\d.]+ \| [\d.]+ \| [\d.]+ \|\n")
        (self.folder / "text.trace").write_text("no trace\n")
        page = self.page()
        before = page.read_text()
        result = self.speed("--only", "emulator", "--rounds", "1", "--write", page, "text.trace")
        self.assertEqual(result.returncode, 1)
        self.assertIn("speed.py: text, cutaway: ", result.stderr)
        self.assertEqual(page.read_text(), before)

    def test_what_cannot_be_used(self):
        for names, arguments in ((["--help", "traces"], []), (["none.trace"], ["none.trace"]),
                                 (["none.cutaway"], ["--capture", "none.cutaway"]),
                                 (["softpip", "softpipe"], ["--renderers", "softpip", TRACE]),
                                 (["page.md"], ["--write", "page.md", TRACE]), (["--runs"], ["--runs", "0", TRACE]),
                                 (["none/f.json"], ["--json", "none/f.json", TRACE]),
                                 (["old"], ["--old", "old", TRACE])):
            result = self.speed(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            lines = result.stderr.splitlines()
            self.assertEqual(len(lines), 1, result.stderr)
            for name in ["speed.py: ", *names]:
                self.assertIn(name, lines[0])
        result = self.speed("--capture", TRACE, cutaway="cutawa")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cutawa: no such program", result.stderr)

    def test_captures_that_are_none(self):
        result = self.speed("--capture", TRACE, "--gpu", "attila")
        self.assertEqual(result.returncode, 1)
        self.assertIn("glxgears.trace", result.stderr.splitlines()[-1])

    def test_interrupt(self):
        left = self.folder / "left"
        left.mkdir()
        page = self.page()
        before = page.read_text()
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([SCRIPT, "--cutaway", options.cutaway, "--capture", self.scene(), "--frame", "2",
                                        "--runs", "100000", "--gpu", "attila", "--write", page], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"TMPDIR": str(left)})
            while line := process.stderr.readline():  # a run is under way when the next one but one is told
                if line.startswith("[3/"):
                    break
            process.send_signal(number)
            _, told = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 2, told)
            self.assertEqual(told.splitlines()[-1], "speed.py: interrupted")
            self.assertEqual(list(left.iterdir()), [])
        self.assertEqual(page.read_text(), before)


if __name__ == "__main__":
    main(("cutaway", "write-scene"))
