#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/memory.h"

// Variables that lie in memory: buffers, the scratch memory of a thread, the memory of a workgroup.
namespace cutaway::compiler {
namespace {

constexpr uint32_t kMaxComponents = 4096;  // of one load or store

// Offsets are bytes and say so themselves; elsewhere they count components without gaps.
bool explicit_layout(uint32_t storage) {
  return storage == spv::StorageClassUniform || storage == spv::StorageClassStorageBuffer ||
         storage == spv::StorageClassPushConstant || storage == spv::StorageClassPhysicalStorageBuffer;
}

}  // namespace

// Byte offsets of a value's components, in order.
void Memory::buffer_components(const Pointer& p, uint32_t type_id, uint32_t offset, uint32_t component_stride,
                               uint32_t matrix_stride, bool row_major, std::vector<uint32_t>& bytes) {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
      bytes.push_back(offset);
      return;
    case TypeKind::kPointer:  // the two words of an address
      bytes.push_back(offset);
      bytes.push_back(offset + 4);
      return;
    case TypeKind::kVector:
      for (uint32_t i = 0; i < type.count; ++i) bytes.push_back(offset + i * component_stride);
      return;
    case TypeKind::kMatrix:
      for (uint32_t i = 0; i < type.count; ++i)
        buffer_components(p, type.element, offset + i * (row_major ? 4 : matrix_stride),
                          row_major ? matrix_stride : 4, matrix_stride, row_major, bytes);
      return;
    case TypeKind::kArray: {
      const uint32_t stride = m_.decoration(type_id).array_stride.value_or(0);
      for (uint32_t i = 0; i < type.count; ++i)
        buffer_components(p, type.element, offset + i * stride, 4, matrix_stride, row_major, bytes);
      return;
    }
    case TypeKind::kStruct:
      for (uint32_t i = 0; i < type.members.size(); ++i) {
        const Decorations& d = m_.member(type_id, i);
        buffer_components(p, type.members[i], offset + d.offset.value_or(0), 4,
                          d.matrix_stride.value_or(matrix_stride), d.row_major, bytes);
      }
      return;
    default:
      invalid("OpLoad of a type that cannot be loaded from a buffer");
  }
}

// Gives a variable its bytes. One of a function keeps them however often the function is inlined.
void Memory::place(const Word& word, const Type& type) {
  if (values_.is_placed(word.result)) return;
  const bool scratch = arg(word, 0) != spv::StorageClassWorkgroup;
  uint32_t& bytes = scratch ? interface.scratch_bytes : interface.shared_bytes;
  const uint32_t most = scratch ? arch::kScratchBytes : arch::kWorkgroupBytes;
  values_.place(word.result, bytes);
  const uint64_t end = bytes + uint64_t{(type.components + 3) / 4} * 16;
  if (end > most)
    unsupported("more than {} bytes of {}", most,
                scratch ? "dynamically indexed variables" : "variables of storage class Workgroup");
  bytes = static_cast<uint32_t>(end);
}

// The dynamic part of an address, in bytes.
Ref Memory::dynamic_offset(const Pointer& p) {
  const uint32_t unit = explicit_layout(p.storage) || p.storage == kPatchStorage ? 1 : 4;
  Lanes sum = {literal(0)};
  if (p.address) sum = {component(get(p.address), 0)};  // the other word of what lies in memory is 0
  if (p.storage == kPatchStorage && p.vertex)
    sum = b.op2(Opcode::kImul, {component(get(p.vertex), 0)}, {literal(patch_.layout().vertex_bytes)});
  for (const Step& step : p.steps)
    sum = b.op2(Opcode::kIadd, sum, b.op2(Opcode::kImul, get(step.id), {literal(step.stride * unit)}));
  return sum[0];
}

Lanes Memory::load_buffer(const Pointer& p, size_t at, uint32_t offset) {
  const bool push = p.storage == spv::StorageClassPushConstant;
  if (push && at < p.steps.size()) {  // in constant registers, which have no dynamic index
    const Step& step = p.steps[at];
    if (step.count > kMaxDynamicElements) unsupported("dynamic index into {} push constants", step.count);
    const Lanes index = get(step.id);
    Lanes result = load_buffer(p, at + 1, offset);
    for (uint32_t i = 1; i < step.count; ++i)
      result = select(b.op2(Opcode::kIeq, index, {literal(i)}),
                      load_buffer(p, at + 1, offset + i * step.stride), result);
    return result;
  }
  if (!push && (!p.steps.empty() || !is_uniform(p))) return load_words(p);
  const std::vector<uint32_t> bytes = word_offsets(p, offset);
  Lanes lanes;
  const Decorations& d = m_.decoration(p.variable);
  for (uint32_t byte : bytes) {
    UniformSlot slot;
    slot.kind = push ? isa::ConstantRange::Kind::kPushConstant : isa::ConstantRange::Kind::kUniformBuffer;
    if (!push) slot.set = d.set.value_or(0), slot.binding = d.binding.value_or(0), slot.element = p.element;
    slot.slot = byte / 16;
    lanes.push_back(
        {.kind = RefKind::kUniform, .lane = static_cast<uint8_t>(byte / 4 % 4), .index = b.ir.uniform(slot)});
  }
  return lanes;
}

