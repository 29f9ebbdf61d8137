#!/usr/bin/env python3
"""Texts of others (file names, arguments, metadata, labels): results are written, terminals and tables are not steered.

Every output is valid UTF-8 (Python decodes it strictly) without control characters; no line of it is another's; every
JSON, XML and CSV can be read; no cell of CSV is a formula.
"""
import csv
import html.parser
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import xml.etree.ElementTree

from command_case import CommandTest, main, options

# What a file may be called: a byte of Latin-1, an escape sequence, a newline, C1 controls, a mark of direction.
NAME = os.fsdecode(b"g\xff\x1b[31m\nINJECTED\x07\x9b\xc2\x9b\xe2\x80\xae<b>&'\"\xfe")
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FORMULA = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")

EXPERIMENT = """
title = "t"
figure = "f"
facts = ["ATT-13"]
frames = 1
[[axis]]
name = "=1+1"
labels = ["@SUM(A1)", "\\t=2+2\\u009b"]
memory.channels = [1, 4]
[measure.cycles]
sql = "SELECT sum(cycles) FROM frame"
[measure."-3+A1"]
sql = "SELECT -sum(cycles) FROM frame"
[series.usage]
sql = 'SELECT -ended AS "+1+1", sum(value) AS "a;=1" FROM interval JOIN interval_counter USING (frame, interval) GROUP BY 1'
[[panel]]
title = "p"
kind = "bars"
x = "=1+1"
y = "cycles"
[[claim]]
id = "T-1"
words = "two\\nINJECTED \\u009b lines"
source = "s"
value = "cycles"
least = 1
"""


