#pragma once

#include <bit>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "engine/simulator.h"
#include "func/raster/setup.h"
#include "isa/instruction.h"
#include "messages/draw_state.h"
#include "messages/messages.h"

// States, primitives and quads for tests of boxes.
namespace cutaway::messages::testing {

constexpr arch::Address kDepthAddress = 0x100000, kColorAddress = 0x200000;

inline arch::Surface surface(arch::Format format, uint32_t width, uint32_t height, arch::Address address) {
  arch::Surface s{};
  s.format = static_cast<uint32_t>(format);
  s.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled);
  s.width = width, s.height = height, s.depth = 1;
  s.levels = s.level_count = s.layers = s.layer_count = 1;
  s.swizzle = arch::kSwizzleIdentity;
  s.address = address;
  return s;
}

// A plain opaque draw of triangles; call prepare() after changes.
inline std::unique_ptr<DrawState> plain_state(uint32_t width = 64, uint32_t height = 64) {
  auto state = std::make_unique<DrawState>();
  arch::Registers& r = state->registers;
  r.vertex_out.point_size = r.vertex_out.layer = r.vertex_out.viewport_index = arch::kNoOutput;
  r.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
  r.raster.depth_clip = 1, r.raster.line_width = 1, r.raster.samples = 1, r.raster.sample_mask = 1;
  r.raster.viewports = r.raster.layers = 1;
  r.raster.width = width, r.raster.height = height;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  r.raster.viewport[0] = {{w / 2, h / 2, 1}, {w / 2, h / 2, 0}};
  r.raster.depth_range_max[0] = 1;
  r.raster.scissor[0] = {0, 0, width, height};
  r.color.target[0].surface = surface(arch::Format::R8G8B8A8_UNORM, width, height, kColorAddress);
  r.color.target[0].write_mask = 15;
  state->prepare();
  return state;
}

inline void add_depth(DrawState& state, arch::Compare compare, bool write = true,
                      arch::DepthMode mode = arch::DepthMode::kEarly) {
  auto& depth = state.registers.depth;
  depth.surface = surface(arch::Format::X8_D24_UNORM_PACK32, state.registers.raster.width,
                          state.registers.raster.height, kDepthAddress);
  depth.depth_test = 1, depth.depth_write = write, depth.hierarchical_z = 1;
  depth.depth_compare = static_cast<uint32_t>(compare);
  depth.mode = static_cast<uint32_t>(mode);
  state.prepare();
}

// temporaries, scratch_bytes: 0: as many as the text names; none.
inline void add_program(DrawState& state, arch::Stage stage, std::string_view text, uint32_t lanes = 4,
                        uint32_t temporaries = 0, uint32_t scratch_bytes = 0) {
  std::vector<isa::EncodedInstruction> words;
  auto& registers = state.registers.shader[static_cast<uint32_t>(stage)];
  for (const isa::Instruction& instruction : isa::assemble(text)) {
    words.push_back(isa::encode(instruction));
    if (instruction.dst.file == isa::File::kTemporary)
      temporaries = std::max(temporaries, instruction.dst.index + 1u);
    if (instruction.dst.file == isa::File::kOutput && instruction.dst.index < 32)
      registers.outputs |= 1u << instruction.dst.index;
    for (const isa::Source& source : instruction.src)
      if (source.file == isa::File::kInput && source.index < 32)
        registers.inputs = std::max(registers.inputs, source.index + 1u);
  }
  registers.instructions = static_cast<uint32_t>(words.size());
  registers.temporaries = temporaries;
  std::string error;
  state.stage[stage].program =
      command_stream::make_program(stage, std::move(words), temporaries, scratch_bytes, lanes, error);
  EXPECT_EQ(error, "");
}

inline VertexRef vertex(Pools& pools, float x, float y, float z = 0, float w = 1) {
  VertexRef ref = pools.vertices.allocate();
  ref->output = {};
  ref->output[0] = {std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), std::bit_cast<uint32_t>(z),
                    std::bit_cast<uint32_t>(w)};
  return ref;
}

