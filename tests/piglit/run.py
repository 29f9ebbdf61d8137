#!/usr/bin/env python3
"""Runs groups of piglit tests through Zink, on Cutaway and on Mesa's software Vulkan driver (lavapipe) behind a
layer that hides what Cutaway does not advertise, and compares them test by test.

usage: run.py [--build FOLDER] --out FOLDER [--group NAME]... [--jobs N] [--driver both|cutaway|lavapipe]
       run.py [--build FOLDER] --quick     a small group on Cutaway alone, held against the list of known failures;
                                           other results than listed: exit 1. The gate runs a part of it, which
                                           --whole makes all; so does --out
       run.py --out FOLDER --write         the page, from the results in FOLDER; and the list, if --quick --out FOLDER
                                           was run

Results of each run stay in FOLDER/GROUP.DRIVER; a group that has them is not run again without --again.
Exit codes: 0 all is well, 1 worse than expected, 2 wrong use, 77 piglit or a driver is not installed.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import groups
import page
import results
import whole

HERE = pathlib.Path(__file__).resolve().parent
LAVAPIPE = pathlib.Path("/usr/share/vulkan/icd.d/lvp_icd.%s.json" % os.uname().machine)
SKIP = 77


def environment(driver, build):
    """Variables for Zink on one of the two drivers."""
    env = {k: v for k, v in os.environ.items() if k != "WAYLAND_DISPLAY"}
    env.update(MESA_LOADER_DRIVER_OVERRIDE="zink", GALLIUM_DRIVER="zink", MESA_SHADER_CACHE_DISABLE="true",
               MESA_DEBUG="silent")
    if driver == "cutaway":
        env["VK_DRIVER_FILES"] = str(build / "cutaway_icd.json")
    else:
        env.update(VK_DRIVER_FILES=str(LAVAPIPE), LIBGL_ALWAYS_SOFTWARE="1",
                   VK_INSTANCE_LAYERS="VK_LAYER_CUTAWAY_filter", VK_LAYER_PATH=str(build / "tests/piglit"),
                   CUTAWAY_FILTER_DRIVER=str(build / "libvulkan_cutaway.so"))
    env["VK_ICD_FILENAMES"] = env["VK_DRIVER_FILES"]
    return env


def run_piglit(driver, build, choice, folder, jobs, timeout, profiles=groups.PROFILES):
    """Runs the tests that piglit's options `choice` choose into `folder`, in windows of an X server of their own; True
    if piglit itself ended well. Tests that need no window draw into framebuffer objects."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24 -noreset", "piglit", "run", "-p", "glx", "-j%d" % jobs, "-c", "-o",
               "--timeout", str(timeout), "-l", "quiet", *choice, *profiles, str(folder)]
    env = environment(driver, build)
    with tempfile.TemporaryDirectory(prefix="cutaway-piglit-") as runtime:
        env["XDG_RUNTIME_DIR"] = runtime
        return subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0


def sample(group):
    """The names of a group's tests that are run of it."""
    names = []
    for profile in groups.PROFILES:  # it lists one at a time
        listed = subprocess.run(["piglit", "print-cmd", "--format", "{name}", profile], capture_output=True, text=True, check=True)
        names += [name for name in listed.stdout.splitlines() if re.search(groups.GROUPS[group][1], name)]
    return [name for name in names if groups.in_sample(group, name) and not re.search(groups.EXCLUDED, name)]


def run_sample(driver, options, names, folder):
    """Runs these tests, each in a process of its own."""
    most = 100  # of names in an expression
    choices = []
    for start in range(0, len(names), most):
        choices += ["-t", "^(%s)$" % "|".join(re.escape(name) for name in names[start:start + most])]
    run_piglit(driver, options.build, ["--process-isolation", "true", *choices], folder, options.jobs, 4 * options.timeout)


def run_matching(driver, options, expression, folder):
    """Runs the tests whose names match, many shader tests in one process; then those without an end once more, each
    in its own and with more time."""
    run_piglit(driver, options.build, ["--process-isolation", "false", "-x", groups.EXCLUDED, "-t", expression], folder,
               options.jobs, options.timeout)
    unfinished = results.unfinished(folder)
    if not unfinished:
        return
    names = folder / "unfinished"
    names.write_text("".join(n + "\n" for n in unfinished))
    for profile in groups.PROFILES:  # a list of tests goes with one profile
        run_piglit(driver, options.build, ["--process-isolation", "true", "--test-list", str(names), "--ignore-missing"],
                   results.again(folder) / profile, options.jobs, 4 * options.timeout, [profile])


