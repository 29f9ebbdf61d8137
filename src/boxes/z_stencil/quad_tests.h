#pragma once

#include <cstdint>

#include "command_stream/legal.h"
#include "func/raster/samples.h"
#include "func/rop/depth_stencil.h"
#include "messages/draw_state.h"
#include "messages/messages.h"
#include "structures/quad_cache.h"

// When a quad is tested, how, and at which samples.
namespace cutaway::boxes {

// How depth and stencil of a quad are tested: always true for quads that hierarchical Z has accepted.
inline const func::DepthState& depth_of(const messages::QuadMessage& quad) {
  return quad.accepted ? quad.state->accepted_depth : quad.state->depth;
}

// True if a quad is tested before shading; a draw end is not.
bool tests_early(const messages::QuadMessage& quad);

// True if the test before shading decides: none follows.
inline bool decides_early(const messages::DrawState& state) {
  return state.depth_mode == arch::DepthMode::kEarly;
}

// Quads to shade that come of a quad: with sample shading one for each sample.
uint32_t quads_to_shade(const messages::QuadMessage& quad);

// Lanes of a quad that are tested at a sample.
inline uint32_t tested_lanes(const messages::QuadMessage& quad, uint32_t sample) {
  return quad.state->samples > 1 ? func::sample_lanes(quad.alive, sample) : quad.mask;
}

// Depth of each lane at a sample.
void depth_at(const messages::QuadMessage& quad, uint32_t sample, float z[4]);

// Bytes of an element that every test of the quad overwrites, whatever is stored: then nothing is read.
inline func::DepthState::Overwrite overwrite(const messages::QuadMessage& quad) {
  return depth_of(quad).overwrites[quad.primitive->primitive.front_facing ? 0 : 1];
}

// Bytes of an element that a state's tests read or may write: of one aspect, if tests leave the other alone.
structures::ElementPart tested_part(const func::DepthState& state);

// Counts and logs the lanes of `mask` that failed a test, by the test that they failed. late: after shading.
void note_killed(const messages::QuadMessage& quad, uint32_t sample, uint32_t mask,
                 const func::DepthResult& result, bool late);

}  // namespace cutaway::boxes
