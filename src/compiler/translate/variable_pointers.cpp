#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/memory.h"

// Pointers that are values: addresses, and variable pointers to buffers and workgroup memory.
namespace cutaway::compiler {

bool Memory::is_variable_pointer(uint32_t storage) const {
  return m_.variable_pointers && is_variable_storage(storage);
}

// The layout of what a pointer value leads to. A matrix's is that of the block member that the pointer was
// made from; without one its columns lie as in an array.
PointerLayout Memory::layout_of(const Word& word, uint32_t id, uint32_t type) const {
  PointerLayout layout = pointers_->layout(id);
  while (m_.type(type).kind == TypeKind::kArray || m_.type(type).kind == TypeKind::kRuntimeArray)
    type = m_.type(type).element;
  const Type& to = m_.type(type);
  if (to.kind == TypeKind::kMatrix) {
    if (layout.matrix_stride == PointerLayout::kMixed)
      unsupported(word, "through a pointer to matrices of different layouts");
    const uint32_t rows = m_.type(to.element).count;
    if (layout.matrix_stride == 0) layout.matrix_stride = m_.scalar(type).bits / 8 * (rows == 2 ? 2 : 4);
  }
  if (to.kind == TypeKind::kVector && layout.component_stride == PointerLayout::kMixed)
    unsupported(word, "through a pointer to vectors of different layouts");
  if (layout.array_stride == PointerLayout::kMixed) layout.array_stride = 0;
  return layout;
}

// The two words of a pointer value; empty if it is not a value.
Lanes Memory::place_of(const Pointer& p) {
  const bool variable = is_variable_pointer(p.storage);
  if (!variable && !p.address) return {};
  const bool shared = p.storage == spv::StorageClassWorkgroup;
  const uint32_t base = shared && !p.address ? values_.place_of(p.variable) : 0;
  const uint32_t byte = base + p.offset * unit_of(p.storage);
  Lanes place = b.op2(Opcode::kIadd, {dynamic_offset(p)}, {literal(byte)});
  if (p.address) {
    place.push_back(buffer_number(p));
  } else if (shared || !p.choice.id) {
    place.push_back(literal(pointers_->number_of(p.variable) + p.element));
  } else {
    const Lanes index = b.op2(Opcode::kUmin, index_of(p.choice.id), {literal(p.choice.count - 1)});
    place.push_back(b.op2(Opcode::kIadd, index, {literal(pointers_->number_of(p.variable))})[0]);
  }
  return place;
}

// Stride of the array that a pointer points into, in units of the pointer's offsets.
uint32_t Memory::stride_of(uint32_t pointer_type) const {
  const Type& type = m_.type(pointer_type);
  if (type.storage == spv::StorageClassWorkgroup) return m_.type(type.element).components;
  return m_.decoration(pointer_type).array_stride.value_or(0);
}

// Performs OpPtrAccessChain's first step: to another element of the array that the pointer points into.
void Memory::element_of(Pointer& p, const Word& word) {
  const uint32_t index = arg(word, 1);
  uint32_t stride = stride_of(values_.type_of(arg(word, 0)));
  if (stride == 0) stride = p.layout.array_stride ? p.layout.array_stride : bytes_of(p.type);
  if (const Ref known = index_of(index)[0]; known.is_literal()) p.offset += known.index * stride;
  else p.steps.push_back({index, stride, 0});
  if (p.steps.size() > 8) unsupported("more than 8 dynamic indices in a row");
}

// Comparison and difference of variable pointers. Returns false for other instructions.
bool Memory::compare(const Word& word) {
  if (word.op != spv::OpPtrEqual && word.op != spv::OpPtrNotEqual && word.op != spv::OpPtrDiff) return false;
  const Lanes x = get(arg(word, 0)), y = get(arg(word, 1));
  if (x.size() != 2 || y.size() != 2) unsupported(word, "of pointers to these variables is not supported");
  if (word.op == spv::OpPtrDiff) {
    define(word.result, word.type, difference(word, b.op2(Opcode::kIadd, {x[0]}, b.ineg({y[0]}))));
    return true;
  }
  const Lanes same = b.op2(Opcode::kIeq, x, y), equal = b.op2(Opcode::kAnd, {same[0]}, {same[1]});
  define(word.result, word.type, word.op == spv::OpPtrEqual ? equal : b.logical_not(equal));
  return true;
}

// Bytes of an object in a buffer without gaps after it.
uint32_t Memory::bytes_of(uint32_t type_id) const {
  const Type& type = m_.type(type_id);
  switch (type.kind) {
    case TypeKind::kVector:
    case TypeKind::kMatrix:
      return type.count * bytes_of(type.element);
    case TypeKind::kArray:
      return type.count * m_.decoration(type_id).array_stride.value_or(0);
    case TypeKind::kStruct: {
      uint32_t end = 0;
      for (uint32_t i = 0; i < type.members.size(); ++i)
        end = std::max(end, m_.member(type_id, i).offset.value_or(0) + bytes_of(type.members[i]));
      return end;
    }
    default:
      return type.components ? std::max(1u, type.components * std::min(type.bits, 32u) / 8) : 0;
  }
}

// Bytes from one element to the next of the array that two pointers point into. The pointers' type may name
// them; otherwise one of the pointers tells which array it was made for.
uint32_t Memory::element_bytes(const Word& word) const {
  const uint32_t type = values_.type_of(arg(word, 0));
  if (const uint32_t stride = stride_of(type)) return stride * unit_of(m_.type(type).storage);
  for (size_t operand = 0; operand < 2; ++operand)
    if (const uint32_t stride = pointer_of(word, operand).layout.array_stride) return stride;
  return bytes_of(m_.type(type).element);
}

// Converts a difference in bytes to a number of array elements.
Lanes Memory::difference(const Word& word, const Lanes& bytes) {
  const uint32_t stride = element_bytes(word);
  if (stride == 0) invalid(word, "needs pointers to objects that have a size");
  const Lanes elements =
      std::has_single_bit(stride)
          ? b.op2(Opcode::kAsr, bytes, {literal(static_cast<uint32_t>(std::countr_zero(stride)))})
          : b.scalar(Opcode::kIdiv, bytes, {literal(stride)});
  const Type& integer = m_.scalar(word.type);
  if (integer.bits == 64) return {elements[0], b.op2(Opcode::kAsr, elements, {literal(31)})[0]};
  return narrowed(word.type, elements);
}

}  // namespace cutaway::compiler
