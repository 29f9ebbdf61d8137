#include <array>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Stage;

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

// The target alone lies in video memory. The copy of it is read back by nobody.
Scene system_memory() {
  Builder b("system-memory");
  b.allocate_in(arch::Placement::kSystem);
  b.clear(0, 0, 0.5f, 1);
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 32, 32);
  std::vector<uint32_t> texels(32 * 32);
  for (uint32_t i = 0; i < texels.size(); i++) texels[i] = 0xff000000 | i * 0x2f5b1;
  b.fill_level(texture, 0, texels);
  textured_programs(b);
  b.textures(std::vector{texture}, std::vector{sampler(arch::Filter::kLinear)});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.vertices({-0.9f, -0.8f, 0.5f, 1, 0, 0, 0.8f, -0.9f, 0.5f, 1, 1, 0,  //
              -0.8f, 0.9f,  0.5f, 1, 0, 1, 0.9f, 0.8f,  0.5f, 1, 1, 1},
             {4, 2});
  b.draw(4);
  b.flush();
  arch::CopySurfacePacket copy{};
  copy.source = b.color_target();
  copy.destination = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kLinear);
  copy.width = copy.height = 64, copy.depth = 1;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  b.end_frame();
  return b.take();
}

// Nothing is flushed before the caches are invalidated: the dirty lines of the clear and the first draw stay.
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

// At `results`: invocations that ran, in all and then in each dispatch, 16 bytes each: direct dispatches
// without a predicate, with one that holds, one that does not, and that one inverted; then indirect ones with
// a predicate that does not hold and with one that does.
Scene dispatches() {
  using arch::Opcode;
  Builder b("dispatches");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  const arch::Address results = b.allocate(256);
  const arch::Address values = b.upload(std::vector<uint32_t>{0, 1});
  const arch::Address groups = b.upload(std::vector<uint32_t>{2, 1, 1});
  b.registers.compute = {{8, 2, 1}, 256};
  b.program(Stage::kCompute,
            "SHL r0.x, i32.w, c0.x\n"
            "STW _.x, r0.x, c0.y\n"
            "BAR\n"
            "IADD r0.x, c0.z, -r0.x\n"
            "LDW r1.x, r0.x\n"  // 1, from the invocation at the other end
            "ATOM _.x, c1.x, r1.x, c1.x, t0, OP(0)\n"
            "ATOM _.x, c1.y, r1.x, c1.x, t0, OP(0)\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(results, 256)}, {}, Stage::kCompute);
  const auto dispatch = [&](uint32_t number, uint64_t predicate, uint32_t inverted, bool indirect) {
    b.constants(Stage::kCompute, 0, {bits(2), bits(1), bits(60), 0, 0, bits(16 * number), 0, 0});
    b.send_state();
    b.commands.packet(Opcode::kPredicate, arch::PredicatePacket{predicate, inverted});
    if (indirect) b.commands.packet(Opcode::kDispatchIndirect, arch::DispatchIndirectPacket{groups});
    else b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 3, 1}, {}});
  };
  dispatch(1, 0, 0, false), dispatch(2, values + 4, 0, false), dispatch(3, values, 0, false);
  dispatch(4, values, 1, false), dispatch(5, values + 4, 1, true), dispatch(6, values + 4, 0, true);
  b.commands.packet(Opcode::kPredicate, arch::PredicatePacket{0, 0});
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

// At `results`: vertices (0) and fragments (4) that ran, then the number of each vertex. A draw shows the
// image that the fragments stored.
Scene storage_writes() {
  Builder b("storage writes");
  b.stores = true;
  b.clear(0, 0, 0, 1);
  const arch::Address results = b.allocate(256);
  const arch::Surface image = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64);
  const std::array resources{raw_buffer(results, 256), image};
  b.textures(resources, {}, Stage::kVertex);
  b.textures(resources, {});
  b.constants(Stage::kVertex, 0, {bits(2), bits(1), bits(0), bits(8)});
  b.constants(Stage::kFragment, 0, {bits(4), bits(1), 0.5f, 1});
  b.program(Stage::kVertex,
            "ATOM _.x, c0.z, c0.y, c0.z, t0, OP(0)\n"
            "SHL r0.x, i32.x, c0.x\n"
            "IADD r0.x, r0.x, c0.w\n"
            "STB _.x, r0.x, i32.x, t0\n"
            "MOV o0, i0\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.program(Stage::kFragment,
            "ATOM _.x, c0.x, c0.y, c0.x, t0, OP(0)\n"
            "F2I r0.xy, i32.xyxy\n"
            "STI _.xyzw, r0, c0.zwzw, t1, 2D\n"
            "LDI r1, r0, t1, 2D\n"
            "MOV o0, r1\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.interpolants({});
  b.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
  b.draw(3);
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

}  // namespace cutaway::scenes
