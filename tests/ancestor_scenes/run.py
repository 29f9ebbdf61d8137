#!/usr/bin/env python3
"""Scenes of the kind that ATTILA's authors drew, on attila.

run.py [--cutaway PROGRAM] [--write-scene PROGRAM] [--write docs/scenes.md]
simulates every scene, held against the emulator, and on machines that take away what binds it; prints what binds, and
what is expected and measured; writes the page if asked to; and fails where one of them is not as rows.py states."""
import dataclasses
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(HERE / "tests/closed_forms"))  # measure

import page  # noqa: E402
from measure import page_parser  # noqa: E402
from record import Record, Studio  # noqa: E402
from rows import EXPECTATIONS, SCENES, held_up  # noqa: E402

CURED = 0.9  # of the cycles, at the most, are left by a cure
WITHIN = 0.05  # of what is measured today where an expectation does not hold


@dataclasses.dataclass
class Result:
    measured: float
    holds: bool
    why: str
    without: list  # (Without, measured)


def holds(one, measured):
    return one.low <= round(measured, one.digits) <= one.high


def result_of(one, r):
    measured = one.measured(r)
    return Result(measured, holds(one, measured), one.why(r) if one.why else "", [(other, other.measured(r)) for other in one.without])


def denied(one, result):
    """What rows.py states and is not so."""
    name = f"{one.scene}: {one.what}"
    wrong = []
    if result.holds == bool(one.why):
        wrong.append(f"{name}: {result.measured:.2f}: {page.verdict(result)}, which rows.py denies")
    elif one.why and abs(result.measured / one.now - 1) > WITHIN:
        wrong.append(f"{name}: {result.measured:.2f} is not within {100 * WITHIN:.0f} % of {one.now}")
    wrong += [f"{name}: with {other.what} {measured:.2f}: {'holds' if holds(one, measured) else 'does not hold'}, which rows.py denies"
              for other, measured in result.without if holds(one, measured) != other.holds]
    return wrong


def binding_of(scene, r):
    """What is wrong with it."""
    wrong = []
    kind = r.dearest()["held_up_by"][0]["kind"]
    if kind != scene.binds:
        wrong.append(f"{scene.name}: its dearest draw is held up by {kind}, not by {scene.binds}")
    cured = r.other(scene.cure).cycles
    print(f"{scene.name:24} {r.frame.cycles:8,} cycles, {cured:8,} cured; {held_up(r.findings, 3)}", flush=True)
    if cured > CURED * r.frame.cycles:
        wrong.append(f"{scene.name}: {' '.join(scene.cure)} leaves {cured:,} of {r.frame.cycles:,} cycles")
    return wrong


def main():
    options = page_parser(__doc__).parse_args()
    wrong, results = [], []
    with tempfile.TemporaryDirectory(prefix="cutaway_ancestor_scenes_") as folder:
        studio = Studio(options.cutaway, options.write_scene, pathlib.Path(folder))
        records = {scene.name: Record(studio, scene.name) for scene in SCENES}
        for scene in SCENES:
            wrong += binding_of(scene, records[scene.name])
        for one in EXPECTATIONS:
            result = result_of(one, records[one.scene])
            results.append((one, result))
            print(f"{one.scene:24} {one.what[:60]:60} {page.expected(one):12} {result.measured:7.2f} {page.verdict(result)}")
            wrong += denied(one, result)
        if options.write:
            rows = [(scene, records[scene.name]) for scene in SCENES]
            options.write.write_text(page.text(rows, results, studio.machine("attila", ())))
    for one in wrong:
        print(one)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
