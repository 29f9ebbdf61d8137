// Submissions of a graphics queue and a compute queue that may run side by side.
#include <array>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Format;
using arch::Opcode;
using arch::QueueKind;
using arch::Stage;

namespace {

constexpr uint32_t kSize = 64, kWords = kSize * kSize, kGroup = 64;

// Each word of `to`: a number of a random sequence that begins with its index, plus the word of `from`.
void fill_with_noise(Builder& b, arch::Address to, arch::Address from, uint32_t steps) {
  b.registers.compute = {{kGroup, 1, 1}, 64};
  b.constants(Stage::kCompute, 0,
              {bits(kGroup), bits(1664525), bits(1013904223), bits(steps), bits(2), bits(1), bits(0), 0});
  b.program(Stage::kCompute,
            "IMUL r0.x, i33.x, c0.x\n"
            "IADD r0.x, r0.x, i32.w\n"
            "SHL r2.x, r0.x, c1.x\n"
            "LDB r1.x, r2.x, t1\n"
            "IADD r1.x, r1.x, r0.x\n"
            "MOV r3.x, c1.z\n"
            "LOOP\n"
            "IMUL r1.x, r1.x, c0.y\n"
            "IADD r1.x, r1.x, c0.z\n"
            "IADD r3.x, r3.x, c1.y\n"
            "IGE r4.x, r3.x, c0.w\n"
            "BRK r4.x\n"
            "NEXT\n"
            "ENDLOOP\n"
            "STB _.x, r2.x, r1.x, t0\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(to, 4 * kWords), raw_buffer(from, 4 * kWords)}, {}, Stage::kCompute);
  b.send_state();
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{kWords / kGroup, 1, 1}, {}});
}

// The texture over a strip of the target.
void draw_strip(Builder& b, const arch::Surface& target, const arch::Surface& texture, float left,
                float right) {
  b.target(target);
  textured_programs(b);
  b.textures(std::array{texture}, std::array{sampler(arch::Filter::kNearest)});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.vertices({left, -1, 0.5f, 1, 0, 0, right, -1, 0.5f, 1, 1, 0,  //
              left, 1,  0.5f, 1, 0, 1, right, 1,  0.5f, 1, 1, 1},
             {4, 2});
  b.draw(4);
}

// Submits what has been written to a queue. after: submissions of the other queue that end first.
void submit_to(Builder& b, QueueKind queue, uint64_t after = 0) {
  b.queue = queue, b.after = after;
  b.submit_called();
  b.queue = QueueKind::kGraphics, b.after = 0;
}

}  // namespace

Scene racing_queues() {
  Builder b("racing-queues", kSize, kSize);
  b.stores = true;
  b.ahead = 255;
  const arch::Surface noise = b.surface(Format::R8G8B8A8_UNORM, kSize, kSize);
  fill_with_noise(b, noise.address, b.allocate(4 * kWords), 200);
  submit_to(b, QueueKind::kCompute);
  draw_strip(b, b.color_target(), noise, -1, 1);
  b.end_frame();
  return b.take();
}

Scene two_queues() {
  Builder b("two-queues", kSize, kSize);
  b.stores = true;
  b.ahead = 255;
  const arch::Surface screen = b.color_target();
  const arch::Surface drawn = b.surface(Format::R8G8B8A8_UNORM, kSize, kSize),
                      noise = b.surface(Format::R8G8B8A8_UNORM, kSize, kSize),
                      cleared = b.surface(Format::R8G8B8A8_UNORM, kSize, kSize);
  const arch::Address zeros = b.allocate(4 * kWords), sums = b.allocate(4 * kWords), values = b.allocate(256);
  // 1: computes a texture. 2 and 3: draw meanwhile, the first into a texture that the second reads.
  fill_with_noise(b, noise.address, zeros, 24);
  submit_to(b, QueueKind::kCompute);
  b.target(drawn);
  b.clear(0, 0.5f, 0.25f, 1);
  submit_to(b, QueueKind::kGraphics);
  b.target(screen);
  b.clear(0.25f, 0, 0, 1);
  for (uint32_t i = 0; i < 6; i++) {
    const float left = -1 + 0.3f * static_cast<float>(i);
    draw_strip(b, screen, drawn, left, left + 0.2f);
  }
  submit_to(b, QueueKind::kGraphics);
  // 4: clears, copies and fills beside those draws.
  b.commands.packet(Opcode::kClear, arch::ClearPacket{cleared, 0, 0, kSize, kSize, 0, {0xff00ff00, 0, 0, 0}});
  b.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{values, 128, 0x12345678});
  b.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{values + 128, uint64_t{5}});
  b.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{values + 128, uint64_t{5}});
  submit_to(b, QueueKind::kCompute);
  // 5: draws what 1 and 4 have made. 6: draws on. 7: reads what 5 has drawn, and a texture that 5 read.
  draw_strip(b, screen, noise, 0.4f, 0.9f);
  draw_strip(b, screen, cleared, 0.9f, 1);
  submit_to(b, QueueKind::kGraphics, 4);
  b.target(drawn);
  b.clear(0, 0, 1, 1);
  submit_to(b, QueueKind::kGraphics);
  fill_with_noise(b, sums, screen.address, 3);
  submit_to(b, QueueKind::kCompute, 5);
  // 8: overwrites the texture that 5 has read. 9: reads it, but for that it follows none.
  fill_with_noise(b, noise.address, sums, 1);
  submit_to(b, QueueKind::kCompute, 5);
  draw_strip(b, screen, drawn, -1, -0.8f);
  submit_to(b, QueueKind::kGraphics, 7);
  b.target(screen);
  draw_strip(b, screen, noise, -0.2f, 0.2f);
  b.after = 8;
  b.end_frame();
  Scene scene = b.take();
  scene.results = sums;
  return scene;
}

}  // namespace cutaway::scenes
