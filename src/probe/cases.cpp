#include "probe/cases.h"

#include <algorithm>
#include <fmt/format.h>

#include "probe/shapes.h"

namespace cutaway::probe {
namespace {

using Pixels = std::vector<std::pair<uint32_t, uint32_t>>;

// Loop iterations: enough that shading dominates, and few enough to simulate. The paper uses 10^5 and 10^6.
constexpr uint32_t kSlowTurns = 1000, kBackgroundTurns = 4;
// One-pixel squares have so many vertices that their fragments need more iterations to dominate.
constexpr uint32_t kLongTurns = 4 * kBackgroundTurns;

// A tile in the lower left triangle, with twelve more to its right.
constexpr uint32_t kX = 64, kY = 320;

const char* const kTriangle = "E2.1-triangle";
const char* const kLongTriangle = "E2.1-triangle-long";

// E1.3 and E1.4: slow pixels, each with its own branch. The time is that of one of them.
class SlowPixels {
 public:
  SlowPixels(std::vector<Case>& to, bool waits) : to_(to), waits_(waits) {
    add("0", "no slow fragment: the time of the others", {}, {});
    add("2", "one slow pixel", {{kX, kY}}, {});
  }
  void operator()(const char* name, const char* what, Pixels at, const char* fact, double times) {
    add(name, what, std::move(at), {times, fact, full("2"), full("0")});
  }

 private:
  std::string full(const char* name) const { return std::string("E1.") + name + (waits_ ? "-waits" : ""); }
  void add(const char* name, const char* what, Pixels at, const Published& published) {
    const uint32_t turns = at.empty() ? 0 : kSlowTurns;
    to_.push_back({full(name),
                   std::string(what) + (waits_ ? "; every addition waits for the one before" : ""),
                   {.turns = turns, .at = std::move(at), .waits = waits_},
                   one_quad,
                   0,
                   published});
  }

