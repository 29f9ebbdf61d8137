#!/usr/bin/env python3
"""`cutaway sweep` on this machine: complete, resumable, nothing run twice; clear errors for what cannot be used."""
import base64
import collections
import contextlib
import csv
import gzip
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from command_case import CommandTest, main, options

POINTS = 64
SWEEP = """
captures = ["animation4.cutaway"]
[[vary]]
memory.channels = [1, 2, 4, 8]
[[vary]]
texture.cache_lines = {from = 16, to = 128, factor = 2}
"""


class SweepTest(CommandTest):
    undisturbed = None

    def setUp(self):
        super().setUp()
        self.scene()

    def sweep_file(self, text=SWEEP, name="s.toml"):
        (self.folder / name).write_text(text)
        return name

    def rows(self, query, out="out/s"):
        with contextlib.closing(sqlite3.connect(self.folder / out / "sweep.sqlite")) as database:
            return database.execute(query).fetchall()

    def results(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return next(line for line in result.stdout.splitlines() if line.startswith("results: "))

    def whole(self):
        """What an undisturbed sweep comes to, in whatever folder."""
        if not SweepTest.undisturbed:
            SweepTest.undisturbed = self.results(
                self.call("sweep", self.sweep_file(), "--jobs", "2", "--quiet", "--out", "whole"))
        return SweepTest.undisturbed

    def check_attempts(self, out="out/s"):
        """Every point has one result, of the one attempt that finished."""
        self.assertEqual(self.rows("SELECT count(*) FROM sweep", out), [(POINTS,)])
        finished = collections.Counter(self.rows("SELECT point FROM attempt WHERE outcome = 'finished'", out))
        self.assertEqual((len(finished), set(finished.values())), (POINTS, {1}))
        others = self.rows("SELECT DISTINCT outcome FROM attempt WHERE outcome NOT IN ('finished', 'lost')", out)
        self.assertEqual(others, [])

    def wait_for_results(self, process, count, out="out/s"):
        """Until so many points have one, or the sweep has ended."""
        while process.poll() is None:
            with contextlib.suppress(sqlite3.Error):
                if self.rows("SELECT count(*) FROM result", out)[0][0] >= count:
                    return
            time.sleep(0.01)

    def stopped_worker(self, parent):
        """One that has begun a point, and now cannot end it."""
        def stat(path):
            with contextlib.suppress(OSError):
                return (path / "stat").read_text().rsplit(")", 1)[1].split()
            return ["", ""]
        queue = self.folder / "out/s/queue"
        def has_begun(worker):
            with contextlib.suppress(FileNotFoundError):  # a folder of the queue that has ended
                # A point's result appears in done/ before started/ is removed, and leaves done/ after it.
                return any(not (queue / "done" / start.parent.name).exists() and start.exists()
                           for start in queue.glob(f"started/*/*-{worker}-*[0-9]"))
            return False
        until = time.monotonic() + 30
        while time.monotonic() < until:
            for path in pathlib.Path("/proc").glob("[0-9]*"):
                if stat(path)[1] != str(parent):
                    continue
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(path.name), signal.SIGSTOP)
                    time.sleep(0.02)
                    if stat(path)[0] == "T" and has_begun(path.name):
                        return int(path.name)
                    os.kill(int(path.name), signal.SIGCONT)
        self.fail("no worker has begun a point")

    def processes(self):
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                command = (process / "cmdline").read_bytes().decode(errors="replace")
                if str(self.folder) in command and "sweep-point" in command:
                    found.append(command)
        return found


