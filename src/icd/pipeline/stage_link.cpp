#include <algorithm>

#include "icd/api_error.h"
#include "icd/pipeline/pipeline_state.h"

namespace cutaway::icd {
namespace {

constexpr uint32_t kOutputBits = 32;    // of ShaderRegisters::outputs
constexpr uint32_t kLocationBits = 64;  // of locations_read()

void add_output(uint32_t reg, arch::ShaderRegisters& shader) {
  if (reg < kOutputBits) shader.outputs |= 1u << reg;
}

}  // namespace

arch::ShaderRegisters shader_registers(const isa::Program& program) {
  arch::ShaderRegisters shader{};
  shader.instructions = static_cast<uint32_t>(program.code.size());
  shader.temporaries = program.temporaries;
  shader.flags = program.flags;
  shader.scratch_bytes = program.scratch_bytes;
  for (const isa::Varying& input : program.inputs) shader.inputs = std::max(shader.inputs, input.reg + 1);
  for (const isa::Varying& output : program.outputs) add_output(output.reg, shader);
  return shader;
}

uint64_t locations_read(const isa::Program& program) {
  uint64_t locations = 0;
  for (const isa::Varying& input : program.inputs)
    if (input.location < kLocationBits) locations |= uint64_t{1} << input.location;
  return locations;
}

void link_stages(const isa::Program& vertex, const isa::Program* fragment, arch::Registers& registers) {
  arch::ShaderRegisters& vertex_stage = registers.shader[static_cast<uint32_t>(arch::Stage::kVertex)];
  vertex_stage = shader_registers(vertex);
  add_output(0, vertex_stage);  // the position
  add_output(vertex.point_size, vertex_stage);
  add_output(vertex.layer, vertex_stage);
  add_output(vertex.viewport_index, vertex_stage);

  auto& out = registers.vertex_out;
  out = {};
  out.point_size = vertex.point_size;
  out.layer = vertex.layer;
  out.viewport_index = vertex.viewport_index;
  out.clip_distances = vertex.clip_distances;
  out.cull_distances = vertex.cull_distances;
  out.clip_distance = vertex.clip_distance;
  const uint32_t distances = vertex.clip_distances + vertex.cull_distances;
  for (uint32_t i = 0; i < (distances + 3) / 4; i++) add_output(vertex.clip_distance + i, vertex_stage);

  auto& feedback = registers.feedback;
  feedback = {};
  feedback.outputs = static_cast<uint32_t>(vertex.feedback.size());
  std::copy(vertex.feedback.begin(), vertex.feedback.end(), feedback.output);
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++) feedback.buffer[i].stride = vertex.feedback_stride[i];

  arch::ShaderRegisters& fragment_stage = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)];
  fragment_stage = {};
  if (!fragment) return;
  fragment_stage = shader_registers(*fragment);
  if (fragment->flags &
      (arch::kShaderWritesDepth | arch::kShaderWritesSampleMask | arch::kShaderWritesStencil))
    add_output(arch::kOutputDepth, fragment_stage);
  if (fragment->flags & arch::kShaderPerSample) registers.raster.sample_shading = 1;
  registers.color.dual_source = fragment->second_source ? 1 : 0;
  out.interpolants = fragment_stage.inputs;
  for (const isa::Varying& input : fragment->inputs) {
    if (input.reg >= arch::kInterpolants)
      invalid_usage("a fragment shader that reads more than {} interpolants", arch::kInterpolants);
    // An input that the vertex shader does not write is undefined; the position stands in for it.
    uint32_t source = 0;
    for (const isa::Varying& output : vertex.outputs)
      if (output.location == input.location) source = output.reg;
    // "Sample Shading": each invocation takes its inputs at its sample.
    const bool center = input.at == arch::SampleLocation::kCenter;
    const auto at = center && registers.raster.sample_shading ? arch::SampleLocation::kSample : input.at;
    out.interpolant[input.reg] = {source, static_cast<uint32_t>(input.mode), static_cast<uint32_t>(at)};
  }
}

}  // namespace cutaway::icd
