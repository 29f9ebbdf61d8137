#!/usr/bin/python3
"""Recorded frames of real programs, end to end: captured, compared with reference pictures, one frame verified.

usage: trace_frames.py --traces FOLDER [--cutaway COMMAND] [--work WORK] [--only NAME]... [--places] [--far N] [--isotropic]
                       [--gpu NAME] [--copied] [--no-verify]

FOLDER holds OpenGL traces NAME.trace (apitrace) and Vulkan captures NAME.gfxr (gfxreconstruct). For each:

  capture     `cutaway capture` of its replay, every frame
  reference   all pictures of the same replay: Mesa's llvmpipe (OpenGL) or lavapipe (Vulkan). Where FOLDER/NAME.ref/
              has RGB.sha256 (a sha256 of the raw RGB bytes and fN_callC for each frame) or pictures fN_callC.png or
              frame_N.png, those are what counts, and the replay must agree with them
  pictures    what `cutaway emulate` shows, against the reference: PSNR, largest difference and where. --places also
              tells of the pixels that differ by more than N (8) what the difference has to do with (slow):
              llvmpipe's short cut for textures of 8 bits a component, which rounds the weights of texels and what the
              filter gives to 8 bits, in mipmaps and vertex programs too (GALLIVM_PERF=no_aos_sampling turns it off:
              the pixels that then are within N of ours); an anisotropic sampler (Mesa's elliptical filter blurs round
              footprints too); the edge of a primitive or of a texel. The others are unexplained
              With --isotropic neither side offers OpenGL programs GL_EXT_texture_filter_anisotropic, and what is kept
              in FOLDER/NAME.ref/ does not count: what is left has nothing to do with that filter
  verify      `cutaway simulate --verify` of one frame (--frame N; default: the last)

Prints a table and writes WORK/results.json after each trace. Stages that succeeded are not repeated if WORK has
their files (--fresh repeats all). Exit status: 0 all pictures have 40 dB or more and all frames verify, 1 not, 77
FOLDER is absent.
"""
import argparse
import hashlib
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from PIL import Image, ImageChops

from compare_pictures import EXPLAINED, place

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.{}.json".format(os.uname().machine)
ENOUGH = 40.0  # dB
UNROUNDED = {"GALLIVM_PERF": "no_aos_sampling"}  # llvmpipe filters textures of 8 bits a component in floating point
SKIPPED = 77


class Failed(Exception):
    pass


def run(command, timeout, log, **environment):
    """Runs a command; its output goes to a file. Failed: its last line of output."""
    merged = {name: value for name, value in dict(os.environ, **environment).items() if value is not None}
    with open(log, "wb") as out:
        try:
            code = subprocess.run([str(c) for c in command], stdout=out, stderr=subprocess.STDOUT, env=merged,
                                  timeout=timeout).returncode
        except subprocess.TimeoutExpired:
            raise Failed(f"not done after {timeout} s") from None
    if code:
        lines = log.read_text(errors="replace").strip().splitlines() or [""]
        raise Failed(f"exit code {code}: {lines[-1][:300]}")


def rgb(path):
    with Image.open(path) as image:
        return image.convert("RGB")


def is_gl(trace):
    return trace.suffix == ".trace"


def differences(a, b):
    """Of each pixel the largest of its channels, as a picture; PSNR in dB, None if they are equal."""
    difference = ImageChops.difference(a, b)
    squares = sum(count * (i % 256) ** 2 for i, count in enumerate(difference.histogram()))
    red, green, blue = difference.split()
    worst = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return worst, round(10 * math.log10(255 ** 2 * 3 * a.size[0] * a.size[1] / squares), 2) if squares else None


