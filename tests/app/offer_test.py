#!/usr/bin/env python3
"""What programs are offered: what the machine of `run --gpu` and `capture --gpu` has, or everything.

usage: offer_test.py --cutaway PATH --geometry PATH [TEST...]
"""
import pathlib
import re
import shutil
import unittest

import command_case
from command_case import CommandTest, options


class OfferTest(CommandTest):
    def test_the_driver_hears_what_the_machine_lacks(self):
        def heard(*command):
            return self.call(*command, "--", "sh", "-c", "echo without:$CUTAWAY_WITHOUT select:$MESA_HW_ACCEL_SELECT >&2").stderr
        everything = "geometry,tessellation,vertex_stores,fragment_stores,pull_interpolation,doubles,compute_queue,sparse"
        self.assertIn("without: select:\n", heard("capture", "-o", "c"))
        self.assertIn(f"without:{everything} select:0\n", heard("capture", "-o", "c", "--gpu", "attila"))
        self.assertIn(f"without:{everything} select:0\n", heard("run", "--out", "o"))
        self.assertRegex(heard("run", "--out", "o", "--gpu", "g80"), r"without:tessellation\S* select:\n")
        (self.folder / "mine.toml").write_text('base = "g80"\n')
        self.assertRegex(heard("capture", "-o", "c", "--gpu", "mine.toml"), r"without:tessellation\S* select:\n")
        self.fails("capture", "-o", "c", "--gpu", "geforce9", "--", "true", names=["geforce9", "attila"])

    def test_a_program_with_geometry_shaders(self):
        program = (options.geometry, "picture.ppm")
        self.assertNotEqual(self.call("capture", "-o", "a", "--gpu", "attila", "--", *program).returncode, 0)
        self.assertEqual(self.call("capture", "-o", "b", "--gpu", "g80", "--", *program).returncode, 0)
        self.assertEqual(self.call("simulate", "b", "--gpu", "g80", "--verify").returncode, 0)
        self.assertEqual(self.call("capture", "-o", "c", "--", *program).returncode, 0)
        self.fails("simulate", "c", names=["attila has no geometry programs", "capture --gpu attila"])

    def test_programs_for_registers_of_halves(self):
        probe = str(pathlib.Path(options.cutaway).resolve().parent / "cutaway-probe")
        for gpu, halves in [([], False), (["--gpu", "g80"], False), (["--gpu", "geforce6800"], True)]:
            self.assertEqual(self.call("capture", "-o", "c", *gpu, "--", probe, "R4-normals").returncode, 0)
            programs = self.call("disasm", "c").stdout
            self.assertEqual("NRM h" in programs, halves, gpu)
            self.assertEqual("DP3 r" in programs, not halves, gpu)

    @unittest.skipUnless(shutil.which("glxinfo"), "glxinfo is not installed")
    def test_versions_of_opengl(self):
        def versions(*gpu):
            text = self.call("capture", "-o", "c", *gpu, "--", "glxinfo", "-B", DISPLAY="").stdout
            return re.findall(r"(?:Max (?:core|compat)|Max GLES\[23\]) .*version: (\S+)", text)
        if not versions():
            self.skipTest("Zink is not installed")
        self.assertEqual(versions(), ["4.6", "4.6", "3.2"])
        self.assertEqual(versions("--gpu", "attila"), ["3.3", "3.3", "3.1"])
        # Without formats of integers there is no OpenGL 3.
        self.assertEqual(versions("--gpu", "geforce6800"), ["0.0", "2.1", "2.0"])


if __name__ == "__main__":
    command_case.main(("cutaway", "geometry"))
