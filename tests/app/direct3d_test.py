#!/usr/bin/env python3
"""Programs for Windows: refused in words, or run by Wine, verified, and beside another driver's pictures.

usage: direct3d_test.py --cutaway PATH --programs FOLDER [TEST...]
"""
import math
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

import command_case
from command_case import CommandTest, options

ENOUGH = 40  # decibel, between the pictures of two drivers


def portable_executable(machine):
    """As much of a program for Windows as names the machine that it is for."""
    header = bytearray(128)
    header[:2] = b"MZ"
    header[60:64] = struct.pack("<I", 64)
    header[64:70] = b"PE\0\0" + struct.pack("<H", machine)
    return bytes(header)


class RefusalTest(CommandTest):
    def program(self, content):
        path = self.folder / "program.exe"
        path.write_bytes(content)
        return path

    def test_what_is_no_program_for_windows(self):
        self.fails("run", "--", "none.exe", names=["none.exe", "cannot be opened"])
        for content in (b"", b"MZ", b"#!/bin/sh\n" + bytes(200), portable_executable(0xaa64),
                        portable_executable(0x8664)[:66]):
            self.fails("run", "--", self.program(content), names=["not a program for 64-bit Windows"])

    def test_programs_of_32_bits(self):
        self.fails("capture", "-o", "a", "--", self.program(portable_executable(0x014c)), names=["32-bit", "64-bit build"])

    def test_wine_is_missing(self):
        self.fails("run", "--", self.program(portable_executable(0x8664)), names=["apt-get install wine"],
                   PATH="/nowhere")


@unittest.skipUnless(shutil.which("wine") and shutil.which("xvfb-run"), "Wine or xvfb-run is not installed")
class WineTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        if not list(pathlib.Path(options.programs).glob("*.exe")):
            raise unittest.SkipTest("mingw-w64 was not there to build the programs")
        folder = tempfile.TemporaryDirectory(prefix="cutaway_wine_")
        cls.addClassCleanup(folder.cleanup)
        cls.cache = folder.name

    def environment(self, **more):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("DISPLAY", "WINEPREFIX") and not name.startswith("WINE")}
        return {**environment, "XDG_CACHE_HOME": self.cache, **more}

    def run_on_cutaway(self, name):
        program = pathlib.Path(options.programs) / f"{name}.exe"
        result = subprocess.run([options.cutaway, "run", "--frames", "1..3", "--verify", "--gpu", "d3d11", "--out", "out",
                                 "--", program, "3", f"{name}.ppm"], cwd=self.folder, env=self.environment(),
                                capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)
        self.assertTrue((self.folder / "out/frames/0003.png").exists())

    def run_elsewhere(self, name):
        """On Mesa's own rasterisers, by the same Wine."""
        lavapipe = ":".join(map(str, pathlib.Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json")))
        program = pathlib.Path(options.programs) / f"{name}.exe"
        environment = self.environment(WINEPREFIX=f"{self.cache}/cutaway/wine", WINEDEBUG="-all",
                                       LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="llvmpipe",
                                       VK_DRIVER_FILES=lavapipe, VK_ICD_FILENAMES=lavapipe)
        # The server of the run before may be about to end, and takes with it whoever has come to it meanwhile.
        for order in ("-k", "-w"):
            subprocess.run(["wineserver", order], env=environment, capture_output=True, timeout=60)
        # On a busy machine Wine beside llvmpipe crashes now and then: its picture is all that is asked of it.
        for _ in range(5):
            result = subprocess.run(["xvfb-run", "-a", "wine", program, "3", f"{name}_other.ppm"], cwd=self.folder,
                                    capture_output=True, timeout=300, env=environment)
            if result.returncode < 128:
                break
        self.assertEqual(result.returncode, 0, result.stderr)

    def decibel(self, name):
        pictures = [(self.folder / f"{name}{which}.ppm").read_bytes() for which in ("", "_other")]
        self.assertEqual(len(pictures[0]), len(pictures[1]))
        self.assertGreater(len(set(pictures[0])), 8, "hardly a picture")
        error = sum((a - b) ** 2 for a, b in zip(*pictures))
        return 10 * math.log10(255 ** 2 * len(pictures[0]) / error) if error else math.inf

    def check(self, name):
        self.run_on_cutaway(name)
        self.run_elsewhere(name)
        self.assertGreaterEqual(self.decibel(name), ENOUGH)

    def test_fixed_function(self):
        self.check("fixed_function")

    def test_shader_model_3(self):
        self.check("shader_model_3")

    def test_direct3d_10(self):
        self.check("direct3d_10")

    def test_direct3d_10_geometry(self):
        self.check("direct3d_10_geometry")

    def test_direct3d_11(self):
        self.check("direct3d_11")

    def test_direct3d_11_tessellation(self):
        self.check("direct3d_11_tessellation")

    def test_direct3d_11_compute(self):
        self.check("direct3d_11_compute")

    def test_direct3d_12(self):
        self.check("direct3d_12")

    def test_the_folder_that_the_user_names(self):
        """A folder in which Wine cannot work is Wine's to refuse; none of Cutaway's own is made."""
        cache = self.folder / "cache"
        program = pathlib.Path(options.programs) / "direct3d_11.exe"
        result = subprocess.run([options.cutaway, "run", "--", program], cwd=self.folder, capture_output=True, text=True,
                                timeout=300, env=self.environment(XDG_CACHE_HOME=str(cache), WINEPREFIX="/proc/none"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("direct3d_11.exe", result.stderr.splitlines()[-1])
        self.assertFalse(cache.exists())


if __name__ == "__main__":
    command_case.main(("cutaway", "programs"))
