#!/usr/bin/env python3
"""`simulate --with`: programs that share a GPU; figures that add up, whole results, and errors that name what is
wrong."""
import json
import re

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

    def test_what_cannot_be(self):
        at = ("simulate", self.first, "--quiet")
        self.fails(*at, "--with", "no.cutaway", names=["no.cutaway"])
        self.fails(*at, "--slice-us", "5", names=["--with"])
        self.fails(*at, "--watchdog-us", "5", names=["--with"])
        self.fails(*at, "--with", self.second, "--with-frames", "9", names=["9", "blending"])
        self.fails(*at, "--with", self.second, "--timeline", "t", names=["--timeline"])
        self.fails(*at, "--set", "command_processor.contexts=2", "--set", "host.cpu=1",
                   names=["command_processor.contexts", "--with"])
        self.fails(*at, "--with", self.second, "--set", "command_processor.contexts=1", "--out", "o",
                   names=["command_processor.contexts", "2"])
        self.fails(*at, *["--with", self.second] * 4, names=["command_processor.contexts"])


if __name__ == "__main__":
    main()
