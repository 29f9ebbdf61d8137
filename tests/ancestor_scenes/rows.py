"""The scenes, with what binds each of them and why; and what ATTILA's statistics let expect of them."""
import dataclasses
from typing import Callable

from record import ENDLESS, PERFECT, PLAIN, WRITTEN


def percent(part):
    return f"{100 * part:.0f} %"


@dataclasses.dataclass
class Scene:
    name: str
    what: str
    binds: str  # kind of unit that holds up the dearest draw, as `explain` names it
    cure: tuple  # parameters that take it away: at least a tenth of the cycles
    why: Callable  # (Record, Machine) -> a sentence; the cycles with the cure stand behind it


def hits(r):
    found = r.frame.vertices
    return found["hits"] / (found["hits"] + found["misses"])


def issues(r, m):
    return f"{r.frame.sum('gpu.shader.[.]instructions'):,} instructions of groups, {m['shader.units']} a cycle, are {percent(r.frame.of_shaders('cycles_issued'))} of the cycles"


def indices(r, m):
    taken = r.frame.sum("gpu.streamer.[.]indices")
    return f"{taken:,} indices, {m['streamer.vertices_per_cycle']} a cycle, are {percent(taken / m['streamer.vertices_per_cycle'] / r.frame.cycles)} of the cycles"


def sphere(r, m):
    groups = r.frame.of_shaders("resident_groups")
    answers = r.frame.sum("gpu.memory_controller.texture.[.](latency)") / r.frame.sum("gpu.memory_controller.texture.[.](answered)")
    return (f"{groups:.0f} of {m['shader.threads'] // m['shader.group_lanes']} groups are inside a shader unit, mostly waiting for texture, and each sector takes {answers:.0f} cycles of "
            f"memory; the filters are busy for {percent(r.frame.sum('gpu.texture.[.]steps') / m['shader.units'] / r.frame.cycles)} of the cycles")


def blending(r, m):
    quads = r.frame.sum("gpu.color_write.[.]quads")
    return f"{quads:,} quads, {m['rop.units']} a cycle, are {percent(quads / m['rop.units'] / r.frame.cycles)} of the cycles"


def torus(r, m):
    works = sorted(r.findings["work"], key=lambda work: -work["cycles"])
    return (f"the resolve, {percent(works[0]['share_of_frame'])} of the cycles, fetches each of {r.frame.sum('gpu.texture.[.]texels'):,} samples by an instruction of its own; "
            f"the torus itself, {percent(works[1]['share_of_frame'])}, is held up by {held_up(works[1])}, which take one sample of a quad a cycle")


def room(r, m):
    works = sorted(r.findings["work"], key=lambda work: -work["cycles"])
    return issues(r, m) + (f", six for each visible quad; the depths drawn first take {percent(works[1]['share_of_frame'])}, held up by {held_up(works[1], 1)}, and no groups of fragments")


def held_up(finding, count=2):
    return ", ".join(f"{one['words']} {percent(one['share'])}" for one in finding["held_up_by"][:count])


THREADS = ("shader.threads=512", "texture.queue=256", "texture.step_queue=512")
UNITS = ("shader.units=4",)

SCENES = [
    Scene("lit-mesh", "a lit mesh without textures: a knot of 4,096 triangles, a light and its highlight at each vertex", "shader", UNITS, issues),
    Scene("reflection-sphere", "a sphere of 4,096 triangles with a reflection map: a cube of 128x128 texels a face with all mipmaps, trilinear", "texture",
          THREADS, sphere),
    Scene("layered-blending", "16 discs of glass before an opaque ground, tested against its depth", "color_write",
          ("rop.units=4",), blending),
    Scene("multisampled-torus", "a torus of 2,304 triangles, lit, with 4 samples per pixel; color, depth and stencil cleared, depth compressed; "
          "both sides drawn; resolved by a draw", "texture", UNITS, torus),
    Scene("fogged-room", "a hall with pillars and crates, depths first, then color where the depth is equal: a trilinear texture, a lamp, fog", "shader",
          UNITS, room),
    Scene("micropolygons", "a lit sheet of 18,432 triangles with legs of half a pixel, on 64x64 pixels", "streamer",
          ("streamer.vertices_per_cycle=2",), indices)]


@dataclasses.dataclass
class Without:
    """The same with a reason taken away."""
    what: str
    measured: Callable  # (Record)
    holds: bool = True  # with it, the expectation does


@dataclasses.dataclass
class Expectation:
    scene: str
    what: str
    low: float
    high: float
    digits: int  # to which what is measured is rounded
    measured: Callable  # (Record)
    why: Callable = None  # (Record): why it does not hold. None: it does
    now: float = None  # of one that does not hold: what is measured today, within a twentieth
    without: tuple = ()


