#include "compiler/translate/memory.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

bool in_registers(uint32_t storage) {
  return storage == spv::StorageClassFunction || storage == spv::StorageClassPrivate ||
         storage == spv::StorageClassOutput || storage == spv::StorageClassInput;
}

bool in_buffer(uint32_t storage) {
  return storage == spv::StorageClassUniform || storage == spv::StorageClassPushConstant ||
         storage == spv::StorageClassStorageBuffer || storage == spv::StorageClassPhysicalStorageBuffer;
}

// Reads one set of memory operands from word `at` on: returns its mask and moves on to the next set.
uint32_t memory_operands(const Word& word, size_t& at) {
  constexpr spv::MemoryAccessMask kWithOperand[] = {
      spv::MemoryAccessAlignedMask, spv::MemoryAccessMakePointerAvailableMask,
      spv::MemoryAccessMakePointerVisibleMask, spv::MemoryAccessAliasScopeINTELMaskMask,
      spv::MemoryAccessNoAliasINTELMaskMask};
  if (at >= word.words.size()) return 0;
  const uint32_t mask = word.words[at++];
  for (const spv::MemoryAccessMask one : kWithOperand) at += (mask & one) != 0;
  return mask;
}

// True for a load that must see the stores of others. Stores are always visible to all.
bool is_coherent(uint32_t memory_operands) {
  constexpr uint32_t kCoherent = static_cast<uint32_t>(spv::MemoryAccessVolatileMask) |
                                 static_cast<uint32_t>(spv::MemoryAccessMakePointerVisibleMask) |
                                 static_cast<uint32_t>(spv::MemoryAccessNonPrivatePointerMask);
  return memory_operands & kCoherent;
}

}  // namespace

void Memory::variables(std::unordered_set<uint32_t> in_scratch) {
  in_scratch_ = std::move(in_scratch);
  if (m_.variable_pointers || PointerFlow::holds_addresses(m_)) pointers_.emplace(m_);
  for (const Word& word : m_.variables) {
    const uint32_t storage = arg(word, 0);
    if (storage == spv::StorageClassInput && !patch_.holds(word)) inputs_.declare(word);
    variable(word, storage);
  }
}

bool Memory::translate(const Word& word) {
  switch (word.op) {
    case spv::OpVariable:
      variable(word, arg(word, 0));
      return true;
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain:
      access_chain(word);
      return true;
    case spv::OpLoad: {
      const TypeKind kind = m_.type(word.type).kind;
      if (kind == TypeKind::kImage || kind == TypeKind::kSampler || kind == TypeKind::kSampledImage)
        return false;
      define(word.result, word.type, load(pointer_to_load(word)));
      return true;
    }
    case spv::OpStore:
      store(pointer_of(word, 0), get(arg(word, 1)));
      return true;
    case spv::OpCopyMemory: {
      Pointer from = pointer_of(word, 1);
      size_t at = 2;
      const uint32_t of_target = memory_operands(word, at);
      // A second set is that of the source; a single one is that of both.
      from.coherent |= is_coherent(at < word.words.size() ? memory_operands(word, at) : of_target);
      store(pointer_of(word, 0), load(from));
      return true;
    }
    default:
      return compare(word);
  }
}

// A pointer that holds an address may be a value like any other: loaded, selected, made of two words. The
// same holds for variable pointers.
Pointer Memory::pointer_of(const Word& word, size_t operand) const {
  const uint32_t id = arg(word, operand);
  const bool constant = m_.constants.contains(id);
  if (!constant && value(id).pointer) return *value(id).pointer;
  const uint32_t type_id = values_.type_of(id);
  const uint32_t storage = type_id ? m_.type(type_id).storage : 0;
  if (type_id == 0 || m_.type(type_id).kind != TypeKind::kPointer ||
      (storage != spv::StorageClassPhysicalStorageBuffer && !is_variable_pointer(storage)))
    invalid(word, "needs a pointer");
  Pointer p;
  p.storage = storage;
  if (storage == spv::StorageClassStorageBuffer) p.roots = pointers_->roots(id);
  p.type = m_.type(type_id).element;
  p.chose_element = storage != spv::StorageClassStorageBuffer || !is_array_of_blocks(p.type);
  p.address = id;
  if (in_buffer(storage)) p.layout = layout_of(word, id, p.type);
  // Block members say whether they are coherent; other targets cannot, so assume they are.
  p.coherent = p.chose_element && !m_.decoration(p.type).block;
  return p;
}

