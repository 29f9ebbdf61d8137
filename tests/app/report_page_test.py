#!/usr/bin/env python3
"""The page of reports in headless Chromium: every number that it shows is held to a query of the database.

Ends with 77, and says why, where the page was not built (node, npm) or there is no Chromium.
"""
import json
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import sys
import unittest
import zlib

from command_case import CommandTest, main, options
from fragments_test import reader

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
MARKUP = "<img src=x onerror=\"window.broken=1\"></script><script>window.broken=1</script>"
ACCOUNTS = ("busy", "starved", "blocked", "idle")


def missing():
    """What the test cannot do without, or None."""
    for program in ("node", "chromium"):
        if not shutil.which(program):
            return f"{program} is not installed"
    if not (WEB / "node_modules/playwright-core").exists():
        return "the packages of web/ are not installed"
    if not (pathlib.Path(options.cutaway).parent / "report_page.html").exists():
        return "the page of reports was not built"
    return None


def rows(database, query, *values):
    return [list(row) for row in database.execute(query, values)]


def one(database, query, *values):
    return database.execute(query, values).fetchone()[0] or 0


def shares(counted):
    """Of (unit, account name, cycles): by unit, shares in the order of ACCOUNTS."""
    cycles = {}
    for unit, name, value in counted:
        of_unit = cycles.setdefault(unit, dict.fromkeys(ACCOUNTS, 0))
        of_unit[name.split(".")[0]] += value
    return {unit: [part / max(1, sum(parts.values())) for part in parts.values()] for unit, parts in cycles.items()}


IS_ACCOUNT = "(name IN ('busy', 'idle') OR name LIKE 'starved.%' OR name LIKE 'blocked.%')"


