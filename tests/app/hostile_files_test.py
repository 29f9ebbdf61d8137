#!/usr/bin/env python3
"""Files of others: pipes in place of files, endless SQL, links at temporary names, texts that nest deeply, damage.

Each attack ends within seconds with one line, and touches nothing but what the command was told to write.
"""
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time

from command_case import CommandTest, main, options

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
EXPERIMENT = """title = "T"
gpu = "attila"
[[axis]]
name = "n"
memory.channels = [1, 2]
[measure.a]
unit = "cycles"
"""
SWEEP = """captures = ["animation4.cutaway"]
[[vary]]
memory.channels = [1, 2]
"""


class HostileFiles(CommandTest):
    def setUp(self):
        super().setUp()
        self.capture = self.scene()

    def call(self, *arguments, **more):
        more.setdefault("preexec_fn", None)
        return subprocess.run([options.cutaway, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                              cwd=self.folder, preexec_fn=more["preexec_fn"], env=dict(os.environ))

    def pipe(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        return path

    def run_of_two(self, name="run"):
        result = self.call("simulate", self.capture, "--frames", "2", "--out", name, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / name

    def changed(self, name, sql):
        """A copy of a run whose database was changed by SQL."""
        run = self.folder / name
        shutil.copytree(self.folder / "run", run)
        database = sqlite3.connect(run / "run.sqlite")
        database.executescript(sql)
        database.close()
        return run

    def experiment(self, more, *arguments):
        (self.folder / "e.toml").write_text(EXPERIMENT + more)
        return ["experiment", "./e.toml", "--capture", "animation4.cutaway", "--out", "o", "--quiet", *arguments]

    def ends_by_signals(self, command):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start(*command)
            time.sleep(0.5)
            self.assertIsNone(process.poll(), "it was expected to take longer")
            began = time.monotonic()
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, errors[:20]), (2, "cutaway: interrupted"))
            self.assertLess(time.monotonic() - began, 5)


class Pipes(HostileFiles):
    """Opening a pipe waits for a writer, for ever."""

    def test_in_place_of_captures(self):
        pipe = self.pipe("q.cutaway")
        self.pipe("q.part")
        for command in (["info"], ["emulate"], ["simulate"], ["disasm"], ["trace", "--vertex", "1", "--draw", "1"]):
            for name in (pipe, "q.part"):
                self.fails(command[0], name, *command[1:], names=["not a file but a pipe"])

    def test_in_place_of_toml(self):
        pipe = self.pipe("q.toml")
        for command in (["gpus", pipe], ["simulate", self.capture, "--gpu", pipe], ["sweep", pipe],
                        ["experiment", pipe]):
            self.fails(*command, names=["q.toml", "not a file but a pipe"])

    def test_in_place_of_databases(self):
        pipe = self.pipe("q.sqlite")
        run = self.run_of_two()
        for command in ("explain", "report"):
            self.fails(command, pipe, names=["q.sqlite", "not a file but a pipe"])
        (self.folder / "other").mkdir()
        self.pipe("other/run.sqlite")
        self.fails("explain", "other", names=["run.sqlite", "not a file but a pipe"])
        self.pipe("run/run.sqlite-journal")  # SQLite looks for it by itself
        result = self.call("explain", run)
        self.assertIn(result.returncode, (0, 2))

    def test_beside_a_run(self):
        run = self.run_of_two()
        self.pipe("run/frames/0002.png")
        self.assertEqual(self.call("explain", run).returncode, 0)
        page = self.call("report", run)
        if "was not built" not in page.stderr:
            self.assertEqual(page.returncode, 0, page.stderr)
        self.pipe("run/.pictures")
        result = self.call("emulate", self.capture, "--out", "run", "--frames", "2")
        self.assertIn(result.returncode, (0, 2), result.stderr)

    def test_in_a_sweep(self):
        (self.folder / "s.toml").write_text(SWEEP)
        for name in ("sweep.sqlite", "sweep.lock"):
            self.pipe(f"o/{name}")
            result = self.call("sweep", "s.toml", "--out", "o", "--quiet")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"{name}: not a file", result.stderr)
            (self.folder / f"o/{name}").unlink()

    def test_devices(self):
        for command in (["info", "/dev/zero"], ["gpus", "/dev/zero"], ["explain", "/dev/zero"],
                        ["gpus", "attila", "--svg", "/dev/null"]):
            self.fails(*command, names=["not a file", "a device"])


