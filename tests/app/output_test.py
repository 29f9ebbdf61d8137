#!/usr/bin/env python3
"""The folder of results, standard output and limits of the system: all of a command's results or nothing."""
import os
import resource
import signal
import subprocess

from command_case import CommandTest, main, options


def limited(kind, value):
    """For preexec_fn."""
    return lambda: resource.setrlimit(kind, (value, value))


class OutputFolder(CommandTest):
    def files(self, folder="o"):
        return sorted(str(path.relative_to(self.folder / folder)) for path in (self.folder / folder).rglob("*")
                      if path.is_file())

    def test_pictures_of_the_user_stay(self):
        file = self.scene()
        for command in ("emulate", "simulate"):
            self.assertEqual(self.call(command, file, "--out", "o").returncode, 0)
            for name in ("mine.png", "0100.png"):
                (self.folder / "o/frames" / name).write_bytes((self.folder / "o/frames/0004.png").read_bytes())
            self.assertEqual(self.call(command, file, "--out", "o", "--frames", "2").returncode, 0)
            self.assertEqual(sorted(path.name for path in (self.folder / "o/frames").iterdir()),
                             ["0002.png", "0100.png", "mine.png"])

    def test_a_summary_that_cannot_take_its_place(self):
        file = self.scene()
        self.assertEqual(self.call("simulate", file, "--out", "o", "--frames", "1").returncode, 0)
        (self.folder / "o/summary.json").unlink()
        (self.folder / "o/summary.json").mkdir()
        before = {name: (self.folder / "o" / name).read_bytes() for name in self.files()}
        self.fails("simulate", file, "--out", "o", "--quiet", names=["summary.json", "folder"])
        self.assertEqual({name: (self.folder / "o" / name).read_bytes() for name in self.files()}, before)

    def test_what_a_killed_command_left_goes_with_the_next(self):
        file = self.scene("animation1000")
        for command in ("emulate", "simulate"):
            process = self.start(command, file, "--out", "o", "--quiet")
            self.wait_for("o/.cutaway-*/new/frames/*.png", process)
            process.kill()
            process.communicate()
            self.assertEqual(len(list(self.folder.glob("o/.cutaway-*"))), 1)
            self.assertEqual(self.call("emulate", file, "--out", "o", "--frames", "2").returncode, 0)
            self.assertEqual(self.files(), [".pictures", "frames/0002.png"])

    def test_a_file_that_may_not_grow(self):
        file = self.scene()
        for command in ("emulate", "simulate"):
            self.fails(command, file, "--out", "o", "--quiet", names=["cannot be written", "too large"],
                       preexec_fn=limited(resource.RLIMIT_FSIZE, 100))
        (self.folder / "gpu.svg").write_text("an earlier one")
        self.fails("gpus", "attila", "--svg", "gpu.svg", names=["gpu.svg", "cannot be written", "too large"],
                   preexec_fn=limited(resource.RLIMIT_FSIZE, 1000))
        self.assertEqual((self.folder / "gpu.svg").read_text(), "an earlier one")


class Limits(CommandTest):
    def test_not_enough_memory(self):
        file = self.scene("textured-triangle")
        for command in ("emulate", "simulate", "info"):
            for megabytes in (60, 100, 200):
                result = self.call(command, file, preexec_fn=limited(resource.RLIMIT_AS, megabytes << 20))
                if result.returncode == 0:
                    continue
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn("not enough memory", result.stderr)

    def test_a_standard_output_that_is_full(self):
        file = self.scene()
        for arguments in (["info", file], ["gpus"], ["gpus", "attila"], ["emulate", file], ["simulate", file, "--quiet"],
                          ["disasm", file], ["--help"], ["simulate", "--help"], ["--version"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([options.cutaway, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                        timeout=60, cwd=self.folder)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            self.assertEqual(result.stderr, "cutaway: standard output: cannot be written (No space left on device)\n",
                             arguments)

    def test_a_standard_output_that_nobody_reads(self):
        file = self.scene()
        for arguments in (["info", file], ["gpus", "attila"], ["emulate", file, "--out", "o"]):
            reading, writing = os.pipe()
            os.close(reading)
            with os.fdopen(writing, "w") as closed:
                result = subprocess.run([options.cutaway, *arguments], stdout=closed, stderr=subprocess.PIPE, text=True,
                                        timeout=60, cwd=self.folder)
            self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""), arguments)
        self.assertEqual(sorted(path.name for path in (self.folder / "o").iterdir()), [".pictures", "frames"])

    def test_a_standard_error_that_is_full(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(subprocess.run([options.cutaway, "nonsense"], stderr=full, timeout=60).returncode, 2)
            result = subprocess.run([options.cutaway, "simulate", self.scene()], stdout=subprocess.DEVNULL, stderr=full,
                                    timeout=60)
            self.assertEqual(result.returncode, 0)


if __name__ == "__main__":
    main()
