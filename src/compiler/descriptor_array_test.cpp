#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "compiler/testing/run_shader.h"

// Tests arrays of descriptors without a length in the module.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHead = "#version 450\n#extension GL_EXT_nonuniform_qualifier : require\n";

isa::Program compile_with(Stage stage, const std::string& source, std::vector<DescriptorCount> descriptors) {
  const std::vector<uint32_t> spirv = glsl_to_spirv(stage, kHead + source);
  return compile({.stage = stage, .spirv = spirv, .entry = "main", .descriptors = std::move(descriptors)});
}

std::string refusal(const std::string& source, std::vector<DescriptorCount> descriptors) {
  try {
    compile_with(Stage::kCompute, source, std::move(descriptors));
  } catch (const UserError& error) { return error.what(); }
  return "compiled";
}

constexpr const char* kChoose = R"(
  layout(local_size_x=4) in;
  layout(set=1, binding=2) buffer In { uint words[]; } ins[];
  layout(set=1, binding=3) buffer Other { uint words[2]; } others[9];
  layout(set=0, binding=0) buffer Out { uint o[]; };
  void main() {
    const uint i = gl_LocalInvocationIndex;
    o[i] = ins[nonuniformEXT(3 - i)].words[i] + ins[1].words.length() * 1000 + others[1].words[0];
    ins[nonuniformEXT(i)].words[3] = i;
  })";

TEST(DescriptorArrays, HaveTheLengthOfTheirBinding) {
  const isa::Program program = compile_with(Stage::kCompute, kChoose, {{0, 0, 1}, {1, 2, 4}});
  Execution run;
  run.set_lanes(arch::kInputLocalId, {});
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
  for (uint32_t i = 0; i < 4; ++i) run.buffers[{1, 2, i}] = {10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3};
  run.buffers[{1, 2, 1}].resize(6);
  run.buffers[{1, 3, 1}] = {500, 0};
  run.buffers[{0, 0, 0}].resize(4);
  run(program);
  EXPECT_THAT((run.buffers[{0, 0, 0}]), ElementsAre(6530, 6521, 6512, 6503));
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ((run.buffers[{1, 2, i}][3]), i);
  // The four to choose from, one of the nine, and the output.
  EXPECT_EQ(program.resources.size(), 6u);
}

TEST(DescriptorArrays, RefusesUnknownOrExcessiveLengths) {
  EXPECT_THAT(refusal(kChoose, {{0, 0, 1}, {1, 3, 4}}), HasSubstr("set 1, binding 2"));
  EXPECT_THAT(refusal(kChoose, {{1, 2, 65}}), HasSubstr("array of 65 descriptors"));
  EXPECT_THAT(refusal(kChoose, {{1, 2, 64}}), HasSubstr("64"));
}

TEST(DescriptorArrays, TexturesWithoutALengthAreChosenByEachLane) {
  const isa::Program program = compile_with(Stage::kFragment, R"(
    layout(set=0, binding=1) uniform texture2D images[];
    layout(set=0, binding=2) uniform sampler samplers[];
    layout(location=0) flat in int n;
    layout(location=0) out vec4 o;
    void main() {
      o = textureLod(nonuniformEXT(sampler2D(images[n], samplers[n & 1])), vec2(0.5), 0.0);
    })",
                                            {{0, 1, 3}, {0, 2, 2}});
  EXPECT_EQ(program.resources.size(), 3u);
  EXPECT_EQ(program.samplers.size(), 2u);
  Execution run;
  run.inputs[0][0] = {0}, run.inputs[0][1] = {1}, run.inputs[0][2] = {2}, run.inputs[0][3] = {1};
  run.texture = [&](const isa::Instruction& i, const auto&) {
    const isa::SlotBinding& image = program.resources[i.access.resource];
    const isa::SlotBinding& sampler = program.samplers[i.access.sampler];
    return bits({static_cast<float>(image.element), static_cast<float>(sampler.element), 0, 1});
  };
  run(program);
  EXPECT_EQ(run.output(0, 0), (Vec4{0, 0, 0, 1}));
  EXPECT_EQ(run.output(0, 1), (Vec4{1, 1, 0, 1}));
  EXPECT_EQ(run.output(0, 2), (Vec4{2, 0, 0, 1}));
  EXPECT_EQ(run.output(0, 3), (Vec4{1, 1, 0, 1}));
}

