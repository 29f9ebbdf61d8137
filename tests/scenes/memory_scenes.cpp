#include <bit>

#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Stage;

namespace {

float bits(uint32_t value) { return std::bit_cast<float>(value); }

}  // namespace

// Every pixel stores its color at x modulo 8 and loads from y modulo 8: colored diagonals.
Scene scratch_memory() {
  Builder b("scratch_memory");
  b.clear(0, 0, 0, 1);
  b.program(Stage::kVertex,
            "STS _.xyzw, c0.x, i0\n"
            "STS _.xyzw, c0.y, i1\n"
            "LDS r0, c0.x\n"
            "MOV o0, r0\n"
            "LDS r0.yw, c0.y\n"
            "MOV r0.xz, i1\n"
            "MOV o1, r0\n"
            "END\n",
            0, 32);
  b.constants(Stage::kVertex, 0, {bits(0), bits(16), 0, 0});
  b.interpolants({1});
  b.program(Stage::kFragment,
            "F2I r0.xy, i32.xyxy\n"
            "AND r1.xy, r0, c0.x\n"
            "SHL r1.xy, r1, c0.y\n"
            "STS _.xyzw, r1.x, i0\n"
            "LDS r2, r1.y\n"
            "LDS r3.xyzw, c0.z\n"  // the last word, then beyond the end
            "ADD r2.xyz, r2, r3.yzww\n"
            "IF r1.x\n"
            "STS _.x, r1.x, c0.w\n"  // comes too late
            "ENDIF\n"
            "MOV o0, r2\n"
            "END\n",
            0, 128);
  b.constants(Stage::kFragment, 0, {bits(7), bits(4), bits(124), 1});
  b.vertices({-1, -1, 0, 1, 1, 0, 0, 1, 3, -1, 0, 1, 0, 1, 0, 1, -1, 3, 0, 1, 0, 0, 1, 1}, {4, 4});
  b.draw(3);
  b.end_frame();
  return b.take();
}

// Nothing is flushed before the caches are invalidated: what the clear and the first draw left dirty stays.
Scene invalidated_targets() {
  Builder b("invalidated-targets");
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64));
  b.clear(0.2f, 0.3f, 0.4f, 1);
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(Stage::kFragment, "MOV o0, i0\nEND\n");
  b.interpolants({1});
  auto& depth = b.registers.depth;
  depth.depth_test = depth.depth_write = 1;
  depth.depth_compare = static_cast<uint32_t>(arch::Compare::kLess);
  const auto forget = [&] {
    b.commands.packet(arch::Opcode::kWaitIdle);
    b.commands.packet(arch::Opcode::kInvalidate, uint32_t{arch::kCacheColor | arch::kCacheDepth});
  };
  forget();
  b.vertices({-1, -1, 0.2f, 1, 1, 0, 0, 1, 1, -1, 0.8f, 1, 0, 1, 0, 1, -1, 1, 0.5f, 1, 0, 0, 1, 1}, {4, 4});
  b.draw(3);
  forget();
  auto& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
  target.color_destination = target.alpha_destination =
      static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrcAlpha);
  b.vertices(
      {1, 0.9f, 0.5f, 1, 1, 1, 0, 0.5f, 0.9f, -1, 0.5f, 1, 0, 1, 1, 0.5f, -1, 0, 0.5f, 1, 1, 0, 1, 0.5f},
      {4, 4});
  b.draw(3);
  forget();
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
