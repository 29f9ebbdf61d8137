"""docs/scenes.md"""
from record import ENDLESS, NO_HZ, PERFECT, PLAIN, WRITTEN
from rows import held_up, hits, percent

HEAD = """# Scenes

Scenes of the kind that ATTILA's authors drew, on the preset `attila`: what binds each of them and why, and what holds of what their statistics let expect. `tests/ancestor_scenes/run.py --write docs/scenes.md` writes this page; the test `ancestor_scenes` simulates every scene anew, with all memory held against the emulator's, and fails where another unit binds than is stated, where the parameters that take the reason away gain less than a tenth, where an expectation holds that is said not to, or the other way round, and where one that does not hold moves by more than 5 %. Rates of single units stand in [closed-forms.md](closed-forms.md).

A scene ([tests/scenes/ancestor_scenes.cpp](../tests/scenes/ancestor_scenes.cpp)) is of 256x256 pixels if nothing else is said, and has two frames that are alike; measured is the second, beside the scan-out of the first. Each begins with a `CLEAR` of color and one of 24 bits of depth and 8 of stencil. Figures are of the whole frame. By hand:

    build/release/tests/app/write_scene SCENE scene.cutaway
    build/release/cutaway simulate --frames 2 --out out scene.cutaway
    build/release/cutaway explain out
"""

COLUMNS = """\
## Reads, hits and kills

**Z reads** are bytes that Z and stencil units read of memory: with compression and fast clears; without compression (`z_stencil.compression=false`); without both. **Texture bytes** are what texture units read of memory; beside them the footprint (lines of 256 bytes that were asked for, each once), what caches of 16 KB that are perfect would read (`texture.cache_ways=64`: fully associative, the least recently used line makes room; one for each of two texture units, as in the machine), and caches of 1 MB, which never evict. **Hits**: of all accesses, those to sectors that are under way among them. The torus' texture is what its resolve reads, each sample once; what is still as it was cleared is not read of memory. **Vertices**: indices that the vertex cache answers. **Killed**: quads that hierarchical Z kept from the Z units, of those that come to them without it.
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
    lines.append("Why one does not hold; in brackets the same with the reason taken away:\n")
    lines += [f"- *{'; '.join(names)}*: {why}." for why, names in reasons.items()]
    return "\n".join(lines).replace("256x256", "256×256").replace("128x128", "128×128").replace("64x64", "64×64").replace("8x8", "8×8").replace("4x4", "4×4") + "\n"
