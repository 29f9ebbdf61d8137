#include "icd/pipeline/program_archive.h"

#include <gtest/gtest.h>
#include <random>

#include "isa/instruction.h"

namespace cutaway::icd {
namespace {

isa::Program make_program() {
  isa::Program program;
  program.stage = arch::Stage::kFragment;
  program.code = isa::assemble("MAD r0, i0, c0, c1\nTEX r1, r0, t0, s0, 2D\nMOV o0, r1\nEND\n");
  program.temporaries = 2;
  program.scratch_bytes = 48;
  program.local_size = {8, 4, 2};
  program.shared_bytes = 1024;
  program.flags = arch::kShaderDerivatives;
  program.literals = {{1, 2, 3, 4}};
  program.constants = {{isa::ConstantRange::Kind::kUniformBuffer, 1, 2, 3, 16, 0, 1},
                       {isa::ConstantRange::Kind::kLiteral, 0, 0, 0, 0, 1, 1}};
  program.resources = {{4, 5, 6}};
  program.samplers = {{7, 8, 9}};
  program.inputs = {{3, 0, 0xf, arch::Interpolation::kLinear, arch::SampleLocation::kCentroid}};
  program.outputs = {{0, 0, 0xf}};
  program.point_size = 7;
  program.clip_distances = 2;
  program.second_source = true;
  program.source_of = {10, 11, 12, 13};
  return program;
}

TEST(ProgramArchive, RoundTrips) {
  const isa::Program program = make_program();
  const std::vector<std::byte> bytes = archive_program(program);
  EXPECT_EQ(bytes, archive_program(program));
  const std::optional<isa::Program> restored = restore_program(bytes);
  ASSERT_TRUE(restored);
  EXPECT_EQ(archive_program(*restored), bytes);
  EXPECT_EQ(isa::disassemble(restored->code), isa::disassemble(program.code));
  EXPECT_EQ(restored->literals, program.literals);
  EXPECT_EQ(restored->constants.at(0).offset, 16u);
  EXPECT_EQ(restored->inputs.at(0).mode, arch::Interpolation::kLinear);
  EXPECT_EQ(restored->point_size, 7u);
  EXPECT_EQ(restored->scratch_bytes, 48u);
  EXPECT_EQ(restored->local_size[1], 4u);
  EXPECT_EQ(restored->shared_bytes, 1024u);
  EXPECT_EQ(restored->layer, arch::kNoOutput);
  EXPECT_TRUE(restored->second_source);
  EXPECT_EQ(restored->source_of, program.source_of);
}

TEST(ProgramArchive, TakesNoPartOfAProgram) {
  std::vector<std::byte> bytes = archive_program(make_program());
  bytes.push_back({});
  EXPECT_FALSE(restore_program(bytes));
  for (bytes.pop_back(); !bytes.empty();) {
    bytes.pop_back();
    EXPECT_FALSE(restore_program(bytes));
  }
}

TEST(ProgramArchive, TakesNothingOutOfBounds) {
  const auto restored = [](auto change) {
    isa::Program program = make_program();
    change(program);
    return restore_program(archive_program(program)).has_value();
  };
  EXPECT_TRUE(restored([](auto&) {}));
  EXPECT_FALSE(restored([](auto& p) { p.temporaries = 1; }));
  EXPECT_FALSE(restored([](auto& p) { p.temporaries = arch::kTemporaries + 1; }));
  EXPECT_FALSE(restored([](auto& p) { p.constants[0].first = arch::kConstants; }));
  EXPECT_FALSE(restored([](auto& p) { p.constants[1].count = 2; }));
  EXPECT_FALSE(restored([](auto& p) { p.resources.resize(arch::kResources + 1); }));
  EXPECT_FALSE(restored([](auto& p) { p.inputs[0].reg = 99; }));
  EXPECT_FALSE(restored([](auto& p) { p.layer = arch::kShaderOutputs; }));
  EXPECT_FALSE(restored([](auto& p) { p.stage = static_cast<arch::Stage>(77); }));
  EXPECT_FALSE(restored([](auto& p) { p.code.pop_back(); }));  // no END
}

TEST(ProgramArchive, DamageDoesNoHarm) {
  std::mt19937 random(1);
  const std::vector<std::byte> whole = archive_program(make_program());
  for (int i = 0; i < 20000; i++) {
    std::vector<std::byte> bytes = whole;
    for (uint32_t k = random() % 4 + 1; k; k--)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    const auto restored = restore_program(bytes);
    EXPECT_TRUE(!restored || restore_program(archive_program(*restored)));
  }
}

}  // namespace
}  // namespace cutaway::icd
