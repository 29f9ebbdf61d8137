#include <algorithm>
#include <bit>

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

namespace {

arch::ShaderRegisters& stage_of(arch::Registers& registers, arch::Stage stage) {
  return registers.shader[static_cast<uint32_t>(stage)];
}

void add_outputs(const isa::Program& program, arch::ShaderRegisters& shader) {
  add_output(0, shader);  // the position
  add_output(program.point_size, shader);
  add_output(program.layer, shader);
  add_output(program.viewport_index, shader);
  add_output(program.primitive_id, shader);
  const uint32_t distances = program.clip_distances + program.cull_distances;
  for (uint32_t i = 0; i < (distances + 3) / 4; i++) add_output(program.clip_distance + i, shader);
}

// The output register of a location, or kNoOutput.
uint32_t output_at(const isa::Program& program, uint32_t location) {
  switch (location) {
    case isa::kPositionLocation:
      return 0;
    case isa::kPointSizeLocation:
      return program.point_size;
    case isa::kLayerLocation:
      return program.layer;
    case isa::kViewportLocation:
      return program.viewport_index;
    default:
      break;
  }
  uint32_t reg = arch::kNoOutput;
  for (const isa::Varying& output : program.outputs)
    if (output.location == location) reg = output.reg;
  return reg;
}

// An output register that the program does not write, so it reads as zero.
uint32_t zero_output(const isa::Program& program) {
  uint64_t written = 1;
  for (const isa::Instruction& instruction : program.code)
    if (instruction.dst.file == isa::File::kOutput) written |= uint64_t{1} << instruction.dst.index;
  const auto free = static_cast<uint32_t>(std::countr_one(written));
  return free < arch::kShaderOutputs ? free : 0;
}

void link_vertex_out(const isa::Program& last, arch::Registers& registers) {
  auto& out = registers.vertex_out;
  out = {};
  out.point_size = last.point_size;
  out.layer = last.layer;
  out.viewport_index = last.viewport_index;
  out.clip_distances = last.clip_distances;
  out.cull_distances = last.cull_distances;
  out.clip_distance = last.clip_distance;
  registers.primitive_id_output = last.primitive_id == arch::kNoOutput ? 0 : last.primitive_id + 1;

  auto& feedback = registers.feedback;
  feedback = {};
  feedback.outputs = static_cast<uint32_t>(last.feedback.size());
  std::copy(last.feedback.begin(), last.feedback.end(), feedback.output);
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++) feedback.buffer[i].stride = last.feedback_stride[i];
}

void link_inputs(const isa::Program& before, const isa::Program& program, arch::VertexInputs& inputs) {
  inputs = {};
  for (const isa::Varying& input : program.inputs) {
    inputs.count = std::max(inputs.count, input.reg + 1);
    inputs.source[input.reg] = output_at(before, input.location);
  }
}

// Either tessellation program may declare the modes.
void link_tessellation(const StagePrograms& programs, arch::Registers& registers) {
  const isa::PrimitiveModes &control = programs.tess_control->modes,
                            &evaluation = programs.tess_evaluation->modes;
  const auto said = [](uint32_t first, uint32_t second) {
    constexpr uint32_t kUnsaid = isa::PrimitiveModes::kUnsaid;
    return first != kUnsaid ? first : second != kUnsaid ? second : 0;
  };
  arch::TessellationRegisters& to = registers.tessellation;
  to.output_vertices = control.max_vertices;
  to.patch_bytes = programs.tess_control->patch.bytes;
  to.domain = said(evaluation.domain, control.domain);
  to.spacing = said(evaluation.spacing, control.spacing);
  // Declared modes assume a domain with its origin at the upper left; the lower left origin reverses the
  // winding.
  to.clockwise ^= said(evaluation.clockwise, control.clockwise);
  to.point_mode = said(evaluation.point_mode, control.point_mode);
  link_inputs(*programs.vertex, *programs.tess_control, to.inputs);
}

void link_geometry(const isa::Program& before, const isa::Program& geometry, arch::Registers& registers) {
  arch::GeometryRegisters& to = registers.geometry;
  to.output_topology = geometry.modes.output_topology;
  to.max_vertices = geometry.modes.max_vertices;
  to.invocations = geometry.modes.invocations;
  link_inputs(before, geometry, to.inputs);
}

void link_fragment(const isa::Program& last, const isa::Program& fragment, arch::Registers& registers) {
  arch::ShaderRegisters& stage = stage_of(registers, arch::Stage::kFragment);
  stage = shader_registers(fragment);
  if (fragment.flags &
      (arch::kShaderWritesDepth | arch::kShaderWritesSampleMask | arch::kShaderWritesStencil))
    add_output(arch::kOutputDepth, stage);
  if (fragment.flags & arch::kShaderPerSample) registers.raster.sample_shading = 1;
  registers.color.dual_source = fragment.second_source ? 1 : 0;
  auto& out = registers.vertex_out;
  out.interpolants = stage.inputs;
  for (const isa::Varying& input : fragment.inputs) {
    if (input.reg >= arch::kInterpolants)
      invalid_usage("a fragment shader that reads more than {} interpolants", arch::kInterpolants);
    // An input that the previous stage does not write is undefined; it reads the position. A missing layer or
    // viewport reads as the first.
    uint32_t source = output_at(last, input.location);
    const bool first = input.location == isa::kLayerLocation || input.location == isa::kViewportLocation;
    if (source == arch::kNoOutput) source = first ? zero_output(last) : 0;
    // "Sample Shading": each invocation evaluates its inputs at its sample.
    const bool center = input.at == arch::SampleLocation::kCenter;
    const auto at = center && registers.raster.sample_shading ? arch::SampleLocation::kSample : input.at;
    out.interpolant[input.reg] = {source, static_cast<uint32_t>(input.mode), static_cast<uint32_t>(at)};
  }
}

}  // namespace

void link_stages(const StagePrograms& programs, arch::Registers& registers) {
  for (const isa::Program* program :
       {programs.vertex, programs.tess_control, programs.tess_evaluation, programs.geometry}) {
    if (!program) continue;
    arch::ShaderRegisters& stage = stage_of(registers, program->stage);
    stage = shader_registers(*program);
    add_outputs(*program, stage);
  }
  if (programs.tess_control) link_tessellation(programs, registers);
  if (programs.geometry) link_geometry(programs.before_geometry(), *programs.geometry, registers);
  link_vertex_out(programs.last(), registers);
  stage_of(registers, arch::Stage::kFragment) = {};
  if (programs.fragment) link_fragment(programs.last(), *programs.fragment, registers);
}

}  // namespace cutaway::icd