class Trace:
    def __init__(self, path, options):
        self.path, self.options = path, options
        self.work = options.work / path.stem
        self.file = self.work / "capture.cutaway"
        self.result = {"name": path.stem}

    def folder(self, name):
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def done(self, path):
        return path.exists() and not self.options.fresh

    # Stages.

    def capture(self):
        # With the captured indices what is presented is drawn to, not copied to.
        own = [] if self.options.copied else ["--use-captured-swapchain-indices"]
        replay = ["apitrace", "replay"] if is_gl(self.path) else ["gfxrecon-replay", "--remove-unsupported", *own]
        start = time.monotonic()
        if not self.done(self.file):
            self.file.unlink(missing_ok=True)
            run([self.options.cutaway, "capture", "--gpu", self.options.gpu, "-o", self.file, "--frames", "1..", "--quiet", "--", *replay, self.path],
                self.options.timeout, self.work / "capture.log", DISPLAY=None)
        self.result["capture"] = {"bytes": self.file.stat().st_size, "seconds": round(time.monotonic() - start, 1)}

    def emulate(self):
        folder = self.work / "emulated"
        places = ["--primitives"] if self.options.places else []
        made = folder / ("primitives" if places else "frames")
        if not self.done(made) or folder.stat().st_mtime < self.file.stat().st_mtime:
            start = time.monotonic()
            run([self.options.cutaway, "emulate", self.file, "--out", self.folder("emulated"), "--quiet", *places],
                self.options.timeout, self.work / "emulate.log")
            self.result["emulate_seconds"] = round(time.monotonic() - start, 1)
        return {int(p.stem): p for p in (folder / "frames").glob("*.png")}

    def replayed(self, name, **environment):
        """Pictures of the replay on Mesa's own driver by frame, counted from 1."""
        folder = self.work / name
        if not self.done(folder / "complete"):
            folder = self.folder(name)
            if is_gl(self.path):
                run(["eglretrace", "--headless", "-s", f"{folder}/", self.path], self.options.timeout,
                    self.work / f"{name}.log", DISPLAY=None, WAFFLE_PLATFORM="surfaceless_egl",
                    LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="llvmpipe", **environment)
            else:
                run(["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", "gfxrecon-replay", "--screenshot-all",
                     "--screenshot-dir", folder, self.path], self.options.timeout, self.work / f"{name}.log",
                    VK_DRIVER_FILES=LAVAPIPE, VK_ICD_FILENAMES=LAVAPIPE, **environment)
            (folder / "complete").touch()
        def number(path):
            return int(re.findall(r"\d+", path.stem)[-1])
        pictures = sorted((p for p in folder.iterdir() if p.suffix in (".png", ".bmp")), key=number)
        return dict(enumerate(pictures, 1))

    def reference(self):
        pictures = self.replayed("reference")
        if not self.options.isotropic:
            self.check_reference(pictures)
        return pictures

    def check_reference(self, pictures):
        """Puts the pictures that are kept beside the trace in place of the replay's, which must equal them."""
        kept = self.path.with_suffix(".ref")
        sums = kept / "RGB.sha256"
        frames = {}  # number: sha256
        for line in sums.read_text().splitlines() if sums.exists() else []:
            digest, name = line.split()[:2]
            frames[int(re.match(r"f(\d+)_", name)[1]) + 1] = digest
        for picture in kept.glob("*.png"):
            zero_based = re.match(r"f(\d+)_", picture.stem)
            frame = int(zero_based[1]) + 1 if zero_based else int(re.search(r"(\d+)$", picture.stem)[1])
            frames.setdefault(frame, hashlib.sha256(rgb(picture).tobytes()).hexdigest())
            if frame not in pictures or hashlib.sha256(rgb(pictures[frame]).tobytes()).hexdigest() != frames[frame]:
                pictures[frame] = picture
        other = [n for n, digest in sorted(frames.items())
                 if n not in pictures or hashlib.sha256(rgb(pictures[n]).tobytes()).hexdigest() != digest]
        for frame in set(pictures) - set(frames) if sums.exists() else []:
            del pictures[frame]  # a frame without a reference draws nothing
        self.result["reference"] = {"frames": len(pictures), "not_as_recorded": other}

    def compare(self, ours, theirs):
        a, b = rgb(ours), rgb(theirs)
        if a.size != b.size:
            return {"error": f"{a.size[0]}x{a.size[1]}, the reference is {b.size[0]}x{b.size[1]}"}
        worst, psnr = differences(a, b)
        pixels = a.size[0] * a.size[1]
        data, counts = worst.tobytes(), worst.histogram()
        largest = max(i for i in range(256) if counts[i])
        x, y = data.index(largest) % a.size[0], data.index(largest) // a.size[0]
        return {"psnr": psnr, "largest": largest, "at": [x, y], "ours": a.getpixel((x, y)),
                "theirs": b.getpixel((x, y)), "differ": pixels - counts[0],
                "far": sum(counts[self.options.far + 1:]), "pixels": pixels}

    def places(self, ours, theirs, unrounded, primitives):
        """What the pixels that are far off have to do with. The unexplained: (difference, x, y), worst first."""
        a, ids, far = rgb(ours), rgb(primitives), self.options.far
        worst, _ = differences(a, rgb(theirs))
        other, psnr = differences(a, rgb(unrounded))
        reasons, unexplained = dict.fromkeys(["8-bit filter", *EXPLAINED], 0), []
        for i, (value, exact) in enumerate(zip(worst.tobytes(), other.tobytes())):
            if value <= far:
                continue
            x, y = i % a.size[0], i // a.size[0]
            reason = place(ids, x, y) if exact > far else "8-bit filter"
            if reason in reasons:
                reasons[reason] += 1
            else:
                unexplained.append((value, x, y))
        return {"reasons": reasons, "unexplained": len(unexplained),
                "worst_unexplained": sorted(unexplained, reverse=True)[:10], "psnr_unrounded": psnr}

    def pictures(self):
        ours, theirs = self.emulate(), self.reference()
        unrounded = self.replayed("unrounded", **UNROUNDED) if self.options.places else {}
        self.result["frames"] = len(ours)
        self.result["pictures"] = found = []
        for frame in sorted(theirs):
            entry = {"frame": frame, "error": "not presented"}
            if frame in ours:
                entry = {"frame": frame, **self.compare(ours[frame], theirs[frame])}
                if self.options.places and "error" not in entry:
                    primitives = self.work / f"emulated/primitives/{frame:04}.png"
                    entry.update(self.places(ours[frame], theirs[frame], unrounded[frame], primitives))
            found.append(entry)
        bad = [p for p in found if "error" in p or (p["psnr"] is not None and p["psnr"] < ENOUGH)]
        if bad:
            raise Failed(f"{len(bad)} of {len(found)} pictures below {ENOUGH:.0f} dB")
        if not found:
            raise Failed("no pictures to compare")

    def verify(self):
        if self.options.no_verify:
            return
        frame = self.options.frame or self.result.get("frames") or 1
        out = self.folder("verified")
        start = time.monotonic()
        run([self.options.cutaway, "simulate", self.file, "--gpu", self.options.gpu, "--frames", frame, "--verify", "--jobs", 1, "--out", out],
            self.options.timeout, self.work / "verify.log")
        summary = json.loads((out / "summary.json").read_text())
        self.result["verify"] = {"frame": frame, "result": summary["verify"], "cycles": summary["frames"][0]["cycles"],
                                 "seconds": round(time.monotonic() - start, 1)}

    def all_stages(self):
        self.work.mkdir(parents=True, exist_ok=True)
        self.result["failures"] = failures = {}
        for stage in ("capture", "pictures", "verify"):
            print(f"{self.path.name}: {stage}", file=sys.stderr, flush=True)
            try:
                getattr(self, stage)()
            except Failed as failure:
                failures[stage] = str(failure)
                print(f"{self.path.name}: {stage}: {failure}", file=sys.stderr, flush=True)
                if stage == "capture":
                    break
        return self.result