// True for an array of descriptors. An array known only by its type may be unsized.
bool Memory::is_array_of_blocks(uint32_t type_id) const {
  const Type& type = m_.type(type_id);
  return (type.kind == TypeKind::kArray || type.kind == TypeKind::kRuntimeArray) &&
         m_.decoration(type.element).block;
}

// A load's operands may require that it sees the stores of others.
Pointer Memory::pointer_to_load(const Word& word) const {
  Pointer p = pointer_of(word, 0);
  size_t at = 1;
  p.coherent |= is_coherent(memory_operands(word, at));
  return p;
}

void Memory::define_pointer(const Word& word, const Pointer& p) {
  define(word.result, word.type, place_of(p)).pointer = p;
}

void Memory::variable(const Word& word, uint32_t storage) {
  const Type& pointer = m_.type(word.type);
  const Type& type = m_.type(pointer.element);
  Pointer p;
  p.variable = word.result;
  p.storage = storage;
  p.type = pointer.element;
  p.coherent = m_.decoration(word.result).coherent;
  if (patch_.holds(word)) {
    patch_.place(p);
    if (word.words.size() > 1) store_words(p, get(word.words[1]));
    define_pointer(word, p);
    return;
  }
  if (in_scratch_.contains(word.result) || storage == spv::StorageClassWorkgroup) {
    place(word, type);
    // Zeros, the only legal initializers in workgroup memory, are its initial contents anyway.
    if (storage != spv::StorageClassWorkgroup) {
      p.storage = kScratchStorage;
      if (word.words.size() > 1) store_words(p, get(word.words[1]));
    }
    define_pointer(word, p);
    return;
  }
  if (in_registers(storage) && storage != spv::StorageClassInput) {
    if (type.components > (1u << 14)) unsupported(word, "has more than 16384 components");
    work(type.components);
    const uint32_t slot = b.new_slots(type.components);
    values_.set_slot(word.result, slot);
    if (word.words.size() > 1) {
      const Lanes initial = get(word.words[1]);
      for (size_t i = 0; i < initial.size(); ++i) b.write(slot + static_cast<uint32_t>(i), initial[i]);
    }
  }
  define_pointer(word, p);
}

void Memory::access_chain(const Word& word) {
  Pointer p = pointer_of(word, 0);
  size_t first = 1;
  if (word.op == spv::OpPtrAccessChain || word.op == spv::OpInBoundsPtrAccessChain) {
    if (!p.address && !is_variable_pointer(p.storage)) unsupported(word, "to variables is not supported");
    element_of(p, word);
    ++first;
  }
  for (size_t i = first; i < word.words.size(); ++i) step(p, word.words[i]);
  define_pointer(word, p);
}

