"""A copy of the tree with a build of its own, in which bugs are planted, built and tested."""
import hashlib
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
from results import BROKEN, KILLED, SURVIVED
from test_programs import all_programs, programs_for


class Workshop:
    def __init__(self, folder, jobs, patience):
        self.folder = pathlib.Path(folder).resolve()
        self.tree = self.folder / "tree"
        self.build = self.tree / "build" / "release"
        self.jobs, self.patience = jobs, patience
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
        scratch = self.folder / "scratch"
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

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = self.folder / "output.txt"
        with output.open("w") as file:
            process = subprocess.Popen(program.command(self.tree, self.build), cwd=scratch, env=environment,
                                       stdout=file, stderr=subprocess.STDOUT, preexec_fn=confine)
            try:
                code = process.wait(timeout=limit * 10)  # other work may share the machine
            except subprocess.TimeoutExpired:
                code = "time limit"
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if code == 0:
            return seconds, None
        failed = re.search(r"\[  FAILED  \] ([\w/]+\.[\w/]+)", output.read_text(errors="replace"))
        if failed:
            return seconds, failed.group(1)
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            code = "time limit"
        return seconds, f"{program.name} ({code if isinstance(code, str) else f'exit {code}'})"

    def prepare(self, files):
        """The build without a bug, and how long its tests take; they must pass."""
        self.copy_tree()
        if not (self.build / "build.ninja").is_file():
            subprocess.run(["cmake", "--preset", "release"], cwd=self.tree, check=True, stdout=subprocess.DEVNULL)
        programs = {}
        for file in files:
            for program in all_programs(file):
                programs[program.name] = program
        begun = time.monotonic()
        targets = sorted({target for program in programs.values() for target in program.targets})
        if error := self.make(targets):
            sys.exit(f"{error}\nthe tree does not build without a bug")
        print(f"built without a bug, {time.monotonic() - begun:.0f} s", flush=True)
        for program in programs.values():
            seconds, failed = self.run(program)
            if failed:
                sys.exit(f"{program.name} fails without a bug: {failed}; what it said is in {self.folder}/output.txt")
            self.limits[program.name] = 10 + self.patience * seconds
            print(f"  {program.name}: {seconds:.1f} s", flush=True)

    def try_bug(self, bug):
        """(outcome, what found it)."""
        path = self.tree / bug.file
        original = path.read_text()
        try:
            path.write_text(bug.plant(original))
            for program in programs_for(bug.file):
                if error := self.make(program.targets):
                    (self.folder / "output.txt").write_text(error)
                    return BROKEN, ""
                _, failed = self.run(program)
                if failed:
                    return KILLED, failed
            return SURVIVED, ""
        finally:
            path.write_text(original)
