#!/usr/bin/env python3
"""Calls the command as users do: what it writes, and one line and exit code 2 for each kind of bad input."""
import json
import os
from xml.etree import ElementTree

from command_case import CommandTest, main, options


class GoodInput(CommandTest):
    def test_version_and_help(self):
        self.assertRegex(self.call("--version").stdout, r"^cutaway \d+\.\d+\.\d+( \([0-9a-f]{8,}(-dirty)?\))?\n$")
        text = self.call("--help").stdout
        for word in ("run", "capture", "emulate", "simulate", "info", "gpus", "disasm", "glxgears", "Exit codes"):
            self.assertIn(word, text)

    def test_gpus_lists_presets_and_parameters_with_their_sources(self):
        self.assertIn("attila", self.call("gpus").stdout)
        text = self.call("gpus", "attila", "--set", "texture.cache_lines=32").stdout
        for word in ("streamer.queue", "512 vertices", "1 to 1024", "[ATT-", "[choice]", "costs neither time nor room"):
            self.assertIn(word, text)
        self.assertRegex(text, r"texture\.cache_lines +32 .*\n(    .*\n)?.*\[--set\] \(preset: 64\)")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        one = self.call("gpus", "attila", "gpu.streamer0").stdout
        self.assertEqual(one, self.call("gpus", "attila", "streamer").stdout)
        self.assertIn("streamer.queue", one)
        self.assertRegex(one, r"-> command_processor +draw ")
        self.assertNotIn("texture.", one)
        self.assertIn("rop.units", self.call("gpus", "attila", "z_stencil").stdout)

    def test_gpus_tells_what_a_machine_leaves_out(self):
        text = self.call("gpus", "attila").stdout
        rows = "Rows, banks and refresh"
        self.assertIn(rows, text)
        self.assertNotIn(rows, self.call("gpus", "attila", "--set", "memory.dram=banked").stdout)
        self.assertNotIn("Not modelled:", text)
        self.assertRegex(self.call("gpus", "g80").stdout, r"Not modelled:\n- .*\[G80-1\]")

    def test_gpus_shows_units_and_wires(self):
        plain = self.call("gpus", "attila", "--set", "rop.units=3").stdout
        self.assertRegex(plain, r"\nz_stencil x3\n(  .*\n)*  -> interpolator +3 x quads +2 cycles, 1 a cycle, 6 slots\n")
        result = self.call("gpus", "attila", "--set", "rop.units=3", "--svg", "gpu.svg")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, plain, ""))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["gpu.svg"])
        texts = [element.text for element in ElementTree.parse(self.folder / "gpu.svg").iter()]
        for text in ("attila, rop.units=3", "z stencil ×3", "3 × quads 2/1/6"):
            self.assertIn(text, texts)
        self.assertEqual(self.call("gpus", "attila", "--svg", "gpu.svg").returncode, 0)
        self.assertNotIn("z stencil ×3", (self.folder / "gpu.svg").read_text(), "the second replaces the first")

    def test_info_lists_the_frames(self):
        text = self.call("info", self.scene()).stdout
        self.assertIn("program: write_scene animation4", text)
        self.assertEqual(text.count("key frame"), 2)

    def test_simulate_writes_pictures_and_figures_that_do_not_depend_on_jobs(self):
        file = self.scene()
        for out, more in (("a", ["--jobs", "3"]), ("b", ["--jobs", "1", "--seed", "3"]), ("c", ["--no-skip"])):
            result = self.call("simulate", file, "--frames", "2..4", "--verify", "--out", out, "--quiet", *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stderr, "")
            self.assertIn("equal the emulator's", result.stdout)
        summaries = [json.loads((self.folder / out / "summary.json").read_text()) for out in "abc"]
        self.assertEqual(summaries[0]["frames"], summaries[1]["frames"])
        self.assertEqual(summaries[0]["frames"], summaries[2]["frames"])
        self.assertEqual([frame["frame"] for frame in summaries[0]["frames"]], [2, 3, 4])
        self.assertEqual(summaries[2]["host"]["skipped_share"], 0)
        frame = summaries[0]["frames"][0]
        for unit in frame["units"].values():
            self.assertEqual(unit["busy"] + unit["starved"] + unit["blocked"] + unit["idle"], unit["cycles"])
            self.assertEqual(sum(unit["starved_by"].values()), unit["starved"])
            self.assertEqual(sum(unit["blocked_by"].values()), unit["blocked"])
        fragments = frame["fragments"]
        killed = sum(fragments["killed_" + how] for how in ("hz", "early_z", "shader", "late_z"))
        self.assertEqual(fragments["generated"], fragments["written"] + killed)
        emulated = self.call("emulate", file, "--frames", "2..4", "--out", "e")
        self.assertEqual(emulated.returncode, 0)
        for number in (2, 3, 4):
            picture = f"frames/{number:04}.png"
            self.assertEqual((self.folder / "a" / picture).read_bytes(), (self.folder / "e" / picture).read_bytes())
            self.assertIn(f"{frame['memory_hash']}" if number == 2 else "", emulated.stdout)
        self.assertEqual(sorted(p.name for p in (self.folder / "a").iterdir()),
                         [".pictures", "frames", "run.sqlite", "summary.json"])

    def test_parameters_from_the_command_line_and_from_a_file(self):
        file = self.scene("textured-triangle")
        (self.folder / "slow.toml").write_text('base = "attila"\n[memory]\nlatency = 400\n')
        cycles = {}
        for out, more in (("plain", []), ("set", ["--set", "memory.latency=400"]), ("toml", ["--gpu", "./slow.toml"])):
            self.assertEqual(self.call("simulate", file, "--out", out, *more).returncode, 0)
            summary = json.loads((self.folder / out / "summary.json").read_text())
            cycles[out] = summary["frames"][0]["cycles"]
            self.assertEqual(summary["parameters"], {} if out == "plain" else {"memory.latency": 400})
        self.assertGreater(cycles["set"], cycles["plain"])
        self.assertEqual(cycles["set"], cycles["toml"])

    def test_a_second_run_replaces_the_first(self):
        file = self.scene()
        self.call("simulate", file, "--out", "o")
        self.call("simulate", file, "--out", "o", "--frames", "2")
        self.assertEqual([p.name for p in (self.folder / "o/frames").iterdir()], ["0002.png"])

    def test_a_program_that_presents_nothing_is_frame_1(self):
        result = self.call("run", "--verify", "--out", "o", "--", options.triangles, self.folder / "picture.ppm")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads((self.folder / "o/summary.json").read_text())
        self.assertEqual([frame["frame"] for frame in summary["frames"]], [1])
        self.assertIn("textured_triangles", summary["program"])
        frame = summary["frames"][0]
        self.assertEqual((frame["draws"], frame["vertices"], frame["triangles"]), (2, 13, 5))
        driver = frame["driver"]  # the clear of the pass is a packet, and no draw of the driver
        self.assertEqual((driver["draws"], driver["vertices"], driver["cycles"]), (0, 0, 0))
        self.assertNotRegex(result.stdout, r"\ndriver ")
        self.assertEqual(sorted(p.name for p in (self.folder / "o").iterdir()), ["capture.cutaway", "run.sqlite", "summary.json"])
        text = self.call("disasm", "o/capture.cutaway").stdout
        self.assertRegex(text, r"TEX .* Op\w+")
        # The program's own come first.
        own = ["the driver's own" in line for line in text.splitlines() if line.startswith("program ")]
        self.assertEqual(own, sorted(own))
        self.assertEqual((own[0], own[-1]), (False, True))


    def test_a_capture_depends_on_nothing_of_the_host(self):
        # Another instruction set, other addresses in the program (their layout is random), other times.
        for name, environment in (("a", {}), ("b", {"CUTAWAY_PORTABLE": "1"})):
            result = self.call("capture", "-o", name, "--", options.triangles, "picture.ppm", **environment)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())


