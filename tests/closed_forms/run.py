#!/usr/bin/env python3
"""Closed forms against the clocked machine.

run.py [--cutaway PROGRAM] [--write-scene PROGRAM] [--whole] [--only TEXT] [--write docs/closed-forms.md]
simulates a third of the rows (--whole or --write: every row; --only: those whose name contains TEXT), prints them, writes the page if asked to, and fails where
measured and expected lie farther apart than the row states."""
import dataclasses
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page
import whole
from measure import Laboratory, page_parser
from rows import WITHIN, sections


@dataclasses.dataclass
class Result:
    what: str
    name: str  # to repeat it
    bounds: list  # longest first
    measured: float
    most: float  # difference that is right

    @property
    def expected(self):
        return self.bounds[0].cycles

    @property
    def difference(self):
        return float(self.measured / self.expected) - 1

    def right(self):
        return -min(WITHIN, self.most) <= self.difference <= self.most


def results_of(row, laboratory):
    """The row itself, and what it is with its reasons taken away."""
    def result(what, sets, most):
        machine = laboratory.machine(row.preset, sets)
        found = sorted(row.bounds(machine), key=lambda bound: -bound.cycles)
        name = " ".join([f"{row.scene}@{row.preset}", *sets])
        return Result(what, name, found, row.measured(laboratory.work(row.scene, machine)), most)

    last = len(row.without) - 1
    return [result(row.what, row.sets, row.within)] + [
        result(what, (*row.sets, *sets), WITHIN if i == last else row.within) for i, (what, sets) in enumerate(row.without)]


def main():
    parser = page_parser(__doc__)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wrong, tables = [], []
    with tempfile.TemporaryDirectory(prefix="cutaway_closed_forms_") as folder:
        laboratory = Laboratory(options.cutaway, options.write_scene, pathlib.Path(folder))
        for section in sections():
            table = []
            for row in section.rows if options.only or options.write else whole.sample(section.rows, 4, lambda row: row.name()):
                if not any(options.only in name for name in [row.name()] + [" ".join([row.name(), *sets]) for _, sets in row.without]):
                    continue
                results = results_of(row, laboratory)
                table.append((row, results))
                for one in results:
                    print(f"{one.name:90} {float(one.expected):10,.0f} {one.measured:10,.0f} {row.unit:8} {100 * one.difference:+6.1f} %", flush=True)
                wrong += [one for one in results if not one.right()]
            tables.append((section, table))
    if options.write:
        options.write.write_text(page.text(tables))
    for one in wrong:
        print(f"{one.name}: {100 * one.difference:+.1f} %, which is not within {100 * one.most:.0f} %; expected: "
              f"{one.bounds[0].name}, {one.bounds[0].formula}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
