#!/usr/bin/env python3
"""`simulate --timeline` and `trace`: whole files or none, the same bytes again, and errors that name what is wrong."""
import re
import subprocess

from command_case import CommandTest, main


class Timeline(CommandTest):
    def test_a_timeline_is_whole_and_the_same_again(self):
        file = self.scene()
        window = ("--frames", "2", "--timeline-cycles", "100..900", "--quiet")
        result = self.call("simulate", file, "--timeline", "a.pftrace", *window)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("timeline: a.pftrace", result.stdout)
        self.assertEqual(self.call("simulate", file, "--timeline", "b.pftrace", "--seed", "3", *window).returncode, 0)
        first = (self.folder / "a.pftrace").read_bytes()
        self.assertEqual((self.folder / "b.pftrace").read_bytes(), first)
        self.assertFalse(list(self.folder.glob("*.part")))
        # protoc knows nothing of Perfetto: it reads packets, names and tracks by their numbers.
        raw = subprocess.run(["protoc", "--decode_raw"], input=first, capture_output=True, check=True).stdout.decode()
        self.assertIn('"gpu.shader0"', raw)
        self.assertIn('"starved by gpu.memory_controller (memory_in)"', raw)
        times = [int(time) for time in re.findall(r"^  8: (\d+)$", raw, re.M)]
        self.assertGreaterEqual(min(times), 100_000)
        self.assertLessEqual(max(times), 901_000)
        # The figures are those of a run that is not looked at.
        plain = self.call("simulate", file, "--frames", "2", "--quiet").stdout
        self.assertEqual(result.stdout.splitlines()[:8], plain.splitlines()[:8])

    def test_a_draw(self):
        file = self.scene()
        result = self.call("simulate", file, "--frames", "2", "--timeline", "a.pftrace", "--timeline-draw", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater((self.folder / "a.pftrace").stat().st_size, 10_000)

    def test_timelines_that_cannot_be(self):
        file = self.scene()
        at = ("simulate", file, "--quiet", "--timeline", "t.pftrace")
        one = (*at, "--frames", "2")
        self.fails(*one, names=["--timeline-cycles", "--timeline-draw"])
        self.fails("simulate", file, "--timeline-draw", "1", names=["--timeline FILE"])
        self.fails(*one, "--timeline-draw", "1", "--timeline-cycles", "1..2", names=["one of them"])
        self.fails(*one, "--timeline-cycles", "0..2", names=["--timeline-cycles", "0..2", "cycle"])
        self.fails(*one, "--timeline-cycles", "1..99999999", names=["1..99999999", "frame 2 has"])
        self.fails(*one, "--timeline-cycles", "99999999..", names=["frame 2 has"])
        self.fails(*one, "--timeline-draw", "7", names=["draw 7", "frame 2 has 2 draws"])
        self.fails(*one, "--timeline-draw", "0", names=["--timeline-draw 0"])
        self.fails(*at, "--timeline-draw", "1", names=["one frame", "--frames"])
        self.fails("simulate", file, "--frames", "2", "--timeline", "no/t", "--timeline-draw", "1", names=["no/t"])
        self.fails("simulate", file, "--frames", "2", "--timeline", ".", "--timeline-draw", "1", names=["not a file"])


class Trace(CommandTest):
    def test_a_fragment(self):
        file = self.scene()
        result = self.call("trace", file, "--frame", "1", "--draw", "2", "--fragment", "32,32", "--svg", "life.svg")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("fragment (32, 32) of primitive 0, draw 2", result.stdout)
        rows = [line.split() for line in result.stdout.splitlines() if line.startswith("gpu.")]
        self.assertEqual([rows[0][0], rows[-1][0][:-1]], ["gpu.streamer0", "gpu.color_write"])
        # By hand: what leaves a unit is sent to the next, arrives after its time on the wire, and is taken.
        leaves = int(rows[0][-1])
        for row in rows[1:]:
            sent, on_wire, arrives, waits, taken = map(int, row[2:7])
            self.assertEqual(sent, leaves)
            self.assertEqual(arrives, sent + on_wire)
            self.assertEqual(taken, arrives + waits)
            if row is not rows[-1]:
                self.assertEqual(int(row[8]), taken + int(row[7]))
                leaves = int(row[8])
        # ATTILA's wires: 6 cycles from the clipper to triangle setup, 10 on to fragment generation.
        by_unit = {row[0]: row for row in rows}
        self.assertEqual(by_unit["gpu.triangle_setup0"][3], "6")
        self.assertEqual(by_unit["gpu.fragment_generation0"][3], "10")
        svg = (self.folder / "life.svg").read_text()
        self.assertTrue(svg.startswith("<svg") and svg.endswith("</svg>\n"))
        for row in rows:
            self.assertIn(row[0], svg)
        slower = self.call("trace", file, "--frame", "1", "--draw", "2", "--fragment", "32,32",
                           "--set", "wires.clipper_latency=9").stdout
        self.assertRegex(slower, r"gpu.triangle_setup0 +PrimitiveMessage +\d+ +9 ")

    def test_a_vertex_and_a_request(self):
        file = self.scene()
        vertex = self.call("trace", file, "--frame", "1", "--draw", "2", "--vertex", "1")
        self.assertIn("vertex 1, draw 2", vertex.stdout)
        request = self.call("trace", file, "--frame", "1", "--draw", "2", "--request", "1")
        self.assertIn("gpu.memory_controller", request.stdout)

    def test_lives_that_cannot_be_told(self):
        file = self.scene()
        at = ("trace", file, "--quiet", "--svg", "life.svg")
        draw = (*at, "--frame", "1", "--draw", "2")
        self.fails(*draw, names=["--fragment", "--vertex", "--request"])
        self.fails(*draw, "--fragment", "1,1", "--vertex", "0", names=["one of"])
        self.fails(*draw, "--fragment", "12", names=["--fragment 12", "pixel"])
        self.fails(*draw, "--fragment", "0,63", names=["0,63", "does not cover"])
        self.fails(*draw, "--fragment", "32,32", "--primitive", "5", names=["primitive 5", "those that do: 0"])
        self.fails(*draw, "--vertex", "9", names=["vertex 9", "between 0 and 2"])
        self.fails(*draw, "--request", "100000", names=["request 100000"])
        self.fails(*at, "--frame", "1", "--draw", "3", "--vertex", "0", names=["draw 3", "2 draws"])
        self.fails(*at, "--frame", "1", "--vertex", "0", names=["--draw"])
        self.fails(*at, "--draw", "1", "--vertex", "0", names=["--frame"])
        self.fails(*at, "--frame", "9", "--draw", "1", "--vertex", "0", names=["9"])
        # Without a draw it says which there are.
        self.fails(*at, "--frame", "1", "--fragment", "32,32", names=["--draw", "1, 2"])
        self.fails(*at, "--frame", "1", "--fragment", "0,63", names=["--draw", ": 1"])


if __name__ == "__main__":
    main()
