#!/usr/bin/python3
"""How fast OpenGL traces replay on Cutaway beside Mesa's software renderers, with the conditions of the run.

usage: compare_renderers.py [--driver cutaway_icd.json] [--cutaway COMMAND] [--seconds S] [--threads 1,2] [TRACE ...]

A program whose last frame cannot be drawn again alone (glmark2's traces: a loop takes no time) is measured over
the whole replay, with start, compilation and uploads, divided by its frames; its name then ends in *.

"vkcube" in place of a trace is that program in a window, on the Vulkan drivers alone.

Renderers: Zink on Cutaway, Zink on lavapipe, llvmpipe without Zink, softpipe. Each replays each trace headless
(eglretrace --headless, apitrace) on N CPUs with N threads. A replay draws its last frame again and again
(--loop); what a replay without that takes is subtracted, so start, shader compilation and uploads do not count.
Printed per renderer: CPU milliseconds a frame (of all threads, user and system: what other programs do to the
machine hardly shows in it), frames per second of wall time, and the ratio of Cutaway's frames to the renderer's
by both. softpipe has no threads: it is the same renderer with one CPU or two. Last the emulator alone
(`cutaway emulate`) on a capture of the trace, without OpenGL and Vulkan above it.
Nothing here is an assertion: figures depend on the machine and on what else it does.
"""
import argparse
import dataclasses
import os
import pathlib
import re
import sys

import measuring
import vulkan_cube
from measuring import ROOT, timed

LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "GALLIUM_DRIVER": "zink"}


def renderers(driver):
    return {
        "cutaway": {"VK_DRIVER_FILES": str(driver), **ZINK},
        "lavapipe": {"VK_DRIVER_FILES": LAVAPIPE, "LIBGL_ALWAYS_SOFTWARE": "1", **ZINK},
        "llvmpipe": {"GALLIUM_DRIVER": "llvmpipe", "LIBGL_ALWAYS_SOFTWARE": "1"},
        "softpipe": {"GALLIUM_DRIVER": "softpipe", "LIBGL_ALWAYS_SOFTWARE": "1"},
    }


def environment(variables, threads):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update({"WAFFLE_PLATFORM": "surfaceless_egl", "LP_NUM_THREADS": str(threads), "CUTAWAY_THREADS": str(threads)})
    env.update(variables)
    return env


def cpus(threads):
    return ",".join(str(c) for c in sorted(os.sched_getaffinity(0))[:threads])


@dataclasses.dataclass
class Frame:
    """CPU and wall seconds of a frame: of the last one, drawn `loops` times again, or of the whole replay where loops
    is 0, divided by its frames."""
    cpu: float
    wall: float
    loops: int


def replay(trace, env, threads, loops):
    """CPU and wall seconds of a replay that draws its last frame `loops` times again, and the number of frames."""
    if vulkan_cube.is_cube(trace):
        return vulkan_cube.run(env, cpus(threads), loops)
    command = ["taskset", "-c", cpus(threads), "eglretrace", "--headless", "--benchmark", f"--loop={loops}", trace]
    cpu, text = timed(command, env)
    found = re.search(r"Rendered (\d+) frames in ([\d.]+) secs", text)
    if not found:
        raise measuring.Failed(f"eglretrace {trace}: it told no frames; its last line: {text.strip()[-200:]}")
    return cpu, float(found[2]), int(found[1])


def last_frame(trace, env, threads, seconds, loops=None):
    """A frame of a trace, measured for some seconds of CPU time, or with as many loops as an earlier measurement of
    the same renderer has found."""
    cpu, wall, frames = replay(trace, env, threads, 0)
    if loops == 0:
        return Frame(cpu / frames, wall / frames, 0)
    enough = loops
    loops = loops or 4
    while True:
        more_cpu, more_wall, _ = replay(trace, env, threads, loops)
        took = more_cpu - cpu
        if not enough and loops >= 256 and took / loops < 1e-4:  # no frame takes so little
            return Frame(cpu / frames, wall / frames, 0)
        if enough or took >= seconds or loops >= 1 << 14:
            return Frame(max(took, 1e-6) / loops, max(more_wall - wall, 1e-6) / loops, loops)
        loops = min(1 << 14, max(2 * loops, int(1.3 * loops * seconds / max(took, 0.02))))