def decibel(psnr):
    return "equal" if psnr is None else f"{psnr:.1f} dB"


def reasons(entry):
    if "reasons" not in entry:
        return ""
    counts = ", ".join(f"{count} {reason}" for reason, count in entry["reasons"].items() if count)
    return (f": {counts or 'none explained'}, {entry['unexplained']} unexplained; {decibel(entry['psnr_unrounded'])} to "
            "the reference without its 8-bit filter")


def table(results, far):
    lines = []
    for result in results:
        capture, verify = result.get("capture"), result.get("verify")
        size = f"{capture['bytes'] / 1e6:.1f} MB captured" if capture else "not captured"
        checked = f"; verify of frame {verify['frame']}: {verify['result']}, {verify['cycles']:,} cycles" if verify else ""
        lines.append(f"{result['name']}: {result.get('frames', 0)} frames, {size}{checked}")
        for entry in result.get("pictures", []):
            if "error" in entry:
                lines.append(f"    frame {entry['frame']}: {entry['error']}")
                continue
            where = (f"; largest {entry['largest']} at ({entry['at'][0]}, {entry['at'][1]}): ours {entry['ours']}, "
                     f"reference {entry['theirs']}; {entry['differ']} pixels differ, {entry['far']} by more than {far}"
                     f"{reasons(entry)}" if entry["psnr"] is not None else "")
            lines.append(f"    frame {entry['frame']}: {decibel(entry['psnr'])}{where}")
        other = result.get("reference", {}).get("not_as_recorded")
        if other:
            lines.append(f"    frames {other}: Mesa's replay here differs from the recorded sha256")
        lines += [f"    {stage} FAILED: {text}" for stage, text in result["failures"].items()]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=pathlib.Path, default=os.environ.get("CUTAWAY_TRACES"),
                        help="folder of recordings, tests/traces for one; default: $CUTAWAY_TRACES")
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), help="the command")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/trace_frames", help="where captures and pictures go")
    parser.add_argument("--gpu", default="attila", help="the machine whose abilities are offered, and that verifies")
    parser.add_argument("--copied", action="store_true",
                        help="Vulkan: for recordings of a driver that gives images of a swapchain in another order")
    parser.add_argument("--only", action="append", help="a trace's name; may be given again")
    parser.add_argument("--frame", type=int, help="the frame to verify; default: the last")
    parser.add_argument("--places", action="store_true", help="what the pixels that differ have to do with")
    parser.add_argument("--far", type=int, default=8, help="a difference of a channel that counts as far off")
    parser.add_argument("--isotropic", action="store_true", help="without anisotropic filters, on both sides")
    parser.add_argument("--no-verify", action="store_true", help="pictures only")
    parser.add_argument("--fresh", action="store_true", help="repeats what is in the work folder")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for one stage")
    options = parser.parse_args()
    if not options.traces or not options.traces.is_dir():
        print("trace_frames: no traces: name their folder with --traces")
        return SKIPPED
    traces = sorted(p for p in options.traces.iterdir() if p.suffix in (".trace", ".gfxr"))
    names = [p.stem for p in traces]
    for name in options.only or []:
        if name not in names:
            parser.error(f"--only {name}: {options.traces} holds {', '.join(names)}")
    if options.isotropic:
        options.work /= "isotropic"
        os.environ["MESA_EXTENSION_OVERRIDE"] = "-GL_EXT_texture_filter_anisotropic"
    options.work.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(options.work))
    results = []
    for path in traces:
        if options.only and path.stem not in options.only:
            continue
        results.append(Trace(path, options).all_stages())
        (options.work / "results.json").write_text(json.dumps(results, indent=1))
    print(table(results, options.far))
    return 1 if any(r["failures"] for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