class BadInput(CommandTest):
    def test_command_line(self):
        self.fails(names=["subcommand"])
        self.fails("simulat", names=["simulat"])
        self.fails("simulate", "a", "--frams", "3", names=["--frams: no such option", "did you mean --frames?", "simulate --help"])
        self.fails("run", "--sett=a.b=1", "--", "true", names=["--sett: no such option", "did you mean --set?"])
        self.fails("run", "true", "--frams", "3", names=["--frams", "after --"])
        self.fails("simulate", names=["FILE"])
        self.fails("simulate", "x", "--nonsense", names=["--nonsense", "--help"])
        self.fails("simulate", self.scene(), "--jobs", "0", names=["--jobs"])
        for option in ("--jobs", "--warmup", "--seed"):
            for value in ("-1", "many", "99999999999999999999999", ""):
                self.fails("simulate", self.scene(), f"{option}={value}", names=[option])
        self.fails("simulate", self.scene(), "--gpu", names=["--gpu"])
        self.fails("emulate", self.scene(), "--threads", "0", names=["--threads"])
        self.fails("emulate", self.scene(), "--primitives", names=["--primitives", "--out"])
        self.fails("disasm", self.scene(), "--program", "first", names=["--program", "first"])
        self.fails("disasm", self.scene(), "--program", "7", names=["--program", "0x7"])
        self.fails("disasm", self.scene(), "--program", "0x10000000000000007", names=["--program", "64 bits"])
        self.fails("capture", "--", "true", names=["--output"])
        self.fails("capture", "-o", "c", "--key-frames", "-1", "--", "true", names=["--key-frames"])
        self.fails("info", self.scene(), "--", "true", names=["info", "--"])
        self.fails("run", "glxgears", names=["glxgears", "--"])
        self.fails("run", names=["no program", "--"])

    def test_preset(self):
        file = self.scene()
        self.fails("simulate", file, "--gpu", "geforce9", "--out", "o", names=["geforce9", "attila"])
        self.fails("simulate", file, "--gpu", "./none.toml", "--out", "o", names=["none.toml"])
        self.fails("simulate", file, "--gpu", "./", "--out", "o", names=["./"])
        self.fails("simulate", file, "--gpu", "a" * 300, "--out", "o", names=["aaa"])
        self.fails("simulate", file, "--gpu", "./" + "a" * 300, "--out", "o", names=["aaa"])
        (self.folder / "folder.toml").mkdir()
        os.mkfifo(self.folder / "pipe.toml")
        for name in ("./folder.toml", "./pipe.toml", "/dev/zero"):
            self.fails("simulate", file, "--gpu", name, "--out", "o", names=[name, "not a file"])
        (self.folder / "number.toml").write_text('base = "attila"\ndescription = 4\n')
        self.fails("gpus", "./number.toml", names=["number.toml:2", "description"])
        for line, shown in (('"a\\nb" = 3', "a\\nb"), ('[shader]\n"x\\u0000y" = 3', "x\\x00y"),
                            ('["\\u001b[31m"]', "\\x1b[31m"), ('[shader]\nthreads = "\\u0000"', "\\x00")):
            (self.folder / "control.toml").write_text(f'base = "attila"\n{line}\n')
            self.fails("gpus", "./control.toml", names=["control.toml:", shown])
        (self.folder / "bytes.toml").write_bytes(bytes(range(256)))
        self.fails("simulate", file, "--gpu", "./bytes.toml", names=["bytes.toml:1"])
        (self.folder / "round.toml").write_text('base = "./round.toml"\n')
        self.fails("simulate", file, "--gpu", "./round.toml", names=["round.toml", "circle"])
        self.fails("run", "--gpu", "geforce9", "--", "true", names=["geforce9"])
        self.fails("gpus", "attila", "streamers", names=["streamers", "did you mean streamer"])
        (self.folder / "bare.toml").write_text("[shader]\nunits = 4\n")
        self.fails("gpus", "./bare.toml", names=["bare.toml:1", "no base", "attila"])
        self.fails("gpus", "geforce9", names=["geforce9", "attila"])
        self.fails("gpus", "--svg", "gpu.svg", names=["--svg", "preset"])
        self.fails("gpus", "attila", "--ports", names=["--ports", "stands alone"])
        self.fails("gpus", "geforce9", "--svg", "gpu.svg", names=["geforce9", "attila"])
        for file in ("no-folder/gpu.svg", "/proc/gpu.svg", ".", "/dev/full"):
            self.fails("gpus", "attila", "--svg", file, names=[file])

    def test_parameter(self):
        file = self.scene()
        self.fails("simulate", file, "--set", "streamer.queu=3", "--out", "o", names=["streamer.queu", "queue"])
        self.fails("simulate", file, "--set", "stramer.queue=3", names=["stramer", "streamer"])
        self.fails("simulate", file, "--set", "streamer.queue=0", names=["streamer.queue", "1 to 1024"])
        self.fails("simulate", file, "--set", "streamer.queue=many", names=["streamer.queue", "many"])
        self.fails("simulate", file, "--set", "streamer.queue", names=["streamer.queue"])
        self.fails("simulate", file, "--set", "texture.line_bytes=100", names=["texture.line_bytes", "multiple of 64"])
        self.fails("simulate", file, "--set", "z_stencil.cache_ways=3", names=["z_stencil.cache_lines", "cache_ways"])
        self.fails("gpus", "attila", "--set", "shader.threads=510", names=["threads (510, --set)", "group_lanes (4, preset attila)", "multiple of 4"])
        self.fails("gpus", "attila", "--set", "shader.group_lanes=32", names=["threads (112, preset attila)", "group_lanes (32, --set)", "multiple of 32"])
        (self.folder / "part.toml").write_text("[streamer]\nqueue = 64\n")
        self.fails("simulate", file, "--gpu", "./part.toml", names=["gpu.core_mhz", "not stated", "base"])
        (self.folder / "bad.toml").write_text("[streamer]\nqueue = 99999\n")
        self.fails("simulate", file, "--gpu", "./bad.toml", names=["bad.toml:2", "1 to 1024"])
        (self.folder / "worse.toml").write_text("[streamer\n")
        self.fails("simulate", file, "--gpu", "./worse.toml", names=["worse.toml:1"])

    def test_work_without_end(self):
        for scene, text in (("endless draw", "DRAW: more than 2^27 vertices"),
                            ("many instances", "DRAW: more than 2^27 vertices"),
                            ("endless workgroups", "DISPATCH: more than 2^26 workgroups"),
                            ("endless fill", "FILL_BUFFER: more than 2^37 bytes")):
            self.fails("emulate", self.scene(scene), "--out", "o", names=["frame 1, submission 1", text, "not end"])

    def test_clocks_that_are_far_apart(self):
        slow = ("--set", "gpu.core_mhz=10000", "--set", "gpu.memory_mhz=1", "--set", "wires.memory_latency=64")
        result = self.call("simulate", self.scene("textured-triangle"), "--verify", *slow)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_frames(self):
        file = self.scene()
        for frames in ("0", "3..2", "a..b", "2...3", ""):
            self.fails("simulate", file, "--frames", frames, "--out", "o", names=["--frames"])
        self.fails("simulate", file, "--frames", "3..9", "--out", "o", names=["3..9", "1..4"])
        self.fails("emulate", file, "--frames", "5..", "--out", "o", names=["5..", "1..4"])

    def test_capture_file(self):
        file = self.scene()
        data = file.read_bytes()
        self.fails("simulate", "none.cutaway", "--out", "o", names=["none.cutaway"])
        bad = self.folder / "bad.cutaway"
        bad.write_bytes(data[:-100])
        for command in ("simulate", "emulate", "info", "disasm"):
            self.fails(command, bad, names=["bad.cutaway", "cut off"])
        for at in (40, len(data) // 3, len(data) // 2, len(data) - 60, len(data) - 10):
            bad.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1:])
            self.fails("simulate", bad, "--out", "o", names=["bad.cutaway"])
        bad.write_bytes(b"")
        self.fails("simulate", bad, names=["bad.cutaway", "not a capture"])
        bad.write_text("#!/bin/sh\n" * 20)
        self.fails("simulate", bad, names=["bad.cutaway", "not a capture"])
        self.fails("simulate", self.folder, names=["capture"])
        self.fails("simulate", self.scene("animation", "newer"), "--out", "o", names=["newer", "update"])
        # Whatever else is wrong with it.
        self.fails("simulate", self.scene("animation", "unsealed"), "--out", "o", names=["newer", "damaged", "update"])
        os.mkfifo(self.folder / "pipe")
        for command in ("simulate", "emulate", "info", "disasm"):
            self.fails(command, "pipe", names=["pipe", "not a file"])
            self.fails(command, "", names=["cannot be opened"])
            self.fails(command, "a" * 300, names=["aaa"])
            self.fails(command, "/dev/null", names=["/dev/null", "not a file"])

    def test_what_the_machine_does_not_execute(self):
        for scene, names in (("transform feedback", ["after draw 1", "attila has no transform feedback", "LOAD_FEEDBACK"]),
                             ("dispatches", ["dispatch 1", "compute programs", "DISPATCH"]),
                             ("storage writes", ["after draw 1", "attila has no vertex programs that store to buffers or images", "LOAD_PROGRAM"])):
            self.fails("simulate", self.scene(scene), "--out", "o", names=["frame 1", "submission 1", *names])
            self.assertEqual(self.call("emulate", self.scene(scene)).returncode, 0)

    def test_program(self):
        self.fails("run", "--", "no-such-program", names=["no-such-program", "not found"])
        self.fails("capture", "-o", "c", "--", "no-such-program", names=["no-such-program", "not found"])
        self.fails("capture", "-o", "c", "--", "true", names=["true", "no work"])
        self.fails("run", "--out", "o", "--", "false", names=["false", "exit code 1"], code=1)

    def test_shader(self):
        self.fails("run", "--out", "o", "--", options.unsupported_shader, names=["Int64Atomics"], program_speaks=True)

    def test_frames_that_a_program_does_not_present(self):
        self.fails("run", "--out", "o", "--frames", "2..3", "--", options.triangles, "/dev/null",
                   names=["2..3"], program_speaks=True)

    def test_output(self):
        file = self.scene()
        (self.folder / "file").write_text("")
        self.fails("simulate", file, "--out", "file/below", names=["file/below", "--out"])
        self.fails("emulate", file, "--out", "/proc/none", names=["/proc/none"])
        self.fails("run", "--out", "/proc/none", "--", "true", names=["/proc/none"])
        self.fails("capture", "-o", "/proc/none/c", "--", "true", names=["/proc/none/c"])
        self.fails("capture", "-o", self.folder, "--", "true", names=["folder"])
        (self.folder / "loop").symlink_to("loop")
        for out in ("file", "a" * 300, "loop", "loop/below"):
            self.fails("emulate", file, "--out", out, names=[out])
            self.fails("simulate", file, "--out", out, names=[out])
            self.fails("run", "--out", out, "--", "true", names=[out])
        for out in ("file/c", "a" * 300, "loop/c"):
            self.fails("capture", "-o", out, "--", "true", names=[out])

    def test_a_folder_that_may_not_be_written_or_read(self):
        if os.geteuid() == 0:
            self.skipTest("permissions do not bind root")
        file = self.scene()
        (self.folder / "closed").mkdir()
        hidden = self.folder / "closed" / file.name
        hidden.write_bytes(file.read_bytes())
        (self.folder / "closed").chmod(0)
        try:
            self.fails("emulate", file, "--out", "closed", names=["closed"])
            self.fails("simulate", file, "--out", "closed/below", names=["closed"])
            self.fails("capture", "-o", "closed/c", "--", "true", names=["closed"])
            for command in ("simulate", "emulate", "info", "disasm"):
                self.fails(command, hidden, names=[hidden.name, "Permission denied"])
        finally:
            (self.folder / "closed").chmod(0o755)


if __name__ == "__main__":
    main()
