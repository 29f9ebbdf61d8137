#!/usr/bin/env python3
"""Recordings in the place of a program: tests/traces/ through their replayers, each frame presented.

usage: recordings_test.py --cutaway PATH --all-features PATH [TEST...]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACES = pathlib.Path(__file__).resolve().parent.parent / "traces"
options = None


class RecordingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cutaway_recordings_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, **environment):
        merged = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder), **environment}
        merged.pop("DISPLAY", None)  # a window on Xvfb
        return subprocess.run([options.cutaway, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                              cwd=self.folder, env=merged)

    def frames(self, name):
        text = self.call("info", name).stdout
        return [int(n) for n in re.findall(r"^ +(\d+) +\d+ ", text, re.MULTILINE)], text

    def test_opengl(self):
        result = self.call("capture", "-o", "a", "--frames", "2..4", "--key-frames", "1", TRACES / "glxgears.trace")
        self.assertEqual(result.returncode, 0, result.stderr)
        frames, text = self.frames("a")
        self.assertEqual(frames, [2, 3, 4])
        self.assertIn("key frames: 3", text)
        result = self.call("capture", "-o", "b", "--frames", "2..4", "--", "apitrace", "replay",
                           TRACES / "glxgears.trace")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.pictures("a"), self.pictures("b"))

    def test_opengl_on_a_thread_of_mesa(self):
        frames = ("--frames", "2..3", TRACES / "glxgears.trace")
        self.assertEqual(self.call("capture", "-o", "a", *frames).returncode, 0)
        result = self.call("capture", "-o", "b", "--gl-thread", *frames)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.frames("b")[0], [2, 3])
        self.assertEqual(self.pictures("a"), self.pictures("b"))
        result = self.call("capture", "-o", "c", "--gl-thread", "--host-times", *frames)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--gl-thread", result.stderr)

    def test_opengl_to_its_end(self):
        result = self.call("capture", "-o", "a", "--frames", "3..", TRACES / "glxgears.trace")
        self.assertEqual(result.returncode, 0, result.stderr)
        frames = self.frames("a")[0]
        self.assertEqual(frames[0], 3)
        self.assertEqual(frames, list(range(3, frames[-1] + 1)))

    def test_vulkan(self):
        result = self.call("run", "--frames", "2", "--out", "o", "--verify", TRACES / "vkcube.gfxr")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)
        self.assertTrue((self.folder / "o/frames/0002.png").exists())

    def test_zink_as_recorded_on_another_driver(self):
        self.assertEqual(self.call("capture", "-o", "a", TRACES / "glxgears.trace").returncode, 0)
        result = self.call("capture", "-o", "b", TRACES / "glxgears_zink.gfxr")
        self.assertEqual(result.returncode, 0, result.stderr)
        for feature in ("extendedDynamicState3", "multiDraw", "vertexInputDynamicState", "dynamicRendering"):
            self.assertNotIn(feature, result.stdout + result.stderr, "left out by the replayer")
        self.assertEqual(self.frames("b")[0], [1, 2, 3, 4])
        self.assertEqual(self.pictures("b"), self.pictures("a"))
        result = self.call("simulate", "b", "--frames", "3", "--gpu", "d3d11", "--verify")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)

    def test_the_emulator_does_not_depend_on_the_instruction_set(self):
        self.assertEqual(self.call("capture", "-o", "a", "--frames", "1..4", TRACES / "vkcube.gfxr").returncode, 0)

        def table(**environment):
            lines = self.call("emulate", "a", "--quiet", **environment).stdout.splitlines()
            return lines[:5]  # without the seconds

        self.assertEqual(len(table()[4].split()[-1]), 16)  # the hash of all memory
        self.assertEqual(table(), table(CUTAWAY_PORTABLE="1"))

    def record(self, name):
        """A recording on Mesa's driver, of a program that asks for all of its features and uses none."""
        layers = pathlib.Path("/usr/share/vulkan/explicit_layer.d/VkLayer_gfxreconstruct.json")
        manifest = next(pathlib.Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"), None)
        if not layers.exists() or not manifest:
            self.skipTest("the layer of gfxreconstruct or Mesa's software driver is not installed")
        subprocess.run([options.all_features, self.folder / "picture.ppm"], check=True, timeout=600,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={**os.environ, "VK_DRIVER_FILES": str(manifest), "VK_ICD_FILENAMES": str(manifest),
                            "VK_INSTANCE_LAYERS": "VK_LAYER_LUNARG_gfxreconstruct",
                            "GFXRECON_CAPTURE_FILE": str(self.folder / name),
                            "GFXRECON_CAPTURE_FILE_TIMESTAMP": "false"})

    def test_features_that_are_not_used_are_left_out_by_name(self):
        self.record("all.gfxr")
        missing = "shaderStorageImageMultisample"
        result = self.call("capture", "-o", "a", "--", "gfxrecon-replay", "all.gfxr")
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"features VkPhysicalDeviceFeatures::{missing}", result.stderr.splitlines()[-1])
        result = self.call("capture", "-o", "a", "all.gfxr")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"Feature {missing}", result.stdout + result.stderr)
        result = self.call("simulate", "a", "--gpu", "attila", "--verify", "--out", "o")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("equal the emulator's", result.stdout)

    def pictures(self, name):
        out = self.folder / f"pictures_{name}"
        self.assertEqual(self.call("emulate", name, "--out", out).returncode, 0)
        return {p.name: p.read_bytes() for p in (out / "frames").iterdir()}

    def test_bad_recordings(self):
        (self.folder / "text.trace").write_text("no trace\n")
        (self.folder / "text.gfxr").write_text("no capture\n")
        for name, words in (("none.trace", ["none.trace", "apitrace"]), ("glxgears", ["glxgears", "--"]),
                            ("text.trace", ["text.trace"]), ("text.gfxr", ["text.gfxr"])):
            result = self.call("capture", "-o", "c", name)
            self.assertIn(result.returncode, (1, 2), result.stderr)
            last = result.stderr.splitlines()[-1]
            self.assertTrue(last.startswith("cutaway: "), result.stderr)
            for word in words:
                self.assertIn(word, last)
            self.assertFalse((self.folder / "c").exists())
        self.assertIn("features of the driver", self.call("capture", "-o", "c", "text.gfxr").stderr.splitlines()[-1])
        result = self.call("capture", "-o", "c", "text.trace", PATH=str(self.folder))
        self.assertEqual(result.returncode, 2)
        self.assertIn("apt-get install apitrace", result.stderr)
        result = self.call("capture", "-o", "c", "text.trace", "--", "true")
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cutaway", required=True)
    parser.add_argument("--all-features", required=True, help="the program of all_features.cpp")
    options, rest = parser.parse_known_args()
    for program in ("apitrace", "gfxrecon-replay", "Xvfb"):
        if not shutil.which(program):
            print(f"{program} is not installed")
            sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])