void Memory::step(Pointer& p, uint32_t index_id) {
  const Type& type = m_.type(p.type);
  const std::optional<uint32_t> index = literal_of(index_id);
  const bool buffer = in_buffer(p.storage);
  // Arrays of descriptors.
  if (is_descriptor_storage(p.storage) && !p.chose_element &&
      (type.kind == TypeKind::kArray || is_array_of_blocks(p.type))) {
    if (!index) {
      if (type.count > kMaxChoices)
        unsupported("dynamic index into an array of {} descriptors; at most {} are supported", type.count,
                    kMaxChoices);
      p.choice = {index_id, type.count};
    }
    p.element = index.value_or(0);
    p.chose_element = true;
    p.type = type.element;
    return;
  }
  p.chose_element = true;
  if (p.storage == kPatchStorage) {
    patch_.step(p, index_id, index);
    if (p.steps.size() > 8) unsupported("more than 8 dynamic indices in a row");
    return;
  }
  if (p.storage == spv::StorageClassInput && p.vertex == 0 && inputs_.is_arrayed(p.variable)) {
    p.vertex = index_id;
    p.type = type.element;
    return;
  }
  if (type.kind == TypeKind::kStruct) {
    if (!index || *index >= type.members.size()) invalid("OpAccessChain needs a constant member index");
    if (buffer) {
      const Decorations& d = m_.member(p.type, *index);
      p.offset += d.offset.value_or(0);
      p.layout.step(m_, p.type, index);
      p.coherent |= d.coherent;
    } else {
      p.offset += type.starts[*index];
    }
    p.type = type.members[*index];
    return;
  }
  if (type.element == 0 || type.kind == TypeKind::kPointer) invalid("OpAccessChain into a scalar");
  const uint32_t stride = buffer ? p.layout.step(m_, p.type, index) : m_.type(type.element).components;
  if (index) {
    uint32_t at = *index;
    if (type.count && at >= type.count) at = type.count - 1;  // undefined by the specification; clamp it
    p.offset += at * stride;
  } else {
    p.steps.push_back({index_id, stride, type.count});
    if (p.steps.size() > 8) unsupported("more than 8 dynamic indices in a row");
  }
  p.type = type.element;
}

// Emits one select per element that a dynamic index may name.
Lanes Memory::load_registers(const Pointer& p, size_t at, uint32_t offset, const Lanes* input) {
  const uint32_t count = m_.type(p.type).components;
  if (at == p.steps.size()) {
    Lanes lanes(count);
    work(count);
    if (p.storage == spv::StorageClassInput) {
      const Lanes& all = input ? *input : inputs_.lanes(p.variable);
      if (offset + count > all.size()) invalid("OpLoad reads beyond an input");
      std::copy(all.begin() + offset, all.begin() + offset + count, lanes.begin());
    } else {
      const uint32_t first = values_.slot_of(p.variable) + offset;
      for (uint32_t i = 0; i < count; ++i) lanes[i] = b.read(first + i);
    }
    return lanes;
  }
  const Step& step = p.steps[at];
  if (step.count > kMaxDynamicElements)
    unsupported("dynamic index into an array of {} elements outside of buffers; at most {} are supported",
                step.count, kMaxDynamicElements);
  const Lanes index = index_of(step.id);
  Lanes result = load_registers(p, at + 1, offset, input);
  for (uint32_t i = 1; i < step.count; ++i) {
    const Lanes other = load_registers(p, at + 1, offset + i * step.stride, input);
    result = select(b.op2(Opcode::kIeq, index, {literal(i)}), other, result);
  }
  return result;
}

void Memory::store_registers(const Pointer& p, size_t at, uint32_t offset, const Ref& condition,
                             const Lanes& lanes) {
  if (at == p.steps.size()) {
    const uint32_t first = values_.slot_of(p.variable) + offset;
    work(static_cast<uint32_t>(lanes.size()));
    if (condition.is_literal()) {
      for (size_t i = 0; i < lanes.size(); ++i) b.write(first + static_cast<uint32_t>(i), lanes[i]);
      return;
    }
    Lanes old(lanes.size());
    for (size_t i = 0; i < lanes.size(); ++i) old[i] = b.read(first + static_cast<uint32_t>(i));
    const Lanes merged = b.op3(Opcode::kSel, Builder::splat(condition, lanes.size()), lanes, old);
    // An element that was never written stays undefined.
    for (size_t i = 0; i < lanes.size(); ++i) b.write(first + static_cast<uint32_t>(i), merged[i]);
    return;
  }
  const Step& step = p.steps[at];
  if (step.count > kMaxDynamicElements)
    unsupported("dynamic index into an array of {} elements outside of buffers; at most {} are supported",
                step.count, kMaxDynamicElements);
  const Lanes index = index_of(step.id);
  for (uint32_t i = 0; i < step.count; ++i) {
    const Lanes here = b.op2(Opcode::kAnd, {condition}, b.op2(Opcode::kIeq, index, {literal(i)}));
    store_registers(p, at + 1, offset + i * step.stride, here[0], lanes);
  }
}

