"""What piglit wrote, by test and subtest, and how two drivers compare."""
import bz2
import collections
import gzip
import json
import lzma
import pathlib
import re

import groups

GOOD = {"pass", "warn", "dmesg-warn"}
STATES = ("pass", "fail", "crash", "timeout", "skip")
STATE_OF = {"warn": "pass", "dmesg-warn": "pass", "dmesg-fail": "fail", "incomplete": "crash", "notrun": "skip"}


def tests_of(folder):
    openers = {".json": open, ".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}
    for path in sorted(pathlib.Path(folder).glob("results.json*")):
        with openers[path.suffix](path, "rt", encoding="utf-8") as file:
            return json.load(file)["tests"]
    raise FileNotFoundError("no results.json in %s" % folder)


def again(folder):
    """Where the second run lies, of tests that did not end in the first."""
    return pathlib.Path(folder) / "again"


def load(folder):
    """{test or test@subtest: state} of a result folder of piglit. A second run's word counts; there the tests that
    shared a process are single ones, and what stood for the process is none. Of those that share a process piglit
    leaves none out: what is not to be counted goes here."""
    states = flatten(tests_of(folder))
    second = {}
    if again(folder).exists():
        for profile in sorted(again(folder).iterdir()):
            second.update(flatten({n: t for n, t in tests_of(profile).items() if t["result"] != "notrun"}))
    ended = {n for n, s in states.items() if s in ("crash", "timeout")}
    told_by_others = {n for n in ended if any(m.startswith(n + "@") for m in ended | second.keys())}
    states = {n: s for n, s in states.items() if n not in told_by_others}
    states.update(second)
    return {n: s for n, s in states.items() if not re.search(groups.EXCLUDED, n)}


def unfinished(folder):
    """Tests without an end. Piglit runs many shader tests in one process: what ends that leaves all that follow
    without a result."""
    return sorted(name for name, state in flatten(tests_of(folder)).items()
                  if state in ("timeout", "crash") and not re.search(groups.EXCLUDED, name))


def flatten(tests):
    states = {}
    for name, test in tests.items():
        subtests = {k: v for k, v in (test.get("subtests") or {}).items() if not k.startswith("__")}
        for subtest, state in subtests.items():
            states["%s@%s" % (name, subtest)] = STATE_OF.get(state, state)
        if not subtests or test["result"] in ("crash", "timeout", "incomplete"):
            states[name] = STATE_OF.get(test["result"], test["result"])
    return states


def count(states):
    counts = collections.Counter(states.values())
    return {state: counts.get(state, 0) for state in STATES}


def worse(ours, theirs):
    """Tests that pass there and do not here, with our state."""
    return {name: ours.get(name, "missing") for name, state in sorted(theirs.items())
            if state in GOOD and ours.get(name) not in GOOD}
