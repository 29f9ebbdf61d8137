#!/usr/bin/env python3
"""Plants bugs, one at a time, and tells which of them the tests find.

    tests/planted_bugs/run.py                      all of them
    tests/planted_bugs/run.py --kind time          of one kind: bits, time, counters, accounts
    tests/planted_bugs/run.py --sample 30          that many, drawn by --seed
    tests/planted_bugs/run.py NAME...              these
    tests/planted_bugs/run.py --check              only: does each edit of the list still apply?

It works in copies of the tree with builds of their own, one for each of --workers (--work, default
build/planted_bugs), so that the tree that you edit stays as it is. A run that was interrupted goes on where it
was; bugs that were tried with other sources are tried again. For each bug the test programs that can see it are
built and run until one fails: first the test of found_by.txt, which found it last (--write renews that file),
then those beside the file. A test that takes longer than --patience times what it takes without a bug has
failed. Exit code 1: too few were found, by kind (--least-bits, --least-others).
"""
import argparse
import random
import sys
import threading
import time

sys.dont_write_bytecode = True  # this folder is copied

import bug_list
import test_programs
from results import BROKEN, FoundBy, Results, table
from workshop import Unsound, Workshop


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="bugs of the list")
    parser.add_argument("--kind", action="append", choices=bug_list.KINDS, help="bugs of this kind; may be repeated")
    parser.add_argument("--file", metavar="TEXT", help="bugs in files whose path holds this text")
    parser.add_argument("--sample", type=int, metavar="N", help="N of them, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trust-killed", action="store_true",
                        help="do not try again what was found with other sources, here or in found_by.txt: tests are "
                             "mostly added")
    parser.add_argument("--work", default=str(bug_list.ROOT / "build" / "planted_bugs"), metavar="FOLDER")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="bugs at once (default 1)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="processes of each worker's build (default 1)")
    parser.add_argument("--write", action="store_true", help="writes the tests that found bugs to found_by.txt")
    parser.add_argument("--minutes", type=float, metavar="N", help="begin no further bug after N minutes")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="N",
                        help="leave out test programs that take longer than N seconds without a bug; what survives the "
                             "others is tried again by the next run without this")
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


class Work:
    """The bugs to try, which the workers take one by one."""

    def __init__(self, bugs, minutes, results, found_by):
        self.results, self.found_by = results, found_by
        self.todo = [bug for bug in bugs if results.outcome(bug) is None]
        if len(self.todo) < len(bugs):
            print(f"{len(bugs) - len(self.todo)} of {len(bugs)} have been tried before", flush=True)
        self.begun = time.monotonic()
        self.until = self.begun + minutes * 60 if minutes else float("inf")
        self.lock = threading.Lock()
        self.taken = self.done = 0
        self.error = None

    def next(self):
        """The next bug, or None."""
        with self.lock:
            if self.taken == len(self.todo) or time.monotonic() > self.until:
                return None
            self.taken += 1
            return self.todo[self.taken - 1]

    def stop(self):
        self.until = 0

    def try_bugs(self, workshop):
        while bug := self.next():
            at = time.monotonic()
            outcome, by = workshop.try_bug(bug, self.found_by.test(bug))
            seconds = time.monotonic() - at
            if outcome == BROKEN and self.until == 0:  # the interrupt reached the compiler, too
                return
            self.results.add(bug, outcome, by, seconds)
            with self.lock:
                self.done += 1
                left = (time.monotonic() - self.begun) / self.done * (len(self.todo) - self.done) / 60
                print(f"[{self.done}/{len(self.todo)}] {bug.kind} {bug.name}: {outcome}{' by ' + by if by else ''}, "
                      f"{seconds:.0f} s; about {left:.0f} min left", flush=True)

    def work_in(self, workshop):
        try:
            workshop.prepare([bug.file for bug in self.todo])
            self.try_bugs(workshop)
        except Unsound as error:
            self.error = error
            self.stop()


def try_all(work, workshops):
    """Ends when no bug is left, or after an interrupt when each worker has ended its bug."""
    threads = [threading.Thread(target=work.work_in, args=(workshop,)) for workshop in workshops]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        print("\ninterrupted: each worker ends its bug; the next run goes on here", flush=True)
        work.stop()
        for thread in threads:
            thread.join()
    if work.error:
        sys.exit(str(work.error))
    if work.taken < len(work.todo):
        print(f"stopped: {len(work.todo) - work.taken} bugs were not tried")


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
    workshops = [Workshop(options.work, number, options.jobs, options.patience, options.seconds)
                 for number in range(1, options.workers + 1)]
    found_by = FoundBy()
    results = Results(workshops[0].folder / "results.jsonl", workshops[0].digest, found_by, options.trust_killed,
                      options.seconds < float("inf"))
    bugs = chosen(bugs, options)
    if options.list:
        for bug in bugs:
            print(f"{bug.name}  {bug.kind}  {bug.file}  {bug.breaks}")
        return 0
    print(f"{len(bugs)} bugs; the copies of the tree are in {workshops[0].folder}", flush=True)
    try_all(Work(bugs, options.minutes, results, found_by), workshops)
    if options.write:
        found_by.write(bugs, results)
    text, good = table(bugs, results, options.least_bits, options.least_others)
    print(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