class HostileText(CommandTest):
    def check_text(self, *texts):
        for text in texts:
            self.assertIsNone(STEERS.search(text), repr(text))
            self.assertNotIn("INJECTED", [line[:8] for line in text.splitlines()], text)

    def works(self, *arguments, code=0, **more):
        result = self.call(*arguments, **more)
        self.assertEqual(result.returncode, code, (arguments, result.stderr))
        self.check_text(result.stdout, result.stderr)
        return result

    def summary(self, folder="o"):
        return json.loads((self.folder / folder / "summary.json").read_bytes().decode())

    def check_csv(self, path):
        for row in csv.reader(path.read_bytes().decode().splitlines(True)):
            for cell in row:
                if FORMULA.match(cell):
                    float(cell)  # a number stays one

    def hostile_machine(self):
        path = self.folder / (NAME + ".toml")
        path.write_text('base = "attila"\n[shader]\nunits = {value = 3, source = "x\\u001b[2J\\nINJECTED \\u009b\\u202e"}\n')
        return f"./{NAME}.toml"

    def test_file_names(self):
        file = self.scene("textured-triangle").rename(self.folder / NAME)
        machine = self.hostile_machine()
        for command in ("info", "disasm", "emulate"):
            self.works(command, file)
        self.works("simulate", file, "--out", f"./{NAME}.o", "--gpu", machine, "--verify", "--timeline", f"./{NAME}.t",
                   "--timeline-cycles", "1..9")
        self.assertIn("�", self.summary(f"{NAME}.o")["capture"])
        self.works("simulate", file, "--out", "o", "--gpu", machine, "--quiet")
        self.works("explain", "o", "--try", "memory.channels=2")
        self.works("explain", f"./{NAME}.o", "--json")
        self.works("report", f"./{NAME}.o", "-o", f"./{NAME}.html")
        for more in (["gpus", machine], ["trace", file, "--frame", "1", "--draw", "2", "--vertex", "0", "--gpu", machine]):
            self.works(*more, "--svg", f"{NAME}.svg")
            xml.etree.ElementTree.parse(self.folder / f"{NAME}.svg")

    def test_names_that_cannot_be_used(self):
        for arguments in (["info", NAME], ["simulate", NAME, "--gpu", NAME], ["simulate", "--gpu", f"./{NAME}.toml", "x"],
                          ["report", NAME], ["explain", NAME], ["sweep", f"{NAME}.toml"], ["experiment", NAME],
                          ["experiment", f"{NAME}.toml"], ["probe", NAME], ["fidelity", NAME], [NAME], ["info", "--" + NAME],
                          ["run", "--", f"./{NAME}"], ["capture", "-o", "c", "--", f"./{NAME}"], ["capture", "-o", "c", NAME],
                          ["gpus", "attila", "--set", NAME], ["gpus", NAME], ["emulate", "x", "--frames", NAME]):
            result = self.works(*arguments, code=2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_a_program_and_its_arguments(self):
        program = self.folder / NAME
        program.symlink_to(os.path.abspath(options.triangles))
        self.works("run", "--frames", "1..1", "--out", "o", "--", f"./{NAME}", "a.ppm")
        self.assertIn("�", self.summary()["program"])
        self.works("info", "o/capture.cutaway")
        # The program prints its argument itself, and need not be able to use it.
        result = subprocess.run([options.cutaway, "run", "--frames", "1..1", "--out", "p", "--", options.triangles, NAME],
                                cwd=self.folder, capture_output=True, timeout=120)
        self.check_text(result.stdout.decode())
        self.assertIn("�", self.summary("p")["program"])

    def test_metadata_and_annotations(self):
        file = self.scene("animation4", "hostile")
        for command in (["info"], ["emulate", "--out", "e"], ["simulate", "--out", "o", "--frames", "2"]):
            self.works(command[0], file, *command[1:])
        # A program's text is lines.
        self.assertIsNone(STEERS.search(self.call("disasm", file).stdout))
        self.assertIn("INJECTED", self.summary()["program"])
        for more in ([], ["--json"]):
            self.works("explain", "o", *more)
        self.works("report", "o", "-o", "r.html")
        page = (self.folder / "r.html").read_bytes().decode()
        html.parser.HTMLParser().feed(page)

    def test_a_database_of_another(self):
        self.works("simulate", self.scene(), "--out", "o", "--frames", "2", "--quiet")
        with sqlite3.connect(self.folder / "o/run.sqlite") as database:
            bad = "=1 \x1b[2J\nINJECTED \u009b\u202e"
            for text in ("UPDATE work SET label = ?", "UPDATE work SET packet = ? WHERE kind <> 'draw'",
                         "UPDATE meta SET value = ? WHERE name IN ('program', 'gpu')",
                         "UPDATE wire SET sender = sender || ?", "UPDATE work_holdup SET unit = unit || ?"):
                database.execute(text, (bad,))
        database.close()
        for more in ([], ["--json"], ["--draw", "1"], ["--interval", "0"]):
            self.works("explain", "o", *more)
        self.works("report", "o", "-o", "r.html")

    def test_sweeps(self):
        folder = self.folder / NAME
        folder.mkdir()
        for name in ("=1+1.cutaway", "@a.cutaway"):
            shutil.copy(self.scene(), folder / name)
        shutil.move(self.folder / self.hostile_machine(), folder / "m.toml")
        (folder / "s.toml").write_text('captures = [{file = "=1+1.cutaway", frames = 1}, {file = "@a.cutaway", frames = 2}]\ngpus = ["./m.toml"]\n'
                                       '[[vary]]\nmemory.channels = [1, 2]\n[[plot]]\nx = "capture"\ny = "cycles"\n'
                                       'series = "gpu"\ntitle = "\\u001b\\u009b\\nINJECTED <b>"\n')
        result = self.works("sweep", f"{NAME}/s.toml", "--out", f"{NAME}/out", "--quiet")
        self.assertIn("4 points: 4 finished", result.stdout)
        table = folder / "out/sweep.csv"
        self.check_csv(table)
        self.assertEqual({row["capture"] for row in csv.DictReader(table.read_text().splitlines())},
                         {"'=1+1.cutaway", "'@a.cutaway"})
        xml.etree.ElementTree.parse(folder / "out/plot1.svg")
        html.parser.HTMLParser().feed((folder / "out/report.html").read_bytes().decode())
        self.works("sweep", f"{NAME}/s.toml", "--out", f"{NAME}/out", "--export", f"{NAME}/again.csv")
        self.assertEqual((folder / "again.csv").read_bytes(), table.read_bytes())

    def test_machines_that_are_left_out_are_listed_with_their_lines(self):
        self.scene()
        (self.folder / "s.toml").write_text('captures = ["animation4.cutaway"]\nframes = 1\nillegal = "skip"\n[set]\n'
                                            'rop.map = [0, 1]\n[[vary]]\nrop.units = [1, 2]\n')
        for more in (["--dry-run"], []):
            told = self.works("sweep", "s.toml", "--quiet", *more).stdout
            line = next(line for line in told.splitlines() if line.startswith("left out: "))
            self.assertIn("s.toml:7", line)
            self.assertIn("s.toml:5", line)
            self.assertNotIn("preset", line)
            self.assertIn("1 left out", told)

    def test_experiments(self):
        file = self.scene().rename(self.folder / NAME)
        (self.folder / "e.toml").write_text(EXPERIMENT)
        self.works("experiment", "./e.toml", "--capture", file, "--out", "x", "--quiet")
        for name in ("results.csv", "usage.csv"):
            self.check_csv(self.folder / "x/e" / name)
        json.loads((self.folder / "x/e/verdicts.json").read_bytes().decode())
        xml.etree.ElementTree.parse(self.folder / "x/e/figure.svg")
        (self.folder / "x/e/verdicts.md").read_bytes().decode()
        (self.folder / "e.toml").write_text(EXPERIMENT.replace("memory.channels = [1, 4]", "texture.cache_ways = [4, 5]"))
        refused = self.works("experiment", "./e.toml", "--capture", file, "--dry-run", code=2)
        self.assertIn("texture.cache_ways (5, ./e.toml:9)", refused.stderr)

    def test_probes(self):
        machine = self.hostile_machine()
        self.works("probe", "E1.0", "--gpu", machine, "--out", "p", "--quiet")
        self.assertIn("�", json.loads((self.folder / "p/probe.json").read_bytes().decode())["machine"])


class Output(CommandTest):
    """Standard output is closed, full or not read: results stay, and the last line names them."""
    def commands(self):
        file = self.scene("textured-triangle")
        self.call("simulate", file, "--out", "run", "--quiet")
        (self.folder / "s.toml").write_text('captures = ["textured-triangle.cutaway"]\n')
        (self.folder / "e.toml").write_text(EXPERIMENT)
        return {
            ("simulate", file, "--out", "o", "--timeline", "t.pftrace", "--timeline-cycles", "1..9", "--quiet"):
                ["o/summary.json", "o/run.sqlite", "t.pftrace"],
            ("emulate", file, "--out", "o"): ["o/.pictures"],
            ("run", "--frames", "1..1", "--out", "o", "--quiet", "--", options.triangles, "a.ppm"):
                ["o/summary.json", "o/capture.cutaway"],
            ("capture", "-o", "c.cutaway", "--quiet", "--", options.triangles, "a.ppm"): ["c.cutaway"],
            ("report", "run", "-o", "r.html", "--quiet"): ["r.html"],
            ("gpus", "attila", "--svg", "g.svg"): ["g.svg"],
            ("trace", file, "--frame", "1", "--draw", "2", "--vertex", "0", "--svg", "g.svg", "--quiet"): ["g.svg"],
            ("sweep", "s.toml", "--out", "o", "--quiet"): ["o/sweep.sqlite", "o/sweep.csv", "o/report.html"],
            ("experiment", "./e.toml", "--capture", file, "--out", "o", "--quiet"): ["o/e/verdicts.json"],
            ("probe", "E1.0", "--out", "o", "--quiet"): ["o/probe.json"]}

    def call_with(self, stdout, arguments):
        return subprocess.run([options.cutaway, *map(str, arguments)], stdout=stdout, stderr=subprocess.PIPE, text=True,
                              timeout=120, cwd=self.folder, preexec_fn=None if stdout else lambda: os.close(1))

    def clean(self, results):
        for name in results:
            self.assertTrue((self.folder / name).exists(), name)
        for name in results:
            path = self.folder / name.split("/")[0]
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def test_results_stay(self):
        for number, (arguments, results) in enumerate(self.commands().items()):
            # Each command once with a full and once with a closed one would take twice as long.
            full = number % 2 == 0
            with open("/dev/full", "w") as device:
                result = self.call_with(device if full else None, arguments)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            reason = "No space left on device" if full else "Bad file descriptor"
            line = result.stderr.splitlines()[-1]
            self.assertIn(f"cutaway: standard output: cannot be written ({reason}); the results are kept: ", line)
            for name in results:
                self.assertIn(name.split("/")[0], line)
            self.clean(results)

    def test_results_stay_where_nobody_reads(self):
        file = self.scene()
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "w") as closed:
            result = self.call_with(closed, ["simulate", file, "--out", "o", "--frames", "2", "--quiet"])
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))
        self.clean(["o/summary.json"])

    def test_a_closed_output_is_not_the_number_of_a_file(self):
        file = self.scene()
        before = file.read_bytes()
        for closed in ([1], [0, 1], [0, 1, 2]):
            result = subprocess.run([options.cutaway, "simulate", file, "--out", "o", "--frames", "2"], timeout=120,
                                    cwd=self.folder, preexec_fn=lambda: [os.close(number) for number in closed])
            self.assertEqual(result.returncode, 2)
            json.loads((self.folder / "o/summary.json").read_text())
            sqlite3.connect(self.folder / "o/run.sqlite").execute("SELECT count(*) FROM frame").fetchone()
            self.clean(["o/summary.json"])
        self.assertEqual(file.read_bytes(), before)


class Verdict(CommandTest):
    def test_a_difference_that_hangs_on_order_is_undecided(self):
        file = self.scene("order-of-arrival")
        result = self.call("simulate", file, "--gpu", "d3d11", "--verify", "--out", "o", "--quiet")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("hangs on order", result.stdout)
        self.assertIn("verify: undecided", result.stdout)
        summary = json.loads((self.folder / "o/summary.json").read_text())
        self.assertEqual(summary["verify"], "undecided")
        self.assertEqual(len(summary["differences"]), 1)
        verified = sqlite3.connect(self.folder / "o/run.sqlite").execute("SELECT value FROM meta WHERE name = 'verified'")
        self.assertEqual(verified.fetchone(), ("undecided",))


if __name__ == "__main__":
    main()
