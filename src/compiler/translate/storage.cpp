#include "compiler/translate/storage.h"

#include <bit>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

bool is_atomic(uint32_t op) { return op >= spv::OpAtomicLoad && op <= spv::OpAtomicXor; }

}  // namespace

// Instructions on memory other than OpLoad and OpStore, and those between invocations.
bool Storage::translate(const Word& word) {
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
      // The invocations of a subgroup run in lockstep: none waits for another.
      const bool waits =
          (request_.stage == arch::Stage::kCompute || request_.stage == arch::Stage::kTessControl) &&
          scope != spv::ScopeSubgroup && scope != spv::ScopeInvocation;
      const uint8_t fence = fence_of(arg(word, 1), arg(word, 2));
      if (waits || fence) barrier(waits ? Opcode::kBarrier : Opcode::kMemoryBarrier, fence);
      return true;
    }
    case spv::OpMemoryBarrier:
      if (const uint8_t fence = fence_of(arg(word, 0), arg(word, 1))) barrier(Opcode::kMemoryBarrier, fence);
      return true;
    default:
      return false;
  }
}

// The accesses that a barrier must wait for. A barrier of workgroup scope on buffers acts like one of device
// scope, because an invocation that informs others publishes all stores that it has seen. A scope or
// semantics that is no literal may have any value.
uint8_t Storage::fence_of(uint32_t scope_id, uint32_t semantics_id) {
  constexpr auto bits = [](auto... masks) { return (static_cast<uint32_t>(masks) | ...); };
  constexpr uint32_t kDevice =
      bits(spv::MemorySemanticsUniformMemoryMask, spv::MemorySemanticsCrossWorkgroupMemoryMask,
           spv::MemorySemanticsAtomicCounterMemoryMask, spv::MemorySemanticsImageMemoryMask);
  const std::optional<uint32_t> scope = literal_of(scope_id), semantics = literal_of(semantics_id);
  if (scope == spv::ScopeInvocation) return 0;
  const uint32_t memory = semantics.value_or(~0u);
  uint8_t fence = 0;
  if (memory & spv::MemorySemanticsWorkgroupMemoryMask && request_.stage == arch::Stage::kCompute)
    fence |= isa::kFenceShared;
  if (memory & kDevice && scope != spv::ScopeSubgroup) fence |= isa::kFenceDevice;
  return fence;
}

void Storage::barrier(Opcode op, uint8_t fence) {
  Inst inst{.op = op};
  inst.access.fence = fence;
  b.append(inst);
}

// An acquiring atomic precedes all later loads: they must not return older data.
void Storage::acquire(const Word& word) {
  constexpr uint32_t kAcquire = static_cast<uint32_t>(spv::MemorySemanticsAcquireMask) |
                                static_cast<uint32_t>(spv::MemorySemanticsAcquireReleaseMask) |
                                static_cast<uint32_t>(spv::MemorySemanticsSequentiallyConsistentMask);
  if (word.op == spv::OpAtomicStore || !(literal_of(arg(word, 2)).value_or(~0u) & kAcquire)) return;
  if (fence_of(arg(word, 1), arg(word, 2)) & isa::kFenceDevice)
    barrier(Opcode::kMemoryBarrier, isa::kFenceDevice);
}

