#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "compiler/testing/run_shader.h"
#include "isa/operands.h"

namespace cutaway::compiler::memory_test {
namespace {

using arch::Stage;
using testing::ElementsAre;

uint32_t count(const isa::Program& program, isa::Opcode op) {
  uint32_t n = 0;
  for (const isa::Instruction& i : program.code) n += i.op == op;
  return n;
}

// Four invocations with LocalInvocationIndex 0 to 3.
Execution workgroup() {
  Execution run;
  run.set_lanes(arch::kInputLocalId, {});
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
  run.inputs[arch::kInputWorkgroupId].fill({2, 0, 0, 0});
  run.inputs[arch::kInputWorkgroups].fill({5, 6, 7, 0});
  return run;
}

TEST(ScratchTest, LargeArraysAreIndexedInScratchMemory) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) flat in int n;
    layout(location=0) out vec4 o;
    void main() {
      float a[300];
      for (int i = 0; i < 300; i++) a[i] = float(i * i);
      a[n] += 0.5;
      o = vec4(a[n], a[n + 1], a[299 - n], a[0]);
    })");
  EXPECT_GE(program.scratch_bytes, 1200u);
  EXPECT_GT(count(program, isa::Opcode::kSts), 0u);
  EXPECT_LT(program.code.size(), 100u);
  Execution run;
  run.inputs[0][0] = {7}, run.inputs[0][1] = {100}, run.inputs[0][2] = {0}, run.inputs[0][3] = {298};
  run(program);
  EXPECT_EQ(run.output(0, 0), (Vec4{49.5f, 64, 292 * 292, 0}));
  EXPECT_EQ(run.output(0, 1), (Vec4{10000.5f, 101 * 101, 199 * 199, 0}));
  EXPECT_EQ(run.output(0, 2), (Vec4{0.5f, 1, 299 * 299, 0.5f}));
  EXPECT_EQ(run.output(0, 3), (Vec4{298 * 298 + 0.5f, 299 * 299, 1, 0}));
}

// An attempt to unroll the loop places the arrays, and is undone: they are placed again.
TEST(ScratchTest, ArraysOfFunctionsThatALoopCalls) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) flat in ivec3 i;
    layout(location=0) out vec4 o;
    float f(int k) {
      float a[100];
      for (int j = 0; j < 100; j++) a[j] = float(j + k);
      a[i.x] = 5.0;
      return a[i.y];
    }
    float g(int k) {
      float c[100];
      for (int j = 0; j < 100; j++) c[j] = float(j * k);
      c[i.x] = 7.0;
      return f(k) + c[i.y];
    }
    void main() {
      float sum = 0.0;
      int k = 0;
      do sum += g(k); while (++k < i.z);
      o = vec4(sum);
    })");
  EXPECT_EQ(program.scratch_bytes, 800u);
  Execution run;
  run.inputs[0].fill({3, 8, 4});
  run.inputs[0][1] = {99, 99, 2};
  run(program);
  EXPECT_EQ(run.output(0, 0)[0], 4 * 8 + (0 + 1 + 2 + 3) + 8 * (0 + 1 + 2 + 3));
  EXPECT_EQ(run.output(0, 1)[0], 2 * (5 + 7));
}

TEST(ScratchTest, AnArrayGoesThroughAFunction) {
  const isa::Program program = compile_glsl(
      Stage::kFragment, R"(
    layout(location=0) flat in int n;
    layout(location=0) out vec4 o;
    const vec3 table[80] = vec3[80]()" +
                            [] {
                              std::string all;
                              for (int i = 0; i < 80; i++)
                                all += (i ? ", vec3(" : "vec3(") + std::to_string(i) + ", 1, -" +
                                       std::to_string(i) + ")";
                              return all;
                            }() +
                            R"();
    void bump(inout vec3 a[80], int at) { a[at].y = 5.0; }
    void main() {
      vec3 own[80] = table;
      bump(own, n);
      o = vec4(own[n], own[79 - n].z);
    })");
  Execution run;
  run.inputs[0][0] = {3};
  run(program);
  EXPECT_EQ(run.output(0, 0), (Vec4{3, 5, -3, -76}));
  EXPECT_EQ(run.output(0, 1), (Vec4{0, 5, -0.0f, -79}));
}