class Sql(HostileFiles):
    def test_endless_queries_end_by_signals(self):
        self.ends_by_signals(self.experiment(f'sql = "{ENDLESS}"'))
        self.ends_by_signals(self.experiment(f'sql = "SELECT 1"\n[series.s]\nsql = "{ENDLESS.replace("count(*)", "x, x")} '
                                             'WHERE x < 0"'))

    def test_queries_have_limits(self):
        for sql, words in (("SELECT length(hex(zeroblob(200000000)))", "too long"),
                           (f"SELECT length(group_concat(x)) FROM ({ENDLESS.replace('count(*)', 'x')} LIMIT 300000)", "too long")):
            result = self.call(*self.experiment(f'sql = "{sql}"'))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, rf"^cutaway: .*e\.toml:\d+: .*{words}.*\n$")

    def test_failing_queries_name_the_line(self):
        for sql, words in (("WITH x AS (SELECT 1) DELETE FROM frame", "readonly"), ("SELECT none FROM frame", "none"),
                           ("SELECT load_extension('x')", "not authorized"), ("SELECT abs(-9223372036854775808)", "overflow"),
                           ("SELECT", "incomplete"), ("SELECT json('{')", "JSON")):
            result = self.call(*self.experiment(f'sql = "{sql}"'))
            self.assertEqual(result.returncode, 2, (sql, result.stderr))
            self.assertRegex(result.stderr, rf"^cutaway: \./e\.toml:[678]: .*{words}")
            result = self.call(*self.experiment(f'sql = "SELECT 1"\n[series.s]\nsql = "{sql}"'))
            self.assertRegex(result.stderr, r"^cutaway: \./e\.toml:\d+: ")

    def test_databases_whose_tables_calculate(self):
        self.run_of_two()
        columns = "frame INTEGER PRIMARY KEY, cycles"
        endless = f"({ENDLESS})"
        for name, sql in {
                "view": f"DROP TABLE frame; CREATE VIEW frame AS SELECT {endless} AS frame, 1 AS cycles;",
                "upper": f"DROP TABLE frame; CREATE VIEW FRAME AS SELECT {endless} AS frame, 1 AS cycles;",
                "computed": f"DROP TABLE frame; CREATE TABLE frame ({columns}, bytes_read AS (hex(zeroblob(9))));",
                "check": f"DROP TABLE frame; CREATE TABLE frame ({columns} CHECK (length(hex(zeroblob(9))) > 1));",
                "meta": "ALTER TABLE meta RENAME TO m; CREATE VIEW meta AS SELECT * FROM m;",
                "virtual": "DROP TABLE work; CREATE VIRTUAL TABLE work USING fts5(a);"}.items():
            with self.subTest(name):
                run = self.changed(name, sql)
                self.fails("explain", run, names=[str(run), "is not the table of a run"])
                self.fails("report", run, names=["was not built" if not self.has_page() else "is not the table of a run"])

    def has_page(self):
        return (pathlib.Path(options.cutaway).parent / "report_page.html").exists()

    def test_a_damaged_sweep(self):
        (self.folder / "s.toml").write_text(SWEEP)
        self.assertEqual(self.call("sweep", "s.toml", "--out", "o", "--quiet").returncode, 0)
        file = self.folder / "o/sweep.sqlite"
        whole = file.read_bytes()
        for at in range(4096, len(whole), 4096):
            file.write_bytes(whole[:at] + b"\xff" * 64 + whole[at + 64:])
            result = self.call("sweep", "s.toml", "--out", "o", "--quiet")
            if result.returncode == 0:
                continue  # a page that nothing uses
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, r"^cutaway: \S*sweep.sqlite: the file is damaged.*move it away.*\n$")
            self.assertNotIn("***", result.stderr)


