#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "compiler/testing/run_shader.h"

// Tests subgroups: quads of lanes, some of them inactive.
namespace cutaway::compiler::subgroup_test {
namespace {

using arch::Stage;
using testing::ElementsAre;

const std::string kHead = R"(#version 450
  #extension GL_KHR_shader_subgroup_basic : require
  #extension GL_KHR_shader_subgroup_vote : require
  #extension GL_KHR_shader_subgroup_arithmetic : require
  #extension GL_KHR_shader_subgroup_ballot : require
  #extension GL_KHR_shader_subgroup_shuffle : require
  #extension GL_KHR_shader_subgroup_shuffle_relative : require
  #extension GL_KHR_shader_subgroup_clustered : require
  #extension GL_KHR_shader_subgroup_quad : require
  #extension GL_EXT_shader_explicit_arithmetic_types : require
  #extension GL_EXT_shader_subgroup_extended_types_int8 : require
  #extension GL_EXT_shader_subgroup_extended_types_int16 : require
  #extension GL_EXT_shader_subgroup_extended_types_int64 : require
  #extension GL_EXT_shader_subgroup_extended_types_float16 : require
)";

Execution workgroup(const std::vector<uint32_t>& in, size_t out) {
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
  run.buffers[{0, 0, 0}] = in;
  run.buffers[{0, 1, 0}] = std::vector<uint32_t>(out, 0xdeadbeef);
  return run;
}

// The expected values of `expressions` for each set of active lanes: by set, lane and expression.
using Values = std::array<uint32_t, 4>;
using Model = std::function<uint32_t(const Values& v, uint32_t on, uint32_t lane)>;

void check(const std::vector<std::pair<std::string, Model>>& cases) {
  std::string body;
  for (size_t k = 0; k < cases.size(); ++k)
    body += "o[(on * 4 + i) * " + std::to_string(cases.size()) + " + " + std::to_string(k) + "] = uint(" +
            cases[k].first + ");\n";
  const isa::Program program = compile_glsl(Stage::kCompute, kHead + R"(
    layout(local_size_x = 4) in;
    layout(set=0, binding=0) readonly buffer B { uint v[]; };
    layout(set=0, binding=1) buffer O { uint o[]; };
    void main() {
      uint i = gl_LocalInvocationIndex;
      for (uint on = 0; on < 16; on++) {
        uint x = v[i];
        if ((on >> i & 1) != 0) { )" + body + R"( }
      }
    })");
  std::mt19937 random(9);
  for (int round = 0; round < 8; ++round) {
    std::vector<uint32_t> in;
    Values v;
    for (uint32_t& value : v) in.push_back(value = round == 0 ? 7 : round < 3 ? random() % 4 : random());
    Execution run = workgroup(in, 16 * 4 * cases.size());
    run(program);
    const std::vector<uint32_t>& o = run.buffers[{0, 1, 0}];
    for (uint32_t on = 0; on < 16; ++on)
      for (uint32_t lane = 0; lane < 4; ++lane)
        for (size_t k = 0; k < cases.size(); ++k) {
          const bool runs = on >> lane & 1;
          ASSERT_EQ(o[(on * 4 + lane) * cases.size() + k], runs ? cases[k].second(v, on, lane) : 0xdeadbeef)
              << cases[k].first << ", lane " << lane << " of " << on;
        }
  }
}

// Folds the values of lanes that are active and in `members`.
template <class T = uint32_t>
Model folded(T start, T (*combine)(T, T), uint32_t (*members)(uint32_t lane)) {
  return [=](const Values& v, uint32_t on, uint32_t lane) {
    T sum = start;
    for (uint32_t i = 0; i < 4; ++i)
      if (on & members(lane) & 1u << i) sum = combine(sum, static_cast<T>(v[i]));
    return static_cast<uint32_t>(sum);
  };
}
uint32_t everyone(uint32_t) { return 15; }
uint32_t up_to(uint32_t lane) { return (2u << lane) - 1; }
uint32_t before(uint32_t lane) { return (1u << lane) - 1; }
uint32_t pair(uint32_t lane) { return 3u << (lane & 2); }

template <class T>
T sum(T a, T b) {
  return static_cast<T>(a + b);
}
template <class T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T most(T a, T b) {
  return a < b ? b : a;
}

TEST(Subgroup, ReductionsAndScans) {
  check({{"subgroupAdd(x)", folded(0u, sum<uint32_t>, everyone)},
         {"subgroupMul(x)", folded<uint32_t>(
                                1, [](uint32_t a, uint32_t b) { return a * b; }, everyone)},
         {"subgroupMin(int(x))", folded<int32_t>(INT32_MAX, least<int32_t>, everyone)},
         {"subgroupMax(int(x))", folded<int32_t>(INT32_MIN, most<int32_t>, everyone)},
         {"subgroupMin(x)", folded<uint32_t>(~0u, least<uint32_t>, everyone)},
         {"subgroupMax(x)", folded<uint32_t>(0, most<uint32_t>, everyone)},
         {"subgroupAnd(x)", folded<uint32_t>(
                                ~0u, [](uint32_t a, uint32_t b) { return a & b; }, everyone)},
         {"subgroupOr(x)", folded<uint32_t>(
                               0, [](uint32_t a, uint32_t b) { return a | b; }, everyone)},
         {"subgroupXor(x)", folded<uint32_t>(
                                0, [](uint32_t a, uint32_t b) { return a ^ b; }, everyone)},
         {"subgroupInclusiveAdd(x)", folded(0u, sum<uint32_t>, up_to)},
         {"subgroupExclusiveAdd(x)", folded(0u, sum<uint32_t>, before)},
         {"subgroupExclusiveMax(int(x))", folded<int32_t>(INT32_MIN, most<int32_t>, before)},
         {"subgroupClusteredAdd(x, 2)", folded(0u, sum<uint32_t>, pair)},
         {"subgroupClusteredAdd(x, 4)", folded(0u, sum<uint32_t>, everyone)},
         {"subgroupClusteredAdd(x, 1)", [](const Values& v, uint32_t, uint32_t lane) { return v[lane]; }}});
}

TEST(Subgroup, ReductionsOfOtherSizes) {
  check({{"subgroupAdd(uint8_t(x))", folded<uint8_t>(0, sum<uint8_t>, everyone)},
         {"int(subgroupMin(int8_t(x)))", folded<int8_t>(INT8_MAX, least<int8_t>, everyone)},
         {"int(subgroupMax(int16_t(x)))", folded<int16_t>(INT16_MIN, most<int16_t>, everyone)},
         {"int(subgroupInclusiveAdd(int16_t(x)))", folded<int16_t>(0, sum<int16_t>, up_to)},
         {"subgroupAdd(uint64_t(x) << 12) >> 12", folded<uint32_t>(0, sum<uint32_t>, everyone)},
         {"subgroupAdd(uint64_t(x)) >> 32",
          [](const Values& v, uint32_t on, uint32_t) {
            uint64_t all = 0;
            for (uint32_t i = 0; i < 4; ++i) all += on >> i & 1 ? v[i] : 0;
            return static_cast<uint32_t>(all >> 32);
          }},
         {"subgroupMin(int64_t(int(x)))", folded<int32_t>(INT32_MAX, least<int32_t>, everyone)},
         {"subgroupExclusiveAdd(float16_t(x & 7))",
          [](const Values& v, uint32_t on, uint32_t lane) {
            uint32_t all = 0;
            for (uint32_t i = 0; i < lane; ++i) all += on >> i & 1 ? v[i] & 7 : 0;
            return all;
          }},
         {"subgroupAdd(float(x & 255))", [](const Values& v, uint32_t on, uint32_t) {
            uint32_t all = 0;
            for (uint32_t i = 0; i < 4; ++i) all += on >> i & 1 ? v[i] & 255 : 0;
            return all;
          }}});
}

uint32_t lowest(uint32_t on) { return static_cast<uint32_t>(__builtin_ctz(on)); }

TEST(Subgroup, VotesAndBallots) {
  const auto ballot = [](const Values& v, uint32_t on) {
    uint32_t votes = 0;
    for (uint32_t i = 0; i < 4; ++i) votes |= (v[i] & 1 & on >> i) << i;
    return votes;
  };
  check({{"subgroupElect()",
          [](const Values&, uint32_t on, uint32_t lane) { return uint32_t{lane == lowest(on)}; }},
         {"subgroupAll((x & 1) != 0)",
          [=](const Values& v, uint32_t on, uint32_t) { return uint32_t{ballot(v, on) == on}; }},
         {"subgroupAny((x & 1) != 0)",
          [=](const Values& v, uint32_t on, uint32_t) { return uint32_t{ballot(v, on) != 0}; }},
         {"subgroupAllEqual(x)",
          [](const Values& v, uint32_t on, uint32_t) {
            for (uint32_t i = 0; i < 4; ++i)
              if ((on >> i & 1) && v[i] != v[lowest(on)]) return 0u;
            return 1u;
          }},
         {"subgroupBallot((x & 1) != 0).x",
          [=](const Values& v, uint32_t on, uint32_t) { return ballot(v, on); }},
         {"subgroupBallot(true).y", [](const Values&, uint32_t, uint32_t) { return 0u; }},
         {"subgroupInverseBallot(uvec4(5, 0, 0, 0))",
          [](const Values&, uint32_t, uint32_t lane) { return 5u >> lane & 1; }},
         {"subgroupBallotBitExtract(subgroupBallot((x & 1) != 0), 2)",
          [=](const Values& v, uint32_t on, uint32_t) { return ballot(v, on) >> 2 & 1; }},
         {"subgroupBallotBitCount(subgroupBallot((x & 1) != 0))",
          [=](const Values& v, uint32_t on, uint32_t) {
            return static_cast<uint32_t>(__builtin_popcount(ballot(v, on)));
          }},
         {"subgroupBallotInclusiveBitCount(subgroupBallot((x & 1) != 0))",
          [=](const Values& v, uint32_t on, uint32_t lane) {
            return static_cast<uint32_t>(__builtin_popcount(ballot(v, on) & up_to(lane)));
          }},
         {"subgroupBallotExclusiveBitCount(subgroupBallot((x & 1) != 0))",
          [=](const Values& v, uint32_t on, uint32_t lane) {
            return static_cast<uint32_t>(__builtin_popcount(ballot(v, on) & before(lane)));
          }},
         {"subgroupBallotFindLSB(subgroupBallot(true))",
          [](const Values&, uint32_t on, uint32_t) { return lowest(on); }},
         {"subgroupBallotFindMSB(subgroupBallot(true))", [](const Values&, uint32_t on, uint32_t) {
            return 31 - static_cast<uint32_t>(__builtin_clz(on));
          }}});
}

// The value of an inactive lane is undefined; here it is zero.
uint32_t of_lane(const Values& v, uint32_t on, uint32_t from) {
  return on >> (from & 3) & 1 ? v[from & 3] : 0;
}

TEST(Subgroup, BroadcastsShufflesAndQuads) {
  check(
      {{"subgroupBroadcast(x, 2)", [](const Values& v, uint32_t on, uint32_t) { return of_lane(v, on, 2); }},
       {"subgroupBroadcastFirst(x)", [](const Values& v, uint32_t on, uint32_t) { return v[lowest(on)]; }},
       {"subgroupShuffle(x, 3 - i)",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, 3 - lane); }},
       {"subgroupShuffleXor(x, 3)",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, lane ^ 3); }},
       {"subgroupShuffleUp(x, 1)",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, lane - 1); }},
       {"subgroupShuffleDown(x, 2)",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, lane + 2); }},
       {"subgroupQuadBroadcast(x, 1)",
        [](const Values& v, uint32_t on, uint32_t) { return of_lane(v, on, 1); }},
       {"subgroupQuadSwapHorizontal(x)",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, lane ^ 1); }},
       {"subgroupQuadSwapVertical(x)",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, lane ^ 2); }},
       {"subgroupQuadSwapDiagonal(x)",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, lane ^ 3); }},
       {"subgroupShuffle(uint64_t(x) << 8, i ^ 1) >> 8",
        [](const Values& v, uint32_t on, uint32_t lane) { return of_lane(v, on, lane ^ 1); }}});
}

