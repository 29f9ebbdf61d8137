// Groups of programs that work on primitives and patches: what they see of them, and what they give.
#include <algorithm>
#include <bit>
#include <span>

#include "boxes/shader_unit/access_on_chip.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

bool ShaderUnit::takes_vertices() const {
  return stages_.has(Stage::kVertex) || stages_.has(Stage::kTessControl) ||
         stages_.has(Stage::kTessEvaluation) || stages_.has(Stage::kGeometry);
}

// The register that says which primitive and which of its invocations a thread is; the others that the
// program reads are zero.
void ShaderUnit::load_primitives(Group& group) const {
  const parts::GroupPrimitives& primitives = *group.vertices.primitives;
  for (uint64_t left = group.state->stage[group.stage].inputs_read(); left; left &= left - 1) {
    const auto reg = static_cast<uint32_t>(std::countr_zero(left));
    for (uint32_t c = 0; c < 4; c++) {
      uint32_t* to = &group.input[func::register_word(width_, reg, c, 0)];
      std::fill_n(to, width_, 0);
      if (reg != arch::kInputPrimitive) continue;
      if (c < 2)
        std::copy_n((c == 0 ? primitives.id : primitives.invocation).begin(), group.vertices.lanes, to);
      if (c == 2 && group.stage == Stage::kTessControl)
        std::fill_n(to, width_, group.state->registers.tessellation.patch_vertices);
    }
  }
  group.view.input = group.input.data();
}

// LDV, EMIT and CUT. They are carried out at once.
void ShaderUnit::access_vertex(Cycle now, Group& group) {
  const isa::Instruction& instruction = group.program->instruction(group.threads.pc());
  const Cycle last_access = port_free_ - 1;
  if (instruction.op == isa::Opcode::kLdv) {
    const func::MicroOp& op = (*group.program)[group.threads.pc()];
    load_vertex(group, instruction);
    if (op.dst_file == isa::File::kTemporary) note_result(op, last_access + spec_.vertex_latency, group);
    group.end_ready = std::max(group.end_ready, last_access + spec_.vertex_latency);
    primitive_counters.vertex_loads++;
  } else {
    emit(group, instruction);
  }
  group.threads.advance();
  settle(now, port_free_, group);
}

// A vertex that the primitive does not have, and what it does not have of one, is zero.
void ShaderUnit::load_vertex(Group& group, const isa::Instruction& instruction) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  const arch::Registers& registers = group.state->registers;
  const arch::VertexInputs& inputs =
      group.stage == Stage::kGeometry ? registers.geometry.inputs : registers.tessellation.inputs;
  const uint32_t slot = instruction.access.slot;
  const uint32_t output = slot < inputs.count ? inputs.source[slot] : arch::kNoOutput;
  uint32_t number[size_t{4} * parts::kMaxGroupLanes], result[size_t{4} * parts::kMaxGroupLanes];
  func::read_source(op, 0, group.view, width_, number);
  for (uint64_t left = group.threads.active(); left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const parts::WholePrimitive& primitive = *group.vertices.primitives->primitive[lane];
    const bool there = number[lane] < primitive.vertices && output < arch::kShaderOutputs;
    for (uint32_t c = 0; c < 4; c++)
      result[size_t{c} * width_ + lane] = there ? primitive.vertex[number[lane]]->output[output][c] : 0;
  }
  func::write_result(op, group.view, width_, group.threads.active(), result);
}

// LDW, STW and atomics of the memory of a patch.
void ShaderUnit::access_patch(Cycle now, Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  access_on_chip(group, [&](uint32_t lane) -> std::span<uint32_t> {
    return group.vertices.primitives->patch[lane]->words;
  });
  primitive_counters.patch_accesses++;
  const Cycle result = port_free_ - 1 + spec_.shared_latency;
  if (!isa::is_store(op.op) && op.dst_file == isa::File::kTemporary) note_result(op, result, group);
  group.end_ready = std::max(group.end_ready, result);
  group.threads.advance();
  settle(now, port_free_, group);
}

// All invocations of a patch are in its group.
void ShaderUnit::pass_barrier(Cycle now, Group& group) {
  group.threads.advance();
  settle(now, port_free_ - 1 + spec_.barrier_latency, group);
}

// Of each thread that is on its outputs, or the end of a strip.
void ShaderUnit::emit(Group& group, const isa::Instruction& instruction) {
  const uint32_t stream = instruction.access.slot, most = group.state->registers.geometry.max_vertices;
  for (uint64_t left = group.threads.active(); left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    func::EmittedStrips& emitted = group.vertices.primitives->emitted[lane];
    if (instruction.op == isa::Opcode::kCut) {
      emitted.cut(stream);
      continue;
    }
    if (!emitted.emit(stream, most)) continue;
    primitive_counters.vertices_emitted++;
    for (uint64_t outputs = group.outputs; outputs; outputs &= outputs - 1)
      for (uint32_t c = 0; c < 4; c++)
        emitted.add_word(group.output[func::register_word(
            width_, static_cast<uint32_t>(std::countr_zero(outputs)), c, lane)]);
  }
}

// A patch per cycle, or 16 vectors of its memory.
void ShaderUnit::retire_patches(Cycle now, Group& group) {
  parts::VertexGroup& in = group.vertices;
  const arch::TessellationRegisters& registers = group.state->registers.tessellation;
  const uint32_t patches = in.lanes / registers.output_vertices;
  const uint32_t cycles = patches * std::max((registers.patch_bytes + 255) / 256, 1u);
  patches_out[in.front_end].send(now, {std::move(in.primitives), in.slot}, cycles);
}

// A vertex per cycle, or 16 outputs of one (ATT-2, ATT-3): the group takes the wire for as long as all that
// it has emitted needs, and the other wires wait for it.
void ShaderUnit::retire_primitives(Cycle now, Group& group) {
  parts::VertexGroup& in = group.vertices;
  uint32_t vertices = 0;
  for (uint32_t lane = 0; lane < in.lanes; lane++) vertices += in.primitives->emitted[lane].vertices();
  const auto outputs = static_cast<uint32_t>(std::popcount(group.outputs));
  const uint32_t cycles = vertices * std::max((outputs + 15) / 16, 1u);
  emitted_out[in.front_end].send(now, {std::move(in.primitives), in.slot}, std::max(cycles, 1u));
}

}  // namespace cutaway::boxes