// 700 components that are live at once.
std::string wide_program(bool loop) {
  std::string text = R"(
    layout(location=0) flat in int n;
    layout(location=0) out vec4 o;
    void main() {
      vec4 sum = vec4(0);
)";
  for (int i = 0; i < 175; i++)
    text += "vec4 v" + std::to_string(i) + " = vec4(float(n + " + std::to_string(i) + "), float(n - " +
            std::to_string(i) + "), float(n * " + std::to_string(i) + "), float(n ^ " + std::to_string(i) +
            "));\n";
  if (loop) {
    text += "for (int k = 0; k < n; k++) {\n";
    for (int i = 0; i < 175; i++)
      text += "v" + std::to_string(i) + ".x += v" + std::to_string((i + 1) % 175) + ".z + float(k);\n";
    text += "}\n";
  }
  for (int i = 0; i < 175; i++) text += "sum = sum * 0.5 + v" + std::to_string(174 - i) + ";\n";
  return text + "o = sum; }";
}

Vec4 wide_result(int n, bool loop) {
  std::vector<Vec4> v(175);
  for (int i = 0; i < 175; i++)
    v[i] = {static_cast<float>(n + i), static_cast<float>(n - i), static_cast<float>(n * i),
            static_cast<float>(n ^ i)};
  for (int k = 0; loop && k < n; k++)
    for (int i = 0; i < 175; i++) v[i][0] += v[(i + 1) % 175][2] + static_cast<float>(k);
  Vec4 sum{};
  for (int i = 0; i < 175; i++)
    for (int c = 0; c < 4; c++) sum[c] = sum[c] * 0.5f + v[174 - i][c];
  return sum;
}

TEST(SpillTest, MoreValuesThanRegisters) {
  for (bool loop : {false, true}) {
    SCOPED_TRACE(loop);
    const isa::Program program = compile_glsl(Stage::kFragment, wide_program(loop));
    EXPECT_LE(program.temporaries, arch::kTemporaries);
    EXPECT_GT(program.scratch_bytes, 0u);
    Execution run;
    for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[0][lane] = {lane};
    run(program);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(run.output(0, lane), wide_result(static_cast<int>(lane), loop)) << lane;
    }
  }
}

TEST(ConstantsTest, UniformsBeyondTheRegistersAreLoaded) {
  std::string text =
      "layout(set=0, binding=0) uniform U { vec4 u[2000]; };\nlayout(location=0) out vec4 o;\n"
      "void main() { vec4 s = vec4(0);\n";
  for (int i = 0; i < 2000; i++) text += "s += u[" + std::to_string(i) + "];\n";
  const isa::Program program = compile_glsl(Stage::kFragment, text + "o = s; }");
  EXPECT_GT(count(program, isa::Opcode::kLdb), 500u);
  Execution run;
  std::vector<uint32_t>& buffer = run.buffers[{0, 0, 0}];
  for (uint32_t i = 0; i < 8000; i++) buffer.push_back(std::bit_cast<uint32_t>(static_cast<float>(i % 5)));
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{4000, 4000, 4000, 4000}));
}

TEST(StorageTest, StoresAndLoads) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(
    layout(local_size_x = 4) in;
    layout(set=0, binding=1, std430) buffer B { uvec2 head; mat2x3 m; uint tail[]; };
    void main() {
      uint i = gl_LocalInvocationIndex;
      tail[i] = gl_GlobalInvocationID.x * 10;
      if (i == 0) {
        head.y = tail.length();
        m[1].z = 8.0;
        tail[6] = head.y + 1u;
      }
    })");
  EXPECT_TRUE(program.flags & arch::kShaderWritesMemory);
  EXPECT_EQ(program.local_size[0], 4u);
  Execution run = workgroup();
  // uvec2 at 0, mat2x3 at 16 (two columns of 16 bytes), tail at 48.
  run.buffers[{0, 1, 0}] = std::vector<uint32_t>(12 + 7, 1);
  run(program);
  const std::vector<uint32_t>& b = run.buffers[{0, 1, 0}];
  EXPECT_EQ(b[1], 7u);
  EXPECT_EQ(b[10], std::bit_cast<uint32_t>(8.0f));
  EXPECT_THAT(std::vector(b.begin() + 12, b.end()), ElementsAre(80, 90, 100, 110, 1, 1, 8));
}

