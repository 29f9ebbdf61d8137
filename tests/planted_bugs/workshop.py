"""A copy of the tree with a build of its own, in which bugs are planted, built and tested."""
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import bug_list
from results import BROKEN, KILLED, PUT_OFF, SURVIVED
from test_programs import all_programs, programs_for


# A bug may leave a name that nothing uses.
UNUSED = " ".join(f"-Wno-error=unused-{what}" for what in ("parameter", "variable", "but-set-variable", "function",
                                                           "local-typedefs", "const-variable", "value"))


class Unsound(Exception):
    """The tree does not build, or its tests fail, without a bug."""


def wait(process, limit):
    """(exit code or "time limit", seconds of its processors). Leaves nothing of its group."""
    until = time.monotonic() + limit
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            break
        if time.monotonic() > until:
            code = "time limit"
            os.killpg(process.pid, signal.SIGKILL)
            _, _, usage = os.wait4(process.pid, 0)
            break
        time.sleep(0.02)
    process.returncode = code if isinstance(code, int) else -signal.SIGKILL
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return code, usage.ru_utime + usage.ru_stime


class Workshop:
    def __init__(self, folder, number, jobs, patience, seconds=float("inf")):
        self.folder = pathlib.Path(folder).resolve()
        self.number = number
        self.tree = self.folder / f"tree{number}"
        self.output = self.folder / f"output{number}.txt"
        self.build = self.tree / "build" / "release"
        self.jobs, self.patience, self.seconds = jobs, patience, seconds
        self.too_long = set()  # names of programs that take longer than `seconds`
        self.folder.mkdir(parents=True, exist_ok=True)
        self.limits = {}  # of a test program: seconds of its processors
        self.files = self.list_files()
        self.digest = self.find_digest()

    # ---- The copy ----

    def list_files(self):
        listed = subprocess.run(["git", "-C", bug_list.ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
                                check=True, capture_output=True).stdout.decode()
        return [name for name in listed.split("\0") if name and (bug_list.ROOT / name).is_file()]

    def find_digest(self):
        """Of all that results hang on: sources and tests, but not this folder."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            if name.endswith(".md") or name.startswith("tests/planted_bugs/"):
                continue
            digest.update(name.encode() + b"\0" + (bug_list.ROOT / name).read_bytes())
        return digest.hexdigest()[:16]

    def copy_tree(self):
        """Only what differs is written, so that a build goes on. Undoes what an interrupted run left."""
        self.tree.mkdir(exist_ok=True)
        there = {str(path.relative_to(self.tree)) for top in {name.split("/")[0] for name in self.files}
                 for path in ([self.tree / top] if (self.tree / top).is_file() else (self.tree / top).rglob("*"))
                 if path.is_file()}
        for name in there - set(self.files):
            if "__pycache__" not in name:
                (self.tree / name).unlink()
        for name in self.files:
            source, target = bug_list.ROOT / name, self.tree / name
            if target.is_file() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    # ---- Building and running ----

    def make(self, targets):
        """None, or the end of what the compiler said."""
        done = subprocess.run(["cmake", "--build", self.build, f"-j{self.jobs}", "--target", *targets],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return None if done.returncode == 0 else done.stdout[-3000:]

    def run(self, program):
        """(seconds, None), or (seconds, what failed)."""
        limit = self.limits.get(program.name, 600)
        scratch = self.folder / f"scratch{self.number}"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        environment = dict(os.environ, GTEST_BRIEF="1", GTEST_FAIL_FAST="1", GTEST_COLOR="no", TMPDIR=str(scratch),
                           TEST_TMPDIR=str(scratch))

        def confine():
            os.setsid()
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # which shells ignore in what runs in the background
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with self.output.open("w") as file:
            process = subprocess.Popen(program.command(self.tree, self.build), cwd=scratch, env=environment,
                                       stdout=file, stderr=subprocess.STDOUT, preexec_fn=confine)
            code, seconds = wait(process, limit * 10)  # other work may share the machine
        if code == 0:
            return seconds, None
        failed = re.search(r"\[  FAILED  \] ([\w/]+\.[\w/]+)", self.output.read_text(errors="replace"))
        if failed:
            return seconds, f"{program.name}: {failed.group(1)}"
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            code = "time limit"
        return seconds, f"{program.name}: ({code if isinstance(code, str) else f'exit {code}'})"

    def prepare(self, files):
        """Builds without a bug, and times the tests; they must pass."""
        self.copy_tree()
        if not (self.build / "build.ninja").is_file():
            subprocess.run(["cmake", "--preset", "release", f"-DCMAKE_CXX_FLAGS={UNUSED}"], cwd=self.tree, check=True,
                           stdout=subprocess.DEVNULL)
        programs = {}
        for file in files:
            for program in all_programs(file):
                programs[program.name] = program
        begun = time.monotonic()
        targets = sorted({target for program in programs.values() for target in program.targets})
        if error := self.make(targets):
            raise Unsound(f"{error}\nthe tree does not build without a bug")
        print(f"{self.tree.name}: built without a bug, {time.monotonic() - begun:.0f} s", flush=True)
        times = self.read_times()
        for program in programs.values():
            if program.name not in times:
                times[program.name], failed = self.run(program)
                if failed:
                    raise Unsound(f"{program.name} fails without a bug: {failed}; its output is in {self.output}")
                self.write_times(times)
            seconds = times[program.name]
            self.limits[program.name] = 10 + self.patience * seconds
            if seconds > self.seconds:
                self.too_long.add(program.name)
            print(f"  {program.name}: {seconds:.1f} s", flush=True)

    def read_times(self):
        """Seconds of test programs without a bug, as an earlier run with the same sources measured them."""
        path = self.folder / f"times{self.number}.json"
        kept = json.loads(path.read_text()) if path.is_file() else {}
        return kept.get("seconds", {}) if kept.get("tree") == self.digest else {}

    def write_times(self, seconds):
        path = self.folder / f"times{self.number}.json"
        path.write_text(json.dumps({"tree": self.digest, "seconds": seconds}))

    def try_bug(self, bug, found_by=""):
        """Returns (outcome, the test that found it). Runs first the test that found it before, if any."""
        path = self.tree / bug.file
        original = path.read_text()
        try:
            path.write_text(bug.plant(original))
            programs = programs_for(bug.file, found_by)
            quick = [program for program in programs if program.name not in self.too_long]
            for program in quick:
                if error := self.make(program.targets):
                    self.output.write_text(error)
                    return BROKEN, ""
                _, failed = self.run(program)
                if failed:
                    return KILLED, failed
            return (SURVIVED if len(quick) == len(programs) else PUT_OFF), ""
        finally:
            path.write_text(original)
