"""vkcube, a Vulkan program without OpenGL above it, in a window of Xvfb: frames for compare_renderers.py."""
import contextlib
import os
import pathlib
import subprocess
import time

import measuring

NAME = "vkcube"  # in place of a trace
FIRST_FRAMES = 20  # of each run, also of one that draws no more


def is_cube(trace):
    return str(trace) == NAME


def need(trace):
    """The path of a trace that can be read, or of vkcube if it can be run."""
    if not is_cube(trace):
        return measuring.need_file(trace)
    measuring.need_program("vkcube", "apt-get install vulkan-tools")
    measuring.need_program("Xvfb", "apt-get install xvfb")
    return pathlib.Path(NAME)


def can_draw(trace, variables):
    """True if a renderer with these variables draws it: vkcube needs a Vulkan driver."""
    return not is_cube(trace) or "VK_DRIVER_FILES" in variables


@contextlib.contextmanager
def display():
    """The name of a display of a server of its own. Its time is none of the program's."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
                              pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            name = number.readline().strip()
        if not name:
            raise measuring.Failed("Xvfb has not begun")
        yield f":{name}"
    finally:
        server.terminate()
        server.wait()


def run(env, cpus, frames):
    """CPU and wall seconds of a run that draws its first frames and some more, and the number of all."""
    frames += FIRST_FRAMES
    with display() as name:
        start = time.monotonic()
        cpu, _ = measuring.timed(["taskset", "-c", cpus, "vkcube", "--c", frames, "--suppress_popups"],
                                 {**env, "DISPLAY": name})
        return cpu, time.monotonic() - start, frames