// One index chooses an image and a sampler: the shorter array's length counts.
TEST(DescriptorArrays, OneIndexIntoArraysOfTwoLengths) {
  const std::vector<uint32_t> spirv = assemble_spirv(R"(
OpCapability Shader
OpCapability ShaderNonUniform
OpCapability RuntimeDescriptorArray
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %o %images %n %samplers
OpExecutionMode %main OriginUpperLeft
OpDecorate %o Location 0
OpDecorate %images DescriptorSet 0
OpDecorate %images Binding 1
OpDecorate %n Flat
OpDecorate %n Location 0
OpDecorate %samplers DescriptorSet 0
OpDecorate %samplers Binding 2
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%int = OpTypeInt 32 1
%output = OpTypePointer Output %vec4
%input = OpTypePointer Input %int
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%image_array = OpTypeRuntimeArray %image
%image_array_ptr = OpTypePointer UniformConstant %image_array
%image_ptr = OpTypePointer UniformConstant %image
%sampler = OpTypeSampler
%sampler_array = OpTypeRuntimeArray %sampler
%sampler_array_ptr = OpTypePointer UniformConstant %sampler_array
%sampler_ptr = OpTypePointer UniformConstant %sampler
%sampled = OpTypeSampledImage %image
%0 = OpConstant %float 0
%at = OpConstantComposite %vec2 %0 %0
%o = OpVariable %output Output
%n = OpVariable %input Input
%images = OpVariable %image_array_ptr UniformConstant
%samplers = OpVariable %sampler_array_ptr UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %int %n
%image_i = OpAccessChain %image_ptr %images %i
%texture = OpLoad %image %image_i
%sampler_i = OpAccessChain %sampler_ptr %samplers %i
%state = OpLoad %sampler %sampler_i
%both = OpSampledImage %sampled %texture %state
%texel = OpImageSampleExplicitLod %vec4 %both %at Lod %0
OpStore %o %texel
OpReturn
OpFunctionEnd)");
  const isa::Program program = compile(
      {.stage = Stage::kFragment, .spirv = spirv, .entry = "main", .descriptors = {{0, 1, 40}, {0, 2, 8}}});
  EXPECT_EQ(program.resources.size(), 8u);
  EXPECT_EQ(program.samplers.size(), 8u);
}

TEST(DescriptorArrays, InputAttachmentsAreChosenByEachLane) {
  const isa::Program program = compile_with(Stage::kFragment, R"(
    layout(set=0, binding=4, input_attachment_index=0) uniform subpassInput inputs[3];
    layout(location=0) flat in int n;
    layout(location=0) out vec4 o;
    void main() { o = subpassLoad(inputs[nonuniformEXT(n)]); })",
                                            {});
  Execution run;
  run.inputs[0][0] = {2}, run.inputs[0][1] = {1}, run.inputs[0][2] = {0}, run.inputs[0][3] = {1};
  for (uint32_t lane = 0; lane < 4; ++lane)
    run.inputs[arch::kInputFragCoord][lane] = bits({0.5f, 0.5f, 0, 1});
  run.texture = [&](const isa::Instruction& i, const auto&) {
    return bits({static_cast<float>(program.resources[i.access.resource].element), 0, 0, 1});
  };
  run(program);
  EXPECT_EQ(run.output(0, 0)[0], 2);
  EXPECT_EQ(run.output(0, 1)[0], 1);
  EXPECT_EQ(run.output(0, 2)[0], 0);
}

}  // namespace
}  // namespace cutaway::compiler