class TemporaryNames(HostileFiles):
    """Links and files of the user at the names under which results were made once, and two writers of one file."""

    def writers(self):
        run = self.run_of_two()
        timeline = ["--timeline-cycles", "1..1000", "--quiet"]
        writers = {
            "d.svg": ["gpus", "attila", "--svg", "d.svg"],
            "t.svg": ["trace", self.capture, "--frame", "2", "--draw", "1", "--vertex", "0", "--svg", "t.svg", "--quiet"],
            "t.pftrace": ["simulate", self.capture, "--frames", "2", "--timeline", "t.pftrace", *timeline],
            "c": ["capture", "-o", "c", "--quiet", "--", options.triangles, "p.ppm"],
        }
        if (pathlib.Path(options.cutaway).parent / "report_page.html").exists():
            writers["r.html"] = ["report", run, "-o", "r.html"]
        return writers

    def test_links_are_not_followed_and_files_of_the_user_stay(self):
        for name, command in self.writers().items():
            with self.subTest(name):
                victim, kept = self.folder / "victim", self.folder / f"{name}.new"
                victim.write_text("precious")
                kept.write_text("mine")
                links = [self.folder / f"{name}{suffix}" for suffix in (".part", ".new.part")]
                for link in links:
                    link.symlink_to("victim")
                result = self.call(*command)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(victim.read_text(), "precious")
                self.assertEqual(kept.read_text(), "mine")
                self.assertGreater((self.folder / name).stat().st_size, 1000)
                self.assertFalse((self.folder / name).is_symlink())
                for link in links:
                    self.assertTrue(link.is_symlink())
                    link.unlink()
                    link.write_text("mine")
                self.assertEqual(self.call(*command).returncode, 0)
                for link in links:
                    self.assertEqual(link.read_text(), "mine")
                    link.unlink()
                kept.unlink()
                self.no_temporary_files()

    def no_temporary_files(self):
        left = [path for path in self.folder.rglob("*") if ".part" in path.name or ".cutaway-" in path.name]
        self.assertEqual(left, [])

    def test_a_link_at_the_target_is_replaced(self):
        (self.folder / "victim").write_text("precious")
        (self.folder / "d.svg").symlink_to("victim")
        self.assertEqual(self.call("gpus", "attila", "--svg", "d.svg").returncode, 0)
        self.assertEqual((self.folder / "victim").read_text(), "precious")
        self.assertFalse((self.folder / "d.svg").is_symlink())

    def test_two_writers_end_with_one_whole_file(self):
        (self.folder / "x").mkdir()
        names = {name: command for name, command in self.writers().items() if name in ("d.svg", "t.pftrace", "c")}
        for name, command in names.items():
            with self.subTest(name):
                self.assertEqual(self.call(*command).returncode, 0)
                alone = (self.folder / name).read_bytes()
                processes = [self.start(*command) for _ in range(4)]
                for process in processes:
                    _, errors = process.communicate(timeout=120)
                    self.assertEqual(process.returncode, 0, errors)
                    self.assertRegex(errors, r"^(cutaway: .*: another command wrote this file meanwhile; it is replaced\n|"
                                             r"(?!cutaway).*\n)*$")
                together = (self.folder / name).read_bytes()
                if name == "c":
                    self.assertEqual(self.call("info", "c").returncode, 0)
                else:
                    self.assertEqual(together, alone)
                self.no_temporary_files()

    def test_nothing_is_left_after_a_signal(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            long = self.scene("animation1000")
            process = self.start("trace", long, "--frame", "900", "--draw", "1", "--vertex", "0", "--svg", "t.svg", "--quiet")
            self.wait_for("t.svg.*.part", process)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, 2), errors)
            self.no_temporary_files()

    def test_workers_leave_nothing_after_a_signal(self):
        for number in (signal.SIGTERM, signal.SIGINT) * 3:
            process = self.start(*self.experiment('sql = "SELECT sum(cycles) FROM frame"'))
            self.wait_for("o/runs/*.part", process)  # the database of a point
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, 2), errors)
            self.no_temporary_files()
            shutil.rmtree(self.folder / "o")


class Depth(HostileFiles):
    def test_formulas(self):
        chain = "+".join(["a"] * 40_000)
        for more in (f'[measure.b]\nformula = "{chain}"\n', f'[measure.b]\nformula = "{chain.replace("+", "*")}"\n'):
            result = self.call(*self.experiment(f'sql = "SELECT sum(cycles) FROM frame"\n{more}', "--dry-run"))
            self.assertEqual(result.returncode, 0, result.stderr)
        for formula in ("(" * 100_000 + "a", "-" * 100_000 + "a", "max(" * 100_000 + "a", "a+(" * 100_000 + "a"):
            result = self.call(*self.experiment(f'sql = "SELECT 1"\n[measure.b]\nformula = "{formula}"\n', "--dry-run"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, r"e\.toml:\d+: in the formula .*too deep")
            self.assertLess(len(result.stderr), 400)

    def test_formulas_are_not_repeated_whole(self):
        for formula in ("a " * 100_000, "b" * 200_000, "1" * 200_000, "a[" + "n" * 200_000 + " = 1]"):
            result = self.call(*self.experiment(f'sql = "SELECT 1"\n[measure.b]\nformula = "{formula}"\n', "--dry-run"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertLess(len(result.stderr), 500)

    def test_toml(self):
        for text in ("a" + ".a" * 200_000 + " = 1\n", "[a" + ".a" * 200_000 + "]\n", "a = " + "[" * 200_000,
                     "a = " + "{a = " * 200_000, "[[a" + ".a" * 200_000 + "]]\n"):
            for command, name in ((["gpus"], "./m.toml"), (["sweep"], "m.toml"), (["experiment"], "./m.toml")):
                (self.folder / "m.toml").write_text(text)
                self.fails(*command, name, names=["m.toml:1: ", "nested more than 100 deep"])

    def test_json_of_databases(self):
        self.run_of_two()
        deep = "'" + "[" * 100_000 + "]" * 100_000 + "'"
        for name, sql in {"state": f"UPDATE state SET targets = {deep}", "textures": f"UPDATE state SET textures = {deep}",
                          "sets": f"UPDATE meta SET value = {deep} WHERE name = 'sets'"}.items():
            run = self.changed(name, sql)
            for command in (["explain", run], ["report", run], ["explain", run, "--try", "memory.channels=2"]):
                result = self.call(*command)
                self.assertIn(result.returncode, (0, 2), result.stderr[-300:])
                self.assertLess(len(result.stderr), 1000)


if __name__ == "__main__":
    main()
