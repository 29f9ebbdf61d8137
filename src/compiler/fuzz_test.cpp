#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

#include "base/error.h"
#include "compiler/testing/run_text.h"

// Damaged modules are either rejected or compiled.
namespace cutaway::compiler {
namespace {

// Operands of other widths than the result's, pointers that are values to matrices, empty structures,
// rounding, and operations on constants.
std::vector<uint32_t> mixed_widths() {
  TextModule module;
  module.capabilities =
      "OpCapability VariablePointers\nOpCapability StorageBuffer16BitAccess\n"
      "OpExtension \"SPV_AMD_shader_trinary_minmax\"\n%amd = OpExtInstImport \"SPV_AMD_shader_trinary_minmax\"";
  module.interface = "%M %shared %H";
  module.decorations = R"(
OpDecorate %M DescriptorSet 0
OpDecorate %M Binding 0
OpDecorate %H DescriptorSet 0
OpDecorate %H Binding 1
OpDecorate %matrices Block
OpMemberDecorate %matrices 0 Offset 0
OpMemberDecorate %matrices 0 RowMajor
OpMemberDecorate %matrices 0 MatrixStride 8
OpMemberDecorate %matrices 1 Offset 16
OpMemberDecorate %matrices 1 RowMajor
OpMemberDecorate %matrices 1 MatrixStride 8
OpDecorate %halves ArrayStride 8
OpDecorate %half_block Block
OpMemberDecorate %half_block 0 Offset 0
OpDecorate %rounded FPRoundingMode RTZ
)";
  module.globals = R"(
%empty = OpTypeStruct
%outer = OpTypeStruct %empty %u32
%outer_ptr = OpTypePointer Function %outer
%mat = OpTypeMatrix %f32v2 2
%matrices = OpTypeStruct %mat %mat
%matrices_ptr = OpTypePointer StorageBuffer %matrices
%mat_ptr = OpTypePointer StorageBuffer %mat
%M = OpVariable %matrices_ptr StorageBuffer
%halves = OpTypeRuntimeArray %f16v2
%half_block = OpTypeStruct %halves
%half_block_ptr = OpTypePointer StorageBuffer %half_block
%half_ptr = OpTypePointer StorageBuffer %f16v2
%H = OpVariable %half_block_ptr StorageBuffer
%eight = OpTypeArray %u64 %c8
%eight_ptr = OpTypePointer Workgroup %eight
%shared_ptr = OpTypePointer Workgroup %u64
%shared = OpVariable %eight_ptr Workgroup
%big = OpSpecConstant %i64 -1000000000007
%by = OpSpecConstant %i8 3
%shifted = OpSpecConstantOp %i64 ShiftRightArithmetic %big %by
%rest = OpSpecConstantOp %i64 SMod %shifted %big
%one = OpConstant %u64 1
%null = OpConstantNull %mat_ptr
)";
  module.variables = "%x = OpVariable %outer_ptr Function\n%y = OpVariable %outer_ptr Function";
  module.body = R"(
%odd = OpIEqual %bool %i %c1
%n64 = OpUConvert %u64 %i
%n8 = OpUConvert %u8 %i
%a = OpBitFieldInsert %u32 %x0 %x1 %n64 %n8
%b = OpShiftLeftLogical %u32 %a %n64
%c = OpBitCount %u64 %b
%s = OpAccessChain %shared_ptr %shared %n8
OpStore %s %c
%t = OpAccessChain %shared_ptr %shared %one
%d = OpPtrDiff %i16 %s %t
%m0 = OpAccessChain %mat_ptr %M %c0
%m1 = OpAccessChain %mat_ptr %M %c1
%p = OpSelect %mat_ptr %odd %m0 %m1
%q = OpSelect %mat_ptr %odd %null %p
%m = OpLoad %mat %q
OpStore %p %m
OpCopyMemory %x %y Nontemporal Volatile
%column = OpCompositeExtract %f32v2 %m 1
%rounded = OpFConvert %f16v2 %column
%h = OpAccessChain %half_ptr %H %c0 %i
OpStore %h %rounded
%e = OpExtInst %i64 %amd SMid3AMD %rest %shifted %big
%f = OpUConvert %u32 %e
OpStore %out0 %f
%g = OpSConvert %i32 %d
%k = OpBitcast %u32 %g
OpStore %out1 %k
)";
  return assemble_spirv(module.text());
}