// Loads from the vertex that an index selects, or from all vertices, one after the other.
Lanes Memory::load_vertex(const Pointer& p) {
  if (p.vertex) return load_vertex(p, index_of(p.vertex)[0]);
  const Type& vertices = m_.type(p.type);
  Pointer one = p;
  one.type = vertices.element;
  Lanes all;
  for (uint32_t i = 0; i < vertices.count; ++i) {
    const Lanes lanes = load_vertex(one, literal(i));
    all.insert(all.end(), lanes.begin(), lanes.end());
  }
  return all;
}

// Loads each register that the pointer may reach once; dead code elimination removes the unused ones.
Lanes Memory::load_vertex(const Pointer& p, const Ref& vertex) {
  const Lanes& places = inputs_.lanes(p.variable);
  const size_t count = m_.type(p.type).components;
  const bool anywhere = !p.steps.empty();
  std::unordered_map<uint32_t, uint32_t> loads;  // by location
  Lanes lanes(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    if (!anywhere && (i < p.offset || i >= p.offset + count)) continue;
    if (places[i].kind != RefKind::kInput || !interface.inputs.contains(places[i].index))
      invalid("an input of each vertex is one of the program");
    const auto [load, added] = loads.try_emplace(places[i].index);
    if (added) {
      Inst inst{.op = Opcode::kLdv, .width = 4, .sources = 1};
      inst.src[0].width = 1;
      inst.src[0].ref[0] = vertex;
      inst.access.slot = static_cast<uint8_t>(places[i].index);
      load->second = b.append(inst);
    }
    lanes[i] = b.ref(load->second, places[i].lane);
  }
  return load_registers(p, 0, p.offset, &lanes);
}

Lanes Memory::load(const Pointer& p) {
  if (p.choice.id || p.roots) {
    Lanes result;
    for_each_choice(p, [&](const Pointer& one, const Lanes& here) {
      const Lanes lanes = load(one);
      result = result.empty() ? lanes : select(here, lanes, result);
    });
    if (result.empty()) result.assign(m_.type(p.type).components, literal(0));
    return result;
  }
  if (p.storage == spv::StorageClassInput && inputs_.is_arrayed(p.variable)) return load_vertex(p);
  if (in_registers(p.storage)) return load_registers(p, 0, p.offset);
  if (in_buffer(p.storage)) return load_buffer(p, 0, p.offset);
  if (p.storage == kScratchStorage || p.storage == spv::StorageClassWorkgroup || p.storage == kPatchStorage)
    return load_words(p);
  unsupported("OpLoad from storage class {} is not supported", storage_name(p.storage));
}

void Memory::store(const Pointer& p, const Lanes& lanes) {
  if (lanes.size() != m_.type(p.type).components)
    invalid("OpStore of a value that does not fit its variable");
  if (p.storage == kPatchStorage && request_.stage != arch::Stage::kTessControl)
    invalid("OpStore to an input");
  if (p.storage == kScratchStorage || p.storage == spv::StorageClassWorkgroup || p.storage == kPatchStorage ||
      p.storage == spv::StorageClassStorageBuffer || p.storage == spv::StorageClassUniform || p.address) {
    store_words(p, lanes);
    return;
  }
  if (!in_registers(p.storage) || p.storage == spv::StorageClassInput)
    unsupported("OpStore to storage class {} is not supported", storage_name(p.storage));
  store_registers(p, 0, p.offset, literal(~0u), lanes);
}

}  // namespace cutaway::compiler
