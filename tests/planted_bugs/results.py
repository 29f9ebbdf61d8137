"""What became of each planted bug, kept in a file of lines, and the table of it."""
import dataclasses
import hashlib
import json
import threading

import bug_list

KILLED, SURVIVED, BROKEN = "killed", "survived", "does not compile"
PUT_OFF = "survived the quick tests"


def edit_digest(bug):
    text = "\0".join((bug.file, bug.after, bug.old, bug.new))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Results:
    """The outcomes of one --work folder. Several threads may add."""

    # quick: only some test programs run.
    def __init__(self, path, tree, found_by, trust_killed=False, quick=False):
        self.path, self.tree, self.found_by, self.trust_killed, self.quick = path, tree, found_by, trust_killed, quick
        self.by_name = {}
        self.lock = threading.Lock()
        if path.is_file():
            for line in path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                except ValueError:  # the end of a run that was killed
                    continue
                self.by_name[entry["name"]] = entry

    def last(self, name):
        return self.by_name.get(name, {})

    def outcome(self, bug):
        """What became of it, in this folder or according to found_by.txt; None: it is to be tried."""
        if self.known(bug):
            return self.last(bug.name)["outcome"]
        return KILLED if self.trust_killed and self.found_by.knows(bug) else None

    def known(self, bug):
        entry = self.last(bug.name)
        if entry.get("outcome") == PUT_OFF and not self.quick:
            return False
        same = entry.get("tree") == self.tree or (self.trust_killed and entry.get("outcome") == KILLED)
        return same and entry.get("edit") == edit_digest(bug)

    def add(self, bug, outcome, by, seconds):
        entry = {"name": bug.name, "kind": bug.kind, "edit": edit_digest(bug), "tree": self.tree,
                 "outcome": outcome, "by": by, "seconds": round(seconds, 1)}
        with self.lock, self.path.open("a") as file:
            self.by_name[bug.name] = entry
            file.write(json.dumps(entry) + "\n")


class FoundBy:
    """found_by.txt: for each bug its edit's digest and the test that found it last, which the next run tries first."""

    PATH = bug_list.FOLDER / "found_by.txt"

    def __init__(self):
        self.found = {}  # by name: (digest, test)
        if self.PATH.is_file():
            for line in self.PATH.read_text().splitlines():
                name, digest, test = line.split(" ", 2)
                self.found[name] = (digest, test)

    def test(self, bug):
        return self.found.get(bug.name, ("", ""))[1]

    def knows(self, bug):
        """The same edit was found, whatever the sources were then."""
        return self.found.get(bug.name, ("", ""))[0] == edit_digest(bug)

    def write(self, bugs, results):
        """Keeps what stood there of bugs that were not tried."""
        for bug in bugs:
            entry = results.last(bug.name)
            if entry.get("outcome") == KILLED:
                self.found[bug.name] = (edit_digest(bug), entry["by"])
            elif entry:
                self.found.pop(bug.name, None)
        names = {bug.name for bug in bug_list.read_all()}
        lines = [f"{name} {digest} {test}\n" for name, (digest, test) in sorted(self.found.items()) if name in names]
        self.PATH.write_text("".join(lines))


@dataclasses.dataclass
class Tally:
    planted: int = 0
    killed: int = 0

    def percent(self):
        return 100 * self.killed / self.planted if self.planted else 100.0


def table(bugs, results, least_bits, least_others):
    """The text, and whether enough were found. What no test can tell, or does not compile, does not count."""
    tallies = {kind: Tally() for kind in bug_list.KINDS}
    survivors, broken, equivalent, put_off, untried, earlier = [], [], [], [], 0, 0
    for bug in bugs:
        outcome = results.outcome(bug)
        if outcome is None:
            untried += 1
            continue
        earlier += results.last(bug.name).get("tree") != results.tree
        if outcome == PUT_OFF:
            put_off.append(bug)
        elif outcome == BROKEN:
            broken.append(bug)
        elif bug.equivalent and outcome == SURVIVED:
            equivalent.append(bug)
        else:
            tallies[bug.kind].planted += 1
            tallies[bug.kind].killed += outcome == KILLED
            if outcome == SURVIVED:
                survivors.append(bug)
    others = Tally(sum(tallies[kind].planted for kind in bug_list.KINDS[1:]),
                   sum(tallies[kind].killed for kind in bug_list.KINDS[1:]))
    lines = ["", f"{'kind':<24}{'planted':>8}{'killed':>8}{'survived':>10}{'killed of them':>16}"]
    rows = [(kind, tallies[kind]) for kind in bug_list.KINDS]
    rows.append(("time, counters, accounts", others))
    for kind, tally in rows:
        lines.append(f"{kind:<24}{tally.planted:>8}{tally.killed:>8}{tally.planted - tally.killed:>10}"
                     f"{tally.percent():>14.1f} %")
    for title, some in (("survived", survivors), (PUT_OFF, put_off), ("no test can tell", equivalent), ("does not compile", broken)):
        for bug in some:
            reason = bug.equivalent if some is equivalent else bug.breaks
            lines.append(f"{title}: {bug.kind} {bug.name}: {bug.file}: {reason}")
    if earlier:
        lines.append(f"found with earlier sources, not tried again: {earlier}")
    if untried:
        lines.append(f"not tried: {untried}")
    good = (tallies["bits"].percent() >= least_bits and others.percent() >= least_others and not broken)
    lines.append(f"expected: {least_bits:g} % of bits, {least_others:g} % of the others"
                 f"{'' if good else ': missed'}")
    return "\n".join(lines), good
