#include "boxes/command_processor/state_loader.h"

#include <cstring>
#include <gtest/gtest.h>

#include "arch/packet.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::state_loader_test {
namespace {

using arch::Opcode;
using arch::Stage;

struct Bench {
  CommandProcessorCounters counters;
  StateVersions versions{{.state_versions = 1}};
  StateSender sender{16, 4096, {}, counters};
  StateLoader loader{command_stream::ByStage<unsigned>(4u)};
  command_stream::Abilities abilities;
  arch::Registers registers{};

  template <class Packet>
  messages::LoadCommand order(Opcode opcode, const Packet& packet) {
    static_assert(sizeof packet % 4 == 0);
    return StateLoader::order_of(opcode, {reinterpret_cast<const uint32_t*>(&packet), sizeof packet / 4},
                                 registers);
  }
  // The order is sent, and answered in blocks that end where sectors end. Returns the fault of a program.
  std::string load(const messages::LoadCommand& order, const void* data) {
    loader.begin(order, {3, 0x300, "LOAD"}, registers);
    std::string error;
    for (uint32_t sent = 0; sent < order.bytes;) {
      EXPECT_EQ(error, "");
      EXPECT_TRUE(loader.loading());
      messages::LoadedBlock block{.kind = order.kind, .stage = order.stage, .offset = order.offset + sent};
      block.bytes = std::min(order.bytes - sent, static_cast<uint32_t>(64 - (order.address + sent) % 64));
      std::memcpy(block.data.data(), static_cast<const std::byte*>(data) + sent, block.bytes);
      sent += block.bytes;
      block.last = sent == order.bytes;
      error = loader.take(block, versions, sender, abilities);
    }
    EXPECT_FALSE(loader.loading());
    return error;
  }
  std::string program(std::string_view text) {
    std::vector<isa::EncodedInstruction> words;
    for (const auto& instruction : isa::assemble(text)) words.push_back(isa::encode(instruction));
    auto& shader = registers.shader[static_cast<uint32_t>(Stage::kFragment)];
    shader.program = 0x3000;
    shader.instructions = static_cast<uint32_t>(words.size());
    shader.temporaries = 1;
    const auto packet = arch::LoadProgramPacket{static_cast<uint32_t>(Stage::kFragment)};
    return load(order(Opcode::kLoadProgram, packet), words.data());
  }
  const messages::StageState& stage(Stage stage) const { return versions.current().stage[stage]; }
};

TEST(StateLoader, OrdersNameBytesOfTheTable) {
  Bench bench;
  const arch::LoadPacket packet{static_cast<uint32_t>(Stage::kVertex), 3, 5, 0x4000};
  const auto constants = bench.order(Opcode::kLoadConstants, packet);
  EXPECT_EQ(constants.stage, Stage::kVertex);
  EXPECT_EQ(constants.offset, 3u * 16);
  EXPECT_EQ(constants.bytes, 5u * 16);
  EXPECT_EQ(constants.address, 0x4000u);
  EXPECT_EQ(bench.order(Opcode::kLoadResources, packet).offset, 3 * sizeof(arch::Surface));
  EXPECT_EQ(bench.order(Opcode::kLoadSamplers, packet).bytes, 5 * sizeof(arch::Sampler));
  auto& shader = bench.registers.shader[static_cast<uint32_t>(Stage::kVertex)];
  shader.program = 0x8000, shader.instructions = 6;
  const auto program =
      bench.order(Opcode::kLoadProgram, arch::LoadProgramPacket{static_cast<uint32_t>(Stage::kVertex)});
  EXPECT_EQ(program.address, 0x8000u);
  EXPECT_EQ(program.bytes, 6 * isa::kInstructionBytes);
}

TEST(StateLoader, PutsConstantsAndSamplersIntoTheState) {
  Bench bench;
  std::vector<uint32_t> words(20);
  for (uint32_t i = 0; i < words.size(); i++) words[i] = 100 + i;
  bench.load(
      bench.order(Opcode::kLoadConstants, arch::LoadPacket{static_cast<uint32_t>(Stage::kVertex), 2, 5, 0}),
      words.data());
  EXPECT_EQ(bench.stage(Stage::kVertex).constants[2][0], 100u);
  EXPECT_EQ(bench.stage(Stage::kVertex).constants[6][3], 119u);
  EXPECT_EQ(bench.stage(Stage::kFragment).constants[2][0], 0u);
  arch::Sampler sampler{};
  std::memset(&sampler, 5, sizeof sampler);
  bench.load(
      bench.order(Opcode::kLoadSamplers, arch::LoadPacket{static_cast<uint32_t>(Stage::kVertex), 1, 1, 0}),
      &sampler);
  EXPECT_EQ(std::memcmp(&bench.stage(Stage::kVertex).samplers[1], &sampler, sizeof sampler), 0);
}

// Descriptors that do not begin where a sector begins come in two pieces each.
TEST(StateLoader, DescriptorsMayComeInPieces) {
  Bench bench;
  std::vector<arch::Surface> surfaces;
  for (uint32_t i = 0; i < 4; i++)
    surfaces.push_back(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 8, 8, 0x10000 * (i + 1)));
  bench.load(bench.order(Opcode::kLoadResources,
                         arch::LoadPacket{static_cast<uint32_t>(Stage::kFragment), 2, 4, 0x1014}),
             surfaces.data());
  for (uint32_t i = 0; i < 4; i++) {
    const func::TextureView& view = bench.stage(Stage::kFragment).resources[2 + i];
    EXPECT_TRUE(view.valid);
    EXPECT_EQ(view.surface.address, 0x10000u * (i + 1));
  }
}