std::vector<std::pair<arch::Stage, std::vector<uint32_t>>> seeds() {
  using arch::Stage;
  std::vector<std::pair<Stage, std::vector<uint32_t>>> all;
  for (const char* name : {"glxgears_smooth.vert.spvasm", "vkcube.vert.spvasm"})
    all.push_back({Stage::kVertex, assemble_spirv(testdata(name))});
  all.push_back({Stage::kFragment, assemble_spirv(testdata("vkcube.frag.spvasm"))});
  all.push_back({Stage::kFragment, glsl_to_spirv(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D t;
    layout(binding=1) uniform U { mat4 m; vec4 v[8]; int n; } u;
    struct S { vec3 p[3]; float k; };
    vec4 f(S s, inout vec4 v) { if (s.k > 2.0) return v * s.k; for (int i = 0; i < 3; ++i) { v.xyz += s.p[i]; if (v.x > 9.0) return v; } return -v; }
    void main() { S s; s.k = a.x; vec4 v = a;
      for (int i = 0; i < u.n; ++i) { s.p[i % 3] = u.v[i].xyz; if (v.y > 3.0) continue; v += f(s, v) * u.m; if (v.w < 0.0) discard; }
      switch (u.n) { case 0: v += texture(t, v.xy); break; case 3: v.x = sin(v.y); case 4: v.z = 1.0; break; default: v = inverse(u.m) * v; }
      o = v; })")});
  all.push_back({Stage::kGeometry, glsl_to_spirv(Stage::kGeometry, R"(
    layout(triangles, invocations=2) in; layout(triangle_strip, max_vertices=9) out;
    layout(location=0) in vec4 c[]; layout(location=1) in B { vec2 t[3]; float k; } b[];
    layout(location=0) out vec4 o; layout(location=1, xfb_buffer=1, xfb_stride=16, xfb_offset=0) out vec4 p;
    void main() {
      for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position * float(gl_InvocationID); o = c[(i + gl_PrimitiveIDIn) % 3];
        if (b[i].k > 1.0) { p = vec4(b[i].t[i], b[0].t[1]); gl_Layer = i; EmitVertex(); continue; } gl_PointSize = gl_in[i].gl_PointSize; EmitVertex(); }
      EndPrimitive(); })")});
  all.push_back({Stage::kTessControl, glsl_to_spirv(Stage::kTessControl, R"(
    layout(vertices=3) out; layout(location=0) in vec4 a[]; layout(location=0) out B { vec2 t[3]; mat3 m; } b[];
    layout(location=9) patch out vec4 p[2]; layout(binding=1) uniform U { int n; } u;
    void main() { gl_out[gl_InvocationID].gl_Position = gl_in[u.n].gl_Position; b[gl_InvocationID].t[u.n] = a[gl_InvocationID].xy;
      b[gl_InvocationID].m[u.n] = a[2].xyz; barrier(); p[u.n] = vec4(b[1].t[2], b[u.n].m[0].xy);
      gl_TessLevelOuter[u.n] = 3.0; gl_TessLevelInner[0] = float(gl_PatchVerticesIn); })")});
  all.push_back({Stage::kTessEvaluation, glsl_to_spirv(Stage::kTessEvaluation, R"(
    layout(triangles, fractional_odd_spacing, cw) in; layout(location=0) in B { vec2 t[3]; mat3 m; } b[];
    layout(location=9) patch in vec4 p[2]; layout(binding=1) uniform U { int n; } u; layout(location=3) out vec4 o;
    void main() { gl_Position = gl_in[u.n].gl_Position * gl_TessCoord.xyzx; o = vec4(b[u.n].t[u.n], b[1].m[u.n].xy) + p[u.n] * gl_TessLevelOuter[u.n]; })")});
  all.push_back({Stage::kCompute, glsl_to_spirv(Stage::kCompute, R"(#version 450
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_buffer_reference_uvec2 : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_KHR_shader_subgroup_ballot : require
    #extension GL_KHR_shader_subgroup_shuffle : require
    #extension GL_KHR_shader_subgroup_vote : require
    #extension GL_EXT_null_initializer : require
    layout(local_size_x = 8) in;
    layout(buffer_reference) buffer Node;
    layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { vec4 v[3]; Node next; layout(row_major) mat3x2 m; };
    layout(set=0, binding=0) buffer B { uvec4 o[8]; Node first[2]; } b;
    layout(push_constant) uniform P { uvec2 at; Node n; } p;
    shared uint s[40] = {};
    vec2 take(Node n, uint i) { return n.m[i] + n.v[i].yz; }
    void main() {
      const uint i = gl_LocalInvocationIndex;
      Node n = subgroupAll(i > 2) ? Node(p.at) : b.first[i & 1];
      for (int k = 0; uvec2(n).x != 0 && k < 9; ++k) { n.v[i % 3].xy = take(n, i); n.next = p.n; atomicAdd(s[i], 2); n = n.next; }
      barrier();
      b.o[i] = subgroupBallot(s[i] > 3) + subgroupExclusiveAdd(b.o[i]) + subgroupShuffle(b.o[0], 0); })")});
  all.push_back({Stage::kCompute, glsl_to_spirv(Stage::kCompute, R"(#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_16bit_storage : require
    #extension GL_EXT_shader_8bit_storage : require
    #extension GL_EXT_shader_subgroup_extended_types_int64 : require
    #extension GL_EXT_shader_subgroup_extended_types_float16 : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_KHR_shader_subgroup_clustered : require
    #extension GL_KHR_shader_subgroup_quad : require
    layout(local_size_x = 8) in;
    struct S { uint8_t a; i16vec3 b; f16mat2x3 c; int64_t d; };
    layout(std430, set=0, binding=0) buffer B { S s[4]; f16vec4 h[]; } b;
    layout(std430, push_constant) uniform P { u8vec4 n; uint64_t w[2]; } p;
    shared u16vec3 t[9];
    void main() {
      const uint i = gl_LocalInvocationIndex;
      S s = b.s[p.n[i & 3]];
      t[i] = u16vec3(s.b) * uint16_t(s.a); barrier();
      s.d = subgroupInclusiveAdd(s.d / int64_t(p.w[i & 1])) % 77l + max(s.d, -5l) >> i;
      s.b[i % 3] = int16_t(abs(s.b.z)) / int16_t(t[7 - i].x); s.c[i & 1] = normalize(s.c[0]) + f16vec3(s.d);
      b.h[i] = subgroupQuadSwapDiagonal(b.h[7]) * float16_t(subgroupClusteredMax(s.c[0].x, 2)) + f16vec4(unpack8(uint(s.d)));
      b.s[i & 3] = s; })")});
  all.push_back({Stage::kCompute, glsl_to_spirv(Stage::kCompute, R"(#version 460
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_16bit_storage : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_KHR_shader_subgroup_vote : require
    layout(local_size_x = 4) in;
    layout(constant_id = 2) const double w = 0.1lf;
    layout(std430, push_constant) uniform P { float f; double p; dvec3 q; };
    layout(std140, set=0, binding=1) uniform U { dvec2 u[2]; layout(row_major) dmat2x3 m; };
    layout(std430, set=0, binding=2) buffer O { double o[4]; dmat3 n; dvec4 v[4]; int64_t i; int16_t j; f16vec2 h; ivec3 e; };
    shared double s[4];
    void main() {
      const uint i0 = gl_LocalInvocationIndex;
      double a = o[i0], b = p, whole; dvec3 x = v[i0].xyz, y = dvec3(a, b, q[i0]);
      s[3 - i0] = double(i) + w; barrier();
      a += fma(a, b, p) / sqrt(b) + mod(a, b) - fract(a) + round(a) + sign(b) + clamp(a, b, p) + mix(a, b, p) + step(a, b)
        + smoothstep(a, b, p) + modf(a, whole) + length(x) + distance(x, y) + determinant(n) + subgroupAdd(a);
      v[i0].xyz = normalize(x) + cross(x, y) + reflect(x, y) + refract(x, y, a) + faceforward(x, y, x) + inverse(n) * x
        + frexp(y, e) + ldexp(x, e) + m * u[i0 & 1];
      n[i0 % 3] *= transpose(n) * outerProduct(x, y); i = int64_t(a); j = int16_t(b); h = f16vec2(dvec2(a, whole));
      o[i0] = a < b || isnan(a) && !(a >= w) || isinf(b) ? s[i0] + double(j) + packDouble2x32(unpackDouble2x32(a).yx)
        : subgroupAllEqual(a) ? -abs(b) : m[i0 & 1][2] + double(h.x); })")});
  all.push_back({Stage::kFragment, glsl_to_spirv(Stage::kFragment, R"(#version 450
    #extension GL_EXT_demote_to_helper_invocation : require
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() { o = a; for (int i = 0; i < 5; ++i) { if (a[i & 3] > 0.5) demote; if (helperInvocationEXT()) o.x += 1.0; else o.y = dFdx(o.x); } })")});
  all.push_back({Stage::kCompute, assemble_spirv(testdata("../../../examples/merge.spvasm"))});
  all.push_back({Stage::kCompute, mixed_widths()});
  return all;
}

TEST(Fuzz, DamagedModules) {
  std::mt19937 random(20061108);
  uint32_t compiled = 0, refused = 0;
  const char* more = std::getenv("CUTAWAY_FUZZ_ROUNDS");
  const int rounds = more ? std::atoi(more) : 400;
  for (const auto& [stage, spirv] : seeds())
    for (int round = 0; round < rounds; ++round) {
      std::vector<uint32_t> words = spirv;
      const uint32_t changes = 1 + random() % 3;
      for (uint32_t k = 0; k < changes; ++k) {
        uint32_t& word = words[5 + random() % (words.size() - 5)];
        switch (random() % 4) {
          case 0:
            word = random() % words[3];
            break;
          case 1:
            word ^= 1u << random() % 32;
            break;
          case 2:
            word = words[5 + random() % (words.size() - 5)];
            break;
          default:
            word += random() % 5 - 2;
            break;
        }
      }
      if (random() % 16 == 0) words.resize(5 + random() % (words.size() - 5));
      try {
        const isa::Program program = compile({.stage = stage, .spirv = words, .entry = "main"});
        ++compiled;
        std::vector<isa::EncodedInstruction> encoded;
        for (const isa::Instruction& i : program.code) encoded.push_back(isa::encode(i));
        std::vector<isa::Instruction> decoded;
        std::string error;
        EXPECT_TRUE(isa::decode_program(encoded, program.temporaries, decoded, error)) << error;
      } catch (const UserError&) { ++refused; }
    }
  // Both must happen for the test to be meaningful.
  EXPECT_GT(compiled, 50u);
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace cutaway::compiler
