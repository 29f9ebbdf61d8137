"""What the scripts of this folder share: programs that are run, conditions of a run, medians, progress."""
import datetime
import os
import pathlib
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

INTERRUPTS = {signal.SIGINT, signal.SIGTERM}
ROOT = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    """A program failed, or said something that is not understood."""


class CannotUse(Exception):
    """Something given is missing, or cannot be used."""


def let_interrupts():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)


def run(command, env=None, seconds=1200):
    """What a command printed, on both outputs. An interrupt reaches the command, which may tidy up."""
    command = [str(word) for word in command]
    signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)  # none between the start of the command and the wait for it
    try:
        child = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=let_interrupts)
    except OSError as error:
        let_interrupts()
        raise CannotUse(f"{command[0]}: {error.strerror.lower()}") from None
    try:
        let_interrupts()
        text, _ = child.communicate(timeout=seconds)
    except (KeyboardInterrupt, subprocess.TimeoutExpired) as error:
        child.send_signal(signal.SIGINT)
        try:
            child.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
        if isinstance(error, KeyboardInterrupt):
            raise
        raise Failed(f"{command[0]} took more than {seconds} seconds") from None
    if child.returncode:
        last = text.strip().splitlines()[-1:] or ["it said nothing"]
        raise Failed(f"{' '.join(command)}: exit status {child.returncode}: {last[0][:300]}")
    return text


def timed(command, env=None):
    """CPU seconds of a command, of all its threads, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = run(command, env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, text


def need_file(path):
    """The path, if it is a file that can be read."""
    path = pathlib.Path(path)
    if not path.is_file():
        raise CannotUse(f"{path}: no such file")
    if not os.access(path, os.R_OK):
        raise CannotUse(f"{path}: cannot be read")
    return path


def need_program(name, hint):
    """The path of a program, which is one or stands in PATH."""
    found = shutil.which(str(name))
    if not found:
        raise CannotUse(f"{name}: no such program; {hint}")
    return str(pathlib.Path(found).absolute())


def host():
    """CPU, number of CPUs, load of the last minute, date."""
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return {"cpu": cpu, "cpus": len(os.sched_getaffinity(0)), "load": round(os.getloadavg()[0], 1),
            "date": datetime.date.today().isoformat()}


def build(command):
    """Version, revision and compiler of a cutaway."""
    version = run([command, "--version"]).strip()
    revision = re.search(r"\((\S+)\)", version)
    notes = subprocess.run(["readelf", "-p", ".comment", command], capture_output=True, text=True).stdout
    compiler = re.search(r"GCC: \(.*?\) \S+|clang version \S+", notes)
    return {"command": str(command), "version": version, "revision": revision[1] if revision else "?",
            "compiler": re.sub(r"GCC: \(.*?\)", "GCC", compiler[0]) if compiler else "unknown compiler"}


def mesa():
    """Version of Mesa's OpenGL drivers."""
    try:
        query = ["dpkg-query", "-W", "-f", "${Version}", "libgl1-mesa-dri"]
        return subprocess.run(query, capture_output=True, text=True).stdout or "?"
    except OSError:
        return "?"


def spread(values):
    """Median, least and most of measurements, and how many there are."""
    return {"median": statistics.median(values), "least": min(values), "most": max(values), "runs": len(values)}


class Progress:
    """Steps of a long run on standard error: one line that is written over, on a terminal alone."""

    def __init__(self, steps, quiet=False):
        self.steps, self.done, self.start = steps, 0, time.monotonic()
        self.quiet, self.terminal = quiet, sys.stderr.isatty()

    def step(self, text):
        if not self.quiet:
            spent = time.monotonic() - self.start
            left = f", {spent / self.done * (self.steps - self.done):.0f} s left" if self.done else ""
            line = f"[{self.done + 1}/{self.steps}{left}] {text}"
            print(f"\r\033[K{line}" if self.terminal else line, end="" if self.terminal else "\n", file=sys.stderr,
                  flush=True)
        self.done += 1

    def end(self):
        if not self.quiet and self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def call(main, name):
    """Exit status of main(folder), with a folder for its files: 1 if a measurement failed, 2 if something given
    cannot be used or the script was interrupted."""
    def interrupt(number, frame):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        with tempfile.TemporaryDirectory(prefix="cutaway_bench_") as work:
            os.environ.setdefault("XDG_RUNTIME_DIR", work)
            return main(pathlib.Path(work)) or 0
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 2
    except CannotUse as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except Failed as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
