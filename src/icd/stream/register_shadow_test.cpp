#include "icd/stream/register_shadow.h"

#include <cstring>
#include <gtest/gtest.h>

namespace cutaway::icd {
namespace {

// Executes a stream of SET_REGISTERS packets; returns their number.
uint32_t execute(const std::vector<uint32_t>& words, arch::Registers& registers) {
  auto* out = reinterpret_cast<uint32_t*>(&registers);
  uint32_t packets = 0;
  for (size_t at = 0; at < words.size(); packets++) {
    const uint32_t payload = arch::packet_payload(words[at]);
    EXPECT_EQ(arch::packet_opcode(words[at]), arch::Opcode::kSetRegisters);
    for (uint32_t i = 0; i + 1 < payload; i++) out[words[at + 1] + i] = words[at + 2 + i];
    at += 1 + payload;
  }
  return packets;
}

TEST(RegisterShadow, SetsNothingThatIsZeroAtFirst) {
  RegisterShadow shadow;
  arch::CommandWriter writer;
  shadow.update({}, writer);
  EXPECT_TRUE(writer.empty());
  EXPECT_TRUE(shadow.left_set().empty());
}

TEST(RegisterShadow, KnowsWhatItHasLeftSet) {
  RegisterShadow shadow;
  arch::Registers wanted{}, machine{};
  arch::CommandWriter writer, zeros;
  wanted.raster.width = 640;
  wanted.color.target[7].write_mask = 15;
  shadow.update(wanted, writer);
  wanted.raster.width = 0;
  wanted.depth.depth_test = wanted.depth.bounds_test = 1;  // two words between them are zero
  shadow.update(wanted, writer);
  execute(writer.take(), machine);
  const std::vector<host::RegisterRun> left = shadow.left_set();
  EXPECT_EQ(left.size(), 2u);
  constexpr uint32_t kNothing[8] = {};
  for (const host::RegisterRun& run : left)
    zeros.set_registers(run.first, std::span(kNothing).first(run.count));
  execute(zeros.take(), machine);
  constexpr arch::Registers kEmpty{};
  EXPECT_EQ(std::memcmp(&machine, &kEmpty, sizeof kEmpty), 0);
}

TEST(RegisterShadow, EmitsOnlyWhatChanged) {
  RegisterShadow shadow;
  arch::Registers wanted{}, machine{};
  arch::CommandWriter writer;
  wanted.raster.width = 640;
  wanted.raster.height = 480;
  wanted.color.target[7].write_mask = 15;
  shadow.update(wanted, writer);
  EXPECT_EQ(execute(writer.take(), machine), 2u);
  EXPECT_EQ(std::memcmp(&machine, &wanted, sizeof wanted), 0);

  arch::CommandWriter again;
  shadow.update(wanted, again);
  EXPECT_TRUE(again.empty());
}

TEST(RegisterShadow, JoinsRunsOverShortGaps) {
  RegisterShadow shadow;
  arch::Registers wanted{}, machine{};
  arch::CommandWriter writer;
  wanted.depth.depth_test = 1;
  wanted.depth.bounds_test = 1;  // two words between them are unchanged
  shadow.update(wanted, writer);
  EXPECT_EQ(execute(writer.take(), machine), 1u);
  EXPECT_EQ(std::memcmp(&machine, &wanted, sizeof wanted), 0);
}

TEST(RegisterShadow, ReachesTheLastWord) {
  RegisterShadow shadow;
  arch::Registers wanted{}, machine{};
  std::memset(static_cast<void*>(&wanted), 0xa5, sizeof wanted);
  arch::CommandWriter writer;
  shadow.update(wanted, writer);
  EXPECT_EQ(execute(writer.take(), machine), 1u);
  EXPECT_EQ(std::memcmp(&machine, &wanted, sizeof wanted), 0);
}

}  // namespace
}  // namespace cutaway::icd