  std::vector<Case>& to_;
  const bool waits_;
};

void add_e1(std::vector<Case>& to) {
  to.push_back(
      {"E1.1", "one quad, all of whose fragments are slow", {.background = kBackgroundTurns}, one_quad});
  for (const bool waits : {true, false}) {
    SlowPixels slow(to, waits);
    const auto two = [&](const char* name, const char* what, uint32_t right, uint32_t down, double times) {
      slow(name, what, {{kX, kY}, {kX + right, kY + down}}, "G80-4", times);
    };
    two("3-tiles", "two slow pixels in neighbouring tiles", 16, 0, 1);
    two("3-tiles-6", "two slow pixels, six tiles apart", 96, 0, 2);
    two("3-tiles-12", "two slow pixels, twelve tiles apart", 192, 0, 2);
    two("3-sub-tile", "two slow pixels of one sub-tile", 3, 2, 2);
    two("3-columns", "two slow pixels of a tile, in different columns of sub-tiles", 8, 0, 1);
    two("3-column", "two slow pixels of a tile, in sub-tiles one below the other", 0, 4, waits ? 1.1 : 2);
    if (waits) continue;
    slow("4-tiles", "four slow pixels in neighbouring tiles",
         {{kX, kY}, {kX + 16, kY}, {kX + 32, kY}, {kX + 48, kY}}, "G80-5", 1);
    slow("4-sub-tile", "four slow pixels of one sub-tile",
         {{kX, kY}, {kX + 3, kY}, {kX, kY + 2}, {kX + 5, kY + 3}}, "G80-5", 4);
    slow("4-column", "four slow pixels of a column of sub-tiles",
         {{kX, kY}, {kX, kY + 4}, {kX, kY + 8}, {kX, kY + 12}}, "G80-5", 4);
    slow("4-two-and-two", "two slow pixels in each column of a tile",
         {{kX, kY}, {kX, kY + 4}, {kX + 8, kY}, {kX + 8, kY + 8}}, "G80-5", 2);
    slow("4-two-in-each", "two slow pixels in a sub-tile of each column",
         {{kX, kY}, {kX + 3, kY + 2}, {kX + 8, kY}, {kX + 11, kY + 2}}, "G80-5", 2);
  }
  to.push_back({"E1.5",
                "32 slow pixels of one sub-tile, of one branch",
                {.turns = kSlowTurns, .at = {{kX, kY}}, .where = Where::kSubTile},
                one_quad,
                0,
                {1, "G80-5", "E1.2", "E1.0"}});
}

// An experiment of this project: two slow pixels with a given number of pixels of a large triangle drawn
// between them. If the rasteriser is stalled before it reaches the second, they are shaded one after the
// other.
void add_window(std::vector<Case>& to) {
  constexpr uint32_t kTile = 16, kColumn = 2 * kTile * kTile;  // pixels in a band of two rows of tiles
  for (const uint32_t apart :
       {512, 1024, 1536, 2560, 3584, 4096, 4352, 4608, 5120, 5376, 5632, 5888, 6400, 6656}) {
    const uint32_t right = apart / kColumn * kTile, down = apart % kColumn ? kTile : 0;
    to.push_back({.name = "E1.6-apart-" + std::to_string(apart),
                  .what = "two slow pixels, " + std::to_string(apart) + " pixels apart as G80 draws tiles",
                  .slowness = {.turns = kSlowTurns, .at = {{kX, kY}, {kX + right, kY + down}}},
                  .shape = one_quad,
                  .published = {.reference = "E1.2", .beside = "E1.0"},
                  .apart = apart});
  }
}

// The same where the second pixel is so many squares of a row further on. Tiles whose distance is a multiple
// of six belong to one cluster.
void add_windows_of_squares(std::vector<Case>& to) {
  for (const uint32_t size : {32, 16, 8}) {
    const uint32_t step = size == 8 ? 4 : 1, squares = (kWindow - kX) / size;
    for (uint32_t further = step; further < squares && further * size * size < 6000; further += step) {
      const uint32_t right = further * size;
      if (right % 96 == 0) continue;
      const std::string apart = std::to_string(right * size);
      to.push_back(
          {.name = fmt::format("E2.2-squares-{}-apart-{}", size, apart),
           .what = fmt::format("two slow pixels, with {} pixels of squares of {} between them", apart, size),
           .slowness = {.turns = kSlowTurns, .at = {{kX, kY}, {kX + right, kY}}},
           .shape = quads,
           .size = size,
           .published = {.reference = fmt::format("E2.2-squares-{}-one", size),
                         .beside = fmt::format("E2.2-squares-{}-none", size)},
           .apart = right * size});
    }
    to.push_back({.name = fmt::format("E2.2-squares-{}-none", size),
                  .what = fmt::format("squares of {} pixels, no slow fragment", size),
                  .shape = quads,
                  .size = size});
    to.push_back({.name = fmt::format("E2.2-squares-{}-one", size),
                  .what = fmt::format("squares of {} pixels, one slow pixel", size),
                  .slowness = {.turns = kSlowTurns, .at = {{kX, kY}}},
                  .shape = quads,
                  .size = size});
  }
}

// E2 to E4: all fragments are slow.
void add(std::vector<Case>& to, const std::string& name, const std::string& what, Shape (*shape)(uint32_t),
         uint32_t size, const Published& published) {
  const uint32_t turns =
      name == kLongTriangle || published.reference == kLongTriangle ? kLongTurns : kBackgroundTurns;
  to.push_back({name, what, {.background = turns}, shape, size, published});
}

void add_e2(std::vector<Case>& to) {
  add(to, kTriangle, "one triangle, larger than the window: the reference of E2 to E4", one_triangle, 0, {});
  add(to, kLongTriangle, "the same with a program four times as long: the reference of squares of one pixel",
      one_triangle, 0, {});
  for (const uint32_t size : {64, 32, 16, 8, 4, 1}) {
    const std::string end = "-" + std::to_string(size), of = std::to_string(size) + " pixels";
    const Published plain{size == 1   ? 8.5
                          : size == 4 ? 5.8
                                      : 1.28,
                          "G80-6", size == 1 ? kLongTriangle : kTriangle, "", false};
    add(to, "E2.1-quads" + end, "squares of " + of + ", two triangles each", quads, size, plain);
    add(to, "E2.1-strips" + end, "squares of " + of + ", strips of two triangles", strips, size, plain);
    if (size == 8)
      add(to, "E2.1-tiles" + end, "squares of " + of + ", tile after tile", quads_in_tiles, size, plain);
    if (size == 1) continue;
    add(to, "E2.1-shifted" + end, "squares of " + of + ", a pixel to the right", quads_shifted, size,
        {size == 4 ? 6.7 : 1.58, "G80-6", kTriangle, "", false});
  }
}

void add_e3(std::vector<Case>& to) {
  for (const uint32_t length : {512, 32, 16, 8, 4, 2})
    add(to, "E3.1-lines-" + std::to_string(length), "lines of " + std::to_string(length) + " pixels", lines,
        length, {length == 2 ? 4.5 : 2, "G80-7", kTriangle, "", false});
  for (const uint32_t size : {256, 128, 64, 16, 8, 4, 2, 1}) {
    const double ratio = size >= 128 ? 2 : size == 64 ? 2 * 1.08 : size >= 4 ? 2 * 1.18 : size == 2 ? 4.5 : 9;
    add(to, "E3.2-stacks-" + std::to_string(size), "stacks of lines of " + std::to_string(size) + " pixels",
        line_quads, size, {ratio, "G80-7", kTriangle, "", false});
  }
}

void add_e4(std::vector<Case>& to) {
  add(to, "E4.1", "points in rows", points, 0, {8, "G80-8", kTriangle, "", false});
  for (const uint32_t size : {128, 64, 32, 16, 8, 2}) {
    const double ratio = size > 16 ? 0 : size == 16 ? 8 * 1.83 : 8;
    // "Progressively increases": larger squares are compared with the next larger ones, these with rows.
    const std::string larger = size == 128 ? "E4.1" : "E4.2-squares-" + std::to_string(2 * size);
    add(to, "E4.2-squares-" + std::to_string(size),
        "squares of " + std::to_string(size) + " points along each side", point_quads, size,
        {ratio, "G80-8", size > 16 ? larger : kTriangle, "", false});
  }
  constexpr std::pair<uint32_t, double> kSpaced[] = {{2, 0.97}, {3, 1.08}, {4, 1.00}, {5, 1.05},
                                                     {7, 1.16}, {8, 1.10}, {16, 1.35}};
  for (const auto& [distance, ratio] : kSpaced)
    add(to, "E4.3-spaced-" + std::to_string(distance),
        "points " + std::to_string(distance) + " pixels apart; the time of a point", points_spaced, distance,
        {ratio, "G80-8", "E4.1", "", true});
  add(to, "E4.4", "all points on one pixel", points_on_one_pixel, 0, {6.1, "G80-8", "E4.1", "", false});
  add(to, "E4.5", "points on six pixels in turn, of six tiles", points_on_six_pixels, 6,
      {1, "G80-8", "E4.1", "", false});
}

// Section 5.3: long programs of scattered pixels.
void add_stars(std::vector<Case>& to) {
  const Slowness all_slow{.background = kBackgroundTurns};
  const Slowness scattered{.turns = kBackgroundTurns, .at = {kStars[0]}, .where = Where::kEachSubTile};
  to.push_back({"S5.3-sky", "a quad with a star in each sub-tile", scattered, one_quad});
  to.push_back({"S5.3-points",
                "the stars alone, as points: the paper expects a quarter of that",
                all_slow,
                star_points,
                0,
                {.reference = "S5.3-sky"}});
  to.push_back({"S5.3-packed",
                "as many stars side by side: it expects close to a 32nd",
                all_slow,
                star_block,
                0,
                {.reference = "S5.3-sky"}});
  to.push_back({.name = "S5.3-mask",
                .what = "a mask of depths, the quad without stars, then the stars: it expects a quarter",
                .slowness = scattered,
                .shape = one_quad,
                .published = {.reference = "S5.3-sky"},
                .base = one_quad,
                .mask = star_points});
  const Slowness two_kinds{
      .turns = kBackgroundTurns, .at = {kStars[0], kStars[1]}, .where = Where::kEachSubTile};
  to.push_back({"S5.3-one-kind",
                "a quad with two stars of one kind in each sub-tile: it expects the time of one",
                {.turns = kBackgroundTurns, .at = {kStars[0]}, .where = Where::kEachHalf},
                one_quad,
                0,
                {.reference = "S5.3-sky"}});
  to.push_back({"S5.3-two-kinds",
                "a quad with a star of each of two kinds in each sub-tile: it expects twice that",
                two_kinds,
                one_quad,
                0,
                {.reference = "S5.3-one-kind"}});
  to.push_back({"S5.3-kind-by-kind",
                "the stars of two kinds as points, kind by kind: it expects a quarter of that",
                two_kinds,
                star_points_by_kind,
                0,
                {.reference = "S5.3-two-kinds"}});
}

// Section 5: cases that the authors advise against, relative to the cases that they advise. They give no
// measured figures.
void add_advice(std::vector<Case>& to) {
  for (const uint32_t size : {64, 32, 16, 8})
    to.push_back({.name = "S5.1-draws-" + std::to_string(size),
                  .what = "squares of " + std::to_string(size) + " pixels, a draw for each",
                  .slowness = {.background = kBackgroundTurns},
                  .shape = quads,
                  .size = size,
                  .published = {.reference = "E2.1-quads-" + std::to_string(size)},
                  .per_draw = 6});
  const Slowness all_slow{.background = kBackgroundTurns};
  for (const uint32_t size : {8, 4, 1})
    to.push_back(
        {.name = "S5.2-deferred-" + std::to_string(size),
         .what = fmt::format("squares of {} pixels with a short program, then all pixels at once", size),
         .slowness = {.background = size == 1 ? kLongTurns : kBackgroundTurns},
         .shape = one_quad,
         .size = size,
         .published = {.reference = "E2.1-quads-" + std::to_string(size)},
         .base = quads});
  add_stars(to);
}

// Slow pixels that fall on one cluster or on all, one at a time or a line of them in a tile.
void add_balance(std::vector<Case>& to) {
  constexpr uint32_t kLineTurns = 100;
  const auto lines = [](const Lines& each) {
    return Slowness{
        .turns = kLineTurns, .at = {kSilhouetteAt}, .where = Where::kLines, .waits = false, .lines = each};
  };
  to.push_back({"S5.4-one-cluster", "25 slow pixels, all of one cluster of G80",
                lines({.pixels = 1, .across = 96, .down = 96}), one_quad});
  to.push_back({"S5.4-all-clusters",
                "as many, of all clusters in turn",
                lines({.pixels = 1, .across = 112, .down = 112}),
                one_quad,
                0,
                {.reference = "S5.4-one-cluster"}});
  to.push_back({"S5.4-twice",
                "pairs of them, of one cluster: it expects twice the time",
                lines({.pixels = 2, .across = 96, .down = 96}),
                one_quad,
                0,
                {.reference = "S5.4-one-cluster"}});
  to.push_back({"S5.5-silhouettes", "25 lines of 16 slow pixels, in a tile each, of different lives",
                lines(kSilhouettes), one_quad});
  Lines aside = kSilhouettes;
  aside.aside = 16;
  to.push_back({.name = "S5.5-aside",
                .what = "every other pixel of the lines in the next tile, and a pass that brings them back",
                .slowness = lines(aside),
                .shape = one_quad,
                .published = {.reference = "S5.5-silhouettes"},
                .base = one_quad});
  to.push_back({.name = "S5.5-points",
                .what = "a quad without them, then the lines as points",
                .slowness = lines(kSilhouettes),
                .shape = line_points,
                .published = {.reference = "S5.5-silhouettes"},
                .base = one_quad});
  to.push_back({.name = "S5.5-points-in-turn",
                .what = "the same, the points of all lines in turn, so that clusters take turns",
                .slowness = lines(kSilhouettes),
                .shape = line_points_in_turn,
                .published = {.reference = "S5.5-silhouettes"},
                .base = one_quad});
  to.push_back({.name = "S5.5-mask",
                .what = "a mask of depths, the quad without the lines, then the lines",
                .slowness = lines(kSilhouettes),
                .shape = one_quad,
                .published = {.reference = "S5.5-silhouettes"},
                .base = one_quad,
                .mask = line_points});
  Slowness half = lines(kSilhouettes);
  half.turns /= 2;
  Slowness other_half = half;
  other_half.at[0].first += 16;
  to.push_back({.name = "S5.5-parts",
                .what = "half of each program, then the other half a tile further to the right",
                .slowness = other_half,
                .shape = one_quad,
                .published = {.reference = "S5.5-silhouettes"},
                .base = one_quad,
                .base_slowness = half});
}

std::vector<Case> all() {
  std::vector<Case> made;
  add_e1(made);
  add_window(made);
  add_windows_of_squares(made);
  add_e2(made);
  add_e3(made);
  add_e4(made);
  add_advice(made);
  add_balance(made);
  return made;
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> made = all();
  return made;
}

const Case* find_case(std::string_view name) {
  const auto found = std::ranges::find(cases(), name, &Case::name);
  return found == cases().end() ? nullptr : &*found;
}

}  // namespace cutaway::probe
