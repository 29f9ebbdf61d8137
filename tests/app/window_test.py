#!/usr/bin/env python3
"""`simulate --with --window`: a compositor shows the pictures of another program; errors name what does not fit."""
import json
import sqlite3

from command_case import CommandTest, main, options, png_pixels

EQUAL = "verify: GPU memory and pictures of each program equal the emulator's"


class Windows(CommandTest):
    def capture(self, name, *program):
        path = self.folder / f"{name}.cutaway"
        result = self.call("capture", "-o", path, "--quiet", "--", *program)
        self.assertEqual(result.returncode, 0, result.stderr)
        return path

    def desktop(self, *arguments, frames=6):
        return self.capture("desktop", options.compositor, "--screen", "96x64", "--frames", frames, *arguments)

    def program(self, count=7):
        return self.capture("program", options.present_frames, count, 0, "exit=0")

    def together(self, *more, code=0):
        result = self.call("simulate", "desktop.cutaway", "--frames", "2..6", "--with", "program.cutaway", "--window",
                           "window 1", "--verify", "--quiet", "--slice-us", "0", *more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout

    def run_of(self, out="out"):
        return json.loads((self.folder / out / "shared.json").read_text())

    def color(self, name):
        """In the middle of the picture, which is in the window."""
        width, height, pixels = png_pixels(self.folder / name)
        return pixels[height // 2 * width + width // 2]

    def test_each_frame_shows_the_picture_that_it_says(self):
        self.desktop("64x64")
        self.program()
        self.assertIn(EQUAL, self.together("--out", "out"))
        emulated = self.call("emulate", "program.cutaway", "--out", "alone", "--quiet")
        self.assertEqual(emulated.returncode, 0, emulated.stderr)
        desktop, program = self.run_of()["programs"]
        self.assertEqual(program["window"], "window 1")
        self.assertGreater(program["waited_for_window_cycles"], 0, "it has two surfaces")
        shown = {frame["shown_in"]: frame["frame"] for frame in program["frames"] if "shown_in" in frame}
        self.assertGreaterEqual(len(shown), 2, program)
        newest = None
        for frame in desktop["frames"]:
            newest = shown.get(frame["frame"], newest)
            if newest:
                self.assertEqual(self.color(f"out/frames/1-{frame['frame']:04}.png"),
                                 self.color(f"alone/frames/{newest:04}.png"), (frame, newest))
        self.assertFalse(list((self.folder / "out/frames").glob("2-*")), "it has no screen")

    def test_the_database_tells_the_same(self):
        self.desktop("64x64")
        self.program()
        text = self.together("--out", "out")
        self.assertRegex(text, r"program: its window in desktop shows \d pictures of it, and \d never; "
                               r"\d+\.\d\d ms from the begin of a frame to the end of the first frame that shows it")
        database = sqlite3.connect(self.folder / "out/run.sqlite")
        self.assertEqual(database.execute("SELECT window FROM context ORDER BY context").fetchall(), [("",), ("window 1",)])
        frames = self.run_of()["programs"][1]["frames"]
        self.assertEqual(database.execute("SELECT program_frame, shown_in FROM context_frame WHERE context ORDER BY began").fetchall(),
                         [(frame["frame"], frame.get("shown_in")) for frame in frames])
        explained = self.call("explain", "out")
        self.assertIn("program: its window in desktop shows", explained.stdout)

    def test_machines_of_all_kinds_show_the_same_bits(self):
        self.desktop("64x64")
        self.program()
        for more in (["--preempt"], ["--set", "command_processor.schedule=priority"],
                     ["--gpu", "d3d11", "--set", "translation.pages=4KB"], ["--gpu", "geforce6800"],
                     ["--set", "dac.refresh_hz=20000"], ["--set", "bus.bytes_per_cycle=16", "--set", "host.cpu=1"]):
            with self.subTest(more):
                self.assertIn(EQUAL, self.together(*more))

    def test_the_same_again(self):
        self.desktop("64x64")
        self.program()
        figures = [self.together("--seed", str(seed)) for seed in (1, 2)] + [self.together("--no-skip")]
        self.assertEqual(figures[0], figures[1])
        self.assertEqual(figures[0], figures[2])

    def test_each_program_has_its_own_window(self):
        self.desktop("64x64", "64x64")
        self.program()
        text = self.together("--with", "program.cutaway", "--window", "window 2")
        self.assertEqual(text.count("program: its window in desktop shows"), 2)
        self.assertIn(EQUAL, text)

    def test_a_program_goes_on_without_its_compositor(self):
        self.desktop("64x64")
        self.program()
        text = self.together("--watchdog-us", "5", code=1)
        self.assertRegex(text, r"desktop: lost in frame 2 at cycle [\d,]+, and the GPU reset")
        self.assertRegex(text, r"program +7 ")
        self.assertIn("shows 0 pictures of it, and 7 never", text)
        self.assertIn(EQUAL, text)

    def test_errors(self):
        self.program()
        both = ["--with", "program.cutaway", "--window"]
        desktop = self.desktop("64x64", frames=3)
        self.fails("simulate", desktop, "--frames", "2..", *both, "game",
                   names=["desktop.cutaway: no surface has the name \"game\"; surfaces with names: \"window 1\""])
        self.fails("simulate", desktop, *both, "window 1", names=["the surface \"window 1\" has no memory of its own at the start of frame 1; choose later frames"])
        self.fails("simulate", desktop, "--frames", "2..", *both, "", names=["--window: an empty name"])
        self.fails("simulate", desktop, "--frames", "2..", *both, "window 1", "--gpu", "d3d11", "--set",
                   "translation.pages=64KB", names=["at a multiple of 0x10000", "set that to 4KB"])
        self.fails("simulate", desktop, "--frames", "2..", *both, "window 1", "--with", "program.cutaway", "--window",
                   "window 1", names=["--window: programs 2 and 3 have windows in the same memory"])
        self.fails("simulate", desktop, "--frames", "2..", *both, "window 1", "--window", "window 2",
                   names=["--window: 2 names for 1 program of --with"])
        self.fails("simulate", desktop, "--window", "window 1", names=["--with"])
        desktop = self.desktop("32x64", frames=3)
        self.fails("simulate", desktop, "--frames", "2..", *both, "window 1",
                   names=["program.cutaway: frame 1 presents a surface of 64x64 pixels", "one of 32x64"])
        scene = self.scene()
        self.fails("simulate", scene, *both, "window 1", names=["no surface has the name", "the program names none"])


if __name__ == "__main__":
    main(["cutaway", "write-scene", "compositor", "present-frames"])
