#!/usr/bin/env python3
"""How the command captures programs that end in every way: the frames that were whole are kept, the message says
which and why, the exit code is as documented, and no process and no file of ours stays behind.

usage: program_end_test.py --cutaway PATH --present-frames PATH --dispatches PATH [TEST...]
"""
import os
import pathlib
import re
import resource
import signal
import time

from command_case import CommandTest, main, options


OPEN = "c.cutaway-*/capture.*.part"  # a capture into c while it is written


class ProgramTest(CommandTest):
    def program(self, count, end, pause=0):
        return ["--", options.present_frames, count, pause, end]

    def frames(self, name):
        """The numbers of the frames of a capture, every byte of which is right."""
        result = self.call("info", name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("every checksum right", result.stdout)
        return [int(number) for number in re.findall(r"^ +(\d+) +\d+ ", result.stdout, re.MULTILINE)]

    def expect(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        line = result.stderr.splitlines()[-1]
        self.assertTrue(line.startswith("cutaway: "), result.stderr)
        for word in words:
            self.assertIn(word, line)

    def only(self, *names):
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))

    def wait_for_bytes(self, pattern, bytes_):
        until = time.monotonic() + 60
        while time.monotonic() < until and not any(self.size(path) > bytes_ for path in self.folder.glob(pattern)):
            time.sleep(0.005)

    @staticmethod
    def size(path):
        try:
            return path.stat().st_size
        except FileNotFoundError:
            return 0

    def processes(self):
        """Those whose command line or environment names this test's folder."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
                cwd = os.readlink(process / "cwd")
            except OSError:
                continue
            if int(process.name) != os.getpid() and (str(self.folder).encode() in told or cwd == str(self.folder)):
                found.append((process.name, told))
        return found

    def expect_no_process(self):
        until = time.monotonic() + 20
        while self.processes() and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual(self.processes(), [])


class EndedByItself(ProgramTest):
    def test_whole_frames_are_kept_however_a_program_ends(self):
        for end, words in (("exit=3", ["exit code 3"]), ("exit=255", ["exit code 255"]),
                           ("signal=11", ["signal 11", "Segmentation fault"]), ("signal=9", ["signal 9", "Killed"])):
            result = self.call("capture", "-o", "c", *self.program(4, end))
            self.expect(result, 1, *words, "after 4 frames", "c holds 4 frames, 1..4")
            self.assertEqual(self.frames("c"), [1, 2, 3, 4])
            self.only("c")

    def test_without_a_range_all_frames_are_kept(self):
        result = self.call("capture", "-o", "c", *self.program(7, "exit=0"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.frames("c"), list(range(1, 8)))
        self.assertIn("frames 1..7", result.stdout)

    def test_a_range_that_is_not_reached(self):
        for end, words in (("exit=0", ["ended after frame 4"]), ("signal=6", ["signal 6", "after 4 frames"])):
            result = self.call("capture", "-o", "c", "--frames", "3..9", *self.program(4, end))
            self.expect(result, 1, *words, "c holds 2 frames, 3..4 of the 3..9 asked for")
            self.assertEqual(self.frames("c"), [3, 4])
        (self.folder / "c").unlink()
        self.fails("capture", "-o", "c", "--frames", "5..9", *self.program(4, "exit=0"), names=["5..9", "after frame 4"])
        self.fails("capture", "-o", "c", "--frames", "5..", *self.program(4, "exit=7"), code=1,
                   names=["exit code 7", "after 4 frames", "no capture"])

    def test_the_explanation_of_a_crash_is_repeated(self):
        said = "MESA: error: ZINK: vkCreateGraphicsPipelines failed (VK_ERROR_FEATURE_NOT_PRESENT)"
        script = f'echo first >&2; echo "{said}" >&2; echo "MESA: warning: slow" >&2; echo last >&2; kill -SEGV $$'
        result = self.call("capture", "-o", "c", "--", "sh", "-c", script)
        self.expect(result, 1, "signal 11", said)
        self.assertEqual(result.stderr.splitlines()[:4], ["first", said, "MESA: warning: slow", "last"])

    def test_standard_error_comes_as_it_is_written(self):
        process = self.start("capture", "-o", "c", "--", "sh", "-c", "printf half >&2; sleep 100")
        self.assertEqual(process.stderr.read(4), "half")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2)


class Ended(ProgramTest):
    """Programs that are ended from outside."""

    def test_interrupts_keep_whole_frames(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("capture", "-o", "c", "--frames", "2..100000", "--quiet",
                                 *self.program(0, "hang", pause=5))
            self.wait_for_bytes(OPEN, 4000)
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, errors)
            frames = self.frames("c")
            self.assertEqual(frames, list(range(2, frames[-1] + 1)))
            self.assertEqual(errors, f"cutaway: interrupted; c holds {len(frames)} frames, 2..{frames[-1]} of the "
                                     "2..100000 asked for\n")
            self.assertIn(f"frames 2..{frames[-1]}", output)
            self.only("c")
            self.expect_no_process()

    def test_the_last_recording_is_kept_not_one_before_it(self):
        script = f"{options.dispatches} picture; {options.present_frames} 0 5 hang"
        process = self.start("capture", "-o", "c", "--quiet", "--", "sh", "-c", script)
        self.wait_for_bytes("c.cutaway-*/capture", 0)
        self.wait_for_bytes(OPEN, 4000)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertGreater(len(self.frames("c")), 5)

    def test_a_lost_device_ends_a_program_that_hangs(self):
        result = self.call("capture", "-o", "c", *self.program(3, "lose"))
        self.expect(result, 1, "the GPU stopped in submission", "the ranges overlap", "the device is lost",
                    "c holds 3 frames, 1..3")
        self.assertLess(result.stderr.index("the GPU stopped"), result.stderr.index("c holds"))
        self.assertEqual(self.frames("c"), [1, 2, 3])

    def test_a_full_disk_is_the_reason(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        for command in (("capture", "-o", "c"), ("run", "--out", "o", "--frames", "1..")):
            process = self.start(*command, *self.program(0, "hang"), preexec_fn=limit)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 2, errors)
            line = errors.splitlines()[-1]
            file = "c" if command[0] == "capture" else "o/capture.cutaway"
            self.assertRegex(line, r"^cutaway: .*cannot be written \(File too large\): make room on the disk; "
                                   rf"{file} holds \d+ frames, 1\.\.")
            self.assertGreater(len(self.frames(file)), 10)
        self.only("c", "o")
        self.assertEqual([path.name for path in (self.folder / "o").iterdir()], ["capture.cutaway"])

    def test_nothing_survives_a_command_that_is_killed(self):
        # A descendant in a session of its own, and one whose parent has gone.
        program = f"setsid {options.present_frames} 0 5 hang & (sleep 1000 &); sleep 1000"
        process = self.start("capture", "-o", "c", "--", "sh", "-c", program)
        self.wait_for_bytes(OPEN, 4000)
        self.assertGreater(len(self.processes()), 3)
        process.kill()
        process.communicate()
        self.expect_no_process()
        left, = self.folder.glob(OPEN)
        self.only(left.parent.name)
        self.assertGreater(len(self.frames(left)), 5)
        result = self.call("capture", "-o", "c", *self.program(2, "exit=0"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.only("c")
        self.assertEqual(self.frames("c"), [1, 2])

    def test_descendants_end_with_the_program(self):
        result = self.call("capture", "-o", "c", "--", "sh", "-c",
                           f"setsid sleep 1000 & (sleep 1000 &); {options.present_frames} 2 0 exit=0")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.processes(), [])


class Run(ProgramTest):
    def pictures(self):
        return sorted(path.name for path in (self.folder / "out/frames").iterdir())

    def test_the_third_frame_or_the_last_is_simulated(self):
        for count, words in ((5, "frame 3 is simulated"), (2, "frame 2 is simulated"), (1, "captured frame 1 ")):
            result = self.call("run", *self.program(count, "exit=0"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertEqual(self.pictures(), [f"{min(count, 3):04}.png"])
            self.assertEqual(self.frames("out/capture.cutaway"), list(range(1, min(count, 3) + 1)))

    def test_the_frames_that_there_are_are_simulated(self):
        result = self.call("run", "--frames", "2..9", "--verify", *self.program(4, "signal=11"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("signal 11", result.stderr)
        self.assertIn("out/capture.cutaway holds 3 frames, 2..4 of the 2..9 asked for", result.stderr)
        self.assertEqual(self.pictures(), ["0002.png", "0003.png", "0004.png"])
        self.assertIn("equal the emulator's", result.stdout)

    def test_what_was_captured_stays_when_it_is_not_simulated(self):
        result = self.call("run", "--", options.dispatches, "picture")
        self.expect(result, 2, "compute programs", "the capture is kept: out/capture.cutaway")
        self.assertEqual(self.frames("out/capture.cutaway"), [1])
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["capture.cutaway"])

    def test_an_interrupt_keeps_the_capture(self):
        process = self.start("run", "--frames", "1..", "--quiet", *self.program(0, "hang", pause=5))
        self.wait_for_bytes("out/.cutaway-*/new/capture.cutaway.cutaway-*/capture.*.part", 4000)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertRegex(errors, r"^cutaway: interrupted; out/capture\.cutaway holds \d+ frames, 1\.\.\d+\n$")
        self.assertGreater(len(self.frames("out/capture.cutaway")), 5)


if __name__ == "__main__":
    main(["cutaway", "present-frames", "dispatches"])