TEST(StorageTest, Atomics) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(
    layout(local_size_x = 4) in;
    layout(set=0, binding=0) buffer B { uint a, o, x, mn; int mx, smin; uint swap, cas; uint old[4]; };
    void main() {
      uint i = gl_LocalInvocationIndex;
      old[i] = atomicAdd(a, i + 1u);
      atomicOr(o, 1u << i);
      atomicXor(x, 3u);
      atomicMin(mn, 9u - i);
      atomicMax(mx, int(i) - 10);
      atomicMin(smin, int(i) - 3);
      atomicExchange(swap, 40u + i);
      atomicCompSwap(cas, i, i + 1u);
    })");
  EXPECT_EQ(count(program, isa::Opcode::kAtomic), 8u);
  Execution run = workgroup();
  run.buffers[{0, 0, 0}] = {100, 16, 1, 50, static_cast<uint32_t>(-100), 7, 0, 0, 0, 0, 0, 0};
  run(program);
  EXPECT_THAT(run.buffers.begin()->second, ElementsAre(110, 31, 1, 6, static_cast<uint32_t>(-7),
                                                       static_cast<uint32_t>(-3), 43, 4, 100, 101, 103, 106));
}

TEST(StorageTest, ArraysOfBuffersAreIndexed) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(
    layout(local_size_x = 4) in;
    layout(set=0, binding=0) buffer B { uint sum; uint value[]; } b[4];
    layout(set=0, binding=1) uniform U { uint scale; } u[4];
    void main() {
      uint i = gl_LocalInvocationIndex;
      b[3 - i].value[1] = b[i].value[0] * u[i].scale;
      uint old = atomicAdd(b[i / 2].sum, i + 1u);
      b[i].value[2] = b[3 - i].value.length() * 100 + old;
    })");
  Execution run = workgroup();
  for (uint32_t i = 0; i < 4; i++) {
    run.buffers[{0, 0, i}] = {10 * i, i + 1, 0, 0};
    run.buffers[{0, 0, i}].resize(4 + i);
    run.buffers[{0, 1, i}] = {i + 5, 0, 0, 0};
  }
  run(program);
  const uint32_t sum[4] = {3, 10 + 7, 20, 30}, old[4] = {0, 1, 10, 13};
  for (uint32_t i = 0; i < 4; i++) {
    const std::vector<uint32_t>& buffer = run.buffers[{0, 0, i}];
    EXPECT_EQ(buffer[0], sum[i]) << i;
    EXPECT_EQ(buffer[2], (4 - i) * (3 - i + 5)) << i;
    EXPECT_EQ(buffer[3], (3 + 3 - i) * 100 + old[i]) << i;
  }
}

TEST(StorageTest, ArraysOfImagesAreIndexed) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(
    layout(local_size_x = 4) in;
    layout(set=0, binding=0, r32ui) uniform uimage2D image[4];
    void main() {
      int i = int(gl_LocalInvocationIndex);
      imageStore(image[3 - i], ivec2(1, 0), uvec4(imageLoad(image[i], ivec2(0, 0)).x + 7u));
      imageStore(image[i], ivec2(2, 0), uvec4(imageAtomicAdd(image[i / 2], ivec2(3, 0), i + 1u)));
    })");
  Execution run = workgroup();
  for (uint32_t i = 0; i < 4; i++) run.images[{0, 0, i}] = std::vector<uint32_t>(64, 10 * i);
  run(program);
  const uint32_t sum[4] = {3, 17, 20, 30}, old[4] = {0, 1, 10, 13};
  for (uint32_t i = 0; i < 4; i++) {
    const std::vector<uint32_t>& image = run.images[{0, 0, i}];
    EXPECT_EQ(image[1], 10 * (3 - i) + 7) << i;
    EXPECT_EQ(image[2], old[i]) << i;
    EXPECT_EQ(image[3], sum[i]) << i;
  }
}

