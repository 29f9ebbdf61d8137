#include <gmock/gmock.h>

#include "emulator/testing/outcome.h"
#include "scenes/parts.h"

namespace cutaway::emulator {
namespace {

using arch::Opcode;
using arch::Stage;
using scenes::bits;
using scenes::Builder;
using scenes::raw_buffer;
using scenes::Scene;
using ::testing::HasSubstr;

void compute(Builder& b, const char* text, std::array<uint32_t, 3> size, uint32_t shared_bytes,
             std::span<const arch::Surface> resources) {
  b.registers.compute = {{size[0], size[1], size[2]}, shared_bytes};
  b.program(Stage::kCompute, text, arch::kShaderWritesMemory);
  b.textures(resources, {}, Stage::kCompute);
  b.send_state();
}

TEST(Compute, LaneGroupsOfAWorkgroupWaitForEachOther) {
  constexpr uint32_t kInvocations = 100;
  Builder b("workgroup");
  const arch::Address out = b.allocate(4 * kInvocations * 3);
  // Every invocation stores 10 times its number and reads the value of the one at the other end.
  const std::array resources{raw_buffer(out, 4 * kInvocations * 2)};
  b.constants(Stage::kCompute, 0, {bits(2), bits(10), bits(kInvocations - 1), bits(kInvocations)});
  compute(b,
          "SHL r0.x, i32.w, c0.x\n"
          "IMUL r0.y, i32.w, c0.y\n"
          "STW _.x, r0.x, r0.y\n"
          "BAR\n"
          "IADD r0.z, c0.z, -i32.w\n"
          "SHL r0.z, r0.z, c0.x\n"
          "LDW r1.x, r0.z\n"
          "IMUL r0.w, i33.x, c0.w\n"
          "IADD r0.w, r0.w, i32.w\n"
          "SHL r0.w, r0.w, c0.x\n"
          "STB _.x, r0.w, r1.x, t0\n"
          "END\n",
          {10, 5, 2}, 4 * kInvocations, resources);
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{2, 1, 1}, {1, 0, 0}});
  b.submit(false);
  const Outcome result(b.take());
  const arch::Memory& memory = result.gpu->memory(0);
  for (uint32_t i = 0; i < kInvocations; i++) {
    EXPECT_EQ(memory.read_as<uint32_t>(out + 4 * i), 0u);  // group 0 was not dispatched
    EXPECT_EQ(memory.read_as<uint32_t>(out + 4 * (kInvocations + i)), 10 * (kInvocations - 1 - i)) << i;
    EXPECT_EQ(memory.read_as<uint32_t>(out + 4 * (2 * kInvocations + i)), 0u);  // beyond the buffer
  }
  EXPECT_EQ(result.statistics().invocations, 200u);
  EXPECT_EQ(result.statistics().words_stored, 100u);
}

TEST(Compute, AtomicsAndIndirectDispatches) {
  Builder b("atomics");
  const arch::Address out = b.allocate(256);
  const std::vector<uint32_t> groups = {3, 2, 2};
  const std::array resources{raw_buffer(out, 16)};
  b.constants(Stage::kCompute, 0, {bits(0), bits(4), bits(1), bits(400)});
  compute(b,
          "ATOM _.x, c0.x, c0.z, c0.x, t0, OP(0)\n"
          "IMUL r0.x, i33.y, i34.x\n"
          "IADD r0.x, r0.x, i33.x\n"
          "ATOM r1.x, c0.y, r0.x, c0.x, t0, OP(4)\n"
          "ATOM r2.xy, c0.w, c0.z, c0.z, t0, OP(0)\n"  // beyond the end: zero
          "INE r2.x, r2.x, c0.x\n"
          "IF r2.x\n"
          "STB _.x, c0.y, c0.x, t0\n"
          "ENDIF\n"
          "END\n",
          {7, 1, 1}, 0, resources);
  b.commands.packet(Opcode::kDispatchIndirect, arch::DispatchIndirectPacket{b.upload(groups)});
  b.submit(false);
  const Outcome result(b.take());
  EXPECT_EQ(result.gpu->memory(0).read_as<uint32_t>(out), 7u * 12);
  EXPECT_EQ(result.gpu->memory(0).read_as<uint32_t>(out + 4), 1 * 3 + 2u);
}

TEST(Compute, StorageImagesAreStoredAndLoadedByTheirFormat) {
  Builder b("images");
  arch::Surface image = b.surface(arch::Format::R8G8B8A8_UNORM, 20, 12, 2);
  image.base_level = 1, image.level_count = 1;
  const std::array resources{image};
  b.constants(Stage::kCompute, 0, {1, 0.5f, 0, 1});
  compute(b,
          "STI _.xyzw, i32, c0, t0, 2D\n"
          "LDI r0, i32, t0, 2D\n"
          "SNE r1.x, r0.x, c0.x\n"
          "IF r1.x\n"
          "STI _.xyzw, i32, c0.zzzz, t0, 2D\n"
          "ENDIF\n"
          "END\n",
          {10, 8, 1}, 0, resources);
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
  b.submit(false);
  const Outcome result(b.take());
  for (uint32_t y = 0; y < 6; y++)
    for (uint32_t x = 0; x < 10; x++)
      EXPECT_EQ(scenes::texel32(result.gpu->memory(0), image, x, y, 1), 0xff0080ffu);
  EXPECT_EQ(result.statistics().texels_stored, 60u);  // rows 6 and 7 do not exist
}

