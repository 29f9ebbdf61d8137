#!/usr/bin/env python3
"""`simulate --with`: programs that share a GPU; figures that add up, whole results, and errors that name what is
wrong."""
import json
import re
import sqlite3
import subprocess

from command_case import CommandTest, main


class Contexts(CommandTest):
    def setUp(self):
        super().setUp()
        self.first, self.second = self.scene(), self.scene("blending")

    def shared(self, *arguments):
        result = self.call("simulate", self.first, "--with", self.second, "--quiet", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_each_program_draws_what_it_draws_alone(self):
        text = self.shared("--verify", "--out", "out", "--slice-us", "1")
        self.assertIn("verify: GPU memory and pictures of each program equal the emulator's", text)
        self.assertIn("figures: out/shared.json", text)
        alone = self.call("simulate", self.first, "--frames", "2", "--out", "alone", "--quiet")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual((self.folder / "out/frames/1-0002.png").read_bytes(),
                         (self.folder / "alone/frames/0002.png").read_bytes())

    def test_figures_add_up(self):
        self.shared("--out", "out", "--slice-us", "1")
        run = json.loads((self.folder / "out/shared.json").read_text())
        self.assertEqual((run["format"], run["gpu"], run["slice_us"]), (1, "attila", 1))
        self.assertEqual(sum(run["phases"]["together"].values()), run["cycles"])
        frames = [frame for program in run["programs"] for frame in program["frames"]]
        self.assertEqual(sum(run["phases"]["alone"].values()), sum(frame["alone_cycles"] for frame in frames))
        self.assertEqual(max(frame["end_cycle"] for frame in frames), run["cycles"])
        for program in run["programs"]:
            ends = [0] + [frame["end_cycle"] for frame in program["frames"]]
            self.assertEqual([frame["begin_cycle"] for frame in program["frames"]], ends[:-1])
        self.assertGreater(run["switches"]["switches"], 0)

    def test_the_same_again(self):
        figures = [self.shared("--seed", str(seed)) for seed in (1, 2)] + [self.shared("--no-skip")]
        self.assertEqual(figures[0], figures[1])
        self.assertEqual(figures[0], figures[2])

    def test_the_last_program_goes_first_by_priority(self):
        text = self.shared("--frames", "1", "--set", "command_processor.schedule=priority")
        waited = [int(number.replace(",", "")) for number in re.findall(r"waited ([\d,]+) cycles", text)]
        self.assertLess(waited[1], waited[0])
        self.assertRegex(text, r"\w is bound by other programs, for which it waits \d+ % of its time")
        self.assertRegex(text, r"blending is bound by the GPU or the display, which are at work for it \d+ % of its time")

    def test_a_program_may_lose_the_gpu_within_a_submission(self):
        text = self.shared("--verify", "--preempt", "--slice-us", "0", "--out", "out")
        self.assertRegex(text, r"within a submission: \d+ of them, [\d,]+ cycles until its work had ended")
        self.assertIn("verify: GPU memory and pictures of each program equal the emulator's", text)
        preemptions = json.loads((self.folder / "out/shared.json").read_text())["preemptions"]
        self.assertGreater(preemptions["preemptions"], 0)
        self.assertGreater(preemptions["restored_bytes"], 0)

    def test_pictures_may_be_left_out(self):
        scene = self.scene("two-pictures")
        result = self.call("simulate", scene, "--with", scene, "--quiet", "--verify", "--out", "out", "--set",
                           "dac.present_mode=mailbox", "--set", "dac.refresh_hz=20000", "--set", "command_processor.presents=3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.database()
        run = json.loads((self.folder / "out/shared.json").read_text())
        frames = [(number, frame) for number, program in enumerate(run["programs"], 1) for frame in program["frames"]]
        left_out = sum(frame["left_out"] for _, frame in frames)
        self.assertGreater(left_out, 1)
        self.assertLess(left_out, len(frames))
        self.assertIn(f"of each program equal the emulator's; {left_out} pictures were left out\n", result.stdout)
        for number, frame in frames:
            self.assertEqual((self.folder / f"out/frames/{number}-{frame['frame']:04}.png").exists(),
                             not frame["left_out"])

    def test_pictures_may_be_torn(self):
        scene = self.scene("three-pictures")
        for mode in ("immediate", "fifo-relaxed"):
            result = self.call("simulate", scene, "--with", scene, "--quiet", "--verify", "--set", f"dac.present_mode={mode}",
                               "--set", "dac.refresh_hz=250000", "--set", "command_processor.presents=3", "--out", mode)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("verify: GPU memory and pictures of each program equal the emulator's", result.stdout)
            with sqlite3.connect(self.folder / mode / "run.sqlite") as db:
                torn = db.execute("SELECT value FROM frame_counter JOIN counter USING (counter) WHERE name = 'torn'").fetchone()
            self.assertGreater(torn[0], 2)

    def test_three_programs(self):
        text = self.shared("--with", self.first, "--with-frames", "1", "--verify")
        self.assertEqual(len(re.findall(r"submissions waited", text)), 3)

    def lost(self, *arguments):
        """The figures and the text of a run in which a program is lost."""
        result = self.call("simulate", self.first, "--quiet", "--verify", "--out", "out", *arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("verify: GPU memory and pictures of each program equal the emulator's; of lost programs, the "
                      "pictures of the frames before", result.stdout)
        return json.loads((self.folder / "out/shared.json").read_text()), result.stdout

    def test_a_fault_ends_its_program_alone(self):
        run, text = self.lost("--with", self.scene("endless draw"))
        self.assertIn("endless draw: lost in frame 1", text)
        kept, lost = run["programs"]
        self.assertNotIn("lost", kept)
        self.assertEqual(len(kept["frames"]), 4)
        self.assertEqual(lost["frames"], [])
        self.assertIn("more than 2^27 vertices", lost["lost"]["why"])
        self.assertEqual(sum(run["phases"]["together"].values()), run["cycles"])

    def test_the_watchdog_ends_a_program_alone(self):
        long = self.scene("bound-by-shading")
        run, text = self.lost("--with", long, "--watchdog-us", "100", "--set", "command_processor.schedule=priority")
        kept, lost = run["programs"]
        self.assertEqual(len(kept["frames"]), 4)
        self.assertEqual(lost["lost"]["why"], "a submission takes longer than 100 us")
        self.assertEqual(lost["lost"]["frame"], 1)
        # It goes first, and the other one waits for it.
        self.assertGreater(kept["waited_cycles"], 100 * run["core_mhz"])
        self.assertGreater(lost["lost"]["cycle"], 100 * run["core_mhz"])
        other, _ = self.lost("--with", long, "--watchdog-us", "100", "--set", "command_processor.schedule=priority",
                             "--seed", "3")
        self.assertEqual(run, other)

    def test_a_reset_loses_no_suspended_submission(self):
        # The turns begin with the second program; the first one is lost while that is suspended.
        result = self.call("simulate", self.scene("bound-by-shading"), "--with", self.second, "--quiet", "--verify",
                           "--out", "out", "--watchdog-us", "100", "--slice-us", "0", "--preempt")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("verify: GPU memory and pictures of each program equal the emulator's; of lost programs, the "
                      "pictures of the frames before", result.stdout)
        run = json.loads((self.folder / "out/shared.json").read_text())
        lost, kept = run["programs"]
        self.assertEqual(lost["lost"]["frame"], 1)
        self.assertEqual(len(kept["frames"]), 1)
        self.assertEqual(run["preemptions"]["preemptions"], 1)
        self.assertGreater(run["preemptions"]["restored_bytes"], 0)  # it did not begin anew

    def test_two_programs_may_be_lost(self):
        run, text = self.lost("--with", self.scene("endless draw"), "--with", self.scene("bound-by-shading"),
                              "--watchdog-us", "100", "--set", "command_processor.presents=2")
        kept, *lost = run["programs"]
        self.assertEqual(len(kept["frames"]), 4)
        self.assertEqual([program["lost"]["frame"] for program in lost], [1, 1])
        self.assertEqual(sum(run["phases"]["together"].values()), run["cycles"])

    def test_all_programs_may_be_lost(self):
        endless = self.scene("endless draw")
        result = self.call("simulate", endless, "--with", endless, "--quiet", "--verify")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stdout.count("lost in frame 1"), 2)

    def test_a_watchdog_that_nothing_wakes_changes_nothing(self):
        plain = self.shared("--out", "out")
        run = json.loads((self.folder / "out/shared.json").read_text())
        self.assertGreater(run["cycles"], 10 * run["core_mhz"])  # no submission takes as long as 10 us
        for microseconds in ("10", "1000000"):
            self.assertEqual(plain, self.shared("--out", "out", "--watchdog-us", microseconds))

    def hosts(self, *arguments):
        """The figures of two programs that hand over 64 submissions of one triangle, after 2 us of work each."""
        scene = self.scene("host-2000")
        result = self.call("simulate", scene, "--frames", "2", "--with", scene, "--with-frames", "2", "--quiet",
                           "--verify", "--out", "out", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("verify: GPU memory and pictures of each program equal the emulator's", result.stdout)
        return json.loads((self.folder / "out/shared.json").read_text()), result.stdout

    def test_hosts_compute_side_by_side(self):
        # Each computes longer than both submissions take: it finds the GPU as free as alone.
        run, text = self.hosts("--set", "host.cpu=1")
        computes = 64 * 2000 * run["core_mhz"] / 1000
        for program in run["programs"]:
            frame = program["frames"][0]
            self.assertEqual(program["host"]["computed_cycles"], computes)
            self.assertEqual(program["host"]["submissions"], 65)  # one presents
            self.assertGreater(frame["end_cycle"] - frame["begin_cycle"], computes)
            self.assertLess(frame["end_cycle"] - frame["begin_cycle"], 1.01 * frame["alone_cycles"])
        self.assertEqual(text.count("its host computes 0.13 ms"), 2)
        self.assertEqual(text.count("host-2000 is bound by its host"), 2)
        for program in run["programs"]:
            self.assertAlmostEqual(sum(program["time_shares"].values()), 1)
            self.assertGreater(program["time_shares"]["host"], 0.85)
        self.assertEqual(sum(run["phases"]["together"].values()), run["cycles"])
        # Hosts that are fast leave the GPU to wait for.
        run, _ = self.hosts("--set", "host.cpu=100", "--set", "command_processor.schedule=first-come")
        for program in run["programs"]:
            frame = program["frames"][0]
            self.assertGreater(frame["end_cycle"] - frame["begin_cycle"], 1.8 * frame["alone_cycles"])

    def test_hosts_behind_a_bus_give_the_same_again(self):
        bus = [word for one in ("host.cpu=2", "host.interrupt_us=1", "bus.bytes_per_cycle=8", "bus.mhz=500",
                                "bus.latency=50") for word in ("--set", one)]
        figures = [self.hosts(*bus, *more)[1] for more in (("--seed", "1"), ("--seed", "2"), ("--no-skip",))]
        self.assertEqual(figures[0], figures[1])
        self.assertEqual(figures[0], figures[2])

    def test_a_host_goes_on_beside_a_program_that_is_lost(self):
        scene = self.scene("host-2000")
        for arguments in (("--with", self.scene("endless draw")),
                          ("--with", self.scene("bound-by-shading"), "--watchdog-us", "100")):
            result = self.call("simulate", scene, "--quiet", "--verify", "--out", "out", "--set", "host.cpu=1", *arguments)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("verify: GPU memory and pictures of each program equal the emulator's; of lost programs",
                          result.stdout)
            run = json.loads((self.folder / "out/shared.json").read_text())
            kept, lost = run["programs"]
            self.assertEqual(lost["lost"]["frame"], 1)
            self.assertEqual(len(kept["frames"]), 3)
            # 64 submissions in two frames, 128 in the third, and the presents.
            self.assertEqual(kept["host"]["submissions"], 4 * 64 + 3)
            self.assertEqual(kept["host"]["computed_cycles"], 4 * 64 * 2000 * run["core_mhz"] / 1000)
            self.assertEqual(self.database().execute("SELECT count(*) FROM frame").fetchone(), (2,))

    PHASES = {"draw": "draws", "copy": "copies", "cache": "caches", "display": "display", "command": "commands",
              "host": "hosts"}

    def database(self):
        """The database of out/, whose figures are those of shared.json, and whose sums are whole."""
        run = json.loads((self.folder / "out/shared.json").read_text())
        db = sqlite3.connect(self.folder / "out/run.sqlite")
        self.addCleanup(db.close)
        def row(sql):
            return db.execute(sql).fetchone()
        self.assertEqual(row("SELECT sum(cycles) FROM frame"), (run["cycles"],))
        self.assertEqual(row("SELECT sum(marginal_cycles) FROM work"), (run["cycles"],))
        self.assertEqual(row("SELECT total(whole), total(flush_cycles), total(invalidate_cycles), total(bind_cycles) "
                             "FROM context_switch"), tuple(run["switches"].values()))
        self.assertEqual(row("SELECT total(how = 'suspended'), total(drain_cycles), total(restored_bytes) FROM turn"),
                         tuple(run["preemptions"].values()))
        phases = {self.PHASES[name]: (cycles, alone) for name, cycles, alone in db.execute("SELECT * FROM context_phase")}
        self.assertEqual({name: both[0] for name, both in phases.items()}, run["phases"]["together"])
        self.assertEqual({name: both[1] for name, both in phases.items()}, run["phases"]["alone"])
        for name in ("draw", "copy", "cache", "display", "command"):
            self.assertEqual(row(f"SELECT sum({name}_cycles) FROM frame"), (phases[self.PHASES[name]][0],))
        for context, program in enumerate(run["programs"]):
            capture, waited, *shares = row("SELECT capture, waited_cycles, host_share, others_share, window_share, gpu_share FROM "
                                           f"context WHERE context = {context}")
            self.assertEqual((capture, waited), (program["capture"], program["waited_cycles"]))
            self.assertEqual(shares, list(program["time_shares"].values()))
            self.assertEqual(row(f"SELECT lost_cycle, lost_why FROM context WHERE context = {context}"),
                             (program["lost"]["cycle"], program["lost"]["why"]) if "lost" in program else (None, None))
            frames = db.execute("SELECT program_frame, began, ended, alone_cycles, left_out FROM context_frame WHERE "
                                "context = ? ORDER BY program_frame", (context,))
            self.assertEqual([list(frame) for frame in frames], [list(frame.values()) for frame in program["frames"]])
            # Counts of its host in all parts of the run sum to its figures. (The last picture is shown after the record.)
            host = row("SELECT computed_cycles, alone_cycles, submissions, waits, interrupt_cycles FROM context WHERE "
                       f"context = {context}")
            if host[0] is not None:
                self.assertEqual(host, tuple(
                    row("SELECT sum(value) FROM frame_counter JOIN counter USING (counter) WHERE name = "
                        f"'{name}' AND unit = 'gpu.host.program{context}'")[0] or 0
                    for name in ("computed", "alone", "submissions", "waits", "interrupts")))
            if "time_shares" in program:
                self.assertAlmostEqual(sum(program["time_shares"].values()), 1)
        # All that was counted is some program's, in its own work and in all marginal cycles.
        self.assertEqual(row("SELECT count(*) FROM frame_counter f WHERE value <> (SELECT sum(own) FROM work_counter w "
                             "WHERE w.frame = f.frame AND w.counter = f.counter)"), (0,))
        self.assertEqual(row("SELECT count(*) FROM frame_counter f WHERE value <> (SELECT sum(meanwhile) FROM "
                             "work_counter w WHERE w.frame = f.frame AND w.counter = f.counter)"), (0,))
        self.assertEqual(row("SELECT count(*) FROM (SELECT 1 FROM work GROUP BY frame, pass HAVING count(DISTINCT context) "
                             "> 1)"), (0,))
        # Turns and switches do not overlap, and all work of a program ends in its turns, but for the rest of the run,
        # in which a picture is held until the display has room.
        for frame, cycles in db.execute("SELECT frame, cycles FROM frame").fetchall():
            spans = db.execute("SELECT began, ended FROM turn WHERE frame = ?1 UNION ALL SELECT began, ended FROM "
                               "context_switch WHERE frame = ?1 ORDER BY began, ended", (frame,)).fetchall()
            self.assertTrue(all(before[1] <= after[0] for before, after in zip(spans, spans[1:])), spans)
            self.assertLessEqual(spans[-1][1], cycles)
        self.assertEqual(db.execute(
            "SELECT * FROM work w WHERE kind NOT IN ('scan-out', 'present') AND NOT EXISTS (SELECT 1 FROM turn t WHERE "
            "t.frame = w.frame AND t.context = w.context AND t.submission = w.submission AND w.began >= t.began AND "
            "w.ended <= t.ended) AND NOT (kind = 'rest' AND w.ended = (SELECT cycles FROM frame WHERE frame = w.frame))").fetchall(), [])
        return db

    def test_the_database_tells_whose_work_it_is(self):
        self.shared("--out", "out", "--slice-us", "0", "--preempt", "--interval", "100")
        db = self.database()
        self.assertEqual(db.execute("SELECT name FROM context ORDER BY context").fetchall()[1], ("blending",))
        self.assertEqual(db.execute("SELECT count(DISTINCT context) FROM work").fetchone(), (2,))
        self.assertGreater(db.execute("SELECT count(*) FROM turn WHERE how = 'suspended'").fetchone()[0], 0)
        # Its work counts by itself as much as it counts alone.
        self.assertEqual(self.call("simulate", self.second, "--out", "alone", "--quiet").returncode, 0)
        alone = sqlite3.connect(self.folder / "alone/run.sqlite")
        self.addCleanup(alone.close)
        written = ("SELECT sum(own) FROM work_counter JOIN counter USING (counter) JOIN work USING (frame, work) WHERE "
                   "unit GLOB 'gpu.color_write*' AND counter.name = 'fragments' AND context = ")
        self.assertEqual(db.execute(written + "1").fetchone(), alone.execute(written + "0").fetchone())
        self.assertEqual(alone.execute("SELECT (SELECT count(*) FROM context), (SELECT count(*) FROM turn)").fetchone(),
                         (0, 0))

    def test_a_record_changes_no_figure(self):
        recorded = self.shared("--out", "out")
        figures = (self.folder / "out/shared.json").read_bytes()
        self.shared("--out", "plain", "--stats", "none")
        self.assertFalse((self.folder / "plain/run.sqlite").exists())
        self.assertEqual((self.folder / "plain/shared.json").read_bytes(), figures)
        for more in (("--seed", "2"), ("--no-skip",)):
            self.shared("--out", "again", *more)
            facts = [sqlite3.connect(self.folder / name / "run.sqlite").execute(
                "SELECT * FROM work ORDER BY frame, work").fetchall() for name in ("out", "again")]
            self.assertEqual(*facts)
        self.assertIn("database: out/run.sqlite", recorded)

    def test_records_end_where_the_gpu_is_reset(self):
        self.lost("--with", self.scene("endless draw"), "--with", self.scene("bound-by-shading"), "--watchdog-us", "100")
        db = self.database()
        self.assertEqual(db.execute("SELECT count(*) FROM frame").fetchone(), (2,))
        self.assertEqual(db.execute("SELECT frame, context FROM turn WHERE how = 'stopped'").fetchall(), [(1, 1), (2, 2)])
        result = self.call("explain", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("endless draw: lost in frame 1", result.stdout)
        self.assertIn("part 2 of 2 of the run", result.stdout)
        # The second program has work in the first part alone, and may have none at all.
        result = self.call("explain", "out", "--program", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("program 2, endless draw: "), 1)
        self.assertEqual(len(json.loads(self.call("explain", "out", "--program", "2", "--json").stdout)["frames"]), 1)
        self.fails("explain", "out", "--program", "2", "--frame", "2", names=["--program 2: it had no work", "in frame 2"])
        db.execute("UPDATE work SET context = 0 WHERE context = 1")
        db.commit()
        self.fails("explain", "out", "--program", "2", names=["--program 2: it had no work on the GPU"])

    def test_records_of_hosts(self):
        self.hosts("--set", "host.cpu=1")
        db = self.database()
        self.assertEqual(db.execute("SELECT computed_cycles > 0, submissions FROM context").fetchall(), [(1, 65)] * 2)

    def test_explain_names_each_program(self):
        told = self.shared("--out", "out", "--slice-us", "1")
        result = self.call("explain", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        # The figures are those that the simulation told.
        figures = told[:told.index("pictures:")]
        self.assertIn(figures, result.stdout)
        self.assertRegex(result.stdout, r"\nthe run: [\d,]+ cycles")
        self.assertRegex(result.stdout, r"\nprogram 2, blending: [\d,]+ cycles, .* % of the run's\n  held up by ")
        self.assertRegex(result.stdout, r"draw \d+ of submission \d+,.* of 2: blending: ")
        self.assertNotIn("--try", result.stdout)
        one = self.call("explain", "out", "--program", "2").stdout
        self.assertRegex(one, r"\n\nprogram 2, blending: ")
        self.assertNotIn("program 1", one)
        explained = json.loads(self.call("explain", "out", "--json").stdout)
        self.assertEqual(explained["shared"], json.loads((self.folder / "out/shared.json").read_text()))
        of_programs = explained["frames"][0]["programs"]
        self.assertEqual([program["program"] for program in of_programs], [1, 2])
        self.assertEqual(sum(program["cycles"] for program in of_programs), explained["frames"][0]["cycles"])
        self.fails("explain", "out", "--program", "3", names=["--program 3", "2 programs"])
        self.fails("explain", "out", "--try", "memory.channels=8", names=["--try", "2 programs"])
        self.fails("explain", "out", "--pixel", "1,1", names=["--pixel", "2 programs"])

    def decoded(self, file):
        """Packets of a timeline: protoc knows nothing of Perfetto, so that they have numbers for names."""
        return subprocess.run(["protoc", "--decode_raw"], input=(self.folder / file).read_bytes(), capture_output=True,
                              check=True).stdout.decode()

    def test_a_timeline_shows_turns_switches_and_hosts(self):
        window = ("--timeline", "a.pftrace", "--timeline-cycles", "1..6000")
        self.hosts("--set", "host.cpu=1", *window)
        first = (self.folder / "a.pftrace").read_bytes()
        self.hosts("--set", "host.cpu=1", "--seed", "3", *window)
        self.assertTrue((self.folder / "a.pftrace").read_bytes() == first)
        text = self.decoded("a.pftrace")
        for name in ("the run of several programs on attila", "who has the GPU", "1: host-2000", "2: host-2000",
                     "host of program 1, host-2000", "host of program 2, host-2000", "computes", "write caches back", "empty caches",
                     "bind memory clients", "gpu.shader0"):
            self.assertTrue(name in text, name)
        # Slices of the track of turns follow one another: each begins (1) once the one before has ended (2).
        events = re.findall(r"  8: (\d+)\n  10: 1\n  11 \{\n(?:    4 \{\n(?:      .*\n)*    \}\n)?    9: ([12])\n"
                            r"(?:    10: \d+\n)?    11: 2\n", text)
        self.assertGreater(len(events), 40)
        self.assertEqual([kind for _, kind in events], ["1", "2"] * (len(events) // 2))
        times = [int(time) for time, _ in events]
        self.assertEqual(times, sorted(times))

    def test_a_timeline_shows_the_work_of_each_program(self):
        told = self.shared("--timeline", "a.pftrace", "--timeline-cycles", "1..3000", "--slice-us", "1", "--out", "out")
        self.assertIn("timeline: a.pftrace", told)
        text = self.decoded("a.pftrace")
        for name in ("work of program 1, ", "work of program 2, blending"):
            self.assertTrue(name in text, name)
        plain = self.call("simulate", self.first, "--frames", "2", "--timeline", "b.pftrace", "--timeline-cycles", "1..9",
                          "--quiet")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertTrue("who has the GPU" not in self.decoded("b.pftrace"))

    def test_what_cannot_be(self):
        at = ("simulate", self.first, "--quiet")
        self.fails(*at, "--with", "no.cutaway", names=["no.cutaway"])
        self.fails(*at, "--slice-us", "5", names=["--with"])
        self.fails(*at, "--watchdog-us", "5", names=["--with"])
        self.fails(*at, "--with", self.second, "--with-frames", "9", names=["9", "blending"])
        self.fails(*at, "--with", self.second, "--live", names=["--live"])
        shared = (*at, "--with", self.second)
        self.fails(*shared, "--timeline", "t", "--timeline-draw", "1", names=["--timeline-draw", "--timeline-cycles"])
        self.fails(*shared, "--timeline", "t", "--timeline-cycles", "1..99999999", names=["1..99999999", "the run"])
        self.fails(*shared, "--stats", "fragments", names=["--stats fragments", "--with"])
        self.fails(*at, "--set", "command_processor.contexts=2", "--set", "host.cpu=1",
                   names=["command_processor.contexts", "--with"])
        self.fails(*at, "--with", self.second, "--set", "command_processor.contexts=1", "--out", "o",
                   names=["command_processor.contexts", "2"])
        self.fails(*at, *["--with", self.second] * 4, names=["command_processor.contexts"])


if __name__ == "__main__":
    main()
