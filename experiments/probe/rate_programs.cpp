#include "rate_programs.h"

#include <map>

#include "rate_frag_0.h"
#include "rate_frag_1.h"
#include "rate_frag_2.h"
#include "rate_frag_3.h"
#include "rate_frag_4.h"
#include "rate_frag_6.h"
#include "rate_frag_8.h"
#include "rate_frag_blocks.h"
#include "rate_frag_chain.h"
#include "rate_frag_chained.h"
#include "rate_frag_discards.h"
#include "rate_frag_if.h"
#include "rate_frag_if_else.h"
#include "rate_frag_loop.h"
#include "rate_frag_mads.h"
#include "rate_frag_mads_1.h"
#include "rate_frag_mads_1024.h"
#include "rate_frag_muls.h"
#include "rate_frag_normals.h"
#include "rate_frag_reads.h"
#include "rate_frag_shadows.h"
#include "rate_frag_straight.h"
#include "rate_frag_strides.h"
#include "rate_frag_waits.h"
#include "rate_geom.h"
#include "rate_vert.h"
#include "rate_vert_blocks.h"
#include "rate_vert_if.h"
#include "rate_vert_layers.h"
#include "rate_vert_mads.h"
#include "rate_vert_mads_448.h"
#include "rate_vert_straight.h"
#include "rate_vert_transformed.h"

namespace {

struct Words {
  const uint32_t* words;
  size_t bytes;
};
using Programs = std::map<std::string, Words>;

#define PROGRAM(stage, name)                                       \
  {                                                                \
#name, { rate_##stage##_##name, sizeof rate_##stage##_##name } \
  }

const Programs kFragments = {
    PROGRAM(frag, 0),         PROGRAM(frag, 1),        PROGRAM(frag, 2),        PROGRAM(frag, 3),
    PROGRAM(frag, 4),         PROGRAM(frag, 6),        PROGRAM(frag, 8),        PROGRAM(frag, blocks),
    PROGRAM(frag, chain),     PROGRAM(frag, chained),  PROGRAM(frag, discards), PROGRAM(frag, if),
    PROGRAM(frag, if_else),   PROGRAM(frag, loop),     PROGRAM(frag, mads),     PROGRAM(frag, mads_1),
    PROGRAM(frag, mads_1024), PROGRAM(frag, muls),     PROGRAM(frag, normals),  PROGRAM(frag, reads),
    PROGRAM(frag, shadows),   PROGRAM(frag, straight), PROGRAM(frag, strides),  PROGRAM(frag, waits)};
const Programs kVertices = {PROGRAM(vert, blocks),      PROGRAM(vert, if),
                            PROGRAM(vert, layers),      PROGRAM(vert, mads),
                            PROGRAM(vert, mads_448),    PROGRAM(vert, straight),
                            PROGRAM(vert, transformed), {"plain", {rate_vert, sizeof rate_vert}}};

VkShaderModule make(const headless::Context& context, const Programs& programs, const std::string& name) {
  const Words& program = programs.at(name);
  return context.make_shader(program.words, program.bytes);
}

}  // namespace

VkShaderModule vertex_program(const headless::Context& context, const cutaway::probe::RateDraw& draw) {
  const char* plain = draw.transformed ? "transformed" : draw.triangles ? "plain" : "layers";
  return make(context, kVertices, draw.vertex.empty() ? plain : draw.vertex);
}

VkShaderModule fragment_program(const headless::Context& context, const cutaway::probe::RateDraw& draw) {
  return make(context, kFragments, draw.fragment.empty() ? std::to_string(draw.textures) : draw.fragment);
}

VkShaderModule geometry_program(const headless::Context& context) {
  return context.make_shader(rate_geom, sizeof rate_geom);
}
