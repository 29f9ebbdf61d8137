#!/usr/bin/env python3
"""Ctrl-C and its like: exit code 2, one line, nothing left behind; the same command again does its work."""
import os
import pathlib
import signal
import sys
import time

from command_case import CommandTest, main


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Interrupted(CommandTest):
    def interrupt(self, process, whole_group, number=signal.SIGINT):
        (os.killpg if whole_group else os.kill)(process.pid, number)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertTrue(errors.startswith("cutaway: interrupted"), errors)

    def test_emulate_and_simulate(self):
        file = self.scene("animation1000")
        for command in ("emulate", "simulate"):
            for number, delay, whole_group in ((signal.SIGINT, 0, False), (signal.SIGINT, 0.1, True),
                                               (signal.SIGTERM, 0.02, True), (signal.SIGHUP, 0.3, False)):
                process = self.start(command, file, "--out", "o/below", "--quiet", "--frames", "500..1000")
                self.wait_for("o/below/.cutaway-*", process)
                time.sleep(delay if command == "simulate" else 0)
                self.interrupt(process, whole_group, number)
                self.assertEqual(list(self.folder.iterdir()), [file])
        self.assertEqual(self.call("simulate", file, "--out", "o/below", "--frames", "2").returncode, 0)
        self.assertEqual([path.name for path in (self.folder / "o/below/frames").iterdir()], ["0002.png"])

    def test_workers_that_are_told_first(self):
        # A signal to the whole group may come to the simulating processes before it comes to us.
        file = self.scene("animation1000")
        for _ in range(5):
            process = self.start("simulate", file, "--out", "o", "--quiet", "--jobs", "4")
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
            until = time.monotonic() + 60
            while len(pids := children.read_text().split()) < 2 and time.monotonic() < until:
                time.sleep(0.001)
            for pid in pids:
                try:
                    os.kill(int(pid), signal.SIGINT)
                except ProcessLookupError:
                    pass  # its frame is done
            self.interrupt(process, False)
            self.assertEqual(list(self.folder.iterdir()), [file])

    def test_work_of_minutes(self):
        for scene in ("long draw", "long calls", "long fragments", "long workgroups", "long fill"):
            file = self.scene(scene)
            for command in ("emulate", "simulate"):
                if (scene, command) == ("long workgroups", "simulate"):
                    continue  # attila has no compute programs
                process = self.start(command, file, "--out", "o", "--quiet")
                self.wait_for("o/.cutaway-*", process)
                time.sleep(0.2)  # into the scene
                self.interrupt(process, False, signal.SIGTERM)
                self.assertEqual(list(self.folder.iterdir()), [file])
            file.unlink()

    def test_a_reader_of_messages_that_goes_away(self):
        file = self.scene("animation1000")
        with self.start("simulate", file, "--out", "o", "--jobs", "1") as process:
            process.stderr.readline()
            process.stderr.close()
            self.assertEqual(process.wait(timeout=60), -signal.SIGPIPE)
        self.assertEqual(list(self.folder.iterdir()), [file])

    def test_a_parent_that_is_killed_takes_its_workers_along(self):
        file = self.scene("animation1000")
        until = time.monotonic() + 60
        with self.start("simulate", file, "--out", "o", "--quiet", "--jobs", "2") as process:
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
            while not (pids := children.read_text().split()) and time.monotonic() < until:
                time.sleep(0.001)
            process.kill()
        while any(is_running(pid) for pid in pids) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertFalse([pid for pid in pids if is_running(pid)])

    def test_programs(self):
        ready = "import os, pathlib, time; pathlib.Path('ready').touch(); "
        closed = ready + "os.close(int(os.environ['CUTAWAY_PROGRESS_FD'])); time.sleep(100)"
        stubborn = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); " + ready + "time.sleep(100)"
        for program in (closed, stubborn):
            for command in (("capture", "-o", "c", "--frames", "1.."), ("run", "--out", "o")):
                process = self.start(*command, "--quiet", "--", sys.executable, "-c", program)
                self.wait_for("ready", process)
                self.interrupt(process, True)
                self.assertEqual([path.name for path in self.folder.iterdir()], ["ready"])
                (self.folder / "ready").unlink()


if __name__ == "__main__":
    main()