def z_ratio(over, scene=None):
    def ratio(r):
        return r.other((), scene).bytes_read("z_stencil") / r.other(over, scene).bytes_read("z_stencil")
    return ratio


def texture_ratio(over):
    return lambda r: r.frame.bytes_read("texture") / r.other(over).bytes_read("texture")


def planes(r):
    one, two, plain = (r.frame.blocks(kind) for kind in ("one", "two", "plain"))
    covered = (r.frame.sum("gpu.fragment_generation.[.]fragments") - 256 * 256) / (r.frame.sum("gpu.triangle_setup.[.]primitives") - 1)
    return (f"a block is 8x8 pixels of one sample and has room for four planes, and a triangle of this torus covers {covered:.0f} pixels: of {one + two + plain:,} blocks written back "
            f"{percent(one / (one + two + plain))} were packed into one sector, {percent(two / (one + two + plain))} into two, and {percent(plain / (one + two + plain))} keep four. A "
            "quarter of the reads would need one sector for every block. In addition, a machine without compression reads only the requested sectors of a block")


def capacity(r):
    return (f"the textures of the frame are {r.footprint / 1024:.0f} KB and a cache has 16 KB: between two rows of tiles and two levels a sector is evicted before it is needed again. "
            "Associativity is not the cause: a fully associative cache of that size reads as much, as the row above says")


def z_sectors(r):
    return ("a miss is a sector (four quads), not a line (16 quads; a line that is tested once misses one of them: 94 %). The other sectors of a cleared or "
            "packed block come with it by opportunistic fetch; if a quad wants one while it is under way, it is requested again and counts as a miss. Quads "
            "are looked up as much as 64 (`z_stencil.queue`) ahead of the tested one, faster than memory answers")


def crowded(r):
    return ("each quad position is tested once for each of the four triangles that share its pixels, so a line is looked up 64 times instead of 16 while it is "
            "in the cache")


def texture_sectors(r):
    return ("a miss is a sector (4x4 texels), not a line (8x8): if a texel is drawn about once, as with mipmaps, one sample of 16 is the first of its sector. A cache that never evicts "
            f"would still miss {percent(1 - r.other(ENDLESS).hit_rate('texture'))}")


QUEUE_OF_4 = ("z_stencil.queue=4",)


def z_hits(scene, now, why=z_sectors, without=(Without("`z_stencil.queue=4`", lambda r: 100 * r.other(QUEUE_OF_4).hit_rate("z_stencil")),)):
    return Expectation(scene, "Z cache, hits, %", 91, 94, 0, lambda r: 100 * r.frame.hit_rate("z_stencil"), why, now, without)


def texture_hits(scene, **others):
    return Expectation(scene, "texture cache, hits, %", 97, 99, 0, lambda r: 100 * r.frame.hit_rate("texture"), **others)


COARSE = "multisampled-torus-coarse"
EXPECTATIONS = [
    Expectation("multisampled-torus", "Z reads, of those without compression", 0, 0.25, 2, z_ratio(PLAIN), planes, 0.82, (
        Without("a torus of 256 triangles", z_ratio(PLAIN, COARSE), False),
        Without("layered blending, whose blocks are all of one plane", z_ratio(PLAIN, "layered-blending"), False))),
    Expectation("multisampled-torus", "Z reads, of those without compression and fast clears", 0, 0.25, 2, z_ratio(WRITTEN), planes, 0.43, (
        Without("a torus of 256 triangles", z_ratio(WRITTEN, COARSE)),)),
    Expectation("reflection-sphere", "texture bytes, of those of a perfect cache of 16 KB (fully associative, LRU)", 0, 1.3, 2,
                texture_ratio(PERFECT)),
    Expectation("reflection-sphere", "texture bytes, of those of a cache that never evicts", 0, 1.3, 2, texture_ratio(ENDLESS), capacity, 1.45),
    z_hits("lit-mesh", 89.1), z_hits("reflection-sphere", 88.1), z_hits("layered-blending", 85.5),
    z_hits("multisampled-torus", 84.7, lambda r: z_sectors(r) + ". The torus' blocks that cannot be compressed also miss each sector separately", (
        Without("`z_stencil.queue=4`", lambda r: 100 * r.other(QUEUE_OF_4).hit_rate("z_stencil"), False),
        Without("and of 256 triangles", lambda r: 100 * r.other(QUEUE_OF_4, COARSE).hit_rate("z_stencil")))),
    z_hits("fogged-room", 85.7), z_hits("micropolygons", 98.4, crowded, ()),
    texture_hits("reflection-sphere", why=texture_sectors, now=93.7, without=(
        Without("counted by lines, each missed once", lambda r: 100 * (1 - r.first_touches / r.frame.accesses("texture"))),)),
    texture_hits("fogged-room")]
