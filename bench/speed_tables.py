"""The figures of speed.py as tables: for a terminal, for a page, and as rows of the page's history."""
import re

import measuring

BEGIN, END = "<!-- bench/speed.py writes from here -->", "<!-- to here -->"
ROWS = {"clock": "<!-- bench/speed.py adds rows of cycles above -->",
        "emulator": "<!-- bench/speed.py adds rows of traces above -->"}
HISTORY = ["attila", "attila:shader.units=8", "geforce6800", "g80", "d3d11"]  # columns of the page's history


def machine_name(gpu):
    name, *settings = gpu.split(":")
    return ", ".join([name, *(re.sub(r"^shader\.units=(\d+)$", r"\1 units", setting) for setting in settings)])


def builds_of(figures):
    return [build for build in ("old", "new") if build in figures["builds"]]


def frames_per_host_second(spread):
    return f"{spread['median']:,.0f}", f"{spread['least']:,.0f} to {spread['most']:,.0f}"


def clock_table(figures):
    """Columns and rows of the machines."""
    builds = builds_of(figures)
    columns = ["machine", "cycles"]
    for build in builds:
        named = f" ({build})" if len(builds) > 1 else ""
        columns += [f"cycles/s{named}", f"range{named}"]
    columns += (["new / old"] if len(builds) > 1 else []) + ["ticks/cycle", f"x {figures['ancestor']:,}"]
    rows = []
    for of in figures["clock"]:
        new = of["builds"]["new"]
        row = [machine_name(of["machine"]), f"{new['cycles']:,}" + ("" if of["agree"] else " (runs differ)")]
        for build in builds:
            row += frames_per_host_second(of["builds"][build]["cycles_per_second"])
        medians = [of["builds"][build]["cycles_per_second"]["median"] for build in builds]
        if len(builds) > 1:
            row.append(f"{medians[1] / medians[0]:.2f}")
        rows.append([*row, f"{new['ticks'] / new['cycles']:.1f}", f"{medians[-1] / figures['ancestor']:.1f}"])
    return columns, rows


def emulator_table(figures):
    """Columns and rows of the traces: CPU milliseconds a frame, and Cutaway's frames to those of the others."""
    renderers = figures["renderers"]
    others = [name for name in renderers if name != "cutaway"]
    columns = ["trace", *(f"{name}, ms" for name in renderers), *(f"to {name}'s" for name in others)]
    rows = []
    for of in figures["emulator"]:
        row = [of["trace"] + ("*" if of["whole_replay"] else "")]
        for name in renderers:
            ms = of["cpu_ms"].get(name)
            row.append(f"{ms['median']:.1f} ({ms['least']:.1f} to {ms['most']:.1f})" if ms
                       else "-" if name in of["cannot"] else "failed")
        rows.append(row + [f"{of['ratio'][name]:.2f}" if name in of["ratio"] else "-" for name in others])
    return columns, rows


def markdown(columns, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [columns, ["---"] * len(columns), *rows])


def aligned(columns, rows):
    widths = [max(map(len, cells)) for cells in zip(columns, *rows)]
    return "\n".join("  ".join([cells[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in
                                                            zip(cells[1:], widths[1:]))]).rstrip()
                     for cells in [columns, *rows])


def conditions(figures):
    host, new = figures["host"], figures["builds"]["new"]
    old = figures["builds"].get("old")
    return (f"{host['date']}; revision {new['revision']}, {new['compiler']}"
            + (f", in turn with {old['revision']}, {old['compiler']}" if old else "")
            + f"; {host['cpu']}, {host['cpus']} CPUs, load {host['load']} at the begin and {figures['load_at_end']} at "
              f"the end; Mesa {figures['mesa']}")


def of_turns(count, turn):
    return f"one {turn}" if count == 1 else f"medians of {count} {turn}s in turn"


def sentences(figures):
    """The texts above both tables."""
    clock = (f"Frame {figures['frame']} of {figures['capture']} on the clock: cycles a second of one process on one "
             f"core, {of_turns(figures['runs'], 'run')}. The last column compares with "
             f"{figures['ancestor']:,} cycles/s of attila-sim.")
    emulator = (f"CPU milliseconds a frame of all threads (--threads {figures['threads']}), "
                f"{of_turns(figures['rounds'], 'round')}, and Cutaway's frames to those of the others in the same time"
                + (". *: the whole replay with its start, divided by its frames, since its last frame cannot be drawn "
                   "again alone." if any(of["whole_replay"] for of in figures["emulator"]) else "."))
    return clock, emulator


def text(figures, layout):
    clock, emulator = sentences(figures)
    parts = [conditions(figures) + "."]
    if figures["clock"]:
        parts += [clock, layout(*clock_table(figures))]
    if figures["emulator"]:
        parts += [emulator, layout(*emulator_table(figures))]
    return "\n\n".join(parts)


def page_text(figures):
    """The block of the page, with the command that wrote it."""
    return f"{BEGIN}\n\n    {figures['command']}\n\n{text(figures, markdown)}\n\n{END}"


def history(figures):
    """Rows of the page's history, by kind."""
    date, revision = figures["host"]["date"], figures["builds"]["new"]["revision"]
    rates = {of["machine"]: of["builds"]["new"]["cycles_per_second"]["median"] for of in figures["clock"]}
    rows = {"clock": [], "emulator": []}
    if rates:
        rows["clock"] = [[date, revision, figures["host"]["cpu"],
                          *(f"{rates[gpu]:,.0f}" if gpu in rates else "" for gpu in HISTORY)]]
    for of in figures["emulator"]:
        ms, ratio = of["cpu_ms"], of["ratio"]
        if "cutaway" in ms and "lavapipe" in ratio:
            rows["emulator"].append([date, revision, of["trace"], f"{ms['cutaway']['median']:.1f}",
                                     f"{ms['lavapipe']['median']:.1f}", f"{ratio['lavapipe']:.2f}"])
    return {kind: ["| " + " | ".join(row) + " |" for row in of_kind] for kind, of_kind in rows.items()}


def write(page, figures):
    """Puts the figures into a page: the block of today's, and rows below those of other days."""
    old = page.read_text()
    if old.count(BEGIN) != 1 or old.count(END) != 1 or old.index(BEGIN) > old.index(END):
        raise measuring.CannotUse(f"{page}: has no lines '{BEGIN}' and '{END}' to write between")
    new = old[:old.index(BEGIN)] + page_text(figures) + old[old.index(END) + len(END):]
    for kind, rows in history(figures).items():
        if rows and ROWS[kind] not in new:
            raise measuring.CannotUse(f"{page}: has no line '{ROWS[kind]}' to add rows above")
        for row in rows:
            same = "|".join(row.split("|")[:4]) + "|"  # a row of the same day, revision and trace or host
            new = "\n".join(line for line in new.split("\n") if not line.startswith(same))
            new = new.replace(ROWS[kind], f"{row}\n{ROWS[kind]}")
    page.write_text(new)
