#!/usr/bin/env python3
"""`cutaway sample` and sampled sweeps: estimates beside the whole simulation, resumable, clear errors."""
import contextlib
import json
import sqlite3
import unittest

from command_case import CommandTest, main

FRAMES = 40


class SampleTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene(f"animation{FRAMES}")

    def sample(self, *more, out="s"):
        result = self.call("sample", f"animation{FRAMES}.cutaway", "--jobs", "2", "--quiet", "--out", out, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, json.loads((self.folder / out / "sample.json").read_text())

    def cycles(self, out):
        with contextlib.closing(sqlite3.connect(self.folder / out / "sweep.sqlite")) as database:
            return dict(database.execute("SELECT frame, cycles FROM sweep"))

    def whole(self):
        """The cycles of every frame, as a sample warms them up."""
        (self.folder / "first.toml").write_text(f'captures = ["animation{FRAMES}.cutaway"]\nframes = 1\n')
        (self.folder / "rest.toml").write_text(
            f'captures = ["animation{FRAMES}.cutaway"]\nframes = "2.."\nwarmup = 1\n')
        for name in ("first", "rest"):
            result = self.call("sweep", f"{name}.toml", "--jobs", "2", "--quiet", "--out", name)
            self.assertEqual(result.returncode, 0, result.stderr)
        return self.cycles("first") | self.cycles("rest")

    def test_the_estimate_holds_the_whole(self):
        text, sample = self.sample("--error", "5%", "--check", "4")
        whole = self.whole()
        self.assertEqual(len(whole), FRAMES)
        capture, = sample["captures"]
        machine, = capture["machines"]
        total = machine["totals"]["cycles"]
        self.assertLessEqual(abs(total["value"] - sum(whole.values())), total["bound"] + 1)
        self.assertLessEqual(total["bound"], 0.05 * total["value"] + 1)
        self.assertLess(machine["simulated_frames"], FRAMES)
        self.assertIn(f"{machine['simulated_frames']} of {FRAMES} frames simulated", text)

        # Every frame is in one group, and the curve has it: as simulated, or as predicted; it sums up to the total.
        frames = [frame for stratum in capture["strata"] for frame in stratum["frames"]]
        self.assertEqual(sorted(frames), list(range(1, FRAMES + 1)))
        curve = {entry["frame"]: entry for entry in machine["cycles_by_frame"]}
        self.assertEqual(list(curve), list(range(1, FRAMES + 1)))
        for stratum in capture["strata"]:
            for frame in stratum["frames"]:
                self.assertEqual(curve[frame]["simulated"], frame in stratum["representatives"])
                if curve[frame]["simulated"]:
                    self.assertEqual(curve[frame]["value"], whole[frame])
            self.assertAlmostEqual(stratum["each_stands_for"] * len(stratum["representatives"]),
                                   len(stratum["frames"]))
        self.assertAlmostEqual(sum(entry["value"] for entry in curve.values()), total["value"], delta=FRAMES)
        self.assertGreater(capture["characteristics"], 0)
        self.assertLess(capture["parameters"], machine["simulated_frames"])
        self.assertEqual(capture["strata"][0]["frames"], [1])  # nothing can warm it up

        # The frames held back are simulated, and in no estimate.
        check = machine["check"]
        self.assertEqual(len(check["frames"]), 4)
        for entry in check["frames"]:
            self.assertFalse(curve[entry["frame"]]["simulated"])
            self.assertEqual(entry["cycles"], whole[entry["frame"]])

    def test_it_goes_on_and_is_equal_again(self):
        first, sample = self.sample("--error", "5%")
        with contextlib.closing(sqlite3.connect(self.folder / "s" / "sweep.sqlite")) as database:
            attempts, = database.execute("SELECT count(*) FROM attempt").fetchone()
            again = self.sample("--error", "5%")[1]
            self.assertEqual(database.execute("SELECT count(*) FROM attempt").fetchone(), (attempts,))
        self.assertEqual(again, sample)

    def test_what_is_narrow_enough_only_with_all_frames_is_exact(self):
        whole = self.sample("--error", "0.01%")[1]["captures"][0]["machines"][0]
        cycles = whole["totals"]["cycles"]
        self.assertLessEqual(cycles["bound"], 0.0001 * cycles["value"] + 1)
        if whole["simulated_frames"] == FRAMES:
            self.assertEqual(cycles["bound"], 0)
            self.assertEqual(cycles["value"], sum(self.cycles("s").values()))

    def test_sweeps_take_samples(self):
        (self.folder / "s.toml").write_text(f'captures = ["animation{FRAMES}.cutaway"]\nframes = "sample:5%"\n'
                                            "warmup = 1\n[[vary]]\nmemory.channels = [1, 4]\n")
        result = self.call("sweep", "s.toml", "--jobs", "2", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        capture, = json.loads((self.folder / "out/s/sample.json").read_text())["captures"]
        self.assertEqual([machine["machine"] for machine in capture["machines"]],
                         ["attila, memory.channels = 1", "attila, memory.channels = 4"])
        for machine in capture["machines"]:
            cycles = machine["totals"]["cycles"]
            self.assertLessEqual(cycles["bound"], 0.05 * cycles["value"] + 1)

    def test_few_machines_simulate_all_representatives(self):
        """The first machine and the one least like it are pilots; the others simulate twelve frames."""
        plot = '[[plot]]\nx = "memory.channels"\ny = "cycles"\n'
        (self.folder / "p.toml").write_text('captures = ["animation40.cutaway"]\nframes = "sample:0.04%"\nwarmup = 1\n[[vary]]\n'
                                            "memory.channels = [1, 2, 4]\n[[vary]]\nwires.z_queue = [16, 64]\n" + plot)
        result = self.call("sweep", "p.toml", "--jobs", "2", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        capture, = json.loads((self.folder / "out/p/sample.json").read_text())["captures"]
        machines = {machine["machine"]: machine for machine in capture["machines"]}
        names = [f"attila, memory.channels = {c}, wires.z_queue = {q}" for c in (1, 2, 4) for q in (16, 64)]
        self.assertEqual(list(machines), names)
        pilots, shared = capture["pilots"], capture["shared_frames"]
        self.assertEqual(pilots[0], names[0])
        self.assertLess(len(pilots), len(names))
        with contextlib.closing(sqlite3.connect(self.folder / "out/p/sweep.sqlite")) as database:
            for name, machine in machines.items():
                channels, queue = name.split(" = ")[1][0], name.split(" = ")[2]
                frames = dict(database.execute('SELECT frame, cycles FROM sweep WHERE "memory.channels" = ? AND '
                                               '"wires.z_queue" = ?', (channels, queue)))
                self.assertEqual(len(frames), machine["simulated_frames"], name)
                self.assertEqual("slopes" in machine, name not in pilots)
                self.assertEqual(sorted(frames) == shared, name not in pilots)
                cycles = machine["totals"]["cycles"]
                self.assertLessEqual(cycles["bound"], 0.0004 * cycles["value"] + 1)
                curve = {entry["frame"]: entry for entry in machine["cycles_by_frame"]}
                self.assertEqual({frame: curve[frame]["value"] for frame in frames}, frames)
                self.assertEqual({frame for frame in curve if curve[frame]["simulated"]}, set(frames))
        self.assertIn(f"and predict{'s' if len(pilots) == 1 else ''} {6 - len(pilots)} others, which simulated "
                      f"{len(shared)} frames", result.stdout)
        # Plots compare the same frames.
        drawn = (self.folder / "out/p/plot1.svg").read_text()
        self.assertIn(f"mean of up to {2 * len(shared)} points", drawn)
        self.assertNotIn("different frames", drawn)

    def test_of_many_machines_text_shows_the_cycles_alone(self):
        (self.folder / "m.toml").write_text(f'captures = ["animation{FRAMES}.cutaway"]\nframes = "sample:50%"\n'
                                            "warmup = 1\n[[vary]]\nmemory.channels = [1, 2, 4]\n"
                                            "[[vary]]\nrop.units = [1, 2]\n")
        result = self.call("sweep", "m.toml", "--jobs", "2", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("cycles (sample.json has the other totals):", result.stdout)
        for channels in (1, 2, 4):
            self.assertEqual(result.stdout.count(f"attila, memory.channels = {channels}, rop.units = 2 "), 1)
        self.assertNotIn("cache_misses", result.stdout)

    def test_refuses_what_it_cannot_state(self):
        capture = f"animation{FRAMES}.cutaway"
        self.fails("sample", capture, "--frames", "3", names=["1 frame", "Within a frame"])
        self.fails("sample", capture, "--frames", "3..9", names=["7 frames", "10"])
        for error in ("1", "0%", "90%", "x%"):
            self.fails("sample", capture, "--error", error, names=["--error", "1%"])
        (self.folder / "bad.toml").write_text(f'captures = ["{capture}"]\nframes = "sample:9"\n')
        self.fails("sweep", "bad.toml", names=["bad.toml:2", "1%"])
        (self.folder / "both.toml").write_text(
            f'captures = ["{capture}"]\nframes = "sample:9%"\n[sample]\npoints = 3\nseed = 1\n')
        self.fails("sweep", "both.toml", names=["both.toml", "[sample]"])


if __name__ == "__main__":
    main(("cutaway", "write-scene"))
