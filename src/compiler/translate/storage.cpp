#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "base/error.h"
#include "compiler/translate.h"

// Variables that lie in memory: buffers, the scratch memory of a thread, the memory of a workgroup.
namespace cutaway::compiler {
namespace {

constexpr uint32_t kMaxComponents = 4096;  // of one load or store

// Offsets are bytes and say so themselves; elsewhere they count components without gaps.
bool explicit_layout(uint32_t storage) {
  return storage == spv::StorageClassUniform || storage == spv::StorageClassStorageBuffer ||
         storage == spv::StorageClassPushConstant;
}

bool is_atomic(uint32_t op) { return op >= spv::OpAtomicLoad && op <= spv::OpAtomicXor; }

}  // namespace

// Byte offsets of a value's components, in order.
void Translator::buffer_components(const Pointer& p, uint32_t type_id, uint32_t offset,
                                   uint32_t component_stride, uint32_t matrix_stride, bool row_major,
                                   std::vector<uint32_t>& bytes) {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
      bytes.push_back(offset);
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
      user_error("shader: OpLoad of a type that cannot be loaded from a buffer");
  }
}

// The dynamic part of an address, in bytes.
Ref Translator::dynamic_offset(const Pointer& p) {
  const uint32_t unit = explicit_layout(p.storage) ? 1 : 4;
  Lanes sum = {literal(0)};
  for (const Step& step : p.steps)
    sum = b.op2(Opcode::kIadd, sum, b.op2(Opcode::kImul, get(step.id), {literal(step.stride * unit)}));
  return sum[0];
}

