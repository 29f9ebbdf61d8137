"""Reads of a texture down a column, through TLBs."""
import math
from fractions import Fraction

from bounds import Bound, p
from table import Row, Section

READS, SECTOR, ROW = 512, 64, 4096  # reads of a thread; bytes of a transaction, and of a row of texels
TILE_ROWS = 8


class Column:
    """What the reads of a column touch: transactions, and pages, one after the other and over and over."""

    def __init__(self, layout, places, apart, page):
        tiled = layout == "tiled"
        rows = places * apart
        each = TILE_ROWS * ROW if tiled else ROW * apart  # bytes from one place of memory to the next
        self.transactions = READS // 4 if tiled and apart == 1 else READS  # a sector has four rows of a tile
        bytes_in_all = rows * ROW
        self.stride = max(1, each // page)  # of pages
        # Where several rows share a page, the texture begins in the middle of one.
        self.pages = bytes_in_all // each if each >= page else bytes_in_all // page + 1
        rounds = Fraction(READS, places)
        self.visits = self.pages * rounds  # of another page than before

    def misses(self, entries, ways):
        """With the least recently used page replaced, a set holds all of its pages or finds none of them."""
        sets = entries // ways
        used = sets // math.gcd(sets, self.stride)
        return self.visits if Fraction(self.pages, used) > ways else 0


def trip(m):
    """Of a transaction, but for what its sender takes."""
    return 2 * m["wires.memory_latency"] + m["memory.latency"] + Fraction(SECTOR, m["memory.bytes_per_cycle"])


def missed(m, layout, places, apart):
    column = Column(layout, places, apart, {"4KB": 4096, "64KB": 65536}[m["translation.pages"]])
    first = column.misses(m["translation.entries"], m["translation.ways"])
    second = column.misses(m["translation.l2_entries"], m["translation.l2_ways"]) if first else 0
    return column, first, second


def walkers():
    threads = 4

    def form(m):
        walk = 2 * (trip(m) + 1)
        read = (m["shader.texture_latency"] + m["texture.filter_latency"] + 3 * m["shader.simd_latency"] + 5 + m["translation.latency"] + trip(m) + 2
                + m["translation.l2_latency"] + walk)
        return [Bound("one read after the other", f"{READS} x {read}", Fraction(READS * read)),
                Bound("walks", f"{threads * READS:,} x 2 x ({trip(m)} + 1) / {p(m, 'translation.walks')}", Fraction(threads * READS * walk, m["translation.walks"]))]

    return [Row(f"four threads, {walks} walk{'s' if walks > 1 else ''} at once", "columns-4", form,
                sets=("shader.stages=vertex,fragment,compute", "shader.units=4", "shader.workgroups=1", "texture.cache_lines=4", "texture.cache_ways=4",
                      "memory.bytes_per_cycle=64", "translation.pages=4KB", f"translation.walks={walks}")) for walks in (1, 2, 4)]


def translation():
    base = ("shader.stages=vertex,fragment,compute", "shader.units=1", "shader.workgroups=1", "texture.cache_lines=4", "texture.cache_ways=4")

    def cycles(*where):
        def form(m):
            column, first, second = missed(m, *where)
            read = m["shader.texture_latency"] + m["texture.filter_latency"] + 3 * m["shader.simd_latency"] + 5
            text = (f"{READS} x ({p(m, 'shader.texture_latency')} + {p(m, 'texture.filter_latency')} + 3 x {p(m, 'shader.simd_latency')} + 5) "
                    f"+ {column.transactions} x ({p(m, 'translation.latency')} + {trip(m)} + 2)")
            total = READS * read + column.transactions * (m["translation.latency"] + trip(m) + 2)
            if first:
                text += f" + {first} x {p(m, 'translation.l2_latency')}"
                total += first * m["translation.l2_latency"]
            if second:
                text += f" + {second} x 2 x ({trip(m)} + 1)"
                total += second * 2 * (trip(m) + 1)
            return [Bound("one read after the other", text, Fraction(total))]
        return form

    def counted(*where):
        def form(m):
            column, first, _ = missed(m, *where)
            return [Bound("the first level", f"{column.visits} pages one after the other, {column.pages} of them, "
                                             f"{p(m, 'translation.entries')}", Fraction(first))]
        return form

    def misses(work):
        return work.sum(r"gpu\.address_translation\.texture\.misses")

    def row(layout, places, apart, *more, pages="4KB", beyond=False):
        """beyond: the reach of the first level."""
        what = f"{layout}, {places} texels {apart} row{'s' if apart > 1 else ''} apart, pages of {pages[:-2]} KB"
        named = ", ".join((what, *(one.replace("translation.", "") for one in more)))
        scene, sets = f"column-{layout}-{places}-of-{apart}", (*base, f"translation.pages={pages}", *more)
        where = layout, places, apart
        found = [Row(named, scene, cycles(*where), sets=sets)]
        return found + [Row(f"{named}: misses", scene, counted(*where), sets=sets, measured=misses, unit="misses")] * beyond

    rows = []
    for places in (8, 16, 32, 128, 256):
        rows += row("linear", places, 1, beyond=places > 16)
    for places in (64, 128, 256):
        rows += row("tiled", places, 1, beyond=places > 128)
    for places in (8, 16, 32):
        rows += row("tiled", places, 8, beyond=places > 16)
    rows += row("linear", 512, 1, pages="64KB", beyond=True) + row("linear", 128, 1, pages="64KB")
    for more in (("translation.entries=32", "translation.ways=32"), ("translation.l2_latency=30",), ("memory.latency=80",), ("translation.latency=5",)):
        rows += row("linear", 32, 1, *more)
    rows += row("linear", 256, 1, "memory.latency=80") + row("linear", 256, 1, "translation.l2_entries=256", "translation.l2_ways=8")
    rows += walkers()
    return Section("Address translation", "A thread reads 512 texels down a column of a texture, each when it has the one before. A row of texels has 4 KB: of a linear "
                                          "texture each row is in another page of 4 KB, of a tiled one eight rows are in one, and the next eight in the page eight "
                                          "behind. The texture cache holds four lines, so each read takes a transaction; of a tiled texture four rows "
                                          "share one. A read takes the texture unit's latency, and a transaction that of memory. A page that the first level lacks "
                                          "takes `translation.l2_latency` more, and one that the second lacks too takes two transactions of the walker: the entry of "
                                          "the directory, and that of the table. With the least recently used page replaced, a set either holds all pages that go "
                                          "round in it, or finds none: the reach of a TLB is its entries times the size of a page, if these pages use all of its "
                                          "sets. Those of a tiled column, eight apart, use two of the second level's sixteen. Then four threads of four units read pages that no TLB holds, and share the walker: each read takes its time, or the walks of all four do, `translation.walks` at once.", rows)
