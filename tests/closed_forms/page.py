"""docs/closed-forms.md"""
from bounds import number

HEAD = """# Closed forms

What the clocked machine takes for scenes that ask for one thing, beside what that thing must take by the machine's parameters alone. `tests/closed_forms/run.py --write docs/closed-forms.md` writes this page; the test `closed_forms` measures every row anew and fails where one is not what is expected, within 2 % or what the row states.

**Derivation.** Each place that work goes through has a least time: what it has to do, divided by what it does in a cycle. The longest of them is expected; its formula stands in the row, with parameters as `cutaway gpus NAME` prints them, and the others behind it. Nothing in a formula is measured. Whole scenes, and what binds them, stand in [scenes.md](scenes.md).

**Measured.** A scene ([tests/scenes/closed_form_scenes.cpp](../tests/scenes/closed_form_scenes.cpp)) has three frames, and the third does the work of the second twice. What is measured is how much longer it takes, so that loading, the start and drain of the pipeline, the flush at the end and the scan-out of the picture before, which both begin with, cancel out. Cycles in which a frame waits for that scan-out alone are left out. Cycles are of the core's clock.

**Repeat.** `tests/closed_forms/run.py --only 'NAME'` with a row's name, which says SCENE@PRESET and what is changed of the preset, as PARAMETER=VALUE, one word behind the other; by hand:

    build/release/tests/app/write_scene SCENE scene.cutaway
    build/release/cutaway simulate --gpu PRESET --set PARAMETER=VALUE --out out scene.cutaway

**Differences.** Where measured and expected lie more than 2 % apart, the reason stands below the table, and the rows that begin with "…" are the proof of it: the same with that reason taken away by what they name besides, until 2 % hold.
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