Translator::Lanes Translator::load_buffer(const Pointer& p, size_t at, uint32_t offset) {
  const bool push = p.storage == spv::StorageClassPushConstant;
  if (push && at < p.steps.size()) {  // in constant registers, which have no dynamic index
    const Step& step = p.steps[at];
    if (step.count > kMaxDynamicElements)
      user_error("shader: dynamic index into {} push constants", step.count);
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
bool Translator::is_uniform(const Pointer& p) const {
  uint32_t block = m_.type(value(p.variable).type).element;
  if (m_.type(block).kind == TypeKind::kArray) block = m_.type(block).element;
  return p.storage == spv::StorageClassUniform && !m_.decoration(block).buffer_block;
}

Translator::Memory Translator::memory_of(const Pointer& p) {
  if (p.storage == kScratchStorage)
    return {
        .load = Opcode::kLds, .store = Opcode::kSts, .atomic = Opcode::kNop, .base = placed_.at(p.variable)};
  if (p.storage == spv::StorageClassWorkgroup)
    return {.load = Opcode::kLdw,
            .store = Opcode::kStw,
            .atomic = Opcode::kAtomicWorkgroup,
            .base = placed_.at(p.variable)};
  const Decorations& d = m_.decoration(p.variable);
  return {.load = Opcode::kLdb,
          .store = Opcode::kStb,
          .atomic = Opcode::kAtomic,
          .resource = resource({d.set.value_or(0), d.binding.value_or(0), p.element}),
          .ordered = writes_memory_ && !is_uniform(p)};
}

// Bytes from the constant part of a pointer's address to the components of its value.
std::vector<uint32_t> Translator::word_offsets(const Pointer& p, uint32_t offset) {
  const uint32_t components = m_.type(p.type).components;
  if (components > kMaxComponents) user_error("shader: OpLoad or OpStore of {} components", components);
  work(components);
  std::vector<uint32_t> bytes;
  if (explicit_layout(p.storage)) {
    buffer_components(p, p.type, offset, p.component_stride, p.matrix_stride, p.row_major, bytes);
  } else {
    for (uint32_t i = 0; i < components; ++i) bytes.push_back((offset + i) * 4);
  }
  for (uint32_t byte : bytes)
    if (byte % 4)
      user_error("shader: OpLoad or OpStore at byte {} of a buffer, which is no multiple of 4", byte);
  return bytes;
}

// Calls visit(address, first component, words) for every run of up to four words.
template <class Visit>
void Translator::runs(const Pointer& p, const Memory& memory, Visit&& visit) {
  const std::vector<uint32_t> bytes = word_offsets(p, p.offset);
  const Ref base = dynamic_offset(p);
  for (size_t i = 0; i < bytes.size();) {
    size_t run = 1;
    while (run < 4 && i + run < bytes.size() && bytes[i + run] == bytes[i] + 4 * run) ++run;
    visit(b.op2(Opcode::kIadd, {base}, {literal(memory.base + bytes[i])})[0], i, run);
    i += run;
  }
}

Translator::Lanes Translator::load_words(const Pointer& p) {
  const Memory memory = memory_of(p);
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

void Translator::store_words(const Pointer& p, const Lanes& value) {
  if (p.choice.id) {
    for_each_choice(p, [&](const Pointer& one, const Lanes& here) {
      b.begin_if(here[0]);
      store_words(one, value);
      b.end_if();
    });
    return;
  }
  const Memory memory = memory_of(p);
  const Lanes words_of_value = b.bits(value);
  if (!b.reachable()) return;
  runs(p, memory, [&](const Ref& address, size_t first, size_t words) {
    Inst inst{.op = memory.store, .sources = 2};
    inst.src[0].width = 1;
    inst.src[0].ref[0] = address;
    for (size_t k = 0; k < words; ++k) {
      const Ref& word = words_of_value.at(first + k);
      if (word.is_undef()) continue;  // an undefined word may as well stay
      inst.channel[inst.src[1].width] = static_cast<uint8_t>(k);
      inst.src[1].ref[inst.src[1].width++] = word;
    }
    inst.access.resource = memory.resource;
    if (inst.src[1].width) b.append(inst);
  });
}

// Instructions on memory other than OpLoad and OpStore, and those between invocations.
bool Translator::storage(const Word& word) {
  if (is_atomic(word.op)) {
    atomic(word);
    return true;
  }
  switch (word.op) {
    case spv::OpArrayLength:
      array_length(word);
      return true;
    case spv::OpControlBarrier: {
      const std::optional<uint32_t> scope = literal_of(arg(word, 0));
      // A subgroup is one invocation: it waits for nobody.
      if (request_.stage == arch::Stage::kCompute && scope != spv::ScopeSubgroup &&
          scope != spv::ScopeInvocation)
        b.append({.op = Opcode::kBarrier});
      return true;
    }
    case spv::OpMemoryBarrier:  // memory operations take effect in the order of the program
      return true;
    case spv::OpGroupNonUniformElect:
      define(word.result, word.type, {literal(~0u)});
      return true;
    default:
      return false;
  }
}

namespace {

struct AtomicKind {
  isa::AtomicOp op;
  int operand;  // of the SPIR-V instruction: value; -1: the literal
  uint32_t literal = 0;
};

AtomicKind atomic_kind(uint32_t op) {
  using enum isa::AtomicOp;
  switch (op) {
    case spv::OpAtomicLoad:
      return {kOr, -1, 0};
    case spv::OpAtomicStore:
    case spv::OpAtomicExchange:
      return {kExchange, 3};
    case spv::OpAtomicCompareExchange:
      return {kCompareExchange, 4};
    case spv::OpAtomicIIncrement:
      return {kAdd, -1, 1};
    case spv::OpAtomicIDecrement:
      return {kAdd, -1, ~0u};
    case spv::OpAtomicIAdd:
    case spv::OpAtomicISub:
      return {kAdd, 3};
    case spv::OpAtomicSMin:
      return {kImin, 3};
    case spv::OpAtomicUMin:
      return {kUmin, 3};
    case spv::OpAtomicSMax:
      return {kImax, 3};
    case spv::OpAtomicUMax:
      return {kUmax, 3};
    case spv::OpAtomicAnd:
      return {kAnd, 3};
    case spv::OpAtomicOr:
      return {kOr, 3};
    default:
      return {kXor, 3};
  }
}

}  // namespace

void Translator::atomic(const Word& word) {
  if (word.op == spv::OpAtomicCompareExchangeWeak) unsupported(word);
  const AtomicKind kind = atomic_kind(word.op);
  const Value target = value(arg(word, 0));
  Lanes operand = {literal(kind.literal)}, comparator = {literal(0)};
  if (kind.operand >= 0) operand = b.bits(get(arg(word, static_cast<size_t>(kind.operand))));
  if (word.op == spv::OpAtomicISub) operand = b.ineg(operand);
  if (kind.op == isa::AtomicOp::kCompareExchange) comparator = b.bits(get(arg(word, 5)));
  if (operand.size() != 1 || comparator.size() != 1) unsupported(word, "is of one word");
  const auto append = [&](Inst inst) {
    inst.sources = 3;
    inst.width = 1;
    inst.access.atomic = kind.op;
    inst.src[1] = {.ref = {operand[0]}, .width = 1};
    inst.src[2] = {.ref = {comparator[0]}, .width = 1};
    return b.ref(b.append(inst), 0);
  };
  Lanes old;
  // Of the memories or images that an index chooses one is changed.
  const auto change = [&](const auto& choices, auto&& change_one) {
    uint32_t slot = kNone;
    for_each_choice(choices, [&](const auto& one, const Lanes& here) {
      if (here.empty()) {
        old = {change_one(one)};
        return;
      }
      if (slot == kNone) b.write(slot = b.new_slots(1), literal(0));
      b.begin_if(here[0]);
      b.write(slot, change_one(one));
      b.end_if();
    });
    if (slot != kNone) old = {b.read(slot)};
  };
  if (target.handle) {
    const Inst inst = image_access(word, Opcode::kAtomicImage, *target.handle, target.lanes);
    change(*target.handle, [&](const Handle& one) {
      Inst copy = inst;
      copy.access.resource = resource(one.image);
      return append(copy);
    });
  } else {
    if (!target.pointer) unsupported(word, "needs a pointer");
    const Pointer p = *target.pointer;
    if (p.storage != spv::StorageClassWorkgroup && p.storage != spv::StorageClassStorageBuffer &&
        p.storage != spv::StorageClassUniform)
      user_error("shader: {} in storage class {} is not supported", op_name(word.op),
                 storage_name(p.storage));
    change(p, [&](const Pointer& one) {
      const Memory memory = memory_of(one);
      Inst inst{.op = memory.atomic};
      inst.access.resource = memory.resource;
      inst.src[0].width = 1;
      runs(one, memory, [&](const Ref& address, size_t, size_t) { inst.src[0].ref[0] = address; });
      return append(inst);
    });
  }
  if (word.op != spv::OpAtomicStore) define(word.result, word.type, old);
}

void Translator::array_length(const Word& word) {
  const Value& block = value(arg(word, 0));
  if (!block.pointer) unsupported(word, "needs a pointer");
  const Pointer p = *block.pointer;
  const uint32_t index = arg(word, 1);
  const Type& type = m_.type(p.type);
  if (type.kind != TypeKind::kStruct || index >= type.members.size()) unsupported(word, "needs a block");
  const uint32_t offset = p.offset + m_.member(p.type, index).offset.value_or(0);
  const uint32_t stride = m_.decoration(type.members[index]).array_stride.value_or(0);
  if (stride == 0) unsupported(word, "needs an array with a stride");
  Lanes length;
  for_each_choice(p, [&](const Pointer& one, const Lanes& here) {
    const Lanes other = array_length(one, offset, stride);
    length = length.empty() ? other : select(here, other, length);
  });
  define(word.result, word.type, length);
}

// Elements of the array at the end of a block: what of the buffer follows its start, by the stride.
Translator::Lanes Translator::array_length(const Pointer& p, uint32_t offset, uint32_t stride) {
  Inst inst{.op = Opcode::kTxq, .width = 4, .sources = 1};
  inst.src[0] = {.ref = {literal(0)}, .width = 1};
  inst.access.dim = isa::TextureDim::kBuffer;
  inst.access.resource = memory_of(p).resource;
  const Lanes bytes = {b.ref(b.append(inst), 0)};
  const Lanes array =
      b.op2(Opcode::kIadd, b.op2(Opcode::kUmax, bytes, {literal(offset)}), {literal(0 - offset)});
  if (std::has_single_bit(stride))
    return b.op2(Opcode::kShr, array, {literal(static_cast<uint32_t>(std::countr_zero(stride)))});
  return b.scalar(Opcode::kUdiv, array, {literal(stride)});
}

}  // namespace cutaway::compiler
