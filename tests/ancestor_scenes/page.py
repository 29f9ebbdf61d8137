"""docs/scenes.md"""
from record import ENDLESS, NO_HZ, PERFECT, PLAIN, WRITTEN
from rows import held_up, hits, percent

HEAD = """# Scenes

These are scenes of the kind that ATTILA's authors drew, on the preset `attila`. The page says what binds each of them and why, and compares them with the authors' statistics. `tests/ancestor_scenes/run.py --write docs/scenes.md` writes it. The test `ancestor_scenes` simulates every scene again and compares all memory with the emulator's. It fails if another unit binds than the stated one; if the parameters that remove the reason gain less than a tenth; if the verdict on an expectation changes; and if a value that does not meet its expectation changes by more than 5 %. [closed-forms.md](closed-forms.md) has rates of single units.

A scene ([tests/scenes/ancestor_scenes.cpp](../tests/scenes/ancestor_scenes.cpp)) is of 256x256 pixels unless stated otherwise, and has two equal frames. The second is measured, during the scan-out of the first. Each begins with a `CLEAR` of color and one of 24 bits of depth and 8 of stencil. Figures are of the whole frame. By hand:

    build/release/tests/app/write_scene SCENE scene.cutaway
    build/release/cutaway simulate --frames 2 --out out scene.cutaway
    build/release/cutaway explain out
"""

COLUMNS = """\
## Reads, hits and kills

- **Z reads** are bytes that Z and stencil units read from memory: with compression and fast clears; without compression (`z_stencil.compression=false`); without both.
- **Texture bytes** are bytes that texture units read from memory. The next columns are the footprint (requested lines of 256 bytes, each once); the reads of perfect caches of 16 KB (`texture.cache_ways=64`: fully associative with LRU; one for each of two texture units, as in the machine); and the reads of caches of 1 MB, which never evict. The torus' texture is read by its resolve, each sample once; samples that are still cleared are not read from memory.
- **Hits** are shares of all accesses; they include hits on sectors under way.
- **Vertices** are indices that the vertex cache answers.
- **Killed** are quads that hierarchical Z kept from the Z units, among those that would come to them without it.
"""


def table(head, align, lines):
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, align, *lines]) + "\n"


def share(value):
    return "" if value is None else f"{100 * value:.1f} %"


def binding(scene, r, machine):
    cured = r.other(scene.cure)
    works = sorted(r.findings["work"], key=lambda work: -work["cycles"])
    cure = " ".join(f"`{one}`" for one in scene.cure)
    return [f"`{scene.name}`", scene.what, f"{r.frame.cycles:,}", f"{held_up(r.findings, 3)}; of the dearest draw ({percent(works[0]['share_of_frame'])}): {held_up(works[0])}",
            f"{scene.why(r, machine)}. With {cure}: {cured.cycles:,}"]


def figures(scene, r):
    reads = [f"{one.bytes_read('z_stencil'):,}" for one in (r.frame, r.other(PLAIN), r.other(WRITTEN))]
    textures = [f"{value:,}" for value in (r.frame.bytes_read("texture"), r.footprint, r.other(PERFECT).bytes_read("texture"), r.other(ENDLESS).bytes_read("texture"))]
    without = r.other(NO_HZ).sum(r"gpu\.hierarchical_z\d\.quads")
    killed = without - r.frame.sum(r"gpu\.hierarchical_z\d\.quads")
    return [f"`{scene.name}`", *reads, *(textures if r.footprint else [""] * 4), *(share(r.frame.hit_rate(unit)) for unit in ("z_stencil", "texture", "color_write")),
            share(hits(r)), f"{killed:,} of {without:,}"]


def expected(one):
    return f"{one.low} to {one.high}" if one.low else f"at most {one.high}"


def verdict(result):
    return "holds" if result.holds else "does not hold"


def text(rows, results, machine):
    lines = [HEAD, "## What binds\n", table(["scene", "what", "cycles", "held up by", "why"], ["---", "---", "---:", "---", "---"],
                                            [binding(scene, r, machine) for scene, r in rows]), COLUMNS,
             table(["scene", "Z reads", "without compression", "without both", "texture bytes", "footprint", "perfect", "never evicts", "Z hits", "texture hits", "color hits", "vertices", "killed"],
                   ["---"] + ["---:"] * 12, [figures(scene, r) for scene, r in rows]), "## Expected\n",
             table(["scene", "what", "expected", "measured", "verdict"], ["---", "---", "---", "---:", "---"],
                   [[f"`{one.scene}`", one.what, expected(one), f"{result.measured:.{max(one.digits, 1)}f}", verdict(result)] for one, result in results])]
    reasons = {}
    for one, result in results:
        if one.why:
            without = "; ".join(f"{other.what}: {value:.{max(one.digits, 1)}f}" for other, value in result.without)
            reasons.setdefault(result.why, []).append(f"`{one.scene}`, {one.what}" + (f" ({without})" if without else ""))
    lines.append("Reasons why an expectation does not hold; in brackets the value with the reason removed:\n")
    lines += [f"- *{'; '.join(names)}*: {why}." for why, names in reasons.items()]
    return "\n".join(lines).replace("256x256", "256×256").replace("128x128", "128×128").replace("64x64", "64×64").replace("8x8", "8×8").replace("4x4", "4×4") + "\n"
