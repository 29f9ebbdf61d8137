#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/depth_promise.h"
#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

// Tests a program's interface, its reads from buffers, and rejected programs.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const isa::Varying* at(const std::vector<isa::Varying>& list, uint32_t location) {
  for (const isa::Varying& v : list)
    if (v.location == location) return &v;
  return nullptr;
}

TEST(Interface, VertexInputsAndOutputs) {
  const isa::Program program = compile_glsl(Stage::kVertex, R"(
    layout(location=0) in vec3 p; layout(location=5) in vec2 t; layout(location=6) in mat2 m;
    layout(location=3) out vec2 u; layout(location=1) out vec4 c;
    void main() { gl_Position = vec4(p, 1); gl_PointSize = t.x; u = m * t; c = vec4(gl_VertexIndex, gl_InstanceIndex, 0, 1); })");
  ASSERT_EQ(program.inputs.size(), 4u);
  EXPECT_EQ(at(program.inputs, 0)->mask, 7);
  EXPECT_EQ(at(program.inputs, 5)->reg, 5u);
  ASSERT_NE(at(program.inputs, 7), nullptr);
  ASSERT_EQ(program.outputs.size(), 2u);
  EXPECT_EQ(at(program.outputs, 1)->reg, 1u);
  EXPECT_EQ(at(program.outputs, 3)->reg, 2u);
  EXPECT_EQ(at(program.outputs, 3)->mask, 3);
  EXPECT_EQ(program.point_size, 3u);
  EXPECT_EQ(program.layer, arch::kNoOutput);
  Execution run;
  run.set(0, {1, 2, 3, 0});
  run.set(5, {10, 20, 0, 0});
  run.set(6, {1, 0, 0, 0});
  run.set(7, {0, 2, 0, 0});
  for (Bits4& lane : run.inputs[arch::kInputVertexId]) lane = {7, 9, 0, 0};
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{1, 2, 3, 1}));
  EXPECT_EQ(run.output(1), (Vec4{7, 9, 0, 1}));
  EXPECT_EQ(run.output(2)[1], 40);
  EXPECT_EQ(run.output(3)[0], 10);
}

TEST(Interface, DeadVaryingsTakeTheirCodeWithThem) {
  const auto spirv = glsl_to_spirv(Stage::kVertex, R"(
    layout(location=0) in vec4 p; layout(location=0) out vec4 c; layout(location=1) out vec4 d;
    void main() { gl_Position = p; gl_PointSize = 1.0; c = sin(p); d = p * 2.0; })");
  const isa::Program program = compile({.stage = Stage::kVertex,
                                        .spirv = spirv,
                                        .entry = "main",
                                        .live_outputs = 2,
                                        .live_point_size = false});
  EXPECT_EQ(program.code.size(), 3u) << isa::disassemble(program.code);
  EXPECT_EQ(program.point_size, arch::kNoOutput);
}

TEST(Interface, DrawParameters) {
  const isa::Program program = compile_glsl(Stage::kVertex, R"(
    #extension GL_ARB_shader_draw_parameters : require
    void main() { gl_Position = vec4(gl_BaseVertexARB, gl_BaseInstanceARB, gl_DrawIDARB, 1); })");
  Execution run;
  for (Bits4& lane : run.inputs[arch::kInputVertexId]) lane = {7, 9, 3, 4};
  for (Bits4& lane : run.inputs[arch::kInputDraw]) lane = {5, 0, 0, 0};
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{3, 4, 5, 1}));
}

TEST(Interface, ClipAndCullDistances) {
  const isa::Program program = compile_glsl(Stage::kVertex, R"(
    out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; float gl_CullDistance[2]; };
    layout(location=0) in vec4 p;
    void main() { gl_Position = p; gl_ClipDistance[0] = p.x; gl_ClipDistance[1] = p.y; gl_ClipDistance[2] = p.z;
      gl_CullDistance[0] = p.w; gl_CullDistance[1] = 1.0; })");
  EXPECT_EQ(program.clip_distances, 3u);
  EXPECT_EQ(program.cull_distances, 2u);
  ASSERT_NE(program.clip_distance, arch::kNoOutput);
  Execution run;
  run.set(0, {1, 2, 3, 4});
  run(program);
  EXPECT_EQ(run.output(program.clip_distance), (Vec4{1, 2, 3, 4}));
  EXPECT_EQ(run.output(program.clip_distance + 1)[0], 1);
}