def measure(driver, name, expression, options):
    folder = options.out / ("%s.%s" % (name, driver))
    if options.again or not list(folder.glob("results.json*")):
        start = time.monotonic()
        if name in groups.SAMPLES:
            run_sample(driver, options, sample(name), folder)
        else:
            run_matching(driver, options, expression, folder)
        (folder / "seconds").write_text("%.0f\n" % (time.monotonic() - start))
    return results.load(folder)


def compare_groups(options):
    chosen = options.group or list(groups.GROUPS)
    drivers = ("cutaway", "lavapipe") if options.driver == "both" else (options.driver,)
    print("%-16s %-9s %7s %6s %6s %8s %6s" % ("group", "driver", *results.STATES))
    good = True
    for name in chosen:
        states = {}
        for driver in drivers:
            states[driver] = measure(driver, name, groups.GROUPS[name][1], options)
            counts = results.count(states[driver])
            print("%-16s %-9s %7d %6d %6d %8d %6d" % (name, driver, *(counts[s] for s in results.STATES)),
                  flush=True)
        if len(drivers) == 2:
            good &= report(name, states["cutaway"], states["lavapipe"], options)
    return good


def report(name, ours, theirs, options):
    """Writes what is worse here into a file; True if the group holds: passes, no crashes, no hangs, skips."""
    worse = results.worse(ours, theirs)
    (options.out / ("%s.worse" % name)).write_text("".join("%s %s\n" % (s, t) for t, s in worse.items()))
    holds = page.holds(ours, theirs)
    print("%-16s %s; worse than lavapipe: %d, listed in %s" % (
        "", "holds" if holds else "DOES NOT HOLD", len(worse), options.out / ("%s.worse" % name)), flush=True)
    return holds


def quick(options):
    """The quick group, or the gate's part of it, on Cutaway against the list."""
    with tempfile.TemporaryDirectory(prefix="cutaway-quick-") as scratch:
        folder = (options.out or pathlib.Path(scratch)) / "quick.cutaway"
        run_matching("cutaway", options, groups.QUICK if whole.WHOLE or options.out else groups.SAMPLED, folder)
        states = results.load(folder)
    counts = results.count(states)
    print("piglit, quick group: " + ", ".join("%d %s" % (counts[s], s) for s in results.STATES))
    known = page.read_known(HERE / "known_failures.txt")
    bad = {n: s for n, s in states.items() if s not in results.GOOD and s != "skip"}
    new = {n: s for n, s in bad.items() if n not in known}
    for test, state in sorted(new.items()):
        print("new: %s: %s" % (state, test))
    mended = sorted(n for n in known if states.get(n) in results.GOOD)
    for test in mended:
        print("passes now, take it off the list: %s" % test)
    if not states:
        print("piglit ran no test")
    return bool(states) and not new and not mended


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build/release",
                        help="build folder with the driver; default: build/release")
    parser.add_argument("--group", action="append", choices=list(groups.GROUPS), help="default: all")
    parser.add_argument("--out", type=pathlib.Path, help="folder for results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=60, help="seconds a test; alone four times as many")
    parser.add_argument("--driver", choices=("both", "cutaway", "lavapipe"), default="both")
    parser.add_argument("--again", action="store_true", help="run groups again that have results")
    parser.add_argument("--quick", action="store_true", help="the small group, held against the list")
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md and known_failures.txt")
    options = parser.parse_args()
    options.build = options.build.resolve()
    if options.out:
        options.out = options.out.resolve()
    elif not options.quick:
        parser.error("--out FOLDER is needed")
    return options


def main():
    options = parse()
    needs_lavapipe = not options.quick and options.driver != "cutaway"
    if not shutil.which("piglit") or not shutil.which("wflinfo") or needs_lavapipe and not LAVAPIPE.exists():
        print("skipped: needs the packages piglit, waffle-utils and mesa-vulkan-drivers")
        return SKIP
    if options.write:
        page.write(options.out, HERE.parent.parent / "docs/conformance.md", HERE / "known_failures.txt")
        return 0
    if not (options.build / "cutaway_icd.json").exists():
        print("run.py: no driver in %s: build it first" % options.build, file=sys.stderr)
        return 2
    return 0 if (quick(options) if options.quick else compare_groups(options)) else 1


if __name__ == "__main__":
    sys.exit(main())
