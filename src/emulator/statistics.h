#pragma once

#include <cstdint>

namespace cutaway::emulator {

// X(name, meaning): the emulator's counters. vertices_shaded, and the instructions of programs with divergent
// lanes, depend on how it batches its work.
#define CUTAWAY_EMULATOR_STATISTICS(X)                                                          \
  X(submissions, "submissions that ended")                                                      \
  X(packets, "packets executed")                                                                \
  X(draws, "draws, indirect ones each by itself")                                               \
  X(indices, "vertices that draws asked for, through the index buffer or not")                  \
  X(vertices_shaded, "vertices that the vertex program ran for")                                \
  X(attributes_fetched, "vertex attributes read from memory")                                   \
  X(primitives_in, "points, lines and triangles assembled")                                     \
  X(primitives_clipped, "primitives cut by a plane of the view volume or the guard band")       \
  X(primitives_culled, "primitives that are outside, face away or cover nothing by their area") \
  X(primitives_rasterized, "primitives set up, pieces of clipped ones each by itself")          \
  X(tiles, "8x8 tiles with a covered pixel, counted by primitive")                              \
  X(quads, "2x2 quads with a covered pixel")                                                    \
  X(fragments, "covered pixels")                                                                \
  X(fragments_killed_early, "fragments that failed a test before shading")                      \
  X(fragments_shaded, "fragments that the fragment program ran for")                            \
  X(helpers_shaded, "helper lanes that ran beside them")                                        \
  X(fragments_killed_by_shader, "fragments that the program discarded")                         \
  X(fragments_killed_late, "fragments that failed a test after shading")                        \
  X(fragments_written, "fragments that reached a color target")                                 \
  X(vertex_instructions, "instructions, counted by vertex")                                     \
  X(fragment_instructions, "instructions, counted by lane of a running quad")                   \
  X(texture_quads, "texture instructions, counted by quad")                                     \
  X(bilinear_samples, "bilinear samples read")                                                  \
  X(buffer_loads, "words loaded from buffers")                                                  \
  X(words_stored, "words stored to buffers")                                                    \
  X(texels_stored, "texels stored to images")                                                   \
  X(atomics, "atomic operations on buffers and images")                                         \
  X(dispatches, "dispatches")                                                                   \
  X(invocations, "invocations of compute programs")                                             \
  X(compute_instructions, "instructions, counted by lane of a running group")                   \
  X(bytes_copied, "bytes written by copies and fills")
// clang-format on

struct Statistics {
#define X(name, meaning) uint64_t name = 0;
  CUTAWAY_EMULATOR_STATISTICS(X)
#undef X

  Statistics& operator+=(const Statistics& more) {
#define X(name, meaning) name += more.name;
    CUTAWAY_EMULATOR_STATISTICS(X)
#undef X
    return *this;
  }

  Statistics since(const Statistics& earlier) const {
    Statistics difference;
#define X(name, meaning) difference.name = name - earlier.name;
    CUTAWAY_EMULATOR_STATISTICS(X)
#undef X
    return difference;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {  // visit(name, meaning, value)
#define X(name, meaning) visit(#name, meaning, name);
    CUTAWAY_EMULATOR_STATISTICS(X)
#undef X
  }
};

}  // namespace cutaway::emulator
