#include "boxes/command_processor/memory_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boxes/command_processor/program_for_test.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::memory_use_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const EnumSet<arch::Stage> kStages = {arch::Stage::kVertex, arch::Stage::kFragment};

TEST(MemoryUse, OverlapsIfOneWritesWhatTheOtherUses) {
  const MemoryRange here{100, 200}, meets{199, 300}, behind{200, 300};
  const MemoryUse reads{.read = {here}, .written = {}, .bound = {}};
  const MemoryUse writes{.read = {}, .written = {here}, .bound = {}};
  const MemoryUse binds{.read = {}, .written = {}, .bound = {here}};
  const auto use = [](const MemoryRange& range, int kind) {
    MemoryUse made;
    (kind == 0 ? made.read : kind == 1 ? made.written : made.bound).push_back(range);
    return made;
  };
  EXPECT_FALSE(reads.overlaps(use(meets, 0)));
  for (const MemoryUse& one : {writes, binds}) {
    for (const int kind : {0, 1, 2}) {
      EXPECT_TRUE(one.overlaps(use(meets, kind))) << kind;
      EXPECT_FALSE(one.overlaps(use(behind, kind))) << kind;
    }
    EXPECT_TRUE(reads.overlaps(one));
  }
}

TEST(MemoryUse, ExtendsToLinesOfCaches) {
  const MemoryUse use =
      MemoryUse{.read = {{511, 512}}, .written = {{512, 513}}, .bound = {{0, 1025}}}.in_lines();
  EXPECT_THAT(use.read, ElementsAre(MemoryRange{0, 512}));
  EXPECT_THAT(use.written, ElementsAre(MemoryRange{512, 1024}));
  EXPECT_THAT(use.bound, ElementsAre(MemoryRange{0, 1536}));
}

TEST(MemoryUse, DrawBindsDepthAndMaskedColors) {
  const auto state = messages::testing::plain_state();
  messages::testing::add_depth(*state, arch::Compare::kLess);
  auto& color = state->registers.color;
  color.target[1].surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 8, 8, 0x5000);
  MemoryUse use;
  use.read.push_back({1, 2});
  use_of_draw(*state, kStages, false, use);
  EXPECT_THAT(use.read, IsEmpty());
  EXPECT_THAT(use.written, ElementsAre(range_of(color.target[0].surface)));
  EXPECT_THAT(use.bound, ElementsAre(range_of(state->registers.depth.surface), MemoryRange{0x5000, 0x5100}));
}

TEST(MemoryUse, DrawReadsIndicesAndBoundAttributes) {
  const auto state = messages::testing::plain_state();
  auto& assembly = state->registers.assembly;
  assembly.index_address = 0x1000, assembly.index_bytes = 6;
  assembly.attribute[3] = {static_cast<uint32_t>(arch::Format::R32_UINT), 2, 0};
  assembly.binding[2] = {.address = 0x2000, .bytes = 12, .stride = 4};
  assembly.binding[1] = {.address = 0x3000, .bytes = 12, .stride = 4};
  MemoryUse use;
  use_of_draw(*state, kStages, true, use);
  EXPECT_THAT(use.read, ElementsAre(MemoryRange{0x1000, 0x1006}, MemoryRange{0x2000, 0x200c}));
  use_of_draw(*state, kStages, false, use);
  EXPECT_THAT(use.read, ElementsAre(MemoryRange{0x2000, 0x200c}));
}

TEST(MemoryUse, DrawWritesCapturedBuffers) {
  const auto state = messages::testing::plain_state();
  state->registers.color = {};
  state->registers.feedback.buffer[2] = {0x4000, 64, 16};
  MemoryUse use;
  use_of_draw(*state, kStages, false, use);
  EXPECT_THAT(use.written, IsEmpty());
  state->registers.feedback.on = 1;
  use_of_draw(*state, kStages, false, use);
  EXPECT_THAT(use.written, ElementsAre(MemoryRange{0x4000, 0x4040}));
}

// Stages that do not run, and slots that the program does not name, count for nothing.
TEST(MemoryUse, ProgramsUseTheSlotsThatTheyName) {
  const auto state = messages::testing::plain_state();
  state->registers.color = {};
  const auto program =
      testing::make_program(arch::Stage::kCompute, "LDB r0.x, c0.x, t4\nSTB _.x, c0.x, c0.x, t9\nEND\n");
  for (const arch::Stage stage : {arch::Stage::kFragment, arch::Stage::kCompute}) {
    auto& of_stage = state->stage[stage];
    of_stage.program = program;
    for (const uint32_t slot : {4u, 5u, 9u}) {
      arch::Surface buffer{};
      buffer.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
      buffer.address = 0x1000 * slot;
      buffer.width = 256;
      of_stage.resources[slot].surface = buffer;
    }
  }
  const auto& resources = state->fragment().resources;
  const MemoryRange read = range_of(resources[4].surface), stored = range_of(resources[9].surface);
  MemoryUse use;
  use_of_draw(*state, {arch::Stage::kVertex}, false, use);
  EXPECT_THAT(use.read, IsEmpty());
  use_of_draw(*state, kStages, false, use);
  EXPECT_THAT(use.read, ElementsAre(read, stored));
  EXPECT_THAT(use.written, ElementsAre(stored));
  use_of_dispatch(*state, use);
  EXPECT_THAT(use.read, ElementsAre(read, stored));
  EXPECT_THAT(use.written, ElementsAre(stored));
}

TEST(MemoryUse, CopyReadsItsSourceAndWritesItsDestination) {
  const arch::CopyBufferPacket copy{0x1000, 0x2000, 64};
  MemoryUse use;
  use_of_copy(arch::Opcode::kCopyBuffer, {reinterpret_cast<const uint32_t*>(&copy), sizeof copy / 4}, use);
  EXPECT_THAT(use.read, ElementsAre(MemoryRange{0x1000, 0x1040}));
  EXPECT_THAT(use.written, ElementsAre(MemoryRange{0x2000, 0x2040}));
  const arch::FillBufferPacket fill{0x3000, 16, 1};
  use_of_copy(arch::Opcode::kFillBuffer, {reinterpret_cast<const uint32_t*>(&fill), sizeof fill / 4}, use);
  EXPECT_THAT(use.read, IsEmpty());
  EXPECT_THAT(use.written, ElementsAre(MemoryRange{0x3000, 0x3010}));
}

}  // namespace
}  // namespace cutaway::boxes::memory_use_test
