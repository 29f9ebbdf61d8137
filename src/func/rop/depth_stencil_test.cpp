#include "func/rop/depth_stencil.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/format/numeric.h"

namespace cutaway::func::depth_stencil_test {
namespace {

using arch::Compare;
using arch::Format;
using arch::StencilOp;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

DepthRegisters registers(Format format, Compare compare, bool write = true) {
  DepthRegisters r{};
  r.surface.format = static_cast<uint32_t>(format);
  r.depth_test = 1;
  r.depth_write = write;
  r.depth_compare = static_cast<uint32_t>(compare);
  return r;
}

arch::StencilFace face(StencilOp fail, StencilOp depth_fail, StencilOp pass, Compare compare,
                       uint32_t reference, uint32_t read_mask = 255, uint32_t write_mask = 255) {
  return {static_cast<uint32_t>(fail),
          static_cast<uint32_t>(depth_fail),
          static_cast<uint32_t>(pass),
          static_cast<uint32_t>(compare),
          reference,
          read_mask,
          write_mask};
}

DepthResult test_one(const DepthRegisters& r, float z, uint64_t stored, bool front = true,
                     DepthPhase phase = DepthPhase::kTestAndWrite) {
  const float quad[4] = {z, 0, 0, 0};
  const uint64_t elements[4] = {stored, 0, 0, 0};
  return depth_stencil(make_depth_state(r), front, 1, quad, elements, phase);
}

// Vulkan "Depth Comparison": expected result for z less, equal, greater than the stored value.
TEST(DepthTest, EveryComparison) {
  const struct {
    Compare compare;
    bool less, equal, greater;
  } table[] = {{Compare::kNever, false, false, false},        {Compare::kLess, true, false, false},
               {Compare::kEqual, false, true, false},         {Compare::kLessOrEqual, true, true, false},
               {Compare::kGreater, false, false, true},       {Compare::kNotEqual, true, false, true},
               {Compare::kGreaterOrEqual, false, true, true}, {Compare::kAlways, true, true, true}};
  for (Format format : {Format::D16_UNORM, Format::X8_D24_UNORM_PACK32, Format::D24_UNORM_S8_UINT,
                        Format::D32_SFLOAT, Format::D32_SFLOAT_S8_UINT}) {
    const DepthState state = make_depth_state(registers(format, Compare::kLess));
    const uint64_t half = quantise_depth(state, 0.5f);
    for (const auto& row : table) {
      const DepthRegisters r = registers(format, row.compare);
      EXPECT_EQ(test_one(r, 0.25f, half).pass, row.less ? 1u : 0u);
      EXPECT_EQ(test_one(r, 0.5f, half).pass, row.equal ? 1u : 0u);
      EXPECT_EQ(test_one(r, 0.75f, half).pass, row.greater ? 1u : 0u);
    }
  }
}

TEST(DepthTest, QuantisesToTheNearestCode) {
  const auto quantised = [](Format format, float z) {
    return quantise_depth(make_depth_state(registers(format, Compare::kLess)), z);
  };
  EXPECT_EQ(quantised(Format::D24_UNORM_S8_UINT, 1), 0xffffffu);
  EXPECT_EQ(quantised(Format::D24_UNORM_S8_UINT, 0.5f), 0x800000u);  // 8388607.5, to even
  EXPECT_EQ(quantised(Format::D16_UNORM, 0.25f), 0x4000u);           // 16383.75
  EXPECT_EQ(quantised(Format::D16_UNORM, 2), 0xffffu);
  EXPECT_EQ(quantised(Format::D16_UNORM, -1), 0u);
  EXPECT_EQ(quantised(Format::D16_UNORM, kNan), 0u);
  EXPECT_EQ(quantised(Format::D32_SFLOAT, 2), float_bits(2));
  std::mt19937 random(5);
  for (int i = 0; i < 100000; i++) {
    const float z = static_cast<float>(random()) / 4294967296.0f;
    ASSERT_EQ(quantised(Format::X8_D24_UNORM_PACK32, z),
              static_cast<uint64_t>(nearbyintl(static_cast<long double>(z) * 16777215)));
  }
}

TEST(DepthTest, StoredDepthsAreRead) {
  for (const Format format : {Format::D16_UNORM, Format::D16_UNORM_S8_UINT, Format::X8_D24_UNORM_PACK32,
                              Format::D24_UNORM_S8_UINT, Format::D32_SFLOAT, Format::D32_SFLOAT_S8_UINT}) {
    const arch::FormatInfo& info = arch::format_info(format);
    const DepthState state = make_depth_state(registers(format, Compare::kLess));
    for (const float z : {0.0f, 0.25f, 0.7f, 1.0f}) {
      uint64_t element = quantise_depth(state, z);
      if (info.has_stencil()) element |= uint64_t{0xc3} << info.stencil.offset;
      EXPECT_NEAR(stored_depth(info, element), z, info.depth_float ? 0 : 0.5 / (1 << info.depth.bits))
          << info.name;
    }
  }
  EXPECT_EQ(stored_depth(arch::format_info(Format::D16_UNORM_S8_UINT), 0xffffff), 1);
}

TEST(DepthTest, WritesOnlyDepthBits) {
  const DepthResult d24 = test_one(registers(Format::D24_UNORM_S8_UINT, Compare::kLess), 0, 0xabffffff);
  EXPECT_EQ(d24.write, 1u);
  EXPECT_EQ(d24.element[0], 0xab000000u);
  const DepthResult d32 =
      test_one(registers(Format::D32_SFLOAT_S8_UINT, Compare::kLess), 0.5f, 0x77'3f800000);
  EXPECT_EQ(d32.element[0], 0x77'3f000000u);
  const DepthResult off =
      test_one(registers(Format::D24_UNORM_S8_UINT, Compare::kLess, false), 0, 0xabffffff);
  EXPECT_EQ(off.pass, 1u);
  EXPECT_EQ(off.write, 0u);
}

TEST(StencilTest, TellsWhichOfTheTwoTestsFailed) {
  DepthRegisters r = registers(Format::D24_UNORM_S8_UINT, Compare::kLess);
  r.stencil_test = 1;
  r.front = r.back = face(StencilOp::kKeep, StencilOp::kKeep, StencilOp::kKeep, Compare::kEqual, 5);
  const uint64_t at_half = 0x800000, equal = at_half | 5ull << 24, other = at_half | 6ull << 24;
  EXPECT_EQ(test_one(r, 0.25f, equal).stencil_failed, 0u);
  EXPECT_EQ(test_one(r, 0.25f, equal).pass, 1u);
  EXPECT_EQ(test_one(r, 0.75f, equal).stencil_failed, 0u);
  EXPECT_EQ(test_one(r, 0.75f, equal).pass, 0u);
  EXPECT_EQ(test_one(r, 0.25f, other).stencil_failed, 1u);
  EXPECT_EQ(test_one(r, 0.75f, other).stencil_failed, 1u);
}

TEST(DepthTest, WithoutTheTestNothingIsWritten) {
  DepthRegisters r = registers(Format::D16_UNORM, Compare::kNever);
  r.depth_test = 0;
  const DepthResult result = test_one(r, 0.5f, 0x1234);
  EXPECT_EQ(result.pass, 1u);
  EXPECT_EQ(result.write, 0u);
  EXPECT_FALSE(make_depth_state(r).active());
}

TEST(DepthTest, WithoutAnAttachmentAllPass) {
  DepthRegisters r = registers(Format::UNDEFINED, Compare::kNever);
  r.stencil_test = 1;
  const float z[4] = {};
  const uint64_t stored[4] = {};
  EXPECT_EQ(depth_stencil(make_depth_state(r), true, 0xb, z, stored).pass, 0xbu);
  EXPECT_FALSE(make_depth_state(r).active());
}

TEST(DepthTest, LanesAreIndependentAndMasked) {
  const DepthState state = make_depth_state(registers(Format::D24_UNORM_S8_UINT, Compare::kLessOrEqual));
  const float z[4] = {0.25f, 0.75f, 0.25f, 0.5f};
  const uint64_t half = 0x800000;
  const uint64_t stored[4] = {half, half, half, half};
  const DepthResult result = depth_stencil(state, true, 0b1011, z, stored);
  EXPECT_EQ(result.pass, 0b1001u);
  EXPECT_EQ(result.write, 0b1001u);
  EXPECT_EQ(result.element[1], half);
  EXPECT_EQ(result.element[2], half);
  EXPECT_EQ(result.element[0], 0x400000u);
}

TEST(DepthTest, NanPassesOnlyNotEqualAndAlways) {
  for (uint32_t compare = 0; compare < 8; compare++) {
    const DepthRegisters r = registers(Format::D32_SFLOAT, static_cast<Compare>(compare));
    const bool passes = compare == 5 || compare == 7;
    EXPECT_EQ(test_one(r, kNan, float_bits(0.5f)).pass, passes ? 1u : 0u) << compare;
  }
}

TEST(DepthBounds, TestTheStoredDepth) {
  DepthRegisters r = registers(Format::D24_UNORM_S8_UINT, Compare::kAlways);
  r.bounds_test = 1;
  r.bounds_min = 0.25f;
  r.bounds_max = 0.75f;
  EXPECT_EQ(test_one(r, 0, 0x800000).pass, 1u);
  EXPECT_EQ(test_one(r, 0.5f, 0x200000).pass, 0u);
  EXPECT_EQ(test_one(r, 0.5f, 0xe00000).pass, 0u);
  EXPECT_EQ(test_one(r, 0.5f, 0xe00000).write, 0u);
  r.bounds_min = r.bounds_max = 1;
  EXPECT_EQ(test_one(r, 0, 0xffffff).pass, 1u);  // the bounds are inclusive
}

// Vulkan "Stencil Operations" on 0, 5 and 255 with reference 9.
TEST(Stencil, EveryOperation) {
  const struct {
    StencilOp op;
    uint32_t of_0, of_5, of_255;
  } table[] = {{StencilOp::kKeep, 0, 5, 255},           {StencilOp::kZero, 0, 0, 0},
               {StencilOp::kReplace, 9, 9, 9},          {StencilOp::kIncrementClamp, 1, 6, 255},
               {StencilOp::kDecrementClamp, 0, 4, 254}, {StencilOp::kInvert, 255, 250, 0},
               {StencilOp::kIncrementWrap, 1, 6, 0},    {StencilOp::kDecrementWrap, 255, 4, 254}};
  for (Format format : {Format::S8_UINT, Format::D24_UNORM_S8_UINT, Format::D32_SFLOAT_S8_UINT}) {
    const uint32_t offset = arch::format_info(format).stencil.offset;
    for (const auto& row : table) {
      DepthRegisters r = registers(format, Compare::kAlways, false);
      r.stencil_test = 1;
      r.front = face(StencilOp::kKeep, StencilOp::kKeep, row.op, Compare::kAlways, 9);
      const auto result = [&](uint64_t stored) {
        return test_one(r, 0, stored << offset).element[0] >> offset & 255;
      };
      EXPECT_EQ(result(0), row.of_0);
      EXPECT_EQ(result(5), row.of_5);
      EXPECT_EQ(result(255), row.of_255);
    }
  }
}

TEST(Stencil, ChoosesTheOperationByOutcomeAndFace) {
  DepthRegisters r = registers(Format::D24_UNORM_S8_UINT, Compare::kLess);
  r.stencil_test = 1;
  r.front = face(StencilOp::kZero, StencilOp::kInvert, StencilOp::kReplace, Compare::kEqual, 5);
  r.back = face(StencilOp::kIncrementWrap, StencilOp::kKeep, StencilOp::kKeep, Compare::kNever, 0);
  const uint64_t near = 0x05000000, far = 0x05ffffff;
  EXPECT_EQ(test_one(r, 0.5f, far).element[0], 0x05800000u);   // both pass: reference 5, depth written
  EXPECT_EQ(test_one(r, 0.5f, near).element[0], 0xfa000000u);  // depth fails
  EXPECT_EQ(test_one(r, 0.5f, near).pass, 0u);
  EXPECT_EQ(test_one(r, 0.5f, 0x04ffffff).element[0], 0x00ffffffu);  // stencil fails, depth stays
  EXPECT_EQ(test_one(r, 0.5f, far, false).element[0], 0x06ffffffu);
  EXPECT_EQ(test_one(r, 0.5f, far, false).pass, 0u);
}

TEST(Stencil, ComparesReferenceWithStoredUnderTheMask) {
  DepthRegisters r = registers(Format::S8_UINT, Compare::kAlways);
  r.stencil_test = 1;
  const auto passes = [&](Compare compare, uint32_t reference, uint32_t mask, uint64_t stored) {
    r.front = face(StencilOp::kKeep, StencilOp::kKeep, StencilOp::kKeep, compare, reference, mask);
    return test_one(r, 0, stored).pass == 1;
  };
  EXPECT_TRUE(passes(Compare::kLess, 3, 255, 4));  // reference < stored
  EXPECT_FALSE(passes(Compare::kLess, 4, 255, 3));
  EXPECT_TRUE(passes(Compare::kEqual, 0xf3, 0x0f, 0x03));
  EXPECT_FALSE(passes(Compare::kEqual, 0xf3, 0xff, 0x03));
  EXPECT_TRUE(passes(Compare::kGreaterOrEqual, 9, 255, 9));
}

TEST(Stencil, WritesUnderTheMask) {
  DepthRegisters r = registers(Format::S8_UINT, Compare::kAlways);
  r.stencil_test = 1;
  r.front = face(StencilOp::kKeep, StencilOp::kKeep, StencilOp::kInvert, Compare::kAlways, 0, 255, 0x0f);
  EXPECT_EQ(test_one(r, 0, 0x35).element[0], 0x3au);
  r.front.write_mask = 0;
  EXPECT_EQ(test_one(r, 0, 0x35).write, 0u);
  EXPECT_FALSE(make_depth_state(r).may_write());
}

TEST(Stencil, ExportedReference) {
  DepthRegisters r = registers(Format::S8_UINT, Compare::kAlways);
  r.stencil_test = 1;
  r.front = face(StencilOp::kKeep, StencilOp::kKeep, StencilOp::kReplace, Compare::kAlways, 1);
  const float z[4] = {};
  const uint64_t stored[4] = {};
  const uint32_t reference[4] = {10, 20, 30, 40};
  const DepthResult result =
      depth_stencil(make_depth_state(r), true, 15, z, stored, DepthPhase::kTestAndWrite, reference);
  EXPECT_EQ(result.element, (std::array<uint64_t, 4>{10, 20, 30, 40}));
}

TEST(EarlyTest, WritesNothing) {
  const DepthRegisters r = registers(Format::D16_UNORM, Compare::kLess);
  const DepthResult pass = test_one(r, 0.25f, 0xffff, true, DepthPhase::kTest);
  EXPECT_EQ(pass.pass, 1u);
  EXPECT_EQ(pass.write, 0u);
  EXPECT_EQ(pass.element[0], 0xffffu);
  EXPECT_EQ(test_one(r, 1, 0x1000, true, DepthPhase::kTest).pass, 0u);
}

TEST(EarlyTest, KeepsLanesWhoseFailureChangesStencil) {
  DepthRegisters r = registers(Format::D24_UNORM_S8_UINT, Compare::kLess);
  r.stencil_test = 1;
  r.front = face(StencilOp::kKeep, StencilOp::kIncrementWrap, StencilOp::kKeep, Compare::kAlways, 0);
  r.back = face(StencilOp::kKeep, StencilOp::kKeep, StencilOp::kIncrementWrap, Compare::kAlways, 0);
  EXPECT_EQ(test_one(r, 1, 0, true, DepthPhase::kTest).pass, 1u);   // continues, because the late test may
                                                                    // count it
  EXPECT_EQ(test_one(r, 1, 0, false, DepthPhase::kTest).pass, 0u);  // fails without effect
}

TEST(EarlyTest, WritesNothingWithStencilEither) {
  DepthRegisters r = registers(Format::D24_UNORM_S8_UINT, Compare::kLess);
  r.stencil_test = 1;
  r.front = face(StencilOp::kIncrementWrap, StencilOp::kIncrementWrap, StencilOp::kIncrementWrap,
                 Compare::kAlways, 0);
  for (const float z : {0.25f, 1.0f}) {
    const DepthResult result = test_one(r, z, 0x05800000, true, DepthPhase::kTest);
    EXPECT_EQ(result.pass, 1u);
    EXPECT_EQ(result.write, 0u);
    EXPECT_EQ(result.element[0], 0x05800000u);
  }
}

// Faces that may write although their fragments fail, and faces that may write at all.
TEST(Stencil, EffectsByFace) {
  DepthRegisters r = registers(Format::D24_UNORM_S8_UINT, Compare::kLess);
  r.stencil_test = 1;
  const auto keep = StencilOp::kKeep, zero = StencilOp::kZero;
  const struct {
    StencilOp fail, depth_fail, pass;
    bool fails_with_effect, writes;
  } table[] = {{keep, keep, keep, false, false},
               {zero, keep, keep, true, true},
               {keep, zero, keep, true, true},
               {keep, keep, zero, false, true}};
  for (const auto& row : table)
    for (const uint32_t mask : {0u, 0x10u}) {
      r.front = face(row.fail, row.depth_fail, row.pass, Compare::kAlways, 0, 255, mask);
      r.back = face(keep, keep, keep, Compare::kAlways, 0);
      const DepthState state = make_depth_state(r);
      EXPECT_EQ(state.fails_with_side_effect[0], row.fails_with_effect && mask);
      EXPECT_EQ(state.stencil_writes[0], row.writes && mask);
      EXPECT_FALSE(state.fails_with_side_effect[1] || state.stencil_writes[1]);
    }
}

// Compares with a second implementation, over random states.
TEST(DepthStencil, AgreesWithAReference) {
  std::mt19937 random(6);
  const auto compares = [](uint32_t op, auto a, auto b) {
    const bool less = a<b, equal = a == b, greater = a> b;
    return ((op & 1) && less) || ((op & 2) && equal) ||
           ((op & 4) && greater);  // the enumerators are such masks
  };
  const auto operate = [](uint32_t op, int s, int reference) {
    const int results[] = {
        s, 0, reference, std::min(s + 1, 255), std::max(s - 1, 0), 255 - s, (s + 1) % 256, (s + 255) % 256};
    return results[op];
  };
  for (int i = 0; i < 100000; i++) {
    DepthRegisters r{};
    r.surface.format = static_cast<uint32_t>(Format::D24_UNORM_S8_UINT);
    r.depth_test = random() % 4 != 0;
    r.depth_write = random() % 2;
    r.depth_compare = random() % 8;
    r.stencil_test = random() % 4 != 0;
    const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    for (auto* f : {&r.front, &r.back})
      *f = {pick(8), pick(8), pick(8), pick(8), pick(4), pick(4), pick(256)};
    const bool front = random() % 2;
    const auto depth = static_cast<uint32_t>(random() % 4), stencil = static_cast<uint32_t>(random() % 5);
    const uint32_t z = random() % 4;
    const DepthResult result = test_one(r, static_cast<float>(z / 16777215.0), depth | stencil << 24, front);
    const arch::StencilFace& f = front ? r.front : r.back;
    const bool stencil_ok =
        !r.stencil_test || compares(f.compare, f.reference & f.read_mask, stencil & f.read_mask);
    const bool depth_ok = !r.depth_test || compares(r.depth_compare, z, depth);
    uint32_t expected_stencil = stencil, expected_depth = depth;
    if (r.stencil_test) {
      const uint32_t op = !stencil_ok ? f.fail : !depth_ok ? f.depth_fail : f.pass;
      const auto value =
          static_cast<uint32_t>(operate(op, static_cast<int>(stencil), static_cast<int>(f.reference)));
      expected_stencil = (value & f.write_mask) | (stencil & ~f.write_mask);
    }
    if (stencil_ok && depth_ok && r.depth_test && r.depth_write) expected_depth = z;
    ASSERT_EQ(result.pass, stencil_ok && depth_ok ? 1u : 0u);
    ASSERT_EQ(result.element[0], expected_depth | expected_stencil << 24);
    ASSERT_TRUE(result.write == 1 || result.element[0] == (depth | stencil << 24));
  }
}

}  // namespace
}  // namespace cutaway::func::depth_stencil_test
