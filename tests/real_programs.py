#!/usr/bin/python3
"""Real programs on Cutaway, end to end. Each stage is a test of its own; a stage leaves its files in WORK.

usage: real_programs.py --cutaway COMMAND --work WORK [--whole] STAGE

Stages:
  capture-gears, capture-cube   glxgears (replayed from tests/traces/) and vkcube on the driver, captured
  reference-gears, reference-cube   the recordings in tests/traces/ on lavapipe, as pictures
  compare-gears, compare-cube   emulator's pictures against lavapipe's
  verify-gears, verify-cube     clocked machine against emulator: hashes of all memory
  seeds-cube                    two orders of boxes (--whole: 20) and no skipping: the same statistics
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

import whole

TESTS = pathlib.Path(__file__).resolve().parent
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.{}.json".format(os.uname().machine)
GEARS_TRACE, CUBE_CAPTURE = str(TESTS / "traces/glxgears.trace"), str(TESTS / "traces/vkcube.gfxr")
# What runs on Cutaway. vkcube turns by a fixed angle a frame; glxgears turns by wall time and is replayed.
PROGRAMS = {
    "gears": ["apitrace", "replay", GEARS_TRACE],
    "cube": ["vkcube", "--c", "8", "--width", "640", "--height", "480"],
}
FRAMES = {"gears": "1..4", "cube": "1..6"}
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def run(command, **options):
    print("+", " ".join(map(str, command)), flush=True)
    return subprocess.run(command, check=True, **options)


def on_lavapipe(command):
    """Runs a replay on lavapipe, in a display of its own."""
    environment = dict(os.environ, VK_DRIVER_FILES=LAVAPIPE, VK_ICD_FILENAMES=LAVAPIPE, LIBGL_ALWAYS_SOFTWARE="1",
                       MESA_LOADER_DRIVER_OVERRIDE="zink", GALLIUM_DRIVER="zink")
    run(["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", *command], env=environment)


class Stages:
    def __init__(self, cutaway, work):
        self.cutaway, self.work = cutaway, work

    def file(self, name):
        return self.work / f"{name}.cutaway"

    def folder(self, name):
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def capture(self, name):
        self.file(name).unlink(missing_ok=True)
        run([self.cutaway, "capture", "--gpu", "attila", "-o", self.file(name), "--frames", FRAMES[name], "--", *PROGRAMS[name]])
        run([self.cutaway, "info", self.file(name)])

    def reference(self, name):
        if not pathlib.Path(LAVAPIPE).exists():
            print(f"{LAVAPIPE} is missing: install mesa-vulkan-drivers")
            return SKIPPED
        folder = self.folder(f"reference-{name}")
        if name == "gears":
            on_lavapipe(["glretrace", "-s", f"{folder}/", GEARS_TRACE])
            return 0
        on_lavapipe(["gfxrecon-replay", "--screenshot-all", "--screenshot-dir", folder, CUBE_CAPTURE])
        from PIL import Image
        for picture in folder.glob("*.bmp"):
            Image.open(picture).convert("RGB").save(picture.with_suffix(".png"))
        return 0

    def compare(self, name):
        folder = self.folder(f"emulated-{name}")
        run([self.cutaway, "emulate", self.file(name), "--out", folder, "--primitives"])
        frames = self.folder(f"frames-{name}")
        for picture in sorted((folder / "frames").glob("[0-9]*.png")):
            shutil.copy(picture, frames)
        return subprocess.run([sys.executable, TESTS / "compare_pictures.py", "--edges", folder / "primitives", frames,
                               self.work / f"reference-{name}"]).returncode

    def verify(self, name):
        frames = "1..2" if name == "gears" else "2..3"
        run([self.cutaway, "simulate", self.file(name), "--verify", "--frames", frames, "--out",
             self.folder(f"verified-{name}")])

    def statistics(self, name, label, *options):
        folder = self.folder(f"seed-{name}-{label}")
        run([self.cutaway, "simulate", self.file(name), "--frames", "2", "--out", folder, "--quiet", *options],
            stdout=subprocess.DEVNULL)
        summary = json.loads((folder / "summary.json").read_text())
        return summary["frames"][0]["statistics_hash"], summary["host"]["skipped_share"]

    def seeds(self, name):
        plain, skipped = self.statistics(name, "plain")
        seeds = range(1, 21) if whole.WHOLE else (1, 2)
        different = [seed for seed in seeds
                     if self.statistics(name, "shuffled", "--seed", str(seed))[0] != plain]
        unskipped, none = self.statistics(name, "unskipped", "--no-skip")
        print(f"{len(seeds)} seeds: {len(different)} differ; without skipping: {'equal' if unskipped == plain else 'DIFFERENT'}; "
              f"ticks skipped: {100 * skipped:.1f} % (off: {100 * none:.1f} %)")
        return 0 if not different and unskipped == plain and skipped >= 0.2 and none == 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("stage")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(options.work))
    action, _, name = options.stage.partition("-")
    stages = Stages(options.cutaway, options.work)
    if name not in PROGRAMS or action not in ("capture", "reference", "compare", "verify", "seeds"):
        parser.error(f"unknown stage {options.stage}")
    try:
        return getattr(stages, action)(name) or 0
    except subprocess.CalledProcessError as error:
        print(f"exit status {error.returncode}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