// A triangle in pixels, with depths.
struct Corner {
  float x, y, z = 0;
};
inline PrimitiveRef triangle(Pools& pools, const DrawState& state, const Corner (&corner)[3],
                             Origin origin = {.draw = 1}) {
  const auto& raster = state.registers.raster;
  PrimitiveRef ref = pools.primitives.allocate();
  float position[3][4];
  for (uint32_t i = 0; i < 3; i++) {
    position[i][0] = corner[i].x / static_cast<float>(raster.width) * 2 - 1;
    position[i][1] = corner[i].y / static_cast<float>(raster.height) * 2 - 1;
    position[i][2] = corner[i].z;
    position[i][3] = 1;
    ref->vertex[i] = vertex(pools, position[i][0], position[i][1], position[i][2]);
  }
  func::SetupInput input;
  input.position = position;
  input.vertices = 3;
  input.primitive_id = origin.primitive;
  EXPECT_EQ(func::setup(state.registers, input, ref->primitive), func::SetupResult::kAccepted);
  ref->state = &state;
  ref->origin = origin;
  ref->vertices = 3;
  return ref;
}
// A primitive that covers every pixel of the target at depth z.
inline PrimitiveRef cover(Pools& pools, const DrawState& state, float z = 0, Origin origin = {.draw = 1}) {
  const auto w = static_cast<float>(state.registers.raster.width),
             h = static_cast<float>(state.registers.raster.height);
  return triangle(pools, state, {{0, 0, z}, {2 * w, 0, z}, {0, 2 * h, z}}, origin);
}

inline QuadMessage quad(const PrimitiveRef& primitive, int32_t x, int32_t y, float z = 0, uint8_t mask = 15) {
  QuadMessage q;
  q.primitive = primitive;
  q.state = primitive->state;
  q.origin = primitive->origin;
  q.x = x, q.y = y;
  q.z = {z, z, z, z};
  q.mask = mask;
  return q;
}
template <class Message>
Message draw_end(const DrawState& state, uint32_t draw = 1) {
  Message m;
  m.state = &state;
  m.origin.draw = draw;
  m.draw_end = true;
  return m;
}

// The account so far, checked: busy, starved, blocked and idle sum to all cycles.
inline engine::Account account_of(engine::Simulator& sim, const engine::Box& box) {
  sim.settle();
  const engine::Account account = box.account();
  EXPECT_EQ(account.busy + account.starved + account.blocked + account.idle, account.cycles);
  engine::Cycle starved = 0, blocked = 0;
  for (const auto& wait : account.waits) (wait.starved ? starved : blocked) += wait.cycles;
  EXPECT_EQ(starved, account.starved);
  EXPECT_EQ(blocked, account.blocked);
  return account;
}

// blame(k): cycles booked against a neighbour that takes k cycles per message. Each of `items` messages that
// it delays costs the neighbour's excess over `base`, the time after which everything else is done.
template <class Blame>
void expect_blame_per_item(Blame&& blame, engine::Cycle items, engine::Cycle base = 20) {
  const engine::Cycle at_base = blame(base);
  EXPECT_GE(at_base, items * base / 2);
  EXPECT_EQ(blame(base + 1) - at_base, items);
  EXPECT_EQ(blame(base + 7) - at_base, 7 * items);
}

// Two batches of so many copies of a primitive with their ends, then the end of the draw.
inline std::vector<PrimitiveMessage> two_batches(const PrimitiveMessage& primitive, size_t each = 3) {
  PrimitiveMessage end;
  end.state = primitive.state;
  end.batch_end = true;
  std::vector<PrimitiveMessage> all;
  for (int batch = 0; batch < 2; batch++) {
    all.insert(all.end(), each, primitive);
    all.push_back(end);
  }
  end.batch_end = false, end.draw_end = true;
  all.push_back(end);
  return all;
}

// Expects the end of each batch in the cycle of the primitive before it, and all else a cycle each.
template <class Message>
void expect_ends_pass_along(const std::vector<std::pair<engine::Cycle, Message>>& received,
                            size_t expected = 9) {
  ASSERT_EQ(received.size(), expected);
  for (size_t i = 1; i < received.size(); i++)
    EXPECT_EQ(received[i].first, received[i - 1].first + !received[i].second.batch_end) << i;
}

}  // namespace cutaway::messages::testing