TEST(Interface, FragmentsReadClipAndCullDistances) {
  const isa::Program fragment = compile_glsl(Stage::kFragment, R"(
    in float gl_ClipDistance[3]; in float gl_CullDistance[2]; layout(location=0) out vec4 c;
    void main() { c = vec4(gl_ClipDistance[1], gl_ClipDistance[2], gl_CullDistance[0], gl_CullDistance[1]); })");
  ASSERT_EQ(fragment.inputs.size(), 2u);
  EXPECT_EQ(fragment.inputs[0].location, isa::kClipLocation);
  EXPECT_EQ(fragment.inputs[1].location, isa::kCullLocation);
  const auto spirv = glsl_to_spirv(Stage::kVertex, R"(
    out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; float gl_CullDistance[2]; };
    layout(location=0) in vec4 p; layout(location=1) in vec4 q;
    void main() { gl_Position = p; gl_ClipDistance[0] = p.x; gl_ClipDistance[1] = p.y; gl_ClipDistance[2] = p.z;
      gl_CullDistance[0] = p.w; gl_CullDistance[1] = q.x; })");
  uint64_t live = 0;
  for (const isa::Varying& input : fragment.inputs) live |= uint64_t{1} << input.location;
  const isa::Program vertex =
      compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "main", .live_outputs = live});
  Execution run;
  run.set(0, {1, 2, 3, 4});
  run.set(1, {5, 0, 0, 0});
  run(vertex);
  EXPECT_EQ(run.output(vertex.clip_distance), (Vec4{1, 2, 3, 4}));
  ASSERT_NE(at(vertex.outputs, isa::kClipLocation), nullptr);
  ASSERT_NE(at(vertex.outputs, isa::kCullLocation), nullptr);
  EXPECT_EQ(run.output(at(vertex.outputs, isa::kClipLocation)->reg)[1], 2);
  EXPECT_EQ(run.output(at(vertex.outputs, isa::kCullLocation)->reg)[1], 5);
  EXPECT_EQ(compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "main"}).outputs.size(), 0u);
}

TEST(Interface, ConservativeDepthIsAPromise) {
  const std::pair<const char*, uint32_t> cases[] = {
      {"depth_any", 0},
      {"depth_greater", arch::kShaderDepthNotLess},
      {"depth_less", arch::kShaderDepthNotGreater},
      {"depth_unchanged", arch::kShaderDepthNotLess | arch::kShaderDepthNotGreater}};
  for (const auto& [mode, flags] : cases) {
    const isa::Program program =
        compile_glsl(Stage::kFragment, std::string("layout(") + mode + R"() out float gl_FragDepth;
      layout(location=0) in float f;
      void main() { gl_FragDepth = f; })");
    EXPECT_EQ(program.flags, arch::kShaderWritesDepth | flags) << mode;
  }
}