namespace {

struct AtomicKind {
  isa::AtomicOp op;
  int operand;  // operand of the SPIR-V instruction with the value; -1: the literal
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

void Storage::atomic(const Word& word) {
  if (word.op == spv::OpAtomicCompareExchangeWeak) unsupported(word);
  const AtomicKind kind = atomic_kind(word.op);
  const Value* found = values_.find(arg(word, 0));
  const Value target = found ? *found : Value{};  // a null pointer
  Lanes operand = {literal(kind.literal)}, comparator = {literal(0)};
  if (kind.operand >= 0) operand = b.bits(get(arg(word, static_cast<size_t>(kind.operand))));
  if (word.op == spv::OpAtomicISub) operand = b.ineg(operand);
  if (kind.op == isa::AtomicOp::kCompareExchange) comparator = b.bits(get(arg(word, 5)));
  if (word.result && m_.scalar(word.type).bits != 32) unsupported(word, "of sizes other than 32 bits");
  if (operand.size() != 1 || comparator.size() != 1) invalid(word, "is of one word");
  const auto append = [&](Inst inst) {
    inst.sources = 3;
    inst.width = 1;
    inst.access.atomic = kind.op;
    inst.src[1] = {.ref = {operand[0]}, .width = 1};
    inst.src[2] = {.ref = {comparator[0]}, .width = 1};
    return b.ref(b.append(inst), 0);
  };
  Lanes old;
  // Changes one of the memories or images that an index chooses from.
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
    if (old.empty()) old = {literal(0)};  // through a null pointer
  };
  if (target.handle) {
    const Inst inst = images_.image_access(word, Opcode::kAtomicImage, *target.handle, target.lanes);
    change(*target.handle, [&](const Handle& one) {
      Inst copy = inst;
      copy.access.resource = interface.resource(one.image);
      return append(copy);
    });
  } else {
    const Pointer p = memory_.pointer_of(word, 0);
    if (p.storage != spv::StorageClassWorkgroup && p.storage != spv::StorageClassStorageBuffer &&
        p.storage != spv::StorageClassUniform && !p.address)
      unsupported("{} in storage class {} is not supported", op_name(word.op), storage_name(p.storage));
    change(p, [&](const Pointer& one) {
      const Memory::Words memory = memory_.words_of(one);
      Inst inst{.op = memory.atomic};
      inst.access.resource = memory.resource;
      inst.src[0] = {.ref = {memory_.address_of(one, memory)}, .width = 1};
      return append(inst);
    });
  }
  if (word.op != spv::OpAtomicStore) define(word.result, word.type, old);
  acquire(word);
}

void Storage::array_length(const Word& word) {
  const Pointer p = memory_.pointer_of(word, 0);
  if (p.storage == spv::StorageClassPhysicalStorageBuffer) invalid(word, "needs a pointer to a variable");
  const uint32_t index = arg(word, 1);
  const Type& type = m_.type(p.type);
  if (type.kind != TypeKind::kStruct || index >= type.members.size()) invalid(word, "needs a block");
  const uint32_t offset = p.offset + m_.member(p.type, index).offset.value_or(0);
  const uint32_t stride = m_.decoration(type.members[index]).array_stride.value_or(0);
  if (stride == 0) invalid(word, "needs an array with a stride");
  Lanes length;
  for_each_choice(p, [&](const Pointer& one, const Lanes& here) {
    const Lanes other = array_length(one, offset, stride);
    length = length.empty() ? other : select(here, other, length);
  });
  if (length.empty()) length = {literal(0)};
  define(word.result, word.type, length);
}

// Number of elements of a block's trailing array: the rest of the buffer divided by the stride.
Lanes Storage::array_length(const Pointer& p, uint32_t offset, uint32_t stride) {
  Inst inst{.op = Opcode::kTxq, .width = 4, .sources = 1};
  inst.src[0] = {.ref = {literal(0)}, .width = 1};
  inst.access.dim = isa::TextureDim::kBuffer;
  inst.access.resource = memory_.words_of(p).resource;
  const Lanes bytes = {b.ref(b.append(inst), 0)};
  const Lanes array =
      b.op2(Opcode::kIadd, b.op2(Opcode::kUmax, bytes, {literal(offset)}), {literal(0 - offset)});
  if (std::has_single_bit(stride))
    return b.op2(Opcode::kShr, array, {literal(static_cast<uint32_t>(std::countr_zero(stride)))});
  return b.scalar(Opcode::kUdiv, array, {literal(stride)});
}

}  // namespace cutaway::compiler
