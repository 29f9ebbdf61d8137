#include "scenes/endless_scenes.h"

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {
namespace {

using arch::Opcode;
using arch::Stage;

// Runs until r0.x, counted from 0 by ones, is c0.z.
constexpr const char* kLoop =
    "MOV r0, c0.xxxx\nLOOP\nFGE r0.y, r0.x, c0.z\nBRK r0.y\nADD r0.x, r0.x, c0.y\nNEXT\nENDLOOP\n";

Builder with_triangle(std::string name, uint32_t size = 64) {
  Builder b(std::move(name), size, size);
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(Stage::kFragment, 0, {0, 1, 2e6f, 0});
  b.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
  return b;
}

Scene vertices(std::string name, uint32_t count) {
  Builder b = with_triangle(std::move(name));
  b.draw(count);
  b.end_frame();
  return b.take();
}

Scene calls(std::string name, uint32_t words, uint32_t times) {
  Builder b = with_triangle(std::move(name));
  const arch::Address zeros = b.allocate(uint64_t{words} * 4);
  for (uint32_t i = 0; i < times; i++) b.commands.packet(Opcode::kCall, arch::CallPacket{zeros, words});
  b.draw(3);
  b.end_frame();
  return b.take();
}

Scene fragment_loop() {
  Builder b = with_triangle("long fragments", 1024);
  b.program(Stage::kFragment, std::string(kLoop) + "MOV o0, r0\nEND\n");
  b.draw(3);
  b.end_frame();
  return b.take();
}

Scene workgroup_loop() {
  Builder b = with_triangle("long workgroups");
  b.registers.compute = {{32, 1, 1}, 0};
  b.program(Stage::kCompute, std::string(kLoop) + "END\n");
  b.constants(Stage::kCompute, 0, {0, 1, 2e6f, 0});
  b.send_state();
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1000, 1, 1}, {}});
  b.draw(3);
  b.end_frame();
  return b.take();
}

Scene fill(std::string name, uint64_t bytes) {
  Builder b = with_triangle(std::move(name));
  const arch::Address to = b.allocate(1 << 20);
  b.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{to, bytes, 7});
  b.draw(3);
  b.end_frame();
  return b.take();
}

Scene long_vertices() {
  Builder b = with_triangle("long draw");
  b.program(Stage::kVertex, std::string(kLoop) + "MOV o0, i0\nEND\n");
  b.constants(Stage::kVertex, 0, {0, 1, 1000, 0});
  b.draw(1u << 26);
  b.end_frame();
  return b.take();
}

// As a capture with an altered word: the instances of a cube, 1 before.
Scene many_instances() {
  Builder b = with_triangle("many instances");
  b.draw(36, 1u << 24);
  b.end_frame();
  return b.take();
}

Scene instances_of_none() {
  Builder b = with_triangle("endless instances");
  b.draw(0, 1u << 31);
  b.end_frame();
  return b.take();
}

Scene copy(uint64_t bytes) {
  Builder b = with_triangle("endless copy");
  b.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, uint64_t{1} << 39, bytes});
  b.draw(3);
  b.end_frame();
  return b.take();
}

Scene workgroups() {
  Builder b = with_triangle("endless workgroups");
  b.registers.compute = {{1, 1, 1}, 0};
  b.program(Stage::kCompute, "END\n");
  b.send_state();
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{65535, 65535, 2}, {}});
  b.draw(3);
  b.end_frame();
  return b.take();
}

}  // namespace

std::vector<Scene> endless_scenes() {
  return {
      vertices("endless draw", 1u << 31),      many_instances(), instances_of_none(), copy(uint64_t{1} << 39),
      fill("endless fill", uint64_t{1} << 39), workgroups()};
}

std::vector<Scene> long_scenes() {
  return {long_vertices(), calls("long calls", 1u << 26, 3), fragment_loop(), workgroup_loop(),
          fill("long fill", uint64_t{1} << 36)};
}

}  // namespace cutaway::scenes