TEST(Interface, FragmentBuiltinsAndFlags) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(early_fragment_tests) in;
    layout(location=4) noperspective centroid in vec2 t; layout(location=2) flat in float f;
    layout(location=2) out vec4 o;
    void main() { o = vec4(gl_FragCoord.xy, t.y + f, gl_FrontFacing ? 1 : 0) + vec4(gl_PointCoord, 0, 0); gl_FragDepth = f; })");
  EXPECT_EQ(program.flags, arch::kShaderEarlyTests | arch::kShaderWritesDepth | arch::kShaderReadsFragCoord |
                               arch::kShaderReadsFrontFacing | arch::kShaderReadsPointCoord);
  ASSERT_EQ(program.inputs.size(), 2u);
  EXPECT_EQ(at(program.inputs, 2)->reg, 0u);
  EXPECT_EQ(at(program.inputs, 2)->mode, arch::Interpolation::kFlat);
  EXPECT_EQ(at(program.inputs, 4)->reg, 1u);
  EXPECT_EQ(at(program.inputs, 4)->mask, 2);
  EXPECT_EQ(at(program.inputs, 4)->mode, arch::Interpolation::kLinear);
  EXPECT_EQ(at(program.inputs, 4)->at, arch::SampleLocation::kCentroid);
  Execution run;
  run.set(0, {0.5f, 0, 0, 0});
  run.set(1, {0, 3, 0, 0});
  run.set(arch::kInputFragCoord, {10.5f, 20.5f, 0, 1});
  for (Bits4& lane : run.inputs[arch::kInputFragment]) lane = {~0u, 0, 0, 0};
  run.set(arch::kInputPointCoord, {0.25f, 0.5f, 0, 0});
  run(program);
  EXPECT_EQ(run.output(2), (Vec4{10.75f, 21, 3.5f, 1}));
  EXPECT_EQ(run.output(arch::kOutputDepth)[0], 0.5f);
}

TEST(Interface, AHelperCoversNothing) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) out vec4 o;
    void main() { o = vec4(gl_HelperInvocation ? 1 : 2); })");
  Execution run;
  run.inputs[arch::kInputFragment] = {Bits4{0, 0, 1, 0}, Bits4{0, 0, 0, 0}, Bits4{0, 0, 8, 0},
                                      Bits4{0, 0, 0, 0}};
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane) EXPECT_EQ(run.output(0, lane)[0], lane % 2 ? 1 : 2);
}

TEST(Interface, TheViewIsAConstant) {
  for (const Stage stage : {Stage::kVertex, Stage::kFragment}) {
    const isa::Program program = compile_glsl(stage, stage == Stage::kVertex ? R"(
      #extension GL_EXT_multiview : require
      void main() { gl_Position = vec4(gl_ViewIndex); })"
                                                                             : R"(
      #extension GL_EXT_multiview : require
      layout(location=0) out vec4 o;
      void main() { o = vec4(gl_ViewIndex); })");
    ASSERT_EQ(program.constants.size(), 1u);
    EXPECT_EQ(program.constants[0].kind, isa::ConstantRange::Kind::kView);
    Execution run;
    run.view = 5;
    run(program);
    EXPECT_EQ(run.output(0), (Vec4{5, 5, 5, 5}));
  }
}

TEST(Interface, UniformsBecomeConstants) {
  const isa::Program program = compile_glsl(Stage::kVertex, R"(
    layout(push_constant) uniform P { vec4 k; float t[3]; } push;
    layout(set=1, binding=2, std140) uniform B { vec4 skipped[4]; mat4 m; layout(row_major) mat3 r; vec3 v; float s; } b;
    layout(location=0) in vec4 p;
    void main() { gl_Position = b.m * p + vec4(b.r * b.v, b.s) * push.k + push.t[1]; })");
  ASSERT_EQ(program.constants.size(), 2u);
  EXPECT_EQ(program.constants[0].kind, isa::ConstantRange::Kind::kPushConstant);
  EXPECT_EQ(program.constants[0].count, 2u);
  EXPECT_EQ(program.constants[1].set, 1u);
  EXPECT_EQ(program.constants[1].binding, 2u);
  EXPECT_EQ(program.constants[1].offset, 64u);
  EXPECT_EQ(program.constants[1].count, 8u);
  Execution run;
  auto& buffer = run.buffers[{1, 2, 0}];
  for (int i = 0; i < 48; ++i) buffer.push_back(std::bit_cast<uint32_t>(static_cast<float>(i)));
  for (float f : {1.0f, 2.0f, 3.0f, 4.0f, 0.0f, 5.0f})
    run.push_constants.push_back(std::bit_cast<uint32_t>(f));
  run.set(0, {1, 0, 0, 1});
  run(program);
  // m's columns start at 16, 20, 24, 28; r's rows at 32, 36, 40; v at 44, s at 47.
  auto row = [&](float start) { return start * 44 + (start + 1) * 45 + (start + 2) * 46; };
  EXPECT_EQ(run.output(0), (Vec4{16 + 28 + row(32) * 1 + 5, 17 + 29 + row(36) * 2 + 5,
                                 18 + 30 + row(40) * 3 + 5, 19 + 31 + 47 * 4 + 5}));
}

