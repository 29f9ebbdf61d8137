"""`--stats fragments`: the log in run.sqlite, read as the documentation says, and `cutaway explain --pixel`."""
import json
import pathlib
import re
import sqlite3
import textwrap

from command_case import CommandTest, main, png_pixels

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs/run-database.md"


def reader():
    """The functions that the documentation gives for reading a log."""
    text = DOCS.read_text()
    code = re.search(r"\n    import sqlite3, struct, zlib\n(?:    .*\n|\n)*", text).group(0)
    names = {}
    exec(textwrap.dedent(code), names)
    return names["events"], names["picture"]


class Fragments(CommandTest):
    def run_of(self, scene, *more):
        result = self.call("simulate", self.scene(scene), "--out", scene, "--quiet", "--stats", "fragments", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return sqlite3.connect(self.folder / scene / "run.sqlite"), result

    def test_the_log_gives_the_picture_and_the_counts(self):
        events, picture = reader()
        for scene in ("animation4", "discards", "depth-and-stencil"):
            db, _ = self.run_of(scene)
            for (frame,) in db.execute("SELECT frame FROM frame").fetchall():
                (surface,) = db.execute("SELECT surface FROM fragment_target WHERE frame = ? AND color", (frame,)).fetchone()
                width, height, pixels = picture(db, frame, surface)
                shown = png_pixels(self.folder / scene / f"frames/{frame:04}.png")
                self.assertEqual((width, height, [pixel[:3] for pixel in pixels]), shown, scene)
                counts = dict.fromkeys(range(10), 0)
                for _, _, _, _, kind, lanes, _, _, words in events(db, frame):
                    counts[kind] += sum(word.bit_count() for word in words) if kind == 0 else lanes.bit_count()
                self.assertEqual(db.execute("SELECT sum(killed_hz), sum(killed_z), sum(killed_stencil), sum(killed_shader), "
                                            "sum(written) FROM tile WHERE frame = ?", (frame,)).fetchone(),
                                 (counts[0], counts[1] + counts[5], counts[2] + counts[6], counts[3], counts[7] + counts[8]))

    def explain(self, *more):
        result = self.call("explain", *more, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_explain_tells_the_history_of_a_pixel(self):
        events, picture = reader()
        db, _ = self.run_of("discards")
        _, _, pixels = picture(db, 1, 0)
        kinds = set()
        for x, y in ((32, 32), (5, 5), (50, 50), (63, 0)):
            history = self.explain("discards", "--pixel", f"{x},{y}")
            self.assertEqual((history["x"], history["y"], history["log_ends"]), (x, y, None))
            self.assertEqual(len(history["passes"]), 1)
            told = [(e["cycle"], e["work"], e["kind"]) for e in history["passes"][0]["events"]]
            logged = []
            for cycle, work, ex, ey, kind, lanes, _, _, words in events(db, 1):
                side = 8 if kind == 0 else 2
                bits = words[0] | words[1] << 32 if kind == 0 else lanes
                if 0 <= x - ex < side and 0 <= y - ey < side and bits >> ((y - ey) * side + x - ex) & 1:
                    logged.append((cycle, work, kind))
            self.assertEqual(told, logged)
            written = [e for e in history["passes"][0]["events"] if e["kind"] == 7]
            self.assertEqual(bytes(written[-1]["rgba"]), pixels[y * 64 + x])
            kinds |= {kind for _, _, kind in told}
            text = self.call("explain", "discards", "--pixel", f"{x},{y}").stdout
            r, g, b, _ = written[-1]["rgba"]
            self.assertIn(f"#{r:02x}{g:02x}{b:02x}", text)
            self.assertEqual(text.count("cycle "), len(told))
        self.assertGreater(len(kinds), 2, "the pixels meet several ends")

    def test_a_full_log_says_so(self):
        db, result = self.run_of("blending", "--fragment-limit", "100")
        (count, ends), = db.execute("SELECT events, ends FROM fragment_frame").fetchall()
        self.assertLessEqual(count, 100)
        self.assertIn(f"ends at cycle {ends:,}", result.stderr)
        self.assertEqual(db.execute("SELECT sum(events), max(last_cycle) < ? FROM fragment_log", (ends,)).fetchone(), (count, 1))
        self.assertEqual(self.explain("blending", "--pixel", "1,1")["log_ends"], ends)
        text = self.call("explain", "blending", "--pixel", "1,1").stdout
        self.assertIn(f"ends at cycle {ends:,}", text)
        self.assertIn(f"not logged after cycle {ends:,}", text)
        self.assertNotIn("nothing was drawn", text)

    def test_what_cannot_be_told_is_named(self):
        self.run_of("animation4", "--frames", "2..3")
        fails = lambda *more, names: self.fails("explain", *more, names=names)
        fails("animation4", "--pixel", "1,1", names=["--frame", "2"])
        fails("animation4", "--frame", "2", "--pixel", "1", names=["--pixel", "120,45"])
        fails("animation4", "--frame", "2", "--pixel", "9999,0", names=["9999,0", "targets of"])
        fails("animation4", "--frame", "2", "--pixel", "1,1", "--pass", "77", names=["pass 77"])
        fails("animation4", "--frame", "2", "--pixel", "1,1", "--draw", "1", names=["--pixel"])
        file = self.scene("blending")
        self.assertEqual(self.call("simulate", file, "--out", "plain", "--quiet").returncode, 0)
        fails("plain", "--pixel", "1,1", names=["--stats fragments"])
        # Files of others: a log that is damaged is refused, by the page too.
        for sql, words in (("UPDATE fragment_log SET data = x'00'", "damaged"),
                           ("UPDATE fragment_log SET events = events - 1", "damaged"),
                           ("UPDATE fragment_log SET first_cycle = 'soon'", "first_cycle"),
                           ("DELETE FROM fragment_log WHERE frame = 2", "damaged"),
                           ("UPDATE fragment_target SET width = -3", "width"),
                           ("DELETE FROM work WHERE work > 0", "damaged")):
            copy = self.folder / "copy.sqlite"
            copy.write_bytes((self.folder / "animation4/run.sqlite").read_bytes())
            db = sqlite3.connect(copy)
            db.execute(sql)
            db.commit()
            db.close()
            fails(copy, "--frame", "2", "--pixel", "1,1", names=["copy.sqlite", words])

    def test_it_changes_no_figure(self):
        file = self.scene("animation4")
        summaries = []
        for stats in ("none", "fragments"):
            self.assertEqual(self.call("simulate", file, "--out", stats, "--quiet", "--stats", stats).returncode, 0)
            summaries.append(json.loads((self.folder / stats / "summary.json").read_text())["frames"])
        self.assertEqual(*summaries)


if __name__ == "__main__":
    main()