TEST(Subgroup, BuiltIns) {
  const isa::Program program = compile_glsl(Stage::kCompute, kHead + R"(
    layout(local_size_x = 4, local_size_y = 3) in;
    layout(set=0, binding=1) buffer O { uint o[4][10]; };
    void main() {
      uint i = gl_LocalInvocationIndex - 8;
      subgroupBarrier();
      o[i] = uint[10](gl_SubgroupSize, gl_NumSubgroups, gl_SubgroupID, gl_SubgroupInvocationID, gl_SubgroupEqMask.x,
                      gl_SubgroupGeMask.x, gl_SubgroupGtMask.x, gl_SubgroupLeMask.x, gl_SubgroupLtMask.x, gl_SubgroupGtMask.y);
    })");
  Execution run = workgroup({}, 40);
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 2, 0, 8 + lane};
  run(program);
  const std::vector<uint32_t>& o = run.buffers[{0, 1, 0}];
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_THAT(std::vector(o.begin() + 10 * i, o.begin() + 10 * i + 10),
                ElementsAre(4, 3, 2, i, 1u << i, 15u & ~before(i), 15u & ~up_to(i), up_to(i), before(i), 0));
}

// Equal operations in both arms, or before and inside a branch, are not merged, because different lanes are
// active.
TEST(Subgroup, EachPlaceCountsItsOwnLanes) {
  const isa::Program program = compile_glsl(Stage::kCompute, kHead + R"(
    layout(local_size_x = 4) in;
    layout(set=0, binding=1) buffer O { uint o[4][4]; };
    void main() {
      uint i = gl_LocalInvocationIndex, first = subgroupAdd(1u), second;
      if (i < 3) second = subgroupAdd(1u); else second = 10 + subgroupAdd(1u);
      uint turns = 0, seen = 0;
      while (turns < i) { turns++; seen = seen * 10 + subgroupAdd(1u); }
      o[i] = uint[4](first, second, seen, subgroupAdd(1u));
    })");
  Execution run = workgroup({}, 16);
  run(program);
  EXPECT_THAT(run.buffers.rbegin()->second, ElementsAre(4, 3, 0, 4, 4, 3, 3, 4, 4, 3, 32, 4, 4, 11, 321, 4));
}

