#!/usr/bin/env python3
"""`cutaway experiment` on a small scene: figures, verdicts with their reasons, resumed runs, clear errors."""
import csv
import io
import json
import signal
import sqlite3
import time
import xml.etree.ElementTree

from command_case import CommandTest, main

EXPERIMENT = """
title = "A small experiment"
figure = "Figure 0"
facts = ["ATT-13"]
about = "It looks at\\nchannels."
frames = 2

[[axis]]
name = "machine"
labels = ["non-unified", "unified"]
gpu = ["attila-split", "attila"]

[[axis]]
name = "channels"
memory.channels = [1, 4]

[measure.cycles]
unit = "cycles"
sql = "SELECT sum(cycles) FROM frame"

[measure.bytes]
sql = "SELECT sum(bytes_read + bytes_written) FROM frame"

[measure.speed]
formula = "cycles[machine = non-unified, channels = 1] / cycles"

[series.usage]
sql = '''SELECT ended AS cycle, sum(value) AS "bytes <&>" FROM interval JOIN interval_counter USING (frame, interval)
  JOIN counter USING (counter) WHERE name = 'read_bytes' GROUP BY frame, interval ORDER BY ended'''

[[panel]]
title = "Speed"
kind = "bars"
x = "channels"
y = "speed"

[[panel.paper]]
at = 4
least = 1
most = 2
words = "more is faster"

[[panel]]
title = "Reads"
kind = "lines"
x = "usage"
y = ["bytes <&>"]
where = {machine = "unified", channels = 1}

[[panel]]
title = "By area"
kind = "points"
x = "transistors"
y = "speed"
along = "channels"
linear = [40, 1]

[[claim]]
id = "T-1"
words = "more channels are not slower"
source = "section 1"
value = "cycles[channels = 1] / cycles[channels = 4]"
least = 1

[[claim]]
id = "T-2"
words = "a hundred times as fast"
source = "section 2"
value = "cycles[channels = 1] / cycles[channels = 4]"
least = 100

[[claim]]
id = "T-3"
words = "the base is 1, and others are not"
source = "section 3"
value = "speed[channels = 1]"
least = 1
most = 1
"""


