// Tests the memory model: which memories barriers wait for, and which loads need not see others' stores.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

using arch::Stage;

// The memories that each barrier of the program waits for, in order; 'w' if it also waits for its workgroup.
std::string fences(const isa::Program& program) {
  std::string all;
  for (const isa::Instruction& instruction : program.code) {
    if (!isa::is_barrier(instruction.op)) continue;
    if (!all.empty()) all += ' ';
    if (instruction.op == isa::Opcode::kBarrier) all += 'w';
    if (instruction.access.fence & isa::kFenceShared) all += 's';
    if (instruction.access.fence & isa::kFenceDevice) all += 'd';
  }
  return all;
}

TEST(CoherenceTest, BarriersNameTheirMemories) {
  const auto of = [](std::string_view body) {
    return fences(compile_glsl(Stage::kCompute, fmt::format(R"(
      #extension GL_KHR_memory_scope_semantics : enable
      layout(local_size_x = 4) in;
      layout(set=0, binding=0) buffer B {{ uint b[4]; uint c; }};
      void main() {{ b[gl_LocalInvocationIndex] = 1u; {} }})",
                                                            body)));
  };
  EXPECT_EQ(of("barrier();"), "ws");
  EXPECT_EQ(of("memoryBarrierBuffer(); barrier();"), "d ws");
  EXPECT_EQ(of("memoryBarrierShared();"), "s");
  EXPECT_EQ(of("memoryBarrier();"), "sd");
  EXPECT_EQ(of("memoryBarrierImage();"), "d");
  EXPECT_EQ(of("groupMemoryBarrier();"), "sd");
  EXPECT_EQ(of("controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer,"
               "gl_SemanticsAcquireRelease);"),
            "wd");
  EXPECT_EQ(of("controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,"
               "gl_SemanticsAcquireRelease);"),
            "wd");
  EXPECT_EQ(of("b[0] = atomicAdd(c, 1u);"), "");
  EXPECT_EQ(of("b[0] = atomicAdd(c, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);"),
            "");
  EXPECT_EQ(of("b[0] = atomicAdd(c, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);"),
            "d");
}

// Loads may be cached in the first level unless the memory is declared coherent or volatile.
TEST(CoherenceTest, NonCoherentLoadsMayBeCached) {
  const auto cached = [](std::string_view buffers, std::string_view load) {
    const isa::Program program = compile_glsl(Stage::kCompute, fmt::format(R"(
      layout(local_size_x = 1) in;
      struct Node {{ uvec2 a; uint next; }};
      layout(set=0, binding=1) buffer O {{ uint result; }};
      {}
      void main() {{ result = {}; }})",
                                                                           buffers, load));
    uint32_t loads = 0, marked = 0;
    for (const isa::Instruction& instruction : program.code) {
      loads += isa::may_be_cached(instruction.op);
      marked += instruction.access.cached;
    }
    EXPECT_GT(loads, 0u);
    EXPECT_TRUE(marked == 0 || marked == loads);
    return marked != 0;
  };
  EXPECT_TRUE(cached("layout(set=0, binding=0) buffer B { uint b[]; };", "b[3]"));
  EXPECT_FALSE(cached("layout(set=0, binding=0) coherent buffer B { uint b[]; };", "b[3]"));
  EXPECT_FALSE(cached("layout(set=0, binding=0) volatile buffer B { uint b[]; };", "b[3]"));
  EXPECT_TRUE(cached("layout(set=0, binding=0) buffer B { coherent uint a; uint b[]; };", "b[3]"));
  EXPECT_FALSE(cached("layout(set=0, binding=0) buffer B { coherent uint a; uint b[]; };", "a"));
  EXPECT_TRUE(cached("layout(set=0, binding=0) buffer B { Node n[]; };", "n[3].next"));
  EXPECT_FALSE(cached("layout(set=0, binding=0) coherent buffer B { Node n[]; };", "n[3].next"));
  EXPECT_TRUE(cached("layout(set=0, binding=0, r32ui) uniform uimage2D i;", "imageLoad(i, ivec2(1)).x"));
  EXPECT_FALSE(
      cached("layout(set=0, binding=0, r32ui) coherent uniform uimage2D i;", "imageLoad(i, ivec2(1)).x"));
}

}  // namespace
}  // namespace cutaway::compiler
