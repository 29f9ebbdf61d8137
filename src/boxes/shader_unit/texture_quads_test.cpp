// Texture requests of several quads (DX-4: 16 threads), between the shader unit and a unit that answers at
// once.
#include <gtest/gtest.h>

#include "boxes/shader_unit/bench_for_test.h"

namespace cutaway::boxes::texture_quads_test {
namespace {

using namespace shader_unit_test_bench;

// Sends each message back in the cycle in which it comes.
class Echo final : public engine::Box {
 public:
  explicit Echo(std::string path) : Box(std::move(path)) {}
  engine::In<messages::TextureMessage> in;
  engine::Out<messages::TextureMessage> out;
  std::vector<std::pair<engine::Cycle, uint32_t>> quads;  // when each came

  void list_ports(engine::PortList& list) override { list("in", in), list("out", out); }
  engine::Cycle tick(engine::Cycle now) override {
    if (!in.peek(now)) return idle(now);
    while (in.peek(now)) {
      messages::TextureMessage message = in.take(now);
      quads.emplace_back(now, message.job->quad);
      out.send(now, std::move(message));
    }
    return busy(now);
  }
  std::string why_busy() const override { return ""; }
};

// The cycles in which the requests of a group of eight quads come, from the first on.
std::vector<engine::Cycle> cycles_of_requests(uint32_t texture_quads, uint32_t loads_under_way) {
  const func::FloatMode mode;
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ShaderUnitSpec spec{.group_lanes = 32,
                      .texture_quads = texture_quads,
                      .loads_under_way = loads_under_way,
                      .simd_lanes = 32};
  ShaderUnit& unit =
      sim.add<ShaderUnit>(clock, "shader", spec, EnumSet<arch::Stage>{arch::Stage::kFragment}, 1u, 1u, pools);
  auto& fragments = sim.add<Source<FragmentGroup>>(clock, "fragments");
  auto& buffer = sim.add<Sink<ShadedQuad>>(clock, "buffer");
  auto& echo = sim.add<Echo>(clock, "texture");
  sim.connect(fragments.out, unit.fragments_in, {1, 1, 4});
  sim.connect(unit.quads_out[0], buffer.in, {1, 1, 4});
  sim.connect(unit.texture_out, echo.in, {1, texture_quads, 4 * texture_quads});
  sim.connect(echo.out, unit.texture_in, {1, texture_quads, 4 * texture_quads});
  sim.elaborate();
  auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 32, 1);
  FragmentGroup group;
  group.state = state.get();
  group.quads = pools.group_quads.allocate();
  for (uint32_t q = 0; q < 8; q++) {
    group.quads->order[q] = q;
    messages::InterpolatedQuad& quad = group.quads->quad[group.quads->count++];
    quad.quad.state = state.get();
    quad.quad.mask = 15;
    quad.inputs = pools.fragment_inputs.allocate();
    *quad.inputs = {};
  }
  fragments.messages.push_back(group), fragments.wake();
  sim.run(clock, 200);
  EXPECT_EQ(buffer.received.size(), 8u) << "all quads are shaded";
  std::vector<engine::Cycle> cycles;
  for (const auto& [cycle, quad] : echo.quads) {
    EXPECT_EQ(quad, cycles.size());
    cycles.push_back(cycle - echo.quads[0].first);
  }
  return cycles;
}

TEST(TextureQuads, LeaveInOneCycle) {
  using Cycles = std::vector<engine::Cycle>;
  for (const uint32_t loads : {0u, 2u}) {
    EXPECT_EQ(cycles_of_requests(1, loads), (Cycles{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(cycles_of_requests(2, loads), (Cycles{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(cycles_of_requests(4, loads), (Cycles{0, 0, 0, 0, 1, 1, 1, 1}));
  }
}

}  // namespace
}  // namespace cutaway::boxes::texture_quads_test
