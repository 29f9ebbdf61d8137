#include <fmt/format.h>

#include "probe/rates_parts.h"

// Rates of triangles and of program instructions.
namespace cutaway::probe {
namespace {

constexpr uint32_t kTriangles = 262144, kSomeTriangles = 8192, kFewTriangles = 2048;
// Enough to make the rest of a program negligible; vertex programs of 2004 had 512 instructions (NV4-6).
constexpr uint32_t kManyMads = 1024, kVertexMads = 448, kWaits = 256;
constexpr uint32_t kTurns = 256, kVertexTurns = 128, kConstructs = 16;

// Every second block of vertices takes the other of two loops.
void add_vertex_branches(std::vector<Rate>& to) {
  for (const uint32_t block : {1024u, 32u, 16u, 8u, 1u})
    to.push_back(times("R5-vertices-1024", fmt::format("R5-vertices-{}", block),
                       block == 1 ? "a branch taken by every other vertex"
                                  : fmt::format("a branch taken by every other {} vertices in a row", block),
                       {.vertex = "blocks",
                        .turns = kVertexTurns,
                        .block = block,
                        .triangles = kFewTriangles,
                        .apart = true}));
}

// Cost of flow constructs that all fragments take alike, relative to the same program without them.
void add_flow(std::vector<Rate>& to) {
  constexpr double kPipes = 16, kVertexUnits = 6;
  const auto flow = [&](const char* name, const char* what, const char* fragment) {
    to.push_back({.name = name,
                  .what = what,
                  .unit = "cycles of one of 16 pipes",
                  .work = kPixels * kConstructs / kPipes,
                  .draw = {.layers = 1, .fragment = fragment, .turns = 1},
                  .beside = "R5-straight",
                  .each = true});
  };
  to.push_back(
      idle("R5-straight", "the same without them", {.layers = 1, .fragment = "straight", .turns = 1}));
  flow("R5-if", "an if of a fragment program", "if");
  flow("R5-if-else", "an if with an else", "if_else");
  flow("R5-loop", "a loop of one turn", "loop");
  const auto vertices = [](const char* program) {
    return RateDraw{.vertex = program, .turns = 1, .triangles = kFewTriangles, .apart = true};
  };
  to.push_back(idle("R5-vertex-straight", "the same without them", vertices("straight")));
  to.push_back({.name = "R5-vertex-if",
                .what = "an if of a vertex program",
                .unit = "cycles of one of 6 units",
                .work = 3.0 * kFewTriangles * kConstructs / kVertexUnits,
                .draw = vertices("if"),
                .beside = "R5-vertex-straight",
                .each = true});
}

}  // namespace

void add_triangles(std::vector<Rate>& to) {
  const auto triangles = [&](const char* name, const char* what, const char* unit, double each,
                             RateDraw draw) {
    draw.triangles = kTriangles;
    to.push_back({.name = name, .what = what, .unit = unit, .work = each * kTriangles, .draw = draw});
  };
  triangles("R3-vertices", "vertices of culled triangles, four instructions each", "vertices", 3,
            {.apart = true, .transformed = true});
  triangles("R3-culled", "culled triangles of a strip", "triangles", 1, {});
  triangles("R3-drawn", "triangles of a strip, of two pixels each", "triangles", 1, {.side = 2});
  to.push_back(times("R3-culled", "R3-geometry",
                     "culled triangles, through a geometry program that passes them on",
                     {.triangles = kTriangles, .geometry = true}));
  // The vertex programs are long enough to be the bottleneck.
  const RateDraw apart{.vertex = "mads", .triangles = kFewTriangles, .apart = true};
  to.push_back(times("R3-apart", "R3-apart", "triangles of long vertex programs", apart));
  to.push_back(times("R3-apart", "R3-shared",
                     "the same, if each triangle shares two vertices with the one before",
                     {.vertex = "mads", .triangles = kFewTriangles, .indexed = true}));
}

void add_arithmetic(std::vector<Rate>& to) {
  to.push_back({.name = "R4-mads",
                .what = "multiplications and additions of four components",
                .unit = "MADs",
                .work = kPixels * kManyMads,
                .draw = {.layers = 1, .fragment = "mads_1024"}});
  to.push_back({.name = "R4-muls-and-mads",
                .what = "MADs with as many single multiplications",
                .unit = "instructions",
                .work = kPixels * kManyMads,
                .draw = {.layers = 1, .fragment = "muls"}});
  to.push_back(times("R4-muls-and-mads", "R4-normals",
                     "the same, with a vector of halves normalised for each two of them",
                     {.layers = 1, .fragment = "normals"}));
  to.push_back({.name = "R4-vertex-mads",
                .what = "multiplications and additions of four components in vertex programs",
                .unit = "MADs",
                .work = 3.0 * kSomeTriangles * kVertexMads,
                .draw = {.vertex = "mads_448", .triangles = kSomeTriangles, .apart = true}});
  to.push_back({.name = "R4-waits",
                .what = "a MAD of one component of few fragments, which waits for the one before",
                .unit = "cycles",
                .work = 16.0 * kWaits,
                .draw = {.fragment = "waits", .turns = 16, .triangles = 1, .side = 2},
                .each = true});
}

void add_branches(std::vector<Rate>& to) {
  // If both sides of a branch run for a whole group, fragments of which every second block takes the other of
  // two loops take twice as long as with the window's quarters as blocks.
  for (const uint32_t block : {kWindow / 2, 64u, 32u, 16u, 8u, 4u, 2u})
    to.push_back(times("R5-blocks-" + std::to_string(kWindow / 2), "R5-blocks-" + std::to_string(block),
                       fmt::format("a branch taken in every other block of {0} x {0} pixels", block),
                       {.layers = 1, .fragment = "blocks", .turns = kTurns, .block = block}));
  add_vertex_branches(to);
  add_flow(to);
}

}  // namespace cutaway::probe