def expected(path, frame):
    """What the page must show of a frame, by queries."""
    database = sqlite3.connect(path)
    # Of the program: units count all draws, and the driver's own once more.
    total = lambda name, kind: one(
        database, "SELECT sum(CASE name WHEN ?2 THEN value ELSE -value END) FROM frame_counter JOIN counter USING (counter) "
        "WHERE frame = ?1 AND name IN (?2, 'driver_' || ?2) AND unit NOT LIKE 'gpu.%.%' AND "
        "rtrim(unit, '0123456789') LIKE ?3", frame, name, "gpu." + kind)
    clock = lambda name: float(one(database, "SELECT value FROM parameter WHERE path = ?", name))
    peak = clock("memory.channels") * clock("memory.bytes_per_cycle") * clock("gpu.memory_mhz") / clock("gpu.core_mhz")
    interval = one(database, "SELECT max(interval) / 2 FROM interval WHERE frame = ?", frame)
    work = rows(database, "SELECT work, marginal_cycles, occupied_cycles, vertices, label, began, ended FROM work WHERE frame = ? "
                "ORDER BY work", frame)
    own = lambda name, unit: rows(
        database, "SELECT work.work, coalesce((SELECT sum(own) FROM work_counter JOIN counter USING (counter) WHERE "
        "frame = work.frame AND work_counter.work = work.work AND name = ? AND unit NOT LIKE 'gpu.%.%' AND unit LIKE ?), 0) FROM work "
        "WHERE frame = ? ORDER BY work", name, unit, frame)
    return {
        "frame": frame,
        "figures": {
            "cycles": one(database, "SELECT cycles FROM frame WHERE frame = ?", frame),
            "draws": one(database, "SELECT count(*) FROM work WHERE frame = ? AND kind = 'draw' AND NOT of_driver", frame),
            "vertices": total("vertices_shaded", "streamer"),
            "primitives": total("primitives", "primitive_assembly"),
            "generated": total("fragments", "fragment_generation"),
            "written": total("fragments", "color_write"),
            "instructions": total("instructions", "%"),
            "bytes_read": one(database, "SELECT bytes_read FROM frame WHERE frame = ?", frame),
            "bytes_written": one(database, "SELECT bytes_written FROM frame WHERE frame = ?", frame),
        },
        "phases": {name: cycles for name in ("draw_cycles", "copy_cycles", "cache_cycles", "display_cycles", "command_cycles")
                   if (cycles := one(database, f"SELECT {name} FROM frame WHERE frame = ?", frame))},
        "shares": shares(rows(database, "SELECT unit, name, value FROM frame_counter JOIN counter USING (counter) "
                              f"WHERE frame = ? AND {IS_ACCOUNT}", frame)),
        "binds": rows(database, "SELECT unit, 1.0 * sum(probes) / (SELECT sum(probes) FROM work_holdup WHERE frame = ?1) "
                      "FROM work_holdup WHERE frame = ?1 AND unit <> '' GROUP BY unit", frame),
        "interval_binds": rows(database, "SELECT unit, 1.0 * sum(probes) / (SELECT sum(probes) FROM interval_holdup WHERE "
                               "frame = ?1 AND interval = ?2) FROM interval_holdup WHERE frame = ?1 AND interval = ?2 "
                               "AND unit <> '' GROUP BY unit", frame, interval),
        "causes": causes(path, frame),
        "work_causes": [[work, causes(path, frame, work)[0]] for work, *_ in work[:20] if causes(path, frame, work)],
        "tree": told(path, frame)["by_label"],
        "milliseconds": told(path, frame)["milliseconds"],
        "what_ifs": what_ifs(path, frame),
        "clocks": {"core_mhz": clock("gpu.core_mhz"), "peak": peak, "lanes": int(clock("shader.group_lanes"))},
        "interval": interval,
        "intervals": one(database, "SELECT count(*) FROM interval WHERE frame = ?", frame),
        "began": one(database, "SELECT began FROM interval WHERE frame = ? AND interval = ?", frame, interval),
        "ended": one(database, "SELECT ended FROM interval WHERE frame = ? AND interval = ?", frame, interval),
        "interval_shares": shares(rows(
            database, "SELECT unit, name, value FROM interval_counter JOIN counter USING (counter) "
            f"WHERE frame = ? AND interval = ? AND {IS_ACCOUNT}", frame, interval)),
        "work": work,
        "instructions": own("instructions", "%"),
        "primitives": own("primitives", "gpu.primitive_assembly%"),
        "written": own("fragments", "gpu.color_write%"),
        "caches": rows(database, "SELECT unit, sum(value * (name = 'cache_hits')), sum(value * (name = 'cache_misses')) "
                       "FROM frame_counter JOIN counter USING (counter) WHERE frame = ? AND name IN ('cache_hits', "
                       "'cache_misses') GROUP BY unit", frame),
        "clients": rows(database, "SELECT replace(unit, 'gpu.memory_controller.', ''), sum(value * (name = 'read_bytes')), "
                        "sum(value * (name = 'write_bytes')) FROM frame_counter JOIN counter USING (counter) WHERE "
                        "frame = ? AND name IN ('read_bytes', 'write_bytes') GROUP BY unit", frame),
        "wires": rows(database, "SELECT replace(sender, 'gpu.', ''), replace(receiver, 'gpu.', ''), sum(messages) FROM "
                      "interval_wire JOIN wire USING (wire) WHERE frame = ? GROUP BY wire", frame),
        "program": one(database, "SELECT instructions FROM program JOIN state ON address = fragment_program JOIN work "
                       "USING (frame, state) WHERE frame = ? AND kind = 'draw' AND NOT of_driver ORDER BY work", frame),
        "instruction_times": instruction_times(database, frame),
        "footprints": rows(database, "SELECT work, texture_footprint, texture_cache_footprint FROM work WHERE frame = ? "
                           "ORDER BY work", frame),
        "parameters": rows(database, "SELECT path, value FROM parameter"),
        "tiles": rows(database, "SELECT x, y, sum(written), max(last_write) FROM tile WHERE frame = ? GROUP BY x, y", frame),
    }


def told(path, frame, *which):
    """What `cutaway explain` says of a frame."""
    answer = subprocess.check_output([options.cutaway, "explain", path, "--frame", str(frame), *which, "--json"])
    return json.loads(answer)["frames"][0]


def what_ifs(path, frame):
    """What the evidence that `cutaway explain` tells expects to save time, each parameter once."""
    tries = {}
    for cause in told(path, frame)["held_up_by"]:
        for one in sum(cause["tries"], []) if cause["share"] >= 0.05 else []:
            tries.setdefault(one.split("=")[0], one)
    return list(tries.values())


