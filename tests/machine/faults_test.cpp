// Bugs that hardware could have, planted in the mechanism: each must show as memory that differs from the
// emulator's, and the same scene without it must not differ.
#include <algorithm>

#include "gpu_run.h"

namespace cutaway {
namespace {

using arch::Stage;

void expect_found(const scenes::Scene& scene, const machine::Faults& faults,
                  const machine::Config& config = {}) {
  const uint64_t expected = on_emulator(scene);
  machine::MachineOptions options;
  EXPECT_EQ(on_machine(scene, config, options).memory, expected) << "without the fault";
  options.faults = faults;
  EXPECT_NE(on_machine(scene, config, options).memory, expected) << "with the fault";
}

TEST(Faults, ADroppedDirtyBitIsFound) {
  scenes::Builder b("fill");
  b.clear(0.25f, 0.5f, 0.75f, 1);
  b.end_frame();
  const scenes::Scene scene = b.take();
  for (uint64_t write : {1u, 100u, 2000u}) expect_found(scene, {.drop_dirty_bit = write});
}

constexpr float kQuad[] = {-1, -1, 0, 1, 0, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1};

void textured_programs(scenes::Builder& b, const arch::Surface& texture) {
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(Stage::kFragment, "TEX o0, i0, t0, s0, 2D\nEND\n", arch::kShaderDerivatives);
  b.interpolants({1});
  const arch::Sampler nearest = scenes::sampler(arch::Filter::kNearest);
  b.textures({&texture, 1}, {&nearest, 1});
  b.vertices({std::begin(kQuad), std::end(kQuad)}, {4, 2});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
}

// A texture is sampled, written by a copy, and sampled again.
scenes::Scene texture_written_between_draws() {
  scenes::Builder b("texture written between draws");
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 8, 8);
  b.fill_level(texture, 0, std::vector<uint32_t>(64, 0xff0000ff));
  textured_programs(b, texture);
  b.draw(4);
  b.commands.packet(arch::Opcode::kWaitIdle);
  b.commands.packet(arch::Opcode::kFillBuffer, arch::FillBufferPacket{texture.address, 256, 0xff00ff00});
  b.commands.packet(arch::Opcode::kWaitIdle);
  b.commands.packet(arch::Opcode::kInvalidate, uint32_t{arch::kCacheTexture});
  b.draw(4);
  b.end_frame();
  return b.take();
}

TEST(Faults, ASkippedTextureInvalidateIsFound) {
  expect_found(texture_written_between_draws(), {.skip_texture_invalidate = true});
}

// Glass over glass; what lies below takes a long loop to shade.
TEST(Faults, ReleaseInCompletionOrderIsFound) {
  scenes::Builder b("panes");
  b.clear(0, 0, 0, 1);
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  // i0.w: how often the loop runs.
  b.program(Stage::kFragment,
            "MOV r0, c0.xxxx\nLOOP\nFGE r0.y, r0.x, i0.w\nBRK r0.y\nADD r0.x, r0.x, c0.y\nNEXT\nENDLOOP\n"
            "MOV r1, i0.xyzz\nMOV r1.w, c0.z\nMOV o0, r1\nEND\n");
  b.constants(Stage::kFragment, 0, {0, 1, 0.5f, 0});
  b.interpolants({1}, arch::Interpolation::kFlat);
  auto& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
  target.color_destination = target.alpha_destination =
      static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrcAlpha);
  target.color_op = target.alpha_op = static_cast<uint32_t>(arch::BlendOp::kAdd);
  std::vector<float> values;
  for (uint32_t pane = 0; pane < 8; pane++) {
    const float loops = pane % 2 ? 0 : 40, red = pane % 2 ? 0 : 1;
    for (const auto& [x, y] : {std::pair{-0.9f, -0.9f}, {-0.7f, -0.9f}, {-0.9f, -0.7f}})
      for (float value : {x, y, 0.0f, 1.0f, red, 1 - red, 0.1f * float(pane), loops}) values.push_back(value);
  }
  b.vertices(values, {4, 4});
  b.draw(24);
  b.end_frame();
  expect_found(b.take(), {.release_in_completion_order = true});
}

// ---- Packets removed from a command stream ----

// The scene with the n-th packet of an opcode in its submissions made a NOP of the same length.
scenes::Scene without_packet(const scenes::Scene& scene, arch::Opcode removed, uint32_t n) {
  scenes::Scene result = scene;
  for (const scenes::Event& event : scene.events) {
    if (event.kind != scenes::Event::Kind::kSubmit) continue;
    for (scenes::Event& write : result.events) {
      if (write.kind != scenes::Event::Kind::kWrite || write.address != event.submission.commands) continue;
      std::vector<uint32_t> words(write.data.size() / 4);
      std::memcpy(words.data(), write.data.data(), write.data.size());
      for (size_t at = 0; at < words.size(); at += 1 + arch::packet_payload(words[at]))
        if (arch::packet_opcode(words[at]) == removed && n-- == 0)
          words[at] = arch::packet_header(arch::Opcode::kNop, arch::packet_payload(words[at]));
      std::memcpy(write.data.data(), words.data(), write.data.size());
    }
  }
  return result;
}

uint32_t count_packets(const scenes::Scene& scene, arch::Opcode opcode) {
  uint32_t count = 0;
  while (true) {
    const scenes::Scene edited = without_packet(scene, opcode, count);
    bool same = true;
    for (size_t i = 0; i < scene.events.size(); i++) same &= edited.events[i].data == scene.events[i].data;
    if (same) return count;
    count++;
  }
}

// Rendered to, sampled, copied from, and shown.
scenes::Scene rendered_then_read() {
  scenes::Builder b("rendered, then read");
  const arch::Surface screen = b.color_target();
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64);
  b.target(texture);
  b.clear(0, 1, 0, 1);
  b.flush();
  b.target(screen);
  textured_programs(b, texture);
  b.draw(4);
  b.flush();
  arch::CopySurfacePacket copy{};
  copy.source = screen;
  copy.destination = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kLinear);
  copy.width = copy.height = 64, copy.depth = 1;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  b.commands.packet(arch::Opcode::kWaitIdle);
  b.clear(1, 1, 0, 1);
  b.end_frame();
  return b.take();
}

TEST(Faults, EachFlushThatIsRemovedIsFound) {
  const scenes::Scene scene = rendered_then_read();
  const uint64_t expected = on_emulator(scene);
  EXPECT_EQ(on_machine(scene, {}).memory, expected);
  const uint32_t flushes = count_packets(scene, arch::Opcode::kFlush);
  EXPECT_EQ(flushes, 3u);
  for (uint32_t n = 0; n < flushes; n++) {
    const scenes::Scene edited = without_packet(scene, arch::Opcode::kFlush, n);
    EXPECT_NE(on_machine(edited, {}).memory, on_emulator(edited)) << n;
  }
}

TEST(Faults, AnInvalidateThatIsRemovedIsFound) {
  const scenes::Scene scene = texture_written_between_draws();
  EXPECT_EQ(on_machine(scene, {}).memory, on_emulator(scene));
  const scenes::Scene edited = without_packet(scene, arch::Opcode::kInvalidate, 0);
  EXPECT_NE(on_machine(edited, {}).memory, on_emulator(edited));
}

}  // namespace
}  // namespace cutaway
