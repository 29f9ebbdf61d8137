"""Debug labels of a Vulkan program, from the driver to the database, `explain` and the page."""
import json
import pathlib
import sqlite3
import subprocess
import sys

from command_case import CommandTest, main, options

LABELS = [  # instances of a draw and its label, in order (debug_labels.cpp)
    (1, None), (2, "frame / shadow pass"), (3, "frame / shadow pass / lamp"), (4, "frame / main pass / opaque"),
    (5, "frame / main pass"), (6, "frame / main pass"), (2, "shadow pass"), (3, "shadow pass / lamp"),
    (7, "\ufffd<b>\\x1b[31m\\n"), (8, None),
    (2, "again / shadow pass"), (3, "again / shadow pass / lamp"), (2, "shadow pass"), (3, "shadow pass / lamp")]


class DebugLabels(CommandTest):
    def run_of(self, *arguments):
        return self.run_of_program(options.debug_labels, *arguments)

    def run_of_program(self, *program):
        result = self.call("run", "--out", "out", "--", *program)
        self.assertEqual(result.returncode, 0, result.stderr)
        database = sqlite3.connect(self.folder / "out/run.sqlite")
        self.addCleanup(database.close)
        return result, database

    def test_each_draw_has_the_labels_around_it(self):
        _, database = self.run_of()
        self.assertEqual(database.execute("SELECT instances, label FROM work WHERE kind = 'draw' AND NOT of_driver "
                                          "ORDER BY work").fetchall(), LABELS)
        # What passes begin with is labelled too: their clears.
        self.assertEqual(database.execute("SELECT label FROM work WHERE packet = 'CLEAR' ORDER BY work LIMIT 3").fetchall(),
                         [(None,), ("frame / shadow pass",), ("frame / main pass",)])

        # Their target is told by its name.
        for targets, in database.execute("SELECT targets FROM state"):
            self.assertEqual(json.loads(targets)["color"][0]["name"], "the only name=target")

        for buffers, in database.execute("SELECT buffers FROM state JOIN work USING (frame, state) WHERE kind = 'draw' AND NOT of_driver"):
            self.assertEqual([(one["use"], one["bytes"], one["name"]) for one in json.loads(buffers)],
                             [("indices", 8, "the corners' name=numbers")])

        self.check_names(database)

        report = self.call("explain", "out", "--json", "--quiet", "--draws", "1000")
        self.assertEqual(report.returncode, 0, report.stderr)
        found = {work["work"]: work["label"] for work in json.loads(report.stdout)["frames"][0]["work"]}
        for work, label in database.execute("SELECT work, label FROM work"):
            self.assertEqual(found[work], label or "")
        text = self.call("explain", "out", "--draws", "1000").stdout
        self.assertIn("'frame / main pass / opaque'", text)
        self.assertNotIn("\x1b[31m", text)

    def check_names(self, database):
        """The name of a module is its program's; a program without one has the pipeline's."""
        names = database.execute("SELECT DISTINCT v.name, f.name FROM work JOIN state USING (frame, state) JOIN program v ON v.address = "
                                 "vertex_program JOIN program f ON f.address = fragment_program WHERE kind = 'draw' AND NOT of_driver").fetchall()
        self.assertEqual(names, [("panes", "pane.frag")])
        text = self.call("explain", "out", "--draws", "1000").stdout
        self.assertIn("'frame / main pass / opaque', program 'pane.frag'", text)
        report = json.loads(self.call("explain", "out", "--json", "--quiet", "--draws", "1000").stdout)
        self.assertIn("pane.frag", {work.get("program") for work in report["frames"][0]["work"]})

    def test_markers_of_the_older_extension_are_labels(self):
        _, database = self.run_of("markers")
        self.check_names(database)
        self.assertEqual(database.execute("SELECT instances, label FROM work WHERE kind = 'draw' AND NOT of_driver "
                                          "ORDER BY work").fetchall(), LABELS)
        targets, = database.execute("SELECT targets FROM state").fetchone()
        self.assertEqual(json.loads(targets)["color"][0]["name"], "the only name=target")
        buffers, = database.execute("SELECT buffers FROM state WHERE buffers <> '[]'").fetchone()
        self.assertEqual(json.loads(buffers)[0]["name"], "the corners' name=numbers")

    def test_a_messenger_hears_what_it_asked_for(self):
        heard, _ = self.run_of()
        self.assertEqual([line for line in heard.stdout.splitlines() if line.startswith("heard")], ["heard: slow"])

    def test_markers_and_debug_groups_of_opengl_arrive(self):
        program = [sys.executable, pathlib.Path(__file__).with_name("gl_markers.py")]
        if subprocess.run(program, check=False).returncode == 77:
            self.skipTest("no OpenGL")
        _, database = self.run_of_program(*program)
        self.assertEqual(database.execute("SELECT vertices, label FROM work WHERE kind = 'draw' AND NOT of_driver "
                                          "ORDER BY work").fetchall(),
                         [(3, None), (6, "behind a marker"), (9, "frame"), (12, "frame / shadow"),
                          (15, "frame / shadow / lamp"), (18, "frame / main"), (21, None),
                          (24, None), (27, None), (30, None), (33, None)])
        targets, = database.execute("SELECT targets FROM state JOIN work USING (frame, state) WHERE vertices = 21").fetchone()
        self.assertEqual(json.loads(targets)["color"][0].get("name"), "the canvas")
        # Vertices of client arrays go through a buffer of Mesa's, which has no name; two buffers have labels, one that
        # was given before its storage was made.
        named = database.execute("SELECT vertices, value ->> 'use', value ->> 'name' FROM work JOIN state USING (frame, state), json_each(buffers) "
                                 "WHERE kind = 'draw' AND NOT of_driver AND (vertices <= 3 OR vertices = 33) ORDER BY work, 2").fetchall()
        self.assertEqual(named, [(3, "vertices", None), (33, "indices", "the order"), (33, "vertices", "the corners")])
        self.assertIn("'the corners' (vertices", self.call("explain", "out", "--json", "--quiet", "--draws", "1000").stdout)
        # The driver makes programs of those with labels; a program without one, and Mesa's own, have no name.
        self.assertEqual(database.execute("SELECT vertices, name FROM work JOIN state USING (frame, state) JOIN program ON address = "
                                          "fragment_program WHERE kind = 'draw' AND NOT of_driver AND vertices >= 21 ORDER BY work").fetchall(),
                         [(21, None), (24, "red glass"), (27, "green"), (30, None), (33, None)])

    def test_what_labels_cost(self):
        """A program without labels has none anywhere; labels add what their packets take to fetch."""
        cycles = {}
        for arguments in ((), ("plain",)):
            _, database = self.run_of(*arguments)
            cycles[arguments] = database.execute("SELECT sum(cycles) FROM frame").fetchone()[0]
        self.assertEqual(database.execute("SELECT count(label) FROM work").fetchone()[0], 0)
        self.assertLess(abs(cycles[()] - cycles["plain",]) / cycles["plain",], 0.01, cycles)


if __name__ == "__main__":
    main(("cutaway", "debug-labels"))