def causes(path, frame, work=None):
    """What `cutaway explain` says held the frame, or a piece of its work, up: (words, share), the largest first."""
    which = ["--work", str(work)] if work is not None else []
    return [(cause["words"], cause["share"]) for cause in told(path, frame, *which)["held_up_by"]]


def expected_pixels(path, frame):
    """Of the log of a frame: colors of pixels after draws and at cycles, and what became of a pixel."""
    database = sqlite3.connect(path)
    surface, width, height = database.execute(
        "SELECT surface, fragment_target.width, fragment_target.height FROM fragment_target JOIN pass USING (frame, pass) WHERE frame = ? AND color "
        "GROUP BY surface ORDER BY sum(draws) DESC", (frame,)).fetchone()
    target = dict(rows(database, "SELECT work, target FROM work JOIN fragment_target USING (frame, pass) "
                       "WHERE frame = ? AND surface = ?", frame, surface))
    draws = [work for work, in rows(database, "SELECT work FROM work JOIN fragment_target USING (frame, pass) WHERE "
                                    "frame = ? AND surface = ? AND kind = 'draw' ORDER BY work", frame, surface)]
    events = list(reader()[0](database, frame))

    def colors(keep):
        """By pixel, R, G, B, A as a canvas has them; nothing is where nobody has written."""
        found = {}
        for cycle, work, x, y, kind, lanes, _, to, words in events:
            if kind != 7 or target.get(work) != to or not keep(work, cycle):
                continue
            lane_words = iter(words)
            for lane in range(4):
                if lanes >> lane & 1:
                    found[x + lane % 2, y + lane // 2] = [*next(lane_words).to_bytes(4, "little")[:3], 255]
        places = [(x, y) for y in range(1, height, height // 6) for x in range(2, width, width // 6)]
        return [[x, y, found.get((x, y), [0, 0, 0, 0])] for x, y in places]

    def touches(event, px, py):
        _, work, x, y, kind, lanes, _, _, words = event
        side, bits = (8, words[0] | words[1] << 32) if kind == 0 else (2, lanes)
        return work in target and 0 <= px - x < side and 0 <= py - y < side and bits >> ((py - y) * side + px - x) & 1

    cycles = [event[0] for event in events]
    last = events[len(events) * 3 // 4]
    pixel = last[2], last[3]
    return {"surface": surface, "draws": draws,
            "after_draw": [[k, colors(lambda work, _, last=(draws[k - 1] if k else -1): work <= last)]
                           for k in {0, 1, len(draws) // 2, len(draws)}],
            "at_cycle": [[cycle, colors(lambda _, at, cycle=cycle: at <= cycle)]
                         for cycle in (cycles[len(cycles) // 3], cycles[len(cycles) * 2 // 3])],
            "pixel": pixel,
            "history": [[event[0], event[1], event[4]] for event in events if touches(event, *pixel)]}


WAITS = " + ".join("waited_" + name for name in ("flow", "result", "issue", "send", "texture", "drain", "output"))


def instruction_times(database, frame):
    """Of the first draw's fragment program: by instruction what was issued and waited, for it and in the frame."""
    work, program = database.execute(
        "SELECT work, fragment_program FROM work JOIN state USING (frame, state) WHERE frame = ? AND kind = 'draw' AND NOT "
        "of_driver ORDER BY work", (frame,)).fetchone()
    return {"work": work, "own": rows(database, f"SELECT instruction, issued, lanes, {WAITS} FROM instruction WHERE frame = ? "
                                      "AND work = ? AND stage = 'fragment' ORDER BY instruction", frame, work),
            "all": rows(database, f"SELECT instruction, issued, lanes, {WAITS} FROM program_instruction WHERE frame = ? AND "
                        "program = ? ORDER BY instruction", frame, program)}


def add_tiles(path, frame):
    """Counts of tiles, as a run may hold them."""
    database = sqlite3.connect(path)
    database.execute("DELETE FROM tile")
    for y in range(12):
        for x in range(16):
            database.execute("INSERT INTO tile VALUES (?, 0, ?, ?, 64, 0, 0, 0, 0, 64, 0, 48, 16, 1, ?, ?)",
                             (frame, x, y, x * 100 + y, x * y))
    database.commit()


def add_parameters(path):
    """More of them than a table has in the document at once."""
    database = sqlite3.connect(path)
    database.executemany("INSERT INTO parameter VALUES (?, '1', 'choice', 0)", [(f"more.parameter{i:03}",) for i in range(200)])
    database.commit()


def png(width, height):
    """A picture of one color."""
    chunk = lambda kind, data: (struct.pack(">I", len(data)) + kind + data +
                                struct.pack(">I", zlib.crc32(kind + data)))
    lines = (b"\0" + bytes((40, 90, 160)) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


class ReportPage(CommandTest):
    def run_of(self, name, *more):
        out = self.folder / name
        result = self.call("run", "--quiet", "--interval", "500", "--out", out, *more, "--", options.triangles,
                           self.folder / "x.ppm")
        self.assertEqual(result.returncode, 0, result.stderr)
        return out

    def damage(self, name, action):
        """A copy of a run's database with something changed."""
        copy = self.folder / name
        copy.mkdir()
        shutil.copy(self.folder / "run/run.sqlite", copy)
        action(copy / "run.sqlite")
        return copy

    def test_what_is_no_run_is_named_and_the_old_page_stays(self):
        self.run_of("run")
        page = self.folder / "report.html"
        page.write_text("old")

        def sql(text):
            def change(path):
                database = sqlite3.connect(path)
                database.executescript(text)
                database.close()
            return change

        def spoil(path):
            data = bytearray(path.read_bytes())
            for at in range(4096 * 3, len(data), 4096):  # headers of b-tree pages
                data[at:at + 16] = b"\xff" * 16
            path.write_bytes(data)

        changes = {
            "newer": (sql("UPDATE meta SET value = '999' WHERE name = 'schema'"), ["schema 999"]),
            "empty": (sql("DROP TABLE meta; CREATE TABLE meta (name, value)"), ["states no schema"]),
            "tables": (sql("DROP TABLE work"), ["work"]),
            "types": (sql("UPDATE work SET began = 'soon'"), ["damaged", "began"]),
            "numbers": (sql("UPDATE work SET pass = 77"), ["damaged", "77"]),
            "holes": (sql("DELETE FROM wire WHERE wire = 0"), ["damaged", "wires"]),
            "json": (sql("UPDATE state SET settings = '{'"), ["damaged", "settings"]),
            "pages": (spoil, ["damaged"]),
            "text": (lambda path: path.write_text("no database at all, but a text " * 100), ["damaged or no database"]),
        }
        for name, (change, words) in changes.items():
            with self.subTest(name):
                run = self.damage(name, change)
                self.fails("report", run, "-o", page, names=[str(run), *words])
                self.assertEqual(page.read_text(), "old")
        self.fails("report", "nowhere", "-o", page, names=["nowhere", "no such run"])
        self.fails("report", self.folder / "run", "-o", self.folder, names=["not a file"])
        self.fails("report", names=["RUN"])
        self.assertEqual(page.read_text(), "old")

    def sweep_of(self, name, text):
        (self.folder / f"{name}.toml").write_text(
            f'captures = ["animation4.cutaway"]\nframes = "1..2"\n{text}\n[[vary]]\nmemory.channels = [1, 2]\n'
            '[[plot]]\nx = "memory.channels"\ny = "cycles"\nseries = "frame"\n')
        result = self.call("sweep", f"{name}.toml", "--out", f"out/{name}", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        database = sqlite3.connect(self.folder / f"out/{name}/sweep.sqlite")
        return rows(database, 'SELECT "memory.channels", frame, cycles, nanoseconds FROM sweep ORDER BY number')

    def test_the_page_shows_what_sweeps_hold(self):
        self.scene()
        wanted = {"page": str(self.folder / "sweeps.html"), "chromium": shutil.which("chromium"),
                  "first": self.sweep_of("first", ""), "second": self.sweep_of("second", "[set]\nshader.units = 4\n[sample]\npoints = 3\nseed = 1")}
        self.assertEqual(len(wanted["second"]), 3)
        result = self.call("report", "out/first", "out/second/sweep.sqlite", "-o", "sweeps.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2 sweeps", result.stdout)
        (self.folder / "expected.json").write_text(json.dumps(wanted))
        result = subprocess.run(["node", WEB / "tests/sweep_page_test.mjs", self.folder / "expected.json"],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_page_shows_programs_that_share_the_gpu(self):
        result = self.call("simulate", self.scene(), "--with", self.scene("blending"), "--preempt", "--slice-us", "0",
                           "--quiet", "--out", "shared")
        self.assertEqual(result.returncode, 0, result.stderr)
        database = sqlite3.connect(self.folder / "shared/run.sqlite")
        wanted = {"page": str(self.folder / "shared.html"), "chromium": shutil.which("chromium"),
                  "programs": rows(database, "SELECT (SELECT count(*) FROM turn t WHERE t.context = c.context), (SELECT "
                                   "count(*) FROM turn t WHERE t.context = c.context AND how = 'suspended'), (SELECT "
                                   "sum(ended - began) FROM turn t WHERE t.context = c.context), (SELECT total(ended - "
                                   "began) FROM context_switch WHERE to_context = c.context), (SELECT "
                                   "sum(marginal_cycles) FROM work w WHERE w.context = c.context) FROM context c ORDER "
                                   "BY context"),
                  "frames": rows(database, "SELECT program_frame, began, ended, alone_cycles FROM context_frame ORDER BY "
                                 "context, program_frame")}
        result = self.call("report", "shared", "-o", "shared.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        (self.folder / "expected.json").write_text(json.dumps(wanted))
        result = subprocess.run(["node", WEB / "tests/sharing_page_test.mjs", self.folder / "expected.json"],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_page_shows_what_the_database_holds(self):
        first, second = self.run_of("first", "--stats", "fragments"), self.run_of("second", "--gpu", "g80")
        database = sqlite3.connect(first / "run.sqlite")
        frame = one(database, "SELECT max(frame) FROM frame")
        draw = one(database, "SELECT min(work) FROM work WHERE kind = 'draw' AND NOT of_driver AND frame = ?", frame)
        database.execute("UPDATE work SET label = ? WHERE work = ?", (f"scene / {MARKUP}", draw))
        database.execute("UPDATE meta SET value = ? WHERE name = 'program'", (MARKUP,))
        database.commit()
        database.close()
        # A program that presents nothing leaves no picture: one is put there.
        (first / "frames").mkdir(exist_ok=True)
        (first / f"frames/{frame:04}.png").write_bytes(png(128, 96))
        # JSON of another shape than it should have is shown as far as it goes.
        other = sqlite3.connect(second / "run.sqlite")
        other.execute("UPDATE state SET targets = '[1, null]', textures = '[null, 3, {\"stage\": {}}]', settings = '7'")
        other.execute("DELETE FROM tile")
        other.commit()
        other.close()
        add_tiles(first / "run.sqlite", frame)
        for run in (first, second):
            add_parameters(run / "run.sqlite")
        page = self.folder / "report.html"
        result = self.call("report", first, second / "run.sqlite", "-o", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("onerror", page.read_text())

        wanted = {"page": str(page), "markup": MARKUP, "draw": draw, "chromium": shutil.which("chromium"),
                  "runs": [expected(run / "run.sqlite", frame) for run in (first, second)]}
        of_first, of_second = ({path for path, _ in run["parameters"]} for run in wanted["runs"])
        wanted["only_in_one"] = sorted(of_first ^ of_second)
        wanted["pixels"] = expected_pixels(first / "run.sqlite", frame)
        (self.folder / "expected.json").write_text(json.dumps(wanted))
        result = subprocess.run(["node", WEB / "tests/page_test.mjs", self.folder / "expected.json"],
                                capture_output=True, text=True, timeout=240)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    import argparse
    import command_case
    parser = argparse.ArgumentParser()
    parser.add_argument("--cutaway", required=True)
    parser.parse_known_args(namespace=command_case.options)
    if reason := missing():
        print(f"skipped: {reason}")
        sys.exit(77)
    main(("cutaway", "triangles", "write-scene"))
