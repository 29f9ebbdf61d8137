#!/usr/bin/env python3
"""The ancestor's regression frames rebuilt by their counts, on its machine, examples/machines/attila-sim.toml.

frames.py [--cutaway PROGRAM] [--write-scene PROGRAM] [--write docs/ancestor.md]
simulates every frame, held against the emulator; prints the cycles of its draws beside the ancestor's; writes the page
if asked to; and fails where they are not as FRAMES states."""
import dataclasses
import pathlib
import sqlite3
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(HERE / "tests/closed_forms"))  # measure

from measure import Laboratory, page_parser  # noqa: E402

MACHINE = HERE / "examples/machines/attila-sim.toml"
NEAR = 0.15  # of the ancestor's cycles: a frame that lies within is near
WITHIN = 0.02  # of what is measured today


@dataclasses.dataclass
class Frame:
    """Counts are the ancestor's; cycles: of its draws, to the end of their last fragment."""
    name: str
    what: str
    draws: int
    vertices: int
    shaded: int  # 0: not compared, since the ancestor counts vertices of whole groups
    triangles: int
    fragments: int
    written: int  # 0: not compared, since the ancestor counts pixels and this machine samples
    vertex_bytes: int
    cycles: int
    today: int  # cycles of this machine
    why: str = ""  # it is not near


FRAMES = [
    Frame("triangle", "one triangle", 1, 3, 0, 1, 7875, 7875, 512, 864, 915),
    Frame("spaceship", "small triangles without an index, a quarter of them hidden", 2, 26058, 26058, 8686, 63614, 45669, 729856, 93097, 91594),
    Frame("torus", "strips with 4 samples a pixel, two layers deep", 120, 7440, 7440, 7200, 441769, 0, 337920, 213421, 207953),
    Frame("spheremap", "textured strips, two layers deep", 35, 2520, 2520, 2450, 173916, 86958, 170240, 36448, 44848,
          "the scan binds, at 16 pixels a cycle: here each triangle covers parts of 4.5 tiles, of 4 cycles each; the ancestor's cycles leave 3.7 for one of its own"),
    Frame("8lights", "strips lit by eight lights, half of them culled", 50, 5000, 5000, 4900, 13398, 13398, 151040, 132093, 124257),
    Frame("micropolygon", "triangles of half a pixel, by an index", 1, 80599, 55152, 80597, 40000, 40000, 2425600, 333927, 311296),
    Frame("blendedcubes", "large blended squares, by an index", 1, 468, 312, 156, 290286, 290286, 10240, 35827, 32326),
    Frame("simplefog", "strips in fog, two layers deep", 80, 2560, 2560, 2400, 48960, 24480, 97280, 29749, 33006),
]

HEAD = """# The ancestor's frames

attila-sim, the ancestor, comes with regression frames and the statistics of each. Here are eight of the nine, rebuilt by these counts: as many draws, vertices of as many bytes, triangles, fragments and instructions, in a picture of the same size ([tests/scenes/counted_frames.cpp](../tests/scenes/counted_frames.cpp)). They are simulated on the machine of its regression configuration, [examples/machines/attila-sim.toml](../examples/machines/attila-sim.toml). Shapes are simpler than the ancestor's: strips lie straight below one another, and the sheet is flat. The torus' samples are not resolved: the ancestor does that in its display. The ninth copies textures and was left out: its cycles are those of copies that a driver makes in its own way.

`tests/ancestor_scenes/frames.py --write docs/ancestor.md` writes this page. The test `ancestor_frames` simulates every frame again, compares all memory with the emulator's, and fails if the draws of one take other cycles than here by more than 2 %.

Cycles are those in which a draw is under way. Its own are `cycles_draw`, `cycles_end_geometry` and `cycles_end_fragment` of its reference statistics, added.
"""

COUNTS = """
Counts, the ancestor's and then those here. Vertices shaded are compared where the ancestor counts them singly; fragments written where it counts them as this machine does.
"""


def numbers(name, laboratory):
    machine = laboratory.machine(MACHINE, ())
    frame = laboratory.run(f"counted-{name}", machine, "1..1", "--verify")["frames"][0]
    with sqlite3.connect(laboratory.folder / "out/run.sqlite") as database:
        works = database.execute("SELECT began, ended FROM work WHERE kind = 'draw' AND NOT of_driver ORDER BY began").fetchall()
    frame["draw_cycles"], frame["draws"], end = 0, len(works), 0
    for began, ended in works:
        frame["draw_cycles"] += max(0, ended - max(began, end))
        end = max(end, ended)
    frame["vertex_bytes"] = sum(value for name, value in frame["counters"].items()
                                if name.startswith("gpu.memory_controller.streamer_vertex") and name.endswith("read_bytes"))
    return frame


def table(head, align, lines):
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, align, *lines]) + "\n"


def pair(own, ours):
    return f"{own:,} / {ours:,}" if own else ""


def page(results):
    cycles = [[f"`{one.name}`", one.what, f"{one.cycles:,}", f"{r['draw_cycles']:,}", f"{r['draw_cycles'] / one.cycles:.2f}"] for one, r in results]
    near = sum(abs(r["draw_cycles"] / one.cycles - 1) <= NEAR for one, r in results)
    counts = [[f"`{one.name}`", pair(one.draws, r["draws"]), pair(one.shaded, r["vertices"]), pair(one.triangles, r["triangles"]),
               pair(one.fragments, r["fragments"]["generated"]), pair(one.written, r["fragments"]["written"]), pair(one.vertex_bytes, r["vertex_bytes"])]
              for one, r in results]
    whys = "".join(f"\n- `{one.name}`: {one.why}.\n" for one, _ in results if one.why)
    return (HEAD + "\n" + table(["frame", "what", "its cycles", "here", "ratio"], ["---", "---", "---:", "---:", "---:"], cycles) +
            f"\n{near} of {len(results)} lie within {100 * NEAR:.0f} %.\n{whys}" + COUNTS + "\n" +
            table(["frame", "draws", "vertices shaded", "triangles", "fragments", "written", "bytes of vertices"], ["---", *6 * ["---:"]], counts))


def main():
    options = page_parser(__doc__).parse_args()
    wrong, results = [], []
    with tempfile.TemporaryDirectory(prefix="cutaway_ancestor_frames_") as folder:
        laboratory = Laboratory(options.cutaway, options.write_scene, pathlib.Path(folder))
        for one in FRAMES:
            r = numbers(one.name, laboratory)
            results.append((one, r))
            print(f"{one.name:14} {r['draw_cycles']:8,} cycles of draws, {one.cycles:8,} of the ancestor's: {r['draw_cycles'] / one.cycles:.2f}", flush=True)
            if abs(r["draw_cycles"] / one.today - 1) > WITHIN:
                wrong.append(f"{one.name}: {r['draw_cycles']:,} cycles are not within {100 * WITHIN:.0f} % of {one.today:,}")
            if bool(one.why) != (abs(r["draw_cycles"] / one.cycles - 1) > NEAR):
                wrong.append(f"{one.name}: {'near' if one.why else 'not near'}, which FRAMES denies")
    if options.write:
        options.write.write_text(page(results))
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