// A uniform block, whose contents do not change while the program runs.
bool Memory::is_uniform(const Pointer& p) const {
  if (p.address) return false;
  uint32_t block = m_.type(value(p.variable).type).element;
  if (m_.type(block).kind == TypeKind::kArray) block = m_.type(block).element;
  return p.storage == spv::StorageClassUniform && !m_.decoration(block).buffer_block;
}

Memory::Words Memory::words_of(const Pointer& p) {
  if (p.storage == kScratchStorage)
    return {.load = Opcode::kLds,
            .store = Opcode::kSts,
            .atomic = Opcode::kNop,
            .base = values_.place_of(p.variable)};
  if (p.storage == spv::StorageClassWorkgroup)
    return {.load = Opcode::kLdw,
            .store = Opcode::kStw,
            .atomic = Opcode::kAtomicWorkgroup,
            .base = values_.place_of(p.variable)};
  if (p.storage == kPatchStorage)
    return {.load = Opcode::kLdw,
            .store = Opcode::kStw,
            .atomic = Opcode::kAtomicWorkgroup,
            .base = p.of_patch ? 0 : patch_.layout().first_vertex,
            .ordered = request_.stage == arch::Stage::kTessControl};
  const Decorations& d = m_.decoration(p.variable);
  isa::SlotBinding slot{d.set.value_or(0), d.binding.value_or(0), p.element};
  if (p.address) slot = {.set = isa::SlotBinding::kAllMemory};
  return {.load = Opcode::kLdb,
          .store = Opcode::kStb,
          .atomic = Opcode::kAtomic,
          .resource = interface.resource(slot),
          .ordered = t_.writes_memory && !is_uniform(p)};
}

// Bytes from the constant part of a pointer's address to the components of its value.
std::vector<uint32_t> Memory::word_offsets(const Pointer& p, uint32_t offset) {
  const uint32_t components = m_.type(p.type).components;
  if (components > kMaxComponents) unsupported("OpLoad or OpStore of {} components", components);
  work(components);
  std::vector<uint32_t> bytes;
  if (p.storage == kPatchStorage) {
    patch_.components(p, bytes);
  } else if (explicit_layout(p.storage)) {
    buffer_components(p, p.type, offset, p.component_stride, p.matrix_stride, p.row_major, bytes);
  } else {
    for (uint32_t i = 0; i < components; ++i) bytes.push_back((offset + i) * 4);
  }
  for (uint32_t byte : bytes)
    if (byte % 4) invalid("OpLoad or OpStore at byte {} of a buffer, which is no multiple of 4", byte);
  return bytes;
}

Lanes Memory::load_words(const Pointer& p) {
  const Words memory = words_of(p);
  Lanes lanes;
  runs(p, memory, [&](const Ref& address, size_t, size_t words) {
    Inst inst{
        .op = memory.load, .ordered = memory.ordered, .width = static_cast<uint8_t>(words), .sources = 1};
    inst.src[0].width = 1;
    inst.src[0].ref[0] = address;
    inst.access.resource = memory.resource;
    const uint32_t id = b.append(inst);
    for (uint32_t k = 0; k < words; ++k) lanes.push_back(b.ref(id, k));
  });
  return lanes;
}

void Memory::store_words(const Pointer& p, const Lanes& value) {
  if (p.choice.id) {
    for_each_choice(p, [&](const Pointer& one, const Lanes& here) {
      b.begin_if(here[0]);
      store_words(one, value);
      b.end_if();
    });
    return;
  }
  const Words memory = words_of(p);
  const Lanes words_of_value = b.bits(value);
  if (!b.reachable()) return;
  runs(p, memory, [&](const Ref& address, size_t first, size_t words) {
    Inst inst{.op = memory.store, .sources = 2};
    inst.src[0].width = 1;
    inst.src[0].ref[0] = address;
    for (size_t k = 0; k < words; ++k) {
      const Ref& word = component(words_of_value, first + k);
      if (word.is_undef()) continue;  // an undefined word may as well stay
      inst.channel[inst.src[1].width] = static_cast<uint8_t>(k);
      inst.src[1].ref[inst.src[1].width++] = word;
    }
    inst.access.resource = memory.resource;
    if (inst.src[1].width) b.append(inst);
  });
}

}  // namespace cutaway::compiler