TEST(StateLoader, PreparesAProgramWithItsRegisters) {
  Bench bench;
  EXPECT_EQ(bench.program("MOV o0, i0\nEND\n"), "");
  const auto& program = bench.stage(Stage::kFragment).program;
  ASSERT_TRUE(program);
  EXPECT_EQ(program->stage, Stage::kFragment);
  EXPECT_EQ(program->words.size(), 2u);
  EXPECT_EQ(program->temporaries, 1u);
  EXPECT_FALSE(bench.loader.loads_program(Stage::kFragment));
}

TEST(StateLoader, KeepsAProgramThatTheUnitsHold) {
  Bench bench;
  bench.program("MOV o0, i0\nEND\n");
  const auto first = bench.stage(Stage::kFragment).program;
  uint64_t driver_cycles = 0;
  const DrawsUnderWay draws(1, driver_cycles);
  bench.sender.send_programs(1, bench.versions.current(), {Stage::kFragment}, 1, draws);
  bench.program("MOV o0, i0\nEND\n");
  EXPECT_EQ(bench.stage(Stage::kFragment).program, first);
  bench.program("MOV o0, i1\nEND\n");
  EXPECT_NE(bench.stage(Stage::kFragment).program, first);
}

TEST(StateLoader, RefusesAnIllegalProgram) {
  Bench bench;
  EXPECT_NE(bench.program("MOV r9, i0\nEND\n"), "");
  EXPECT_FALSE(bench.stage(Stage::kFragment).program);
  EXPECT_EQ(bench.loader.program_packet(Stage::kFragment).number, 3u);
  EXPECT_EQ(bench.loader.program_packet(Stage::kFragment).address, 0x300u);
}

TEST(StateLoader, CountsLoadsUnderWay) {
  Bench bench;
  auto& shader = bench.registers.shader[static_cast<uint32_t>(Stage::kVertex)];
  shader.instructions = 1;
  const auto order =
      bench.order(Opcode::kLoadProgram, arch::LoadProgramPacket{static_cast<uint32_t>(Stage::kVertex)});
  bench.loader.begin(order, {}, bench.registers);
  EXPECT_TRUE(bench.loader.loads_program(Stage::kVertex));
  EXPECT_FALSE(bench.loader.loads_program(Stage::kFragment));
  const auto constants = bench.order(Opcode::kLoadConstants, arch::LoadPacket{0, 0, 1, 0});
  bench.loader.begin(constants, {}, bench.registers);
  EXPECT_EQ(bench.loader.under_way(), 2u);
}

}  // namespace
}  // namespace cutaway::boxes::state_loader_test
