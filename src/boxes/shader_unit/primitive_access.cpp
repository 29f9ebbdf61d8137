#include "boxes/shader_unit/primitive_access.h"

#include <bit>
#include <span>

#include "boxes/shader_unit/on_chip_memory.h"

namespace cutaway::boxes {

using arch::Stage;

void load_vertex(Group& group) {
  const func::MicroOp& op = group.next_op();
  const arch::Registers& registers = group.state->registers;
  const arch::VertexInputs& inputs =
      group.stage == Stage::kGeometry ? registers.geometry.inputs : registers.tessellation.inputs;
  const uint32_t slot = group.next_instruction().access.slot;
  const uint32_t output = slot < inputs.count ? inputs.source[slot] : arch::kNoOutput;
  uint32_t number[size_t{4} * messages::kMaxGroupLanes], result[size_t{4} * messages::kMaxGroupLanes];
  func::read_source(op, 0, group.view, group.width, number);
  for (uint64_t left = group.threads.active(); left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const messages::WholePrimitive& primitive = *group.vertices.primitives->primitive[lane];
    const bool there = number[lane] < primitive.vertices && output < arch::kShaderOutputs;
    for (uint32_t c = 0; c < 4; c++)
      result[size_t{c} * group.width + lane] = there ? primitive.vertex[number[lane]]->output[output][c] : 0;
  }
  func::write_result(op, group.view, group.width, group.threads.active(), result);
}

uint32_t emit(Group& group) {
  const isa::Instruction& instruction = group.next_instruction();
  const uint32_t stream = instruction.access.slot, most = group.state->registers.geometry.max_vertices;
  uint32_t vertices = 0;
  for (uint64_t left = group.threads.active(); left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    func::EmittedStrips& emitted = group.vertices.primitives->emitted[lane];
    if (instruction.op == isa::Opcode::kCut) {
      emitted.cut(stream);
      continue;
    }
    if (!emitted.emit(stream, most)) continue;
    vertices++;
    for (uint64_t outputs = group.outputs; outputs; outputs &= outputs - 1)
      for (uint32_t c = 0; c < 4; c++)
        emitted.add_word(group.output[func::register_word(
            group.width, static_cast<uint32_t>(std::countr_zero(outputs)), c, lane)]);
  }
  return vertices;
}

void access_patch(Group& group) {
  access_on_chip(group, [&](uint32_t lane) -> std::span<uint32_t> {
    return group.vertices.primitives->patch[lane]->words;
  });
}

}  // namespace cutaway::boxes
