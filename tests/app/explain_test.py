"""`cutaway explain`: names bottlenecks that are known by construction, its figures sum, its what-ifs are measured."""
import json
import sqlite3

from command_case import CommandTest, main

# A chip of the kind of d3d11 with units of their own before the rasteriser.
SPLIT_D3D11 = """
base = "d3d11"
[shader]
stages = ["fragment", "compute"]
stores = ["fragment", "compute"]
[vertex_shader]
like = "shader"
stages = ["vertex", "tess-control", "tess-evaluation", "geometry"]
stores = ["vertex", "tess-control", "tess-evaluation", "geometry"]
"""


class ExplainTest(CommandTest):
    def run_of(self, scene, *more):
        file = self.scene(scene)
        result = self.call("simulate", file, "--out", scene, "--quiet", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return scene

    def explain(self, run, *more):
        result = self.call("explain", run, "--json", "--quiet", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)


class Explain(ExplainTest):
    def test_names_what_binds_frames_that_ask_for_one_thing(self):
        fill = ["--set", "shader.units=8", "--set", "memory.channels=8"]
        # Scene, what binds it, and the cycles that it takes of that alone (tests/scenes/bound_scenes.h).
        for scene, words, cycles, more in (
                ("bound-by-fill", {"color write", "z stencil"}, 327_680, fill),
                ("bound-by-texture", {"texture"}, 1_048_576, []),
                ("bound-by-vertices", {"vertex shading"}, 505_025, []),
                ("bound-by-shading", {"fragment shading"}, 3_293_184, [])):
            run = self.run_of(scene, *more)
            frame = self.explain(run)["frames"][0]
            self.assertGreaterEqual(frame["cycles"], cycles, scene)
            # Blending also waits for lines of the target.
            self.assertLess(frame["cycles"], (1.25 if scene == "bound-by-fill" else 1.07) * cycles, scene)
            causes = frame["held_up_by"]
            shares = {cause["words"]: cause["share"] for cause in causes}
            self.assertGreater(sum(share for cause, share in shares.items() if cause in words), 0.8, (scene, shares))
            self.assertAlmostEqual(sum(shares.values()), 1)
            text = self.call("explain", run).stdout
            self.assertIn(causes[0]["words"], text.splitlines()[3])

    def test_offers_what_to_try_of_a_machine_file_in_any_folder(self):
        (self.folder / "split.toml").write_text(SPLIT_D3D11)
        run = self.run_of("bound-by-hull", "--gpu", "split.toml")
        (self.folder / "elsewhere").mkdir()
        text = self.call("explain", f"../{run}", cwd=self.folder / "elsewhere").stdout
        self.assertIn("--try vertex_shader.units=32", text)

    def test_tells_of_overdraw_and_of_helper_lanes(self):
        told = self.explain(self.run_of("bound-by-fill"))["frames"][0]["remarks"]
        database = sqlite3.connect(self.folder / "bound-by-fill/run.sqlite")
        shaded, tiles = database.execute("SELECT sum(shaded), count(*) FROM tile WHERE shaded > 0").fetchone()
        # 40 layers over 256x256.
        self.assertEqual((shaded, tiles), (40 * 256 * 256, 32 * 32))
        self.assertEqual(len(told), 1, told)
        self.assertTrue(told[0].startswith("overdraw: pass 0 shades 2,621,440 fragments in tiles of 65,536 pixels, 40.0 for each pixel"), told)

    def test_figures_of_evidence_are_those_of_the_database(self):
        run = self.run_of("patches-and-programs", "--gpu", "d3d11")
        database = sqlite3.connect(self.folder / run / "run.sqlite")
        issued = dict(database.execute("SELECT stage, sum(issued) FROM instruction GROUP BY stage"))
        all_issued = sum(issued.values())
        for cause in self.explain(run)["frames"][0]["held_up_by"]:
            if not cause["stage"]:
                continue
            count, share = issued[cause["stage"]], issued[cause["stage"]] / all_issued
            self.assertTrue(cause["evidence"][0].startswith(
                f"{count:,} instructions were issued to groups of this stage, {share:.0%} of the units'".replace("%", " %")), cause)

    def test_counts_instructions_of_programs_of_every_stage(self):
        for scene, stages in (("patches-and-programs", {"vertex", "tessellation_control", "tessellation_evaluation", "geometry", "fragment"}),
                              ("histogram", {"vertex", "fragment", "compute"})):
            run = self.run_of(scene, "--gpu", "d3d11")
            database = sqlite3.connect(self.folder / run / "run.sqlite")
            rows = database.execute("SELECT stage, sum(issued) FROM instruction GROUP BY stage").fetchall()
            self.assertEqual({stage for stage, _ in rows}, stages)
            counted = database.execute("SELECT sum(value) FROM frame_counter JOIN counter USING (counter) WHERE unit LIKE 'gpu.shader%' "
                                       "AND unit NOT LIKE 'gpu.shader%.%' AND name = 'instructions'").fetchone()[0]
            self.assertEqual(sum(issued for _, issued in rows), counted)
            named = {stage for stage in stages for program, in database.execute(f"SELECT {stage}_program FROM state") if program}
            self.assertEqual(named, stages)
            by_program = database.execute("SELECT sum(issued) FROM program_instruction WHERE program <> 0").fetchone()[0]
            self.assertEqual(by_program, counted)
            causes = self.explain(run)["frames"][0]["held_up_by"]
            self.assertTrue([one for cause in causes if cause["stage"] for one in cause["evidence"] if "groups waited" in one])

    def evidence(self, run, words, *more):
        causes = self.explain(run, *more)["frames"][0]["held_up_by"]
        return [sentence for cause in causes if cause["words"] == words for sentence in cause["evidence"]]

    def test_names_the_instruction_at_which_groups_wait(self):
        run = self.run_of("bound-by-one-result", "--set", "shader.threads=4", "--set", "shader.scalar_latency=60")
        database = sqlite3.connect(self.folder / run / "run.sqlite")
        waits = database.execute(
            "SELECT instruction, sum(waited_flow + waited_result + waited_issue + waited_send + waited_texture + waited_drain + "
            "waited_output), sum(waited_result), sum(issued) FROM instruction WHERE stage = 'fragment' GROUP BY instruction "
            "ORDER BY instruction").fetchall()
        self.assertEqual(len(waits), 6)
        # One group at a time: what its chain waits is known to the cycle.
        for instruction, waited in ((0, 0), (1, 4), (2, 59), (3, 4), (4, 4), (5, 0)):
            self.assertEqual(waits[instruction][2], waited * 16_384, instruction)
            self.assertEqual(waits[instruction][3], 16_384, instruction)
        hot = [sentence for sentence in self.evidence(run, "fragment shading") if "of the waits at instruction" in sentence]
        share = round(100 * waits[2][1] / sum(row[1] for row in waits))
        self.assertGreater(share, 70)
        self.assertTrue(hot[0].startswith(f"{share} % of the waits at instruction 2: MUL r0, r1, r1, of fragment program") or
                        hot[0].startswith(f"{share} % of the waits at instruction 2, of fragment program"), hot)
        self.assertIn("100 % of these for results of instructions before", hot[0])
        # Where all wait alike, none is named.
        self.run_of("bound-by-shading")
        even = self.evidence("bound-by-shading", "fragment shading")
        self.assertTrue(any("no instruction stands out" in sentence for sentence in even), even)
        self.assertFalse(any("of the waits at" in sentence for sentence in even), even)

    def test_holds_footprints_of_textures_against_the_cache(self):
        for sets, told in ((["--set", "texture.cache_lines=64"], "which holds 16 KB: each line"),
                           (["--set", "texture.cache_lines=1024"], "which holds 256 KB, so that all of it fits: each line")):
            run = self.run_of("bound-by-large-texture", *sets)
            sentences = self.evidence(run, "texture", "--draw", "1")
            footprint = [sentence for sentence in sentences if "footprint" in sentence]
            self.assertEqual(len(footprint), 1, sentences)
            self.assertIn("the footprint of its textures is 256 KB", footprint[0])
            self.assertIn(told, footprint[0])
            misses, touches = sqlite3.connect(self.folder / run / "run.sqlite").execute(
                "SELECT sum(own), (SELECT texture_first_touches FROM work WHERE work = 0) FROM work_counter JOIN counter "
                "USING (counter) WHERE name = 'cache_misses' AND unit LIKE 'gpu.texture%' AND work = 0").fetchone()
            self.assertIn(f"missed {misses / touches:.1f} times", footprint[0])

    def test_intervals_tell_who_waited_meanwhile(self):
        run = self.run_of("bound-by-texture", "--interval", "100000")
        database = sqlite3.connect(self.folder / run / "run.sqlite")
        summary = json.loads((self.folder / run / "summary.json").read_text())
        rows = database.execute("SELECT sender, messages, filling, peak, slots FROM frame_wire JOIN wire USING (wire)").fetchall()
        for sender, messages, filling, peak, slots in rows:
            wire = summary["frames"][0]["wires"][sender]
            self.assertEqual((wire["messages"], wire["peak"], wire["slots"]), (messages, peak, slots))
            self.assertAlmostEqual(wire["mean"], filling)
        self.assertEqual(len(rows), sum(w["messages"] > 0 for w in summary["frames"][0]["wires"].values()))
        # What the frame is held up by is where the queues are full.
        fullest = self.explain(run)["frames"][0]["wires"][0]
        self.assertGreater(fullest["filling"], 0.9 * fullest["slots"])
        self.assertIn(f"{fullest['from']} to {fullest['to']}", self.call("explain", run).stdout)
        intervals = database.execute("SELECT interval, began, ended FROM interval").fetchall()
        self.assertEqual(sum(self.explain(run, "--interval", str(i))["frames"][0]["cycles"] for i, _, _ in intervals),
                         intervals[-1][2])
        one = self.explain(run, "--interval", "3")["frames"][0]
        self.assertEqual(one["cycles"], 100_000)
        self.assertEqual(one["held_up_by"][0]["words"], "texture")
        self.assertAlmostEqual(sum(cause["share"] for cause in one["held_up_by"]), 1)
        waited, cycles = database.execute(
            "SELECT sum(value * (name IN ('starved.texture_in', 'blocked.texture_out'))), sum(value) FROM interval_counter JOIN counter USING (counter) WHERE "
            "interval = 3 AND unit LIKE 'gpu.shader_' AND (name IN ('busy', 'idle') OR name LIKE '%.%')").fetchone()
        wait = [wait for wait in one["waits"] if wait["who"] == "shader" and wait["whom"] == "texture"]
        self.assertAlmostEqual(sum(one["share"] for one in wait), waited / cycles)
        self.assertEqual(self.explain(run, "--cycles", "300001..400000")["frames"][0], one)
        two = self.explain(run, "--cycles", "300000..400000")["frames"][0]
        self.assertEqual((two["first_interval"], two["last_interval"], two["cycles"]), (2, 3, 200_000))
        text = self.call("explain", run, "--interval", "3").stdout
        for words in ("cycles 300,000 to 400,000 (interval 3)", "who waits for whom", "under way: 1 piece of work"):
            self.assertIn(words, text)
        self.fails("explain", run, "--interval", "99", names=["--interval 99", f"has {len(intervals)} intervals"])
        self.fails("explain", run, "--cycles", "2000000..2000001", names=["--cycles 2000000..2000001"])
        self.fails("explain", run, "--interval", "1", "--work", "0", names=["only one of them"])

    def test_what_more_of_what_binds_gives_is_measured(self):
        run = self.run_of("bound-by-texture")
        report = self.explain(run, "--try", "memory.channels=8", "--try", "texture.steps_per_cycle=2",
                              "--try", "shader.units=4;streamer.queue=64")
        tries = report["tries"]
        self.assertEqual(tries[0]["changes"][0]["parameter"], "texture.steps_per_cycle")
        self.assertGreater(tries[0]["saved"], 0.3)
        self.assertAlmostEqual(tries[0]["saved_for_each_added"], tries[0]["saved"])
        memory = [one for one in tries if one["changes"][0]["parameter"] == "memory.channels"][0]
        self.assertLess(memory["saved"], 0.05)
        two = [one for one in tries if len(one["changes"]) == 2][0]
        self.assertGreater(two["saved"], 0.3)
        self.assertNotIn("saved_for_each_added", two)
        # What is measured is what a simulation of that machine takes.
        self.run_of("bound-by-texture", "--set", "texture.steps_per_cycle=2")
        summary = json.loads((self.folder / run / "summary.json").read_text())
        self.assertEqual(summary["frames"][0]["cycles"], tries[0]["cycles_after"])

    def offered(self, frame):
        return [one for cause in frame["held_up_by"] if cause["share"] >= 0.05 for tries in cause["tries"] for one in tries]

    def test_each_sentence_of_evidence_offers_what_to_try(self):
        for scene, first, more in (("bound-by-texture", "texture.steps_per_cycle=2", []), ("bound-by-vertices", "shader.units=4", []),
                                   ("bound-by-fill", "rop.units=4", ["--set", "shader.units=8", "--set", "memory.channels=8"])):
            with self.subTest(scene=scene):
                run = self.run_of(scene, *more)
                frame = self.explain(run)["frames"][0]
                for cause in frame["held_up_by"]:
                    self.assertEqual(len(cause["tries"]), len(cause["evidence"]))
                    if cause["share"] >= 0.05:
                        self.assertTrue(cause["evidence"], cause)
                        self.assertTrue(any(cause["tries"]), cause)
                offered = self.offered(frame)
                self.assertIn(first, offered)
                # What the text offers runs as it stands.
                commands = [line.strip() for line in self.call("explain", run).stdout.splitlines() if "--try" in line]
                self.assertTrue(commands[0].startswith(f"cutaway explain {run} --frame 1 --try "), commands)
                self.assertTrue(commands[-1].endswith("--try auto"), commands)
                self.assertEqual(self.call(*commands[0].split()[1:], "--quiet").returncode, 0)

    def test_auto_tries_what_binds_and_ranks_it_by_time(self):
        run = self.run_of("bound-by-texture")
        # Half the clocks: about as many cycles, each of twice the time.
        slower = "gpu.core_mhz=200;shader.mhz=200"
        report = self.explain(run, "--try", "auto", "--try", slower)
        frame, tries = report["frames"][0], report["tries"]
        self.assertLessEqual(len(tries), 17)
        saved = [one["milliseconds_saved"] for one in tries]
        self.assertEqual(saved, sorted(saved, reverse=True))
        self.assertEqual(len(tries[-1]["changes"]), 2)
        self.assertLess(tries[-1]["cycles_after"], 1.05 * tries[-1]["cycles_before"])
        self.assertLess(tries[-1]["milliseconds_saved"], -0.9 * tries[-1]["milliseconds_before"])
        # The helpful values that evidence names, and the opposite ones.
        measured = {f"{one['changes'][0]['parameter']}={one['changes'][0]['after']}": one for one in tries[:-1]}
        self.assertTrue(set(self.offered(frame)) <= set(measured), (self.offered(frame), measured))
        self.assertIn("texture.cache_lines=32", measured)
        self.assertEqual(tries[0]["changes"][0], {"parameter": "texture.steps_per_cycle", "before": "1", "after": "2"})
        for one in tries:
            self.assertAlmostEqual(one["milliseconds_saved"], one["milliseconds_before"] - one["milliseconds_after"])
        # Machines side by side count what they count alone.
        self.run_of("bound-by-texture", "--set", "texture.cache_lines=32")
        summary = json.loads((self.folder / run / "summary.json").read_text())
        self.assertEqual(summary["frames"][0]["cycles"], measured["texture.cache_lines=32"]["cycles_after"])

    def test_auto_does_not_depend_on_jobs(self):
        run = self.run_of("animation4", "--frames", "2..3")
        one, three = (self.explain(run, "--try", "auto", "--jobs", jobs)["tries"] for jobs in ("1", "3"))
        self.assertEqual(one, three)
        self.assertGreater(len(one), 3)
        text = self.call("explain", run, "--quiet", "--try", "auto").stdout
        self.assertIn("what was tried, what saves most of", text)
        self.assertEqual(text.count(" -> "), len(one))

    def test_work_distribution_tells_of_its_groups(self):
        """A distributor that takes one quad a cycle: 655,360 quads (tests/scenes/bound_scenes.h) take as many cycles."""
        run = self.run_of("bound-by-fill", "--gpu", "d3d11", "--set", "work_distributor.quads_per_cycle=1")
        frame = self.explain(run)["frames"][0]
        self.assertGreaterEqual(frame["cycles"], 655_360)
        self.assertLess(frame["cycles"], 1.07 * 655_360)
        cause = frame["held_up_by"][0]
        self.assertEqual(cause["words"], "work distributor")
        database = sqlite3.connect(self.folder / run / "run.sqlite")
        count = dict(database.execute("SELECT name, sum(value) FROM frame_counter JOIN counter USING (counter) "
                                      "WHERE unit = 'gpu.work_distributor' GROUP BY name"))
        groups, quads = count["fragment_groups"], count["fragment_quads"]
        self.assertEqual(quads, 655_360)
        # Its groups are full, so none leaves sooner if it gathers for a shorter time.
        self.assertGreater(quads / groups, 0.95 * 8)
        self.assertEqual(cause["evidence"][0], f"{groups:,} groups of fragments were given to shader units, with {quads / groups:.1f} quads "
                                               "each of the 8 that fit; it takes up to 1 quad a cycle")
        self.assertEqual(cause["tries"][0], ["work_distributor.quads_per_cycle=2"])
        accounts = {name: value for name, value in count.items() if name in ("busy", "idle") or "." in name}
        self.assertTrue(cause["evidence"][-1].startswith(
            f"worked in {round(100 * accounts['busy'] / sum(accounts.values()))} % of its cycles"), cause["evidence"])
        # Of twice the rate the command says what a simulation does.
        measured, = self.explain(run, "--try", "work_distributor.quads_per_cycle=2")["tries"]
        self.assertGreater(measured["saved"], 0.3)

    def test_tells_filters_that_bind_from_latency_that_does(self):
        for scene, sets, told, untold in (
                ("bound-by-texture", [], "filtering itself binds", "latency of texture reads"),
                ("bound-by-large-texture", ["--set", "memory.latency=1000"], "bound by the latency of texture reads",
                 "filtering itself binds")):
            sentences = " ".join(self.evidence(self.run_of(scene, *sets), "texture"))
            self.assertIn(told, sentences)
            self.assertNotIn(untold, sentences)

    def test_another_build_made_the_run(self):
        run = self.run_of("animation4", "--frames", "2")
        database = sqlite3.connect(self.folder / run / "run.sqlite")
        cycles = self.explain(run)["frames"][0]["cycles"]
        same = self.explain(run, "--try", "memory.channels=8")
        self.assertNotIn("cycles_of_another_build", same)
        # What that build counted is not held against this one's figures.
        database.execute("UPDATE meta SET value = 'another' WHERE name = 'program_hash'")
        database.execute("UPDATE frame SET cycles = cycles + 1000")
        database.commit()
        other = self.explain(run, "--try", "memory.channels=8")
        self.assertEqual(other["cycles_of_another_build"], cycles + 1000)
        self.assertEqual(other["tries"], same["tries"])
        text = self.call("explain", run, "--quiet", "--try", "memory.channels=8").stdout
        self.assertIn("another build of cutaway made this run", text)

    def test_draws_add_up_to_the_frame(self):
        run = self.run_of("animation4", "--frames", "2")
        frame = self.explain(run, "--draws", "1000")["frames"][0]
        self.assertEqual(sum(work["cycles"] for work in frame["work"]), frame["cycles"])
        database = sqlite3.connect(self.folder / run / "run.sqlite")
        wrong = database.execute("SELECT count(*) FROM frame_counter f WHERE value != (SELECT sum(own) FROM work_counter w "
                                 "WHERE w.frame = f.frame AND w.counter = f.counter)").fetchone()[0]
        self.assertEqual(wrong, 0)
        self.assertEqual(database.execute("SELECT sum(marginal_cycles) FROM work").fetchone()[0], frame["cycles"])

    def test_one_draw_one_pass_and_what_is_not_there(self):
        run = self.run_of("animation4", "--frames", "2..3")
        self.fails("explain", run, "--draw", "1", names=["--frame", "2"])
        one = self.explain(run, "--frame", "2", "--draw", "1")["frames"][0]
        self.assertEqual(one["work"][0]["kind"], "draw")
        self.assertLess(one["share_of_frame"], 1)
        self.explain(run, "--frame", "3", "--pass", "0")
        self.fails("explain", run, "--frame", "2", "--draw", "999", names=["--draw 999", "frame 2 has"])
        self.fails("explain", run, "--frame", "2", "--work", "999", names=["--work 999"])
        self.fails("explain", run, "--frame", "9", names=["no such frame"])
        self.fails("explain", run, "--frame", "2", "--draw", "1", "--pass", "0", names=["only one of them"])

    def test_runs_that_cannot_be_read(self):
        self.fails("explain", "nowhere", names=["nowhere", "there is no such run"])
        (self.folder / "empty").mkdir()
        self.fails("explain", "empty", names=["holds no run.sqlite", "simulate"])
        (self.folder / "text.sqlite").write_text("this is no database, however long the text that stands here is")
        self.fails("explain", "text.sqlite", names=["text.sqlite", "damaged or no database"])
        sqlite3.connect(self.folder / "other.sqlite").execute("CREATE TABLE t (i)")
        self.fails("explain", "other.sqlite", names=["not the database of a run"])
        run = self.run_of("animation4", "--frames", "2")
        file = self.folder / run / "run.sqlite"
        whole = file.read_bytes()
        file.write_bytes(whole[:len(whole) // 2])
        result = self.call("explain", run)
        self.assertEqual(result.returncode, 2, result.stderr)
        file.write_bytes(whole)
        database = sqlite3.connect(file)
        database.execute("UPDATE meta SET value = '99' WHERE name = 'schema'")
        database.commit()
        database.close()
        self.fails("explain", run, names=["schema is 99", "simulate again"])

    def test_tries_that_are_no_machine_and_captures_that_have_gone(self):
        run = self.run_of("animation4", "--frames", "2")
        self.fails("explain", run, "--try", "memory.chanels=8", names=["--try", "memory.chanels"], program_speaks=True)
        self.fails("explain", run, "--try", "texture.cache_ways=3", names=["texture.cache_ways"], program_speaks=True)
        (self.folder / "animation4.cutaway").rename(self.folder / "moved.cutaway")
        self.fails("explain", run, "--try", "memory.channels=8", names=["animation4.cutaway"])
        self.explain(run, "--try", "memory.channels=8", "--capture", "moved.cutaway")

    def test_no_statistics_no_database(self):
        run = self.run_of("animation4", "--frames", "2", "--stats", "none")
        self.assertFalse((self.folder / run / "run.sqlite").exists())


if __name__ == "__main__":
    main()
