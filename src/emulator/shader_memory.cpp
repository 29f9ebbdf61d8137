#include <bit>
#include <cstring>

#include "emulator/shader_core.h"
#include "func/shader/atomic.h"
#include "func/texture/buffer_load.h"
#include "func/texture/storage_access.h"
#include "isa/operands.h"

// Memory instructions. Lanes act one after the other, in order.
namespace cutaway::emulator {
// Component x of a source in each lane: in the register file, or read into source_[n].
const uint32_t* ShaderCore::source_x(const func::MicroOp& op, uint32_t n, const func::Registers& registers) {
  const func::MicroSource& s = op.src[n];
  const bool plain = !s.modified && s.half == isa::Half::kNone;
  if (plain && s.file == isa::File::kInput) return registers.input + s.component[0] * kLanes;
  if (plain && s.file == isa::File::kTemporary) return registers.temporary + s.component[0] * kLanes;
  func::read_source(op, n, registers, kLanes, &source_[n][0][0]);
  return source_[n][0];
}

// Executes LDB.
void ShaderCore::load(const StageState& stage, const func::Registers& registers) {
  const func::MicroOp& op = stage.program->micro[group_.pc()];
  const isa::Instruction& instruction = stage.program->micro.instruction(group_.pc());
  const uint32_t* offset = source_x(op, 0, registers);
  const arch::Surface& buffer = stage.resources[instruction.access.resource].surface;
  const uint32_t words = func::words_of_load(instruction.dst.mask);
  for (uint64_t rest = group_.active(); rest; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t byte = offset[lane] & ~3u, count = func::words_to_load(buffer, byte, words);
    uint32_t value[4] = {};
    if (count) memory_.read(buffer.address + byte, value, 4u * count);
    for (uint32_t c = 0; c < words; c++) result_[c][lane] = value[c];
    statistics_.buffer_loads += count;
  }
  func::write_result(op, registers, kLanes, written(), &result_[0][0]);
}

// Executes LDW.
void ShaderCore::load_shared(const isa::Instruction& instruction, const func::MicroOp& op,
                             const func::Registers& registers) {
  const uint32_t* offset = source_x(op, 0, registers);
  const uint32_t words = func::words_of_load(instruction.dst.mask);
  for (uint64_t rest = group_.active(); rest; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const std::span<const uint32_t> memory = patch_words ? std::span(patch[lane], patch_words) : shared;
    const size_t first = offset[lane] / 4;
    for (uint32_t c = 0; c < words; c++) result_[c][lane] = first + c < memory.size() ? memory[first + c] : 0;
  }
  func::write_result(op, registers, kLanes, written(), &result_[0][0]);
}

void ShaderCore::memory_access(const StageState& stage, const func::Registers& registers) {
  const func::MicroOp& op = stage.program->micro[group_.pc()];
  const isa::Instruction& instruction = stage.program->micro.instruction(group_.pc());
  if (op.op == isa::Opcode::kLdw) return load_shared(instruction, op, registers);
  const uint32_t sources = isa::source_count(instruction);
  for (uint32_t n = 0; n < sources; n++) func::read_source(op, n, registers, kLanes, &source_[n][0][0]);
  for (uint32_t lane = 0; lane < kLanes; lane++) {
    if (!(group_.active() >> lane & 1)) continue;
    const bool stores = group_.storing() >> lane & 1;
    if (isa::is_workgroup(op.op)) access_shared(instruction, lane, stores);
    else if (isa::is_vertex(op.op)) access_vertex(instruction, lane);
    else if (isa::has_dim(op.op)) access_image(stage, instruction, lane, stores);
    else access_buffer(stage, instruction, lane, stores);
  }
  if (isa::has_result(op.op)) func::write_result(op, registers, kLanes, written(), &result_[0][0]);
}

// Executes PULL, quad by quad.
void ShaderCore::pull_interpolant(const StageState& stage, const func::Registers& registers) {
  const func::MicroOp& op = stage.program->micro[group_.pc()];
  const isa::Instruction& instruction = stage.program->micro.instruction(group_.pc());
  for (uint32_t quad = 0; quad < kGroupQuads; quad++) {
    const auto lanes = static_cast<uint32_t>(group_.active() >> (4 * quad) & 15);
    if (!lanes) continue;
    uint32_t source[4][4], offset[2][4], result[4][4];
    func::read_source_quad(op, 0, registers, kLanes, quad, source);
    std::memcpy(offset, source, sizeof offset);
    interpolants->pull(quad, instruction.access.slot, instruction.dst.mask, offset, result);
    func::write_result_quad(op, registers, kLanes, quad, lanes, result);
  }
}

void ShaderCore::access_vertex(const isa::Instruction& instruction, uint32_t lane) {
  const uint32_t slot = instruction.access.slot;
  if (instruction.op == isa::Opcode::kEmit) return emission->emit(lane, slot);
  if (instruction.op == isa::Opcode::kCut) return emission->cut(lane, slot);
  const uint32_t vertex = source_[0][0][lane];
  const bool there = vertex < vertices.count && slot < vertices.registers;
  for (uint32_t c = 0; c < 4; c++)
    result_[c][lane] = there ? vertices.words[lane][(size_t{vertex} * vertices.registers + slot) * 4 + c] : 0;
}

// STW and ATOMW.
void ShaderCore::access_shared(const isa::Instruction& instruction, uint32_t lane, bool stores) {
  const size_t first = source_[0][0][lane] / 4;
  const std::span<uint32_t> memory = patch_words ? std::span(patch[lane], patch_words) : shared;
  if (instruction.op == isa::Opcode::kStw) {
    for (uint32_t c = 0; stores && c < 4; c++)
      if ((instruction.dst.mask >> c & 1) && first + c < memory.size())
        memory[first + c] = source_[1][c][lane];
    return;
  }
  const bool there = first < memory.size();
  const uint32_t old = there ? memory[first] : 0;
  for (uint32_t c = 0; c < 4; c++) result_[c][lane] = old;
  if (there && stores)
    memory[first] =
        func::atomic_result(instruction.access.atomic, old, source_[1][0][lane], source_[2][0][lane]);
}

void ShaderCore::access_buffer(const StageState& stage, const isa::Instruction& instruction, uint32_t lane,
                               bool stores) {
  const arch::Surface& buffer = stage.resources[instruction.access.resource].surface;
  const uint64_t byte = source_[0][0][lane] & ~3u;
  arch::Address address = 0;
  if (instruction.op == isa::Opcode::kStb) {
    for (uint32_t c = 0; c < 4; c++)
      if (stores && (instruction.dst.mask >> c & 1) && func::storage_word(buffer, byte + 4 * c, address)) {
        const func::WordPart part = func::word_part(instruction.access.size, source_[0][0][lane]);
        memory_.write(address + part.first, &source_[1][c][lane], part.bytes);
        statistics_.words_stored++;
      }
    return;
  }
  const bool there = func::storage_word(buffer, byte, address);
  atomic_at(instruction, lane, stores, there, address);
}

void ShaderCore::access_image(const StageState& stage, const isa::Instruction& instruction, uint32_t lane,
                              bool stores) {
  const func::TextureView& view = stage.resources[instruction.access.resource];
  const uint32_t coordinate[4] = {source_[0][0][lane], source_[0][1][lane], source_[0][2][lane],
                                  source_[0][3][lane]};
  arch::Address address = 0;
  const bool there = func::storage_texel(view, instruction.access.dim, coordinate, address);
  std::byte texel[func::kMaxTexelBytes] = {};
  uint32_t value[4] = {};
  switch (instruction.op) {
    case isa::Opcode::kLdi:
      if (there) memory_.read(address, texel, view.texel_bytes);
      // Out of bounds: zeros, and the format's defaults for missing components ("robustImageAccess2"). An
      // invalid image has no format.
      if (view.valid) func::decode_texel(*view.format, view.layout, texel, value);
      for (uint32_t c = 0; c < 4; c++) result_[c][lane] = value[c];
      return;
    case isa::Opcode::kSti:
      if (!there || !stores) return;
      for (uint32_t c = 0; c < 4; c++) value[c] = source_[1][c][lane];
      func::encode_texel(*view.format, view.layout, value, texel);
      memory_.write(address, texel, view.texel_bytes);
      statistics_.texels_stored++;
      return;
    default:
      atomic_at(instruction, lane, stores, there && view.texel_bytes == 4, address);
  }
}

void ShaderCore::atomic_at(const isa::Instruction& instruction, uint32_t lane, bool stores, bool there,
                           arch::Address address) {
  there = there && func::is_word(address);
  const uint32_t old = there ? memory_.read_as<uint32_t>(address) : 0;
  for (uint32_t c = 0; c < 4; c++) result_[c][lane] = old;
  if (!there || !stores) return;
  memory_.write_as(
      address, func::atomic_result(instruction.access.atomic, old, source_[1][0][lane], source_[2][0][lane]));
  statistics_.atomics++;
}

}  // namespace cutaway::emulator