// Lanes with equal values form a group; the loop ends for helpers too.
TEST(Subgroup, FragmentsAreQuads) {
  const isa::Program program = compile_glsl(Stage::kFragment, kHead + R"(
    layout(location=0) flat in uint v;
    layout(location=0) out vec4 o;
    void main() {
      if (gl_SubgroupInvocationID == 1) discard;
      uint turns = 0;
      for (;;) { turns++; if (subgroupBroadcastFirst(v) == v) break; }
      o = vec4(subgroupQuadSwapHorizontal(float(v)), turns, subgroupAdd(1u), gl_SubgroupInvocationID);
    })");
  EXPECT_TRUE(program.flags & arch::kShaderDerivatives);
  Execution run;
  const uint32_t values[4] = {5, 9, 9, 5};
  for (uint32_t lane = 0; lane < 4; ++lane) {
    run.inputs[0][lane] = {values[lane]};
    run.inputs[arch::kInputFragCoord][lane] =
        bits({6.5f + static_cast<float>(lane & 1), 4.5f + static_cast<float>(lane >> 1), 0, 1});
  }
  run(program);
  EXPECT_EQ(run.survivors, 0b1101u);
  EXPECT_EQ(run.output(0, 0), (Vec4{9, 1, 3, 0}));
  EXPECT_EQ(run.output(0, 2), (Vec4{5, 2, 3, 2}));
  EXPECT_EQ(run.output(0, 3), (Vec4{9, 1, 3, 3}));
}

// Without quads, one invocation of each subgroup runs.
TEST(Subgroup, OfVerticesOneInvocationRuns) {
  const isa::Program program = compile_glsl(Stage::kVertex, kHead + R"(
    layout(location=0) in uint v;
    layout(location=0) out vec4 o;
    void main() {
      gl_Position = vec4(0);
      o = vec4(gl_SubgroupSize, subgroupAdd(v) + subgroupExclusiveAdd(v), subgroupBallot(v > 3).x, subgroupBroadcastFirst(v));
    })");
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[0][lane] = {lane * 2};
  run(program);
  EXPECT_EQ(run.output(1, 1), (Vec4{4, 2, 0, 2}));
  EXPECT_EQ(run.output(1, 3), (Vec4{4, 6, 1, 6}));
}

}  // namespace
}  // namespace cutaway::compiler::subgroup_test