// VK_EXT_scalar_block_layout: vectors across 16-byte boundaries, array elements of 12 bytes.
TEST(Interface, ScalarBlockLayout) {
  const isa::Program program = compile_glsl(Stage::kVertex, R"(
    #extension GL_EXT_scalar_block_layout : require
    layout(binding=3, scalar) uniform B { float f; vec3 a; vec3 e[4]; vec4 last; } b;
    void main() { gl_Position = vec4(b.a + b.e[gl_VertexIndex], b.f) + b.last; })");
  Execution run;
  for (int i = 0; i < 20; ++i)
    run.buffers[{0, 3, 0}].push_back(std::bit_cast<uint32_t>(static_cast<float>(i)));
  for (Bits4& lane : run.inputs[arch::kInputVertexId]) lane = {2, 0, 0, 0};
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{1 + 10 + 16, 2 + 11 + 17, 3 + 12 + 18, 0 + 19}));
}

TEST(Interface, DynamicBufferLoads) {
  const isa::Program program = compile_glsl(Stage::kVertex, R"(
    struct E { vec4 a; vec2 b; };
    layout(binding=3, std140) uniform B { vec4 head; E e[4]; } b;
    layout(binding=4, std430) readonly buffer S { float n[]; } s;
    void main() { int i = gl_VertexIndex; gl_Position = b.e[i].a + vec4(b.e[i].b, s.n[i], s.n[i + 1]); })");
  ASSERT_EQ(program.resources.size(), 1u);
  EXPECT_EQ(program.resources[0].binding, 4u);
  Execution run;
  for (uint32_t binding : {3u, 4u})
    for (int i = 0; i < 40; ++i)
      run.buffers[{0, binding, 0}].push_back(
          std::bit_cast<uint32_t>(static_cast<float>(i + 100 * static_cast<int>(binding - 3))));
  for (Bits4& lane : run.inputs[arch::kInputVertexId]) lane = {2, 0, 0, 0};
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{20 + 24, 21 + 25, 22 + 102, 23 + 103}));
  uint32_t loads = 0, constants = 0;
  for (const isa::Instruction& i : program.code) {
    loads += i.op == isa::Opcode::kLdb;
    constants += i.op == isa::Opcode::kLdc;
  }
  EXPECT_EQ(constants, 2u) << isa::disassemble(program.code);
  EXPECT_EQ(loads, 1u) << isa::disassemble(program.code);
}

TEST(Interface, SpecializationConstants) {
  const auto spirv = glsl_to_spirv(Stage::kFragment, R"(
    layout(constant_id=3) const int n = 2; layout(constant_id=4) const float k = 1.0; layout(constant_id=5) const bool p = false;
    const int twice = n * 2;
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() { float t[twice]; for (int i = 0; i < twice; ++i) t[i] = float(i); o = a * k + t[twice - 1]; if (p) o = sin(a); })");
  auto value = [](auto v) {
    std::vector<std::byte> bytes(4);
    std::memcpy(bytes.data(), &v, 4);
    return bytes;
  };
  const isa::Program plain = compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "main"});
  EXPECT_LE(plain.code.size(), 2u + 1) << isa::disassemble(plain.code);
  const isa::Program special = compile({.stage = Stage::kFragment,
                                        .spirv = spirv,
                                        .entry = "main",
                                        .specializations = {{3, value(uint32_t{4})}, {4, value(0.5f)}}});
  Execution run;
  run.set(0, {2, 4, 6, 8});
  run(special);
  EXPECT_EQ(run.output(0), (Vec4{8, 9, 10, 11}));
}