TEST(StorageTest, WorkgroupMemoryAndBarriers) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(
    layout(local_size_x = 4) in;
    layout(set=0, binding=0) buffer B { uint out_[4]; uint sum; };
    shared uint part[4];
    shared uint total;
    void main() {
      uint i = gl_LocalInvocationIndex;
      part[i] = i * i;
      if (i == 0) total = 0;
      barrier();
      out_[i] = part[3 - i];
      atomicAdd(total, part[i]);
      barrier();
      if (i == 0) sum = total;
    })");
  EXPECT_EQ(count(program, isa::Opcode::kBarrier), 2u);
  EXPECT_EQ(program.shared_bytes, 32u);
  EXPECT_FALSE(program.scratch_bytes);
  Execution run = workgroup();
  run.buffers[{0, 0, 0}] = std::vector<uint32_t>(5);
  run(program);
  EXPECT_THAT(run.buffers.begin()->second, ElementsAre(9, 4, 1, 0, 14));
}

TEST(StorageTest, Images) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(set=0, binding=2, r32ui) uniform uimage2D i;
    layout(location=0) out uvec4 o;
    void main() {
      uvec4 t = imageLoad(i, ivec2(3, 1));
      imageStore(i, ivec2(4, 1), t + 1u);
      uint old = imageAtomicAdd(i, ivec2(5, 1), 2u);
      o = uvec4(t.x, old, imageLoad(i, ivec2(5, 1)).x, 0);
    })");
  Execution run;
  std::vector<uint32_t>& image = run.images[{0, 2, 0}];
  image.assign(128, 10);
  run(program);
  EXPECT_EQ(image[64 + 4], 11u);
  EXPECT_EQ(image[64 + 5], 18u);
  EXPECT_EQ(run.outputs.at(0)[0], (Bits4{10, 10, 18, 0}));
  EXPECT_EQ(run.outputs.at(0)[3][1], 16u);
}

TEST(StorageTest, SizesOfWorkgroupsCanBeSpecialized) {
  const std::vector<uint32_t> spirv = glsl_to_spirv(Stage::kCompute, R"(
    layout(local_size_x_id = 3, local_size_y = 2) in;
    layout(set=0, binding=0) buffer B { uvec3 size; };
    void main() { size = gl_WorkGroupSize; })");
  const uint32_t eight = 8;
  const auto* bytes = reinterpret_cast<const std::byte*>(&eight);
  const isa::Program program = compile({.stage = Stage::kCompute,
                                        .spirv = spirv,
                                        .entry = "main",
                                        .specializations = {{3, {bytes, bytes + 4}}}});
  EXPECT_THAT(program.local_size, ElementsAre(8, 2, 1));
  EXPECT_THROW(
      compile_glsl(Stage::kCompute, "layout(local_size_x = 1024, local_size_y = 2) in; void main() {}"),
      UserError);
}

// Each lane reads, writes and samples its own element, also of arrays of texel buffers.
TEST(StorageTest, ArraysIndexedByWhatDiffersBetweenLanes) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(#version 450
    #extension GL_EXT_nonuniform_qualifier : require
    layout(local_size_x = 4) in;
    layout(set=0, binding=0) buffer B { uint n; } b[4];
    layout(set=0, binding=1) uniform usamplerBuffer t[4];
    layout(set=0, binding=2, r32ui) uniform uimageBuffer s[4];
    layout(set=0, binding=3) uniform U { uint n; } u[4];
    void main() {
      const uint i = gl_LocalInvocationIndex, k = nonuniformEXT(3 - i);
      b[k].n += texelFetch(t[k], 7).x + u[k].n;
      imageStore(s[nonuniformEXT(i ^ 1)], 0, uvec4(50 + i));
      atomicAdd(b[nonuniformEXT(i)].n, 1000);
    })");
  Execution run = workgroup();
  for (uint32_t i = 0; i < 4; ++i) {
    run.buffers[{0, 0, i}] = {i};
    run.buffers[{0, 3, i}] = {100 * i, 0, 0, 0};
    run.images[{0, 2, i}] = std::vector<uint32_t>(4);
  }
  run.texture = [&](const isa::Instruction& instruction, const std::array<Bits4, 3>&) {
    return Bits4{10 * program.resources[instruction.access.resource].element, 0, 0, 0};
  };
  run(program);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ((run.buffers[{0, 0, i}][0]), 1000 + 111 * i);
    EXPECT_EQ((run.images[{0, 2, i}][0]), 50 + (i ^ 1));
  }
}

}  // namespace
}  // namespace cutaway::compiler::memory_test