class Sweeps(SweepTest):
    def test_all_points_and_never_again(self):
        first = self.call("sweep", self.sweep_file(), "--jobs", "2", "--quiet")
        results = self.results(first)
        self.check_attempts()
        self.assertIn(f"{POINTS} points: {POINTS} finished\n", first.stdout)
        self.assertEqual(self.rows("SELECT count(*) FROM attempt"), [(POINTS,)])
        self.assertFalse((self.folder / "out/s/queue").exists())
        again = self.call("sweep", self.sweep_file(), "--quiet")
        self.assertEqual(self.results(again), results)
        self.assertIn(f"{POINTS} of them before", again.stdout)
        self.assertEqual(self.rows("SELECT count(*) FROM attempt"), [(POINTS,)])

    def test_figures_are_those_of_simulate(self):
        self.call("sweep", self.sweep_file(), "--quiet")
        simulated = self.call("simulate", "animation4.cutaway", "--frames", "3", "--set", "memory.channels=2", "--set",
                              "texture.cache_lines=32", "--out", "o", "--quiet")
        self.assertEqual(simulated.returncode, 0, simulated.stderr)
        frame = json.loads((self.folder / "o/summary.json").read_text())["frames"][0]
        [row] = self.rows('SELECT cycles, fragments_written, instructions, statistics_hash, memory_hash FROM sweep WHERE '
                          'frame = 3 AND "memory.channels" = 2 AND "texture.cache_lines" = 32')
        self.assertEqual(row, (frame["cycles"], frame["fragments"]["written"], frame["instructions"],
                               frame["statistics_hash"], frame["memory_hash"]))
        counters = self.rows("SELECT unit || '.' || name, value FROM result_counter JOIN counter USING (counter) WHERE point = (SELECT p.id FROM sweep s JOIN "
                             "point p ON p.hash = s.point WHERE s.frame = 3 AND \"memory.channels\" = 2 AND "
                             "\"texture.cache_lines\" = 32)")
        self.assertEqual(dict(counters), frame["counters"])
        self.assertEqual(self.rows("SELECT unit, name FROM counter WHERE counts IS NULL"), [])
        self.assertEqual(self.rows("SELECT counts FROM counter WHERE unit = 'gpu.shader0' AND name = 'instructions'"),
                         [("instructions",)])
        units = self.rows("SELECT unit, busy FROM account WHERE point = (SELECT p.id FROM sweep s JOIN point p ON p.hash = "
                          "s.point WHERE s.frame = 3 AND \"memory.channels\" = 2 AND \"texture.cache_lines\" = 32)")
        self.assertEqual(dict(units), {path: unit["busy"] for path, unit in frame["units"].items()})

    def test_an_ended_sweep_goes_on(self):
        whole = self.whole()
        for kill in (signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
            process = self.start("sweep", self.sweep_file(), "--jobs", "2", "--quiet")
            before = self.rows("SELECT count(*) FROM result")[0][0] if (self.folder / "out/s").exists() else 0
            self.wait_for_results(process, before + 8)
            self.stopped_worker(process.pid)
            kill == signal.SIGKILL and process.kill() or os.kill(process.pid, kill)
            _, errors = process.communicate(timeout=60)
            if kill != signal.SIGKILL:
                self.assertEqual(process.returncode, 2, errors)
                self.assertIn("interrupted", errors)
                self.assertRegex(self.call("sweep", "--help").stdout, rf"\n  {process.returncode}  .*interrupted")
            until = time.monotonic() + 10
            while self.processes() and time.monotonic() < until:
                time.sleep(0.05)
            self.assertEqual(self.processes(), [], "workers outlive the sweep")
            self.assertLess(self.rows("SELECT count(*) FROM result")[0][0], POINTS, "it was not in the middle")
        self.assertEqual(self.results(self.call("sweep", self.sweep_file(), "--jobs", "2", "--quiet")), whole)
        self.check_attempts()
        self.assertGreaterEqual(self.rows("SELECT count(*) FROM attempt WHERE outcome = 'lost'")[0][0], 4)
        self.assertEqual(self.rows("SELECT DISTINCT message FROM attempt WHERE outcome = 'lost' ORDER BY message"),
                         [("interrupted",), ("the sweep was ended before it",)])

    def test_a_worker_that_is_killed(self):
        process = self.start("sweep", self.sweep_file(), "--jobs", "2", "--quiet")
        self.wait_for_results(process, 5)
        victim = self.stopped_worker(process.pid)
        os.kill(victim, signal.SIGKILL)
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("signal 9", output)
        self.assertIn(f"{POINTS - 1} finished; 1 failed", output)
        self.assertEqual(self.results(self.call("sweep", self.sweep_file(), "--quiet")), self.whole())
        self.check_attempts()

    def test_two_at_once(self):
        process = self.start("sweep", self.sweep_file(), "--jobs", "1", "--quiet")
        self.wait_for_results(process, 1)
        second = self.call("sweep", self.sweep_file(), "--quiet")
        self.assertEqual(second.returncode, 2)
        self.assertIn("another cutaway sweep", second.stderr)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        self.check_attempts()

    def test_a_sweep_that_grows(self):
        self.call("sweep", self.sweep_file(SWEEP.replace("[1, 2, 4, 8]", "[1, 2]")), "--quiet")
        self.assertEqual(self.results(self.call("sweep", self.sweep_file(), "--quiet")), self.whole())
        self.check_attempts()
        shrunk = self.call("sweep", self.sweep_file(SWEEP.replace("[1, 2, 4, 8]", "[8]")), "--quiet")
        self.assertIn("16 points: 16 finished, 16 of them before", shrunk.stdout)
        self.assertIn("48 results of other points", shrunk.stdout)

    def test_what_is_no_longer_asked_for_leaves_the_queue(self):
        process = self.start("sweep", self.sweep_file(), "--jobs", "2", "--quiet")
        self.wait_for_results(process, 4)
        process.kill()
        process.communicate()
        self.assertGreater(len(list(self.folder.glob("out/s/queue/points/*"))), 16)
        shrunk = self.call("sweep", self.sweep_file(SWEEP.replace("[1, 2, 4, 8]", "[8]")), "--quiet")
        self.assertIn("16 points: 16 finished", shrunk.stdout)
        self.assertFalse((self.folder / "out/s/queue").exists())

    def test_another_build_runs_points_of_its_own(self):
        build = self.folder / "build"
        build.mkdir()
        shutil.copytree(pathlib.Path(__file__).parents[2] / "presets", build / "presets")
        other = build / "cutaway"
        other.write_bytes(pathlib.Path(options.cutaway).read_bytes() + b" ")
        other.chmod(0o755)
        name = self.sweep_file(SWEEP.replace("[1, 2, 4, 8]", "[1]"))
        self.call("sweep", name, "--quiet")
        result = subprocess.run([other, "sweep", name, "--quiet"], capture_output=True, text=True, cwd=self.folder)
        self.assertIn("16 points: 16 finished\nnot of this sweep, and kept: 16 results", result.stdout)
        [(builds, cycles)] = self.rows("SELECT count(DISTINCT program), count(DISTINCT statistics_hash) FROM point JOIN "
                                       "result ON point = id WHERE frame = 2 AND id % 4 = 1")
        self.assertEqual((builds, cycles), (2, 1))

    def test_tables(self):
        name = self.sweep_file(SWEEP + '[[plot]]\nx = "memory.channels"\ny = "cycles"\nseries = "frame"\n'
                               '[[plot]]\ntitle = "it\'s <busy>"\nx = "texture.cache_lines"\n'
                               'y = "gpu.memory_controller.busy"\n')
        self.assertEqual(self.call("sweep", name, "--quiet").returncode, 0)
        with (self.folder / "out/s/sweep.csv").open() as file:
            table = list(csv.DictReader(file))
        self.assertEqual(len(table), POINTS)
        self.assertEqual([row["number"] for row in table], [str(i + 1) for i in range(POINTS)])
        self.assertEqual([int(row["cycles"]) for row in table],
                         [cycles for cycles, in self.rows("SELECT cycles FROM sweep ORDER BY number")])
        self.assertEqual(self.call("sweep", name, "--export", "t.csv").returncode, 0)
        self.assertEqual((self.folder / "t.csv").read_text(), (self.folder / "out/s/sweep.csv").read_text())
        self.fails("sweep", name, "--export", "t.parquet", names=["Parquet", "docs/sweeps.md"])
        self.check_page((self.folder / "out/s/report.html").read_text())
        self.assertIn("it's &lt;busy&gt;", (self.folder / "out/s/plot2.svg").read_text())

    def check_page(self, page):
        """It holds the plots, and every point with the figures of the database."""
        if not (pathlib.Path(options.cutaway).parent / "report_page.html").exists():
            self.assertEqual(page.count("<svg"), 2)
            return
        data = json.loads(gzip.decompress(base64.b64decode(re.search(r'id="data"[^>]*>([^\n<]*)', page)[1])))
        [sweep] = data["sweeps"]
        self.assertEqual([svg.count("<svg") for svg in sweep["plots"]], [1, 1])
        columns = {column["name"]: column for column in sweep["columns"]}
        for name in ("number", "frame", "cycles", "nanoseconds", "bytes_read", '"memory.channels"', '"texture.cache_lines"'):
            shown = columns[name.strip('"')]["values"]
            self.assertEqual(shown, [value for value, in self.rows(f"SELECT {name} FROM sweep ORDER BY number")], name)
        self.assertEqual({name for name, column in columns.items() if column["role"] == "parameter"},
                         {"memory.channels", "texture.cache_lines"})

    def test_means_say_what_they_are_of(self):
        plot = '[[plot]]\nx = "memory.channels"\ny = "cycles"\n'
        drawn = self.folder / "out/s/plot1.svg"
        self.assertEqual(self.call("sweep", self.sweep_file(SWEEP + plot), "--quiet").returncode, 0)
        self.assertIn("mean of up to 16 points", drawn.read_text())
        self.assertNotIn("different frames", drawn.read_text())
        self.assertEqual(self.call("sweep", self.sweep_file(SWEEP + plot + "[sample]\npoints = 9\nseed = 1\n"), "--quiet").returncode, 0)
        self.assertIn("points of different frames", drawn.read_text())

    def test_a_dry_run_makes_nothing(self):
        name = self.sweep_file()
        before = sorted(self.folder.rglob("*"))
        result = self.call("sweep", name, "--dry-run")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("64 points\n", result.stdout)
        self.assertIn("animation4.cutaway frame 4, attila, memory.channels = 8, texture.cache_lines = 128", result.stdout)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_the_example(self):
        example = pathlib.Path(__file__).parents[2] / "examples/sweeps/bandwidth.toml"
        name = self.sweep_file(example.read_text().replace("../../out/demo/capture", "animation4"))
        listed = self.call("sweep", name, "--dry-run")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("72 points\n", listed.stdout)


class BadInput(SweepTest):
    def refuses(self, text, *names):
        name = self.sweep_file(text)
        self.fails("sweep", name, names=names)

    def test_sweep_files(self):
        self.refuses("captures = [\n", "s.toml:")
        self.refuses("frames = 3\n", "s.toml", "no captures")
        self.refuses("captures = []\n", "s.toml:1", "empty")
        self.refuses('captures = ["animation4.cutaway"]\nframe = 3\n', "s.toml:2", "'frame'", "did you mean frames?")
        self.refuses('captures = ["nothing.cutaway"]\n', "nothing.cutaway", "No such file")
        self.refuses('captures = ["animation4.cutaway"]\nframes = "3..9"\n', "3..9", "holds frames 1..4")
        self.refuses('captures = ["animation4.cutaway"]\ngpus = ["atila"]\n', "atila", "attila")
        for range_text, error in (("{from = 4, to = 2, step = 1}", "empty"), ("[]", "empty"),
                                  ("{from = 1, to = 4}", "step"), ("{from = 1, to = 4, step = 0}", "step"),
                                  ("{from = 1, to = 4, factor = 1}", "factor"), ("3", "list of values"),
                                  ("{from = 1, to = 4, steps = 1}", "did you mean step?"), ("[1, 99]", "1 to 16"),
                                  ("[{}]", "a value is")):
            self.refuses(f'captures = ["animation4.cutaway"]\n[[vary]]\nmemory.channels = {range_text}\n', "s.toml:",
                         "memory.channels", error)
        self.refuses('captures = ["animation4.cutaway"]\n[[vary]]\nmemory.chanels = [1]\n', "did you mean channels?")
        self.refuses('captures = ["animation4.cutaway"]\n[[vary]]\nmemory.channels = [1, 2]\nrop.units = [1]\n', "s.toml:4",
                     "change together")
        self.refuses('captures = ["animation4.cutaway"]\nset.rop.units = 1\n[[vary]]\nrop.units = [1]\n', "given twice")
        self.refuses(SWEEP + "[sample]\npoints = 65\nseed = 1\n", "65 points of 64")
        self.refuses(SWEEP + '[[plot]]\nx = "memory.chanels"\ny = "cycles"\n', "memory.channels?")

    def test_illegal_machines(self):
        text = SWEEP + "[[vary]]\ntexture.cache_ways = [4, 5]\n"
        self.refuses(text, "cache_lines", "cache_ways", "skip")
        name = self.sweep_file('illegal = "skip"\n' + text)
        listed = self.call("sweep", name, "--dry-run")
        self.assertIn("64 points, 64 left out", listed.stdout)

    def test_damaged_databases(self):
        name = self.sweep_file(SWEEP.replace("[1, 2, 4, 8]", "[1]"))
        self.assertEqual(self.call("sweep", name, "--quiet").returncode, 0)
        database = self.folder / "out/s/sweep.sqlite"
        whole = database.read_bytes()
        middle = len(whole) // 2
        for damaged in (b"no database" * 1000, whole[:middle], whole[:middle] + b"\xff" * 20000 + whole[middle + 20000:]):
            database.write_bytes(damaged)
            self.fails("sweep", name, "--quiet", names=["sweep.sqlite"])
            self.assertEqual(database.read_bytes(), damaged)
        database.unlink()
        with contextlib.closing(sqlite3.connect(database)) as other:
            other.execute("CREATE TABLE mine (i)")
        self.fails("sweep", name, "--quiet", names=["not the database of a sweep"])

    def check_full(self, code, errors, out):
        self.assertEqual(code, 2, errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertRegex(errors, "disk is full|No space left|disk I/O error|too large")
        [(kept,)] = self.rows("SELECT count(*) FROM result", out)
        self.assertGreater(kept, 4)
        self.assertLess(kept, POINTS)

    def test_a_disk_that_fills_up(self):
        out = self.folder / "small"
        out.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", out], capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", out])
        process = self.start("sweep", self.sweep_file(), "--jobs", "2", "--quiet", "--out", "small")
        self.wait_for_results(process, 8, "small")
        with contextlib.suppress(OSError), (out / "other").open("wb", buffering=0) as other:
            while True:
                other.write(bytes(4096))
        _, errors = process.communicate(timeout=120)
        self.check_full(process.returncode, errors, "small")
        (out / "other").unlink()
        self.assertEqual(self.results(self.call("sweep", self.sweep_file(), "--quiet", "--out", "small")), self.whole())
        self.check_attempts("small")

    def test_outcomes_that_cannot_be_written(self):
        """The first worker that finds the disk full ends the sweep."""
        full = self.folder / "full"
        full.mkdir()
        (self.folder / "out/s/queue").mkdir(parents=True)
        (self.folder / "out/s/queue/done").symlink_to(full)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", full], capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", full])
        (full / "other.part").write_bytes(bytes(64 << 10))
        result = self.call("sweep", self.sweep_file(), "--jobs", "2", "--quiet")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, "^cutaway: .*/done/.*: cannot be written \\(No space left on device\\): make room on the disk\n$")
        self.assertLessEqual(self.rows("SELECT count(*) FROM attempt")[0][0], 4)
        (full / "other.part").unlink()
        subprocess.run(["mount", "-o", "remount,size=64m", full], check=True)  # room for every worker's outcomes
        self.assertEqual(self.results(self.call("sweep", self.sweep_file(), "--quiet")), self.whole())
        self.check_attempts()

    def test_a_file_that_may_not_grow(self):
        result = self.call("sweep", self.sweep_file(), "--jobs", "2", "--quiet",
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (380_000, 380_000)))
        self.check_full(result.returncode, result.stderr, "out/s")
        self.assertEqual(self.results(self.call("sweep", self.sweep_file(), "--quiet")), self.whole())
        self.check_attempts()

    def test_without_slurm(self):
        name = self.sweep_file()
        (self.folder / "bin").mkdir()
        result = self.call("sweep", name, "--engine", "slurm", PATH=str(self.folder / "bin"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("slurm-wlm", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertEqual(self.results(self.call("sweep", name, "--quiet")), self.whole())


if __name__ == "__main__":
    main(("cutaway", "write-scene"))
