#include "scenes/fault_scenes.h"

#include <array>
#include <iterator>
#include <utility>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {
namespace {

using arch::Stage;

constexpr float kQuad[] = {-1, -1, 0, 1, 0, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1};

void textured_programs(Builder& b, const arch::Surface& texture) {
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(Stage::kFragment, "TEX o0, i0, t0, s0, 2D\nEND\n", arch::kShaderDerivatives);
  b.interpolants({1});
  const arch::Sampler nearest = sampler(arch::Filter::kNearest);
  b.textures({&texture, 1}, {&nearest, 1});
  b.vertices({std::begin(kQuad), std::end(kQuad)}, {4, 2});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
}

}  // namespace

Scene texture_written_between_draws() {
  Builder b("texture written between draws");
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

Scene rendered_then_read() {
  Builder b("rendered, then read");
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

Scene glass_panes() {
  Builder b("panes");
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
  return b.take();
}

Scene order_of_arrival() {
  Builder b("order-of-arrival");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  constexpr uint32_t kGroups = 24, kLanes = 32;
  const arch::Address list = b.allocate(4096);
  b.registers.compute = {{kLanes, 1, 1}, 0};
  b.constants(Stage::kCompute, 0, {bits(0), bits(1), bits(2), bits(64), bits(kLanes), bits(kGroups), bits(8), 0});
  b.program(Stage::kCompute,
            // The first workgroups wait longest.
            "IMUL r2.x, i33.x, c1.z\n"
            "IMUL r3.x, c1.y, c1.z\n"
            "LOOP\n"
            "IADD r2.x, r2.x, c0.y\n"
            "IGE r4.x, r2.x, r3.x\n"
            "BRK r4.x\n"
            "NEXT\n"
            "ENDLOOP\n"
            "ATOM r1.x, c0.x, c0.y, c0.x, t0, OP(0)\n"
            "SHL r1.x, r1.x, c0.z\n"
            "IADD r1.x, r1.x, c0.w\n"
            "IMUL r0.x, i33.x, c1.x\n"
            "IADD r0.x, r0.x, i32.w\n"
            "STB _.x, r1.x, r0.x, t0\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(list, 4096)}, {}, Stage::kCompute);
  b.send_state();
  b.commands.packet(arch::Opcode::kDispatch, arch::DispatchPacket{{kGroups, 1, 1}, {}});
  b.end_frame();
  return b.take();
}

Scene without_packet(const Scene& scene, arch::Opcode removed, uint32_t n) {
  Scene result = scene;
  for (const Event& event : scene.events) {
    if (event.kind != Event::Kind::kSubmit) continue;
    for (Event& write : result.events) {
      if (write.kind != Event::Kind::kWrite || write.address != event.submission.commands) continue;
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

}  // namespace cutaway::scenes