TEST(Interface, SourceLinesBelongToTheModule) {
  const auto spirv = assemble_spirv(testdata("glxgears_flat.vert.spvasm"));
  const isa::Program program = compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "main"});
  const std::vector<std::string> lines = source_lines(spirv);
  ASSERT_EQ(program.source_of.size(), program.code.size());
  for (size_t i = 0; i < program.code.size(); ++i) {
    ASSERT_LT(program.source_of[i], lines.size());
    if (program.code[i].op == isa::Opcode::kRsq) {
      EXPECT_THAT(lines[program.source_of[i]], HasSubstr("InverseSqrt"));
    }
    if (program.code[i].op == isa::Opcode::kDp3) {
      EXPECT_THAT(lines[program.source_of[i]], HasSubstr("OpDot"));
    }
  }
}

// The error's kind, "unsupported: ", "invalid: " or "request: ", and its text.
std::string refusal(Stage stage, const std::string& source, const char* entry = "main") {
  try {
    compile({.stage = stage, .spirv = glsl_to_spirv(stage, source), .entry = entry});
  } catch (const UnsupportedShader& error) {
    return std::string("unsupported: ") + error.what();
  } catch (const InvalidShader& error) {
    return std::string("invalid: ") + error.what();
  } catch (const UserError& error) { return std::string("request: ") + error.what(); }
  return "accepted";
}

TEST(Refusals, NameWhatIsUnsupported) {
  EXPECT_THAT(refusal(Stage::kFragment, R"(layout(location=0) flat in int i; layout(location=0) out vec4 o;
      layout(binding=0) uniform sampler2D t[65]; void main() { o = texture(t[i], vec2(0)); })"),
              AllOf(StartsWith("unsupported: "), HasSubstr("at most 64 are supported")));
  EXPECT_EQ(refusal(Stage::kCompute, R"(#version 450
      #extension GL_EXT_shader_explicit_arithmetic_types : enable
      #extension GL_EXT_shader_atomic_int64 : enable
      layout(local_size_x=4) in; layout(binding=0) buffer B { uint64_t b; }; void main() { atomicAdd(b, 1ul); })"),
            "unsupported: shader: capability Int64Atomics is not supported");
  EXPECT_THAT(refusal(Stage::kVertex, "layout(location=60) out vec4 o; void main() { o = vec4(0); }"),
              AllOf(StartsWith("unsupported: "), HasSubstr("output location 60 is beyond")));
}

TEST(Refusals, ARequestMustFitTheModule) {
  EXPECT_EQ(refusal(Stage::kVertex, "void main() {}", "other"),
            "request: shader: it has no entry point 'other' for this stage");
}

TEST(Refusals, MalformedModules) {
  const auto compiled = [](Stage stage, const std::vector<uint32_t>& words) {
    return compile({.stage = stage, .spirv = words, .entry = "main"}).code.size();
  };
  for (const std::vector<uint32_t>& words :
       std::vector<std::vector<uint32_t>>{{}, {1, 2, 3, 4, 5, 6}, {0x07230203, 0x10000, 0, 10, 0}})
    EXPECT_THROW(compiled(Stage::kVertex, words), InvalidShader);
  EXPECT_THROW(compiled(Stage::kVertex, {0x07230203, 0x10000, 0, ~0u, 0}), UserError);
  auto good = glsl_to_spirv(Stage::kVertex, "void main() {}");
  EXPECT_THROW(compiled(Stage::kFragment, good), UserError);
  EXPECT_EQ(compiled(Stage::kVertex, good), 1u);
  good.pop_back();
  EXPECT_THAT([&] { compiled(Stage::kVertex, good); },
              testing::ThrowsMessage<InvalidShader>(HasSubstr("shader: invalid SPIR-V: ")));
}

}  // namespace
}  // namespace cutaway::compiler
