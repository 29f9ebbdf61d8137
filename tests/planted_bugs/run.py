#!/usr/bin/env python3
"""Plants bugs, one at a time, and tells which of them the tests find.

    tests/planted_bugs/run.py                      all of them
    tests/planted_bugs/run.py --kind time          of one kind: bits, time, counters, accounts
    tests/planted_bugs/run.py --sample 30          that many, drawn by --seed
    tests/planted_bugs/run.py NAME...              these
    tests/planted_bugs/run.py --check              only: does each edit of the list still apply?

It works in a copy of the tree with a build of its own (--work, default build/planted_bugs), so that the tree
that you edit stays as it is. A run that was interrupted goes on where it was; bugs that were tried with other
sources are tried again. For each bug the test programs that can see it are built and run, those that find it
soonest first, until one fails. A test that takes longer than --patience times what it takes without a bug has
failed. Exit code 1: too few were found, by kind (--least-bits, --least-others).
"""
import argparse
import random
import sys
import time

sys.dont_write_bytecode = True  # this folder is copied

import bug_list
import test_programs
from results import Results, table
from workshop import Workshop


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="bugs of the list")
    parser.add_argument("--kind", action="append", choices=bug_list.KINDS, help="bugs of this kind; may be repeated")
    parser.add_argument("--file", metavar="TEXT", help="bugs in files whose path holds this text")
    parser.add_argument("--sample", type=int, metavar="N", help="N of them, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trust-killed", action="store_true",
                        help="do not try again what was found with other sources: tests are mostly added")
    parser.add_argument("--work", default=str(bug_list.ROOT / "build" / "planted_bugs"), metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes of the build (default 1)")
    parser.add_argument("--minutes", type=float, metavar="N", help="begin no further bug after N minutes")
    parser.add_argument("--patience", type=float, default=5, metavar="N",
                        help="a test has failed at N times its time without a bug (default 5)")
    parser.add_argument("--least-bits", type=float, default=95, metavar="PERCENT",
                        help="expected to be found of those that change bits (default 95)")
    parser.add_argument("--least-others", type=float, default=90, metavar="PERCENT",
                        help="expected to be found of the others (default 90)")
    parser.add_argument("--list", action="store_true", help="names the bugs and ends")
    parser.add_argument("--check", action="store_true", help="checks the list and ends")
    return parser.parse_args()


def chosen(bugs, options):
    """In an order of their own, so that a run that ends early is a fair sample."""
    known = {bug.name for bug in bugs}
    for name in options.names:
        if name not in known:
            sys.exit(f"{name}: no such bug; --list names them")
    if options.names:
        bugs = [bug for bug in bugs if bug.name in options.names]
    if options.kind:
        bugs = [bug for bug in bugs if bug.kind in options.kind]
    if options.file:
        bugs = [bug for bug in bugs if options.file in bug.file]
    bugs = sorted(bugs, key=lambda bug: bug.name)
    random.Random(options.seed).shuffle(bugs)
    return bugs[:options.sample] if options.sample else bugs


def try_all(bugs, options, workshop, results):
    begun = time.monotonic()
    todo = [bug for bug in bugs if not results.known(bug)]
    if len(todo) < len(bugs):
        print(f"{len(bugs) - len(todo)} of {len(bugs)} have been tried before", flush=True)
    for number, bug in enumerate(todo):
        spent = time.monotonic() - begun
        if options.minutes and spent > options.minutes * 60:
            print(f"stopped after {options.minutes:g} minutes: {len(todo) - number} bugs were not tried")
            break
        at = time.monotonic()
        outcome, by = workshop.try_bug(bug)
        seconds = time.monotonic() - at
        results.add(bug, outcome, by, seconds)
        left = (time.monotonic() - begun) / (number + 1) * (len(todo) - number - 1) / 60
        print(f"[{number + 1}/{len(todo)}] {bug.kind} {bug.name}: {outcome}{' by ' + by if by else ''}, "
              f"{seconds:.0f} s; about {left:.0f} min left", flush=True)


def main():
    options = arguments()
    bugs = bug_list.read_all()
    wrong = bug_list.check(bugs) + test_programs.missing(bugs)
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        sys.exit(1)
    if options.check:
        print(f"{len(bugs)} edits apply")
        return 0
    workshop = Workshop(options.work, options.jobs, options.patience)
    results = Results(workshop.folder / "results.jsonl", workshop.digest, options.trust_killed)
    bugs = chosen(bugs, options)
    if options.list:
        for bug in bugs:
            print(f"{bug.name}  {bug.kind}  {bug.file}  {bug.breaks}")
        return 0
    print(f"{len(bugs)} bugs; the copy of the tree is {workshop.tree}", flush=True)
    workshop.prepare([bug.file for bug in bugs])
    try:
        try_all(bugs, options, workshop, results)
    except KeyboardInterrupt:
        print("\ninterrupted: the next run goes on here")
    text, good = table(bugs, results, options.least_bits, options.least_others)
    print(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
