"""What piglit wrote, by test and subtest, and how two drivers compare."""
import bz2
import collections
import gzip
import json
import lzma
import pathlib

GOOD = {"pass", "warn", "dmesg-warn"}
STATES = ("pass", "fail", "crash", "timeout", "skip")
STATE_OF = {"warn": "pass", "dmesg-warn": "pass", "dmesg-fail": "fail", "incomplete": "crash", "notrun": "skip"}


def load(folder):
    """{test or test@subtest: state} of a result folder of piglit."""
    openers = {".json": open, ".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}
    for path in sorted(pathlib.Path(folder).glob("results.json*")):
        with openers[path.suffix](path, "rt", encoding="utf-8") as file:
            return flatten(json.load(file)["tests"])
    raise FileNotFoundError("no results.json in %s" % folder)


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
