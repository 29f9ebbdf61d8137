#!/usr/bin/env python3
"""OpenGL programs on the GeForce 6800: halves where they ask for them, fog, palettes, and its limits.

usage: gl_chip_test.py --cutaway PATH [TEST...]
"""
import pathlib
import re
import subprocess
import sys

import command_case
from command_case import CommandTest

HERE = pathlib.Path(__file__).resolve().parent


class ChipTest(CommandTest):
    def captured(self, program, *arguments, capture="c", gpu="geforce6800", code=0):
        command = [sys.executable, HERE / program, *arguments]
        result = self.call("capture", "-o", capture, "--gpu", gpu, "--", *command)
        if result.returncode and subprocess.run(command, check=False, cwd=self.folder).returncode == 77:
            self.skipTest("no OpenGL")
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def drawn(self, kind, gpu="geforce6800"):
        """The fragment program's text, the pixels, and the cycles of the frame, which is verified."""
        self.captured("gl_precision.py", kind, "pixels", gpu=gpu)
        programs = self.call("disasm", "c").stdout
        result = self.call("simulate", "c", "--gpu", gpu, "--verify")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)
        cycles = int(re.search(r"^frame 1: ([\d,]+) cycles,", result.stderr, re.MULTILINE)[1].replace(",", ""))
        return programs, (self.folder / "pixels").read_bytes(), cycles

    def compare(self, fast, full):
        programs, pixels, cycles = self.drawn(fast)
        whole_programs, whole_pixels, whole_cycles = self.drawn(full)
        for text in ("NRM h", "TEX h"):
            self.assertIn(text, programs)
        self.assertNotIn("NRM h", whole_programs)
        for text in ("RNDH", "PK2H", "UP2H"):
            self.assertNotIn(text, programs)
        self.assertLessEqual(max(abs(a - b) for a, b in zip(pixels, whole_pixels)), 4)
        return cycles, whole_cycles

    def test_es_programs_have_halves_of_mediump(self):
        self.compare("mediump", "highp")

    def test_arb_programs_have_halves_by_their_option(self):
        cycles, whole_cycles = self.compare("fastest", "nicest")
        self.assertLess(cycles, whole_cycles)

    def test_chips_without_halves_compute_whole_floats(self):
        programs, pixels, _ = self.drawn("fastest", "attila")
        whole_programs, whole_pixels, _ = self.drawn("nicest", "attila")
        self.assertEqual(programs, whole_programs)
        self.assertEqual(pixels, whole_pixels)

    def test_fog_is_free(self):
        programs, pixels, cycles = self.drawn("fog")
        self.assertIn("FOG o0.xyz", programs)
        _, clear_pixels, clear_cycles = self.drawn("no-fog")
        self.assertLess(cycles, 1.02 * clear_cycles)
        self.assertGreater(max(abs(a - b) for a, b in zip(pixels, clear_pixels)), 20)
        programs, other_pixels, _ = self.drawn("fog", "attila")
        self.assertNotIn("FOG", programs)
        self.assertEqual(pixels, other_pixels)

    def test_palettes_are_constants_by_index(self):
        for kind in ("arb", "glsl"):
            self.captured("gl_palette.py", kind, "pixels")
            vertices = self.call("disasm", "c").stdout.split("program ")[2]
            self.assertIn("LDC", vertices)
            self.assertNotIn("LDB", vertices)
            result = self.call("simulate", "c", "--gpu", "geforce6800", "--verify")
            self.assertIn("equal the emulator's", result.stdout)
            subprocess.run([sys.executable, HERE / "gl_palette.py", kind, "expected"], check=True, cwd=self.folder)
            pixels, expected = ((self.folder / name).read_bytes() for name in ("pixels", "expected"))
            self.assertGreater(len(set(expected)), 50)
            self.assertLessEqual(max(abs(a - b) for a, b in zip(pixels, expected)), 2)

    def test_opengl_reports_the_limits(self):
        limits = self.captured("gl_limits.py", "varyings", "10").stdout
        self.assertIn("draw buffers: 4", limits)
        self.assertIn("varying floats: 40", limits)

    def test_programs_beyond_a_limit_are_refused_by_its_name(self):
        for kind, fits, beyond, name in [
                ("temporaries", "24", "40", "fragment programs of 4\\d temporaries, but of up to 32 .programs.fragment_temporaries"),
                ("varyings", "10", "11", "fragment programs of 11 interpolated attributes, but of up to 10 .programs.varyings"),
                ("textures", "4", "5", "vertex programs of 5 textures, but of up to 4 .programs.vertex_textures"),
                ("instructions", "400", "520", "instructions, but of up to 512 .programs.vertex_instructions")]:
            self.assertNotIn("the chip has no", self.captured("gl_limits.py", kind, fits).stderr)
            command = [sys.executable, HERE / "gl_limits.py", kind, beyond]
            self.assertRegex(self.call("capture", "-o", "d", "--gpu", "geforce6800", "--", *command).stderr, name)
            self.assertEqual(self.call("capture", "-o", "e", "--", *command).returncode, 0)
            self.assertRegex(self.call("simulate", "e", "--gpu", "geforce6800").stderr, "geforce6800 has no .*" + name)


if __name__ == "__main__":
    command_case.main(("cutaway",))
