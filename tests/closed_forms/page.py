"""docs/closed-forms.md"""
from bounds import number

HEAD = """# Closed forms

This page compares the time that the clocked machine takes for scenes that stress one thing with the time that follows from the machine's parameters alone. `tests/closed_forms/run.py --write docs/closed-forms.md` writes this page. The test `closed_forms` measures the rows again and fails if one differs from the expectation by more than 2 %, or by more than the row states.

**Derivation.** Each unit that work goes through has a least time: its work divided by its rate a cycle. The longest of these is expected. The row gives its formula, with parameters as `cutaway gpus NAME` prints them, followed by the other bounds. Nothing in a formula is measured. [scenes.md](scenes.md) has whole scenes, and what binds them.

**Measured.** A scene ([tests/scenes/closed_form_scenes.cpp](../tests/scenes/closed_form_scenes.cpp)) has three frames, and the third does the work of the second twice. The measurement is the difference of their times, so that loading, the start and drain of the pipeline, the flush at the end and the scan-out of the picture before, with which both begin, cancel out. Cycles in which a frame waits for that scan-out alone are excluded. Cycles are of the core's clock.

**Repeat.** `tests/closed_forms/run.py --only 'NAME'` repeats a row by its name. The name is SCENE@PRESET, followed by the changed parameters as PARAMETER=VALUE. By hand:

    build/release/tests/app/write_scene SCENE scene.cutaway
    build/release/cutaway simulate --gpu PRESET --set PARAMETER=VALUE --out out scene.cutaway

**Differences.** If measured and expected differ by more than 2 %, the reason is given below the table. The rows that begin with "…" prove it: they remove that reason by the changes that they name, until 2 % hold.
"""


def derivation(result):
    first, *others = result.bounds
    rest = f"; {', '.join(f'{bound.name} {number(round(bound.cycles))}' for bound in others)}" if others else ""
    return f"{first.name}: {first.formula}{rest}".replace(" x ", " × ")


def percent(difference):
    return f"{100 * difference:+.1f} %".replace("-0.0 %", "0.0 %").replace("+0.0 %", "0.0 %")


def line(what, formula, result, name):
    """`name`: its words, each of which may stand on a line of its own."""
    return (f"| {what} | {formula} | {number(round(result.expected))} | {number(round(result.measured, 1))} | {percent(result.difference)} | "
            f"{' '.join(f'`{word}`' for word in name)} |")


def section_text(section, table):
    lines = [f"## {section.title}", "", section.text.replace("128x128", "128×128").replace("64x64", "64×64").replace("16x16", "16×16"), "",
             "| what | what binds: derivation; other bounds | expected | measured | difference | name |", "| --- | --- | ---: | ---: | ---: | --- |"]
    reasons = {}
    for row, (own, *without) in table:
        lines.append(line(own.what, derivation(own), own, own.name.split()))
        for one in without:
            lines.append(line("… " + one.what, "the same" if derivation(one) == derivation(own) else derivation(one), one,
                              one.name.split()[len(own.name.split()):]))
        if row.why:
            reasons.setdefault(row.why, []).append((row, own))
    lines.append("")
    for why, rows in reasons.items():
        names = ", ".join(f"{row.what} ({percent(own.difference)})" for row, own in rows)
        most = max(row.within for row, _ in rows)
        lines += [f"*{names}*: {why}. The test allows {100 * most:.0f} %.", ""]
    return "\n".join(lines)


def text(tables):
    return "\n".join([HEAD] + [section_text(*one) for one in tables]).rstrip() + "\n"
