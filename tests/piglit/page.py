"""The part of docs/conformance.md that piglit's results make, and the list of known failures."""
import datetime
import pathlib
import re
import subprocess

import groups
import results

BEGIN, END = "<!-- piglit -->\n", "<!-- end of piglit -->"
HEADER = """\
# Tests of the quick group that do not pass on Cutaway: state and name. Held by tests/piglit/run.py --quick.
"""


def holds(ours, theirs):
    """At least the passes of the other driver less 1 %, no crash or hang of its own, no more skips."""
    a, b = results.count(ours), results.count(theirs)
    broken = [test for test, state in ours.items()
              if state in ("crash", "timeout") and theirs.get(test) not in ("crash", "timeout")]
    # A test that one run has not reported says nothing about skips.
    skipped = sum(state == "skip" and test in theirs for test, state in ours.items())
    return a["pass"] >= b["pass"] * 0.99 and not broken and skipped <= b["skip"]


def read_known(path):
    """{test: state} of the list of known failures."""
    known = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            state, test = line.split(" ", 1)
            known[test] = state
    return known


def cells(counts):
    return " | ".join(str(counts[s]) for s in results.STATES)


def rows_of(page):
    """{title: its two lines} of the support matrix as it stands in the page."""
    lines = page.splitlines()
    return {re.sub(r" \(behind\)$", "", line.split("|")[1].strip()): [line, lines[i + 1]]
            for i, line in enumerate(lines) if "| Cutaway |" in line}


def details_of(page):
    """{title: the lines below it} of what passes on lavapipe alone, as it stands in the page."""
    parts = re.split(r"^\*\*(.+)\*\*$", page, flags=re.MULTILINE)
    return {title: [line for line in text.splitlines() if line.startswith("- ")]
            for title, text in zip(parts[1::2], parts[2::2])}


def full_title(group):
    share = groups.SAMPLES.get(group)
    return groups.GROUPS[group][0] + (" (one of %d)" % share if share else "")


def table(folder, before):
    """Lines of the support matrix, from the result folders of both drivers; of groups without results those of
    the page before."""
    lines = ["| group | driver | pass | fail | crash | timeout | skip |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    details = []
    for name in groups.GROUPS:
        title = full_title(name)
        try:
            ours = results.load(folder / (name + ".cutaway"))
            theirs = results.load(folder / (name + ".lavapipe"))
        except FileNotFoundError:
            lines += rows_of(before).get(title, ["| %s | not run | | | | | |" % title])
            kept = details_of(before).get(title)
            details += ["", "**%s**" % title, "", *kept] if kept else []
            continue
        our_counts, their_counts = results.count(ours), results.count(theirs)
        mark = "" if holds(ours, theirs) else " (behind)"
        lines.append("| %s%s | Cutaway | %s |" % (title, mark, cells(our_counts)))
        lines.append("| | lavapipe | %s |" % cells(their_counts))
        worse = results.worse(ours, theirs)
        if worse:
            details += ["", "**%s**" % title, ""] + summarise(worse)
    return lines, details


def summarise(worse, most=40):
    lines = ["- `%s`: %s" % (test.removeprefix("spec@"), state) for test, state in list(worse.items())[:most]]
    if len(worse) > most:
        lines.append("- and %d more" % (len(worse) - most))
    return lines


def versions():
    """What was compared: this revision, Mesa's and piglit's packages, piglit's profiles."""
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "?"
    packages = ["%s %s" % (name, said("dpkg-query", "-W", "-f", "${Version}", package))
                for name, package in (("Mesa", "libgl1-mesa-dri"), ("piglit", "piglit"))]
    revision = said("git", "-C", str(pathlib.Path(__file__).parent), "describe", "--always", "--dirty")
    return ", ".join(["at revision " + revision, *packages, "profiles " + " and ".join(groups.PROFILES)])


def write(folder, path, known_path):
    """Replaces the page's generated part and the list of known failures of the quick group."""
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    lines, details = table(folder, rest.split(END)[0])
    before = rows_of(rest.split(END)[0])
    kept = [full_title(name) for name in groups.GROUPS
            if full_title(name) in before and not (folder / (name + ".cutaway")).exists()]
    body = lines + ["", "Written by `tests/piglit/run.py --write` on %s (%s). A test that one of the drivers did not come to "
                    "(the first subtest that fails may end a test) counts on the other's row alone." %
                    (datetime.date.today().isoformat(), versions())]
    if kept:
        body += ["", "Rows of an earlier revision: %s." % ", ".join(kept)]
    if details:
        body += ["", "### Tests that pass on lavapipe and not here"] + details
    path.write_text(head + BEGIN + "\n".join(body) + "\n" + END + tail, encoding="utf-8")
    quick = folder / "quick.cutaway"
    if quick.exists():
        states = results.load(quick)
        bad = sorted((t, s) for t, s in states.items() if s not in results.GOOD and s != "skip")
        known_path.write_text(HEADER + "".join("%s %s\n" % (s, t) for t, s in bad), encoding="utf-8")