// Out-of-bounds texels of an image are zeros, with the format's defaults for missing components; without an
// image, nothing is read.
TEST(Compute, LoadsOutsideOfStorageImages) {
  for (const bool there : {true, false}) {
    Builder b("outside");
    const arch::Address out = b.allocate(64);
    const arch::Surface image = b.surface(arch::Format::R32_SFLOAT, 8, 8);
    const std::array resources{raw_buffer(out, 64), there ? image : arch::Surface{}};
    b.constants(Stage::kCompute, 0, {bits(8), bits(0), bits(0), bits(0)});
    compute(b, "LDI r0, c0, t1, 2D\nSTB _.xyzw, c0.y, r0, t0\nEND\n", {1, 1, 1}, 0, resources);
    b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
    b.submit(false);
    const Outcome result(b.take());
    const arch::Memory& memory = result.gpu->memory(0);
    EXPECT_EQ(memory.read_as<float>(out), 0) << there;
    EXPECT_EQ(memory.read_as<float>(out + 12), there ? 1 : 0) << there;
  }
}

TEST(Compute, APredicateDecidesOnDispatches) {
  const Scene scene = scenes::dispatches();
  const Outcome result(scene);
  const auto invocations = [&](uint32_t number) {
    return result.gpu->memory(0).read_as<uint32_t>(scene.results + 16 * number);
  };
  EXPECT_EQ(invocations(0), 3 * 48 + 32u);
  for (uint32_t direct : {1, 2, 4}) EXPECT_EQ(invocations(direct), 48u) << direct;
  EXPECT_EQ(invocations(6), 32u);
  for (uint32_t left_out : {3, 5}) EXPECT_EQ(invocations(left_out), 0u) << left_out;
  EXPECT_EQ(result.statistics().dispatches, 4u);
  EXPECT_EQ(result.statistics().invocations, 3 * 48 + 32u);
}

TEST(Compute, VertexAndFragmentProgramsStore) {
  const Scene scene = scenes::storage_writes();
  const Outcome result(scene);
  const arch::Memory& memory = result.gpu->memory(0);
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results), 3u);
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 4), 64u * 64);
  for (uint32_t vertex = 0; vertex < 3; vertex++)
    EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 8 + 4 * vertex), vertex);
  EXPECT_EQ(result.statistics().texels_stored, 64u * 64);
  EXPECT_EQ(result.pixel(5, 60), 0xff80ff80u);
}

std::string fault_with(const char* text, Stage stage, std::array<uint32_t, 3> size, uint32_t shared_bytes) {
  Builder b("illegal");
  b.registers.compute = {{size[0], size[1], size[2]}, shared_bytes};
  b.program(stage, text);
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
  b.submit(false);
  const auto gpu = make_emulator({.step_limit = 1 << 24});
  scenes::play(b.take(), *gpu);
  arch::Fault fault;
  return gpu->fault(fault) ? fault.text : "";
}

TEST(Compute, NamesIllegalDispatches) {
  EXPECT_EQ(fault_with("END\n", Stage::kCompute, {1, 1, 1}, 0), "");
  EXPECT_THAT(fault_with("END\n", Stage::kCompute, {1024, 2, 1}, 0), HasSubstr("1024x2x1"));
  EXPECT_THAT(fault_with("END\n", Stage::kCompute, {1, 0, 1}, 0), HasSubstr("1x0x1"));
  EXPECT_THAT(fault_with("END\n", Stage::kCompute, {1, 1, 1}, 1 << 20), HasSubstr("workgroup memory"));
  EXPECT_THAT(fault_with("MOV o0, i32\nEND\n", Stage::kCompute, {1, 1, 1}, 0), HasSubstr("output register"));
  EXPECT_THAT(fault_with("MOV r0, i0\nEND\n", Stage::kCompute, {1, 1, 1}, 0), HasSubstr("input register"));
  EXPECT_THAT(fault_with("DDX r0, i32\nEND\n", Stage::kCompute, {1, 1, 1}, 0), HasSubstr("cannot have DDX"));
  EXPECT_THAT(fault_with("LDW r0, i32\nEND\n", Stage::kFragment, {1, 1, 1}, 0), HasSubstr("cannot have LDW"));
  EXPECT_THAT(fault_with("LOOP\nNEXT\nENDLOOP\nEND\n", Stage::kCompute, {64, 1, 1}, 0),
              HasSubstr("does not end"));
  EXPECT_THAT(fault_with("END\n", Stage::kVertex, {1, 1, 1}, 0), HasSubstr("no compute program"));
}

// 32 groups of 32 lanes wait for each other without end: together they execute what four do alone.
TEST(Compute, EndlessBarriersAreAFaultWithinSeconds) {
  Builder b("endless barriers");
  b.registers.compute = {{1024, 1, 1}, 0};
  b.program(Stage::kCompute, "LOOP\nBAR\nNEXT\nENDLOOP\nEND\n");
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
  b.submit(false);
  const auto gpu = make_emulator({});
  scenes::play(b.take(), *gpu);
  arch::Fault fault;
  ASSERT_TRUE(gpu->fault(fault));
  EXPECT_THAT(fault.text, HasSubstr("does not end"));
}

}  // namespace
}  // namespace cutaway::emulator