class Experiments(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene()
        (self.folder / "small.toml").write_text(EXPERIMENT)

    def run_small(self, *more):
        return self.call("experiment", "./small.toml", "--capture", "animation4.cutaway", "--out", "o", "--quiet",
                         "--jobs", "2", *more)

    def attempts(self):
        database = sqlite3.connect(self.folder / "o/sweep.sqlite")
        try:
            return database.execute("SELECT count(*), count(DISTINCT point) FROM attempt WHERE outcome = 'finished'").fetchone()
        finally:
            database.close()

    def test_figures_and_verdicts(self):
        result = self.run_small()
        self.assertEqual(result.returncode, 0, result.stderr)
        folder = self.folder / "o/small"
        rows = list(csv.DictReader(io.StringIO((folder / "results.csv").read_text())))
        self.assertEqual([(row["machine"], row["channels"]) for row in rows],
                         [("non-unified", "1"), ("non-unified", "4"), ("unified", "1"), ("unified", "4")])
        self.assertEqual([row["transistors"] for row in rows], ["40", "40", "30", "30"])
        self.assertEqual(float(rows[0]["speed"]), 1)
        # The numbers are those of simulate, of both frames together.
        simulated = self.call("simulate", "animation4.cutaway", "--frames", "1..2", "--gpu", "attila-split", "--set",
                              "memory.channels=4", "--out", "s", "--quiet")
        self.assertEqual(simulated.returncode, 0, simulated.stderr)
        frames = json.loads((self.folder / "s/summary.json").read_text())["frames"]
        self.assertEqual(int(rows[1]["cycles"]), sum(frame["cycles"] for frame in frames))

        verdicts = json.loads((folder / "verdicts.json").read_text())
        self.assertEqual((verdicts["experiment"], verdicts["first_frame"], verdicts["last_frame"]), ("small", 1, 2))
        claims = {claim["id"]: claim for claim in verdicts["claims"]}
        self.assertEqual([claims[c]["verdict"] for c in ("T-1", "T-2", "T-3")], ["holds", "does not hold", "in part"])
        self.assertEqual([value["at"] for value in claims["T-1"]["values"]], ["non-unified", "unified"])
        self.assertAlmostEqual(claims["T-1"]["values"][1]["value"], int(rows[2]["cycles"]) / int(rows[3]["cycles"]))
        for claim in claims.values():
            self.assertTrue(claim["reasons"])
            self.assertIn("held up by", claim["reasons"][0]["findings"][0])
            self.assertTrue(any("instructions a cycle each" in line for line in claim["reasons"][0]["findings"]))
        text = (folder / "verdicts.md").read_text()
        self.assertIn("It looks at channels.", text)
        self.assertIn("| T-2 | **does not hold** |", text)
        self.assertIn("cutaway experiment small --capture animation4.cutaway --frames 1..2", text)
        for line in ("T-1       holds", "T-2       does not hold", "T-3       in part"):
            self.assertIn(line, result.stdout)

    def test_picture_and_series(self):
        self.assertEqual(self.run_small().returncode, 0)
        svg = xml.etree.ElementTree.parse(self.folder / "o/small/figure.svg").getroot()
        texts = ["".join(node.itertext()) for node in svg.iter("{http://www.w3.org/2000/svg}text")]
        for text in ("A small experiment", "Speed", "Reads", "bytes <&>", "what the paper says",
                     "paper, channels 4: more is faster"):
            self.assertIn(text, texts)
        usage = list(csv.reader(io.StringIO((self.folder / "o/small/usage.csv").read_text())))
        self.assertEqual(usage[0], ["machine", "channels", "cycle", "bytes <&>"])
        # x goes on from frame to frame.
        cycles = [int(row[2]) for row in usage[1:] if row[:2] == ["unified", "1"]]
        self.assertEqual(cycles, sorted(cycles))
        rows = csv.DictReader(io.StringIO((self.folder / "o/small/results.csv").read_text()))
        self.assertEqual(cycles[-1], [int(row["cycles"]) for row in rows][2])

    def test_what_is_there_is_not_run_again(self):
        self.assertEqual(self.run_small().returncode, 0)
        self.assertEqual(self.attempts(), (8, 8))
        first = (self.folder / "o/small/verdicts.json").read_text()
        self.assertEqual(self.run_small().returncode, 0)
        self.assertEqual(self.attempts(), (8, 8))
        self.assertEqual((self.folder / "o/small/verdicts.json").read_text(), first)
        # Another experiment takes what both ask for.
        (self.folder / "other.toml").write_text(EXPERIMENT.replace("[1, 4]", "[1, 4, 2]"))
        other = self.call("experiment", "./other.toml", "--capture", "animation4.cutaway", "--out", "o", "--quiet")
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertEqual(self.attempts(), (12, 12))
        # A record that is gone is told, by name.
        next((self.folder / "o/runs").glob("*.sqlite")).unlink()
        gone = self.call("experiment", "./other.toml", "--capture", "animation4.cutaway", "--out", "o", "--quiet")
        self.assertEqual(gone.returncode, 2)
        self.assertIn("this record of a result is missing", gone.stderr)

    def test_an_interrupted_run_goes_on(self):
        process = self.start("experiment", "./small.toml", "--capture", "animation4.cutaway", "--out", "o", "--jobs", "1")
        until = time.monotonic() + 60
        while process.poll() is None and not list(self.folder.glob("o/runs/*.sqlite")) and time.monotonic() < until:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("the run was faster than the signal")
        self.assertEqual(process.returncode, 2, errors)
        self.assertIn("the same command goes on", errors)
        self.assertEqual(self.run_small().returncode, 0)
        self.assertEqual(self.attempts(), (8, 8))
        self.assertEqual(list(self.folder.glob("o/runs/*.part*")), [])

    def test_list(self):
        listed = self.call("experiment", "list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        for text in ("attila-fig4", "attila-fig9", "ATT-13a", "32 configurations, 2 frames each", "record_match.sh"):
            self.assertIn(text, listed.stdout)
        plan = self.call("experiment", "./small.toml", "--capture", "animation4.cutaway", "--dry-run", "--out", "o")
        self.assertEqual(plan.returncode, 0, plan.stderr)
        self.assertEqual(plan.stdout.count("animation4.cutaway frame"), 8)
        self.assertFalse((self.folder / "o").exists())

    def test_errors(self):
        self.fails("experiment", "atila-fig4", names=["no such experiment", "did you mean attila-fig4"])
        self.fails("experiment", "attila-fig4", names=["out/match.cutaway", "record_match.sh", "--capture"])
        self.fails("experiment", "attila-fig4", "--capture", "small.toml", names=["not a capture"])
        self.fails("experiment", "./small.toml", "--capture", "animation4.cutaway", "--frames", "4..9", names=["holds frames"])
        self.fails("experiment", "./none.toml", names=["none.toml: no such file"])
        (self.folder / "bad.toml").write_text(EXPERIMENT.replace("speed[channels = 1]", "speed[channels = 3]"))
        self.fails("experiment", "./bad.toml", names=["bad.toml:", "axis channels has no '3'; it has: 1, 4"])
        (self.folder / "bad.toml").write_text(EXPERIMENT.replace("memory.channels =", "memory.channel ="))
        self.fails("experiment", "./bad.toml", "--capture", "animation4.cutaway", names=["non-unified, channels 1", "memory.channel"])

    def test_a_query_that_sqlite_refuses(self):
        (self.folder / "small.toml").write_text(EXPERIMENT.replace("sum(cycles) FROM frame", "sum(cycle) FROM frame"))
        result = self.run_small()
        self.assertEqual(result.returncode, 2)
        self.assertIn("no such column: cycle", result.stderr)
        self.assertIn("small.toml:17", result.stderr)


if __name__ == "__main__":
    main(("cutaway", "write-scene"))