def emulate(cutaway, driver, trace, threads, work):
    """Seconds a frame of `cutaway emulate`: CPU and as it says."""
    capture = work / f"{trace.stem}.cutaway"
    env = environment({**renderers(driver)["cutaway"], "CUTAWAY_CAPTURE": str(capture)}, threads)
    frames = replay(trace, env, threads, 0)[2] - 1  # the first sets up
    command = ["taskset", "-c", cpus(threads), cutaway, "emulate", capture, "--quiet", "--threads", threads]
    cpu, text = timed(command, os.environ)
    return cpu / max(frames, 1), float(re.search(r"frames? in ([\d.]+) s", text)[1]) / max(frames, 1)


def conditions(options):
    host, build = measuring.host(), measuring.build(options.cutaway)
    print(f"{build['version']}, {build['compiler']}, driver {options.driver}; Mesa {measuring.mesa()}; {host['cpu']}, "
          f"{host['cpus']} CPUs, load {host['load']}")


def options_of_command():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="*", type=pathlib.Path, default=[ROOT / "tests/traces/glxgears.trace"])
    parser.add_argument("--driver", type=pathlib.Path, default=ROOT / "build/release/cutaway_icd.json")
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), help="the command")
    parser.add_argument("--seconds", type=float, default=2, help="CPU seconds that a measurement takes at least")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, each a measurement of its own")
    parser.add_argument("--renderers", default="cutaway,lavapipe,llvmpipe,softpipe")
    options = parser.parse_args()
    options.renderers = options.renderers.split(",")
    for name in options.renderers:
        if name not in renderers(options.driver):
            parser.error("--renderers: %s is none of %s" % (name, ", ".join(renderers(options.driver))))
    options.traces = [vulkan_cube.need(trace) for trace in options.traces]
    measuring.need_file(options.driver)
    options.cutaway = measuring.need_program(options.cutaway, "build it, or give --cutaway")
    if not all(map(vulkan_cube.is_cube, options.traces)):
        measuring.need_program("eglretrace", "install apitrace")
    return options


def compare(trace, threads, options, work):
    """A line for each renderer, and one for the emulator alone."""
    ours = None
    for name, variables in renderers(options.driver).items():
        if name not in options.renderers or not vulkan_cube.can_draw(trace, variables):
            continue
        try:
            frame = last_frame(trace, environment(variables, threads), threads, options.seconds)
        except measuring.Failed as error:
            print(f"{trace.stem:<28} {threads:>7} {name:<10} {str(error)[:90]}")
            continue
        if name == "cutaway":
            ours = frame
        label = trace.stem if frame.loops else trace.stem + "*"
        ratios = f"{frame.cpu / ours.cpu:>15.2f}x {frame.wall / ours.wall:>7.2f}x" if ours else f"{'-':>16} {'-':>8}"
        print(f"{label:<28} {threads:>7} {name:<10} {1000 * frame.cpu:>12.2f} {1 / frame.wall:>9.2f} {ratios}",
              flush=True)
    try:
        cpu, wall = emulate(options.cutaway, options.driver, trace, threads, work)
    except measuring.Failed as error:
        print(f"{trace.stem:<28} {threads:>7} {'emulator':<10} {str(error)[:90]}")
        return
    print(f"{trace.stem:<28} {threads:>7} {'emulator':<10} {1000 * cpu:>12.2f} {1 / max(wall, 1e-4):>9.2f}", flush=True)


def main(work):
    options = options_of_command()
    conditions(options)
    print(f"{'trace':<28} {'threads':>7} {'renderer':<10} {'CPU ms/frame':>12} {'frames/s':>9} "
          f"{'Cutaway: by CPU':>16} {'by wall':>8}")
    for trace in options.traces:
        for threads in (int(n) for n in options.threads.split(",")):
            compare(trace, threads, options, work)


if __name__ == "__main__":
    sys.exit(measuring.call(main, "compare_renderers.py"))
