#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/memory.h"

// Variables in memory: buffers, the scratch memory of a thread, the memory of a workgroup.
namespace cutaway::compiler {
namespace {

constexpr uint32_t kMaxComponents = 4096;  // of one load or store

// True if offsets are explicit, in bytes; elsewhere they count components without gaps.
bool explicit_layout(uint32_t storage) {
  return storage == spv::StorageClassUniform || storage == spv::StorageClassStorageBuffer ||
         storage == spv::StorageClassPushConstant || storage == spv::StorageClassPhysicalStorageBuffer;
}

}  // namespace

// Appends the byte offsets of a value's components, in order.
void Memory::buffer_components(uint32_t type_id, uint32_t offset, uint32_t component_stride,
                               uint32_t matrix_stride, bool row_major, std::vector<uint32_t>& bytes) {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  const uint32_t scalar_bytes = m_.scalar(type_id).bits / 8;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kPointer:  // an address
      bytes.push_back(offset);
      if (type.components == 2) bytes.push_back(offset + 4);
      return;
    case TypeKind::kVector:
      if (component_stride == 0) component_stride = scalar_bytes;
      for (uint32_t i = 0; i < type.count; ++i)
        buffer_components(type.element, offset + i * component_stride, 0, 0, false, bytes);
      return;
    case TypeKind::kMatrix:
      for (uint32_t i = 0; i < type.count; ++i)
        buffer_components(type.element, offset + i * (row_major ? scalar_bytes : matrix_stride),
                          row_major ? matrix_stride : 0, matrix_stride, row_major, bytes);
      return;
    case TypeKind::kArray: {
      const uint32_t stride = m_.decoration(type_id).array_stride.value_or(0);
      for (uint32_t i = 0; i < type.count; ++i)
        buffer_components(type.element, offset + i * stride, 0, matrix_stride, row_major, bytes);
      return;
    }
    case TypeKind::kStruct:
      for (uint32_t i = 0; i < type.members.size(); ++i) {
        const Decorations& d = m_.member(type_id, i);
        buffer_components(type.members[i], offset + d.offset.value_or(0), 0,
                          d.matrix_stride.value_or(matrix_stride), d.row_major, bytes);
      }
      return;
    default:
      invalid("OpLoad of a type that cannot be loaded from a buffer");
  }
}

// The scalar type of each component of a value.
void Memory::component_types(uint32_t type_id, std::vector<const Type*>& types) {
  const Type& type = m_.type(type_id);
  if (type.kind == TypeKind::kStruct) {
    for (const uint32_t member : type.members) component_types(member, types);
  } else if (type.kind == TypeKind::kArray) {
    for (uint32_t i = 0; i < type.count; ++i) component_types(type.element, types);
  } else {
    types.insert(types.end(), type.components, &m_.scalar(type_id));
  }
}

// Assigns bytes to a variable. A function's variable keeps them however often the function is inlined.
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

// Number of bytes that one unit of a pointer's offsets stands for.
uint32_t Memory::unit_of(uint32_t storage) const {
  return explicit_layout(storage) || storage == kPatchStorage ? 1 : 4;
}

// The dynamic part of an address, in bytes.
Ref Memory::dynamic_offset(const Pointer& p) {
  const uint32_t unit = unit_of(p.storage);
  Lanes sum = {literal(0)};
  if (p.address) sum = {component(get(p.address), 0)};  // the other word of an address is 0
  if (p.storage == kPatchStorage && p.vertex)
    sum = b.op2(Opcode::kImul, index_of(p.vertex), {literal(patch_.layout().vertex_bytes)});
  for (const Step& step : p.steps)
    sum = b.op2(Opcode::kIadd, sum, b.op2(Opcode::kImul, index_of(step.id), {literal(step.stride * unit)}));
  return sum[0];
}

Lanes Memory::load_buffer(const Pointer& p, size_t at, uint32_t offset) {
  const bool push = p.storage == spv::StorageClassPushConstant;
  if (push && at < p.steps.size()) {  // in constant registers, which cannot be indexed dynamically
    const Step& step = p.steps[at];
    if (step.count > kMaxDynamicElements) unsupported("dynamic index into {} push constants", step.count);
    const Lanes index = index_of(step.id);
    Lanes result = load_buffer(p, at + 1, offset);
    for (uint32_t i = 1; i < step.count; ++i)
      result = select(b.op2(Opcode::kIeq, index, {literal(i)}),
                      load_buffer(p, at + 1, offset + i * step.stride), result);
    return result;
  }
  if (!push && (!p.steps.empty() || !is_uniform(p))) return load_words(p);
  const std::vector<Place> places = places_of(p, offset);
  Lanes lanes;
  const Decorations& d = m_.decoration(p.variable);
  for (const Place& place : places) {
    UniformSlot slot;
    slot.kind = push ? isa::ConstantRange::Kind::kPushConstant : isa::ConstantRange::Kind::kUniformBuffer;
    if (!push) slot.set = d.set.value_or(0), slot.binding = d.binding.value_or(0), slot.element = p.element;
    slot.slot = place.byte / 16;
    const Ref word{.kind = RefKind::kUniform,
                   .lane = static_cast<uint8_t>(place.byte / 4 % 4),
                   .index = b.ir.uniform(slot)};
    lanes.push_back(part_of_word(*place.type, word, literal(place.byte)));
  }
  return lanes;
}

// The type of the block that a pointer's variable is, or is an array of.
uint32_t Memory::block_of(const Pointer& p) const {
  const uint32_t block = m_.type(value(p.variable).type).element;
  return m_.type(block).kind == TypeKind::kArray ? m_.type(block).element : block;
}

// True for a uniform block, whose contents do not change while the program runs.
bool Memory::is_uniform(const Pointer& p) const {
  return !p.address && p.storage == spv::StorageClassUniform && !m_.decoration(block_of(p)).buffer_block;
}

// Bytes from the first to the last component of a value in a buffer.
uint64_t Memory::extent_of(uint32_t type_id, uint32_t matrix_stride, bool row_major) const {
  const Type& type = m_.type(type_id);
  switch (type.kind) {
    case TypeKind::kVector:
      return type.count * extent_of(type.element, 0, false);
    case TypeKind::kMatrix: {
      const Type& column = m_.type(type.element);
      const uint64_t word = extent_of(column.element, 0, false);
      const uint32_t vectors = row_major ? column.count : type.count;
      return uint64_t{vectors - 1} * matrix_stride + word * (row_major ? type.count : column.count);
    }
    case TypeKind::kArray:
      if (type.count == 0) return 0;
      return uint64_t{type.count - 1} * m_.decoration(type_id).array_stride.value_or(0) +
             extent_of(type.element, matrix_stride, row_major);
    case TypeKind::kStruct: {
      uint64_t end = 0;
      for (uint32_t i = 0; i < type.members.size(); ++i) {
        const Decorations& d = m_.member(type_id, i);
        end = std::max(end,
                       d.offset.value_or(0) +
                           extent_of(type.members[i], d.matrix_stride.value_or(matrix_stride), d.row_major));
      }
      return end;
    }
    default:
      return std::max(1u, type.bits / 8);
  }
}

// The size of a uniform block in vec4; 0 if the pointer is to none, or to one beyond all constant registers.
uint16_t Memory::block_slots(const Pointer& p) const {
  if (!is_uniform(p)) return 0;
  const uint64_t slots = (extent_of(block_of(p), 0, false) + 15) / 16;
  return slots <= arch::kConstants ? static_cast<uint16_t>(slots) : uint16_t{0};
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
            .base = p.address ? 0 : values_.place_of(p.variable)};
  if (p.storage == kPatchStorage)
    return {.load = Opcode::kLdw,
            .store = Opcode::kStw,
            .atomic = Opcode::kAtomicWorkgroup,
            .base = p.of_patch ? 0 : patch_.layout().first_vertex,
            .ordered = request_.stage == arch::Stage::kTessControl};
  const Decorations& d = m_.decoration(p.variable);
  isa::SlotBinding slot{d.set.value_or(0), d.binding.value_or(0), p.element};
  if (p.storage == spv::StorageClassPhysicalStorageBuffer) slot = {.set = isa::SlotBinding::kAllMemory};
  const bool ordered = t_.writes_memory && !is_uniform(p);
  return {.load = Opcode::kLdb,
          .store = Opcode::kStb,
          .atomic = Opcode::kAtomic,
          .resource = interface.resource(slot),
          .ordered = ordered,
          .cached = ordered && !p.coherent && !holds_coherent(p.type)};
}

// True if a member, possibly of a nested type, is declared coherent.
bool Memory::holds_coherent(uint32_t type_id) const {
  const Type& type = m_.type(type_id);
  if (type.kind == TypeKind::kArray || type.kind == TypeKind::kRuntimeArray)
    return holds_coherent(type.element);
  if (type.kind != TypeKind::kStruct) return false;
  for (uint32_t i = 0; i < type.members.size(); i++)
    if (m_.member(type_id, i).coherent || holds_coherent(type.members[i])) return true;
  return false;
}

// The places of a value's components, from the constant part of the pointer's address.
std::vector<Memory::Place> Memory::places_of(const Pointer& p, uint32_t offset) {
  const uint32_t components = m_.type(p.type).components;
  if (components > kMaxComponents) unsupported("OpLoad or OpStore of {} components", components);
  work(components);
  static const Type& kWord = *new Type;  // outlives every destructor of the process
  std::vector<uint32_t> bytes;
  std::vector<const Type*> types(components, &kWord);
  if (p.storage == kPatchStorage) {
    patch_.components(p, bytes);
  } else if (explicit_layout(p.storage)) {
    const PointerLayout& layout = p.layout;
    buffer_components(p.type, offset, layout.component_stride, layout.matrix_stride, layout.row_major, bytes);
    types.clear();
    component_types(p.type, types);
  } else {
    for (uint32_t i = 0; i < components; ++i) bytes.push_back((offset + i) * 4);
  }
  std::vector<Place> places;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const uint32_t alignment = std::min(types[i]->bits, 32u) / 8;
    if (bytes[i] % alignment)
      invalid("OpLoad or OpStore at byte {} of a buffer, which is no multiple of {}", bytes[i], alignment);
    places.push_back({bytes[i], types[i]});
  }
  return places;
}

// True if the dynamic part of an address is a multiple of a word.
bool Memory::whole_words(const Pointer& p) const {
  return !p.address && std::all_of(p.steps.begin(), p.steps.end(), [&](const Step& step) {
    return !explicit_layout(p.storage) || step.stride % 4 == 0;
  });
}

// Extracts a component from the word at its address, rounded down.
Ref Memory::part_of_word(const Type& scalar, const Ref& word, const Ref& address) {
  if (!is_small(scalar)) return word;
  const bool half = scalar.kind == TypeKind::kFloat;
  if (half && address.is_literal()) return unpacked(scalar, {word}, 2)[address.index >> 1 & 1];
  const Lanes shift = b.op2(Opcode::kShl, b.op2(Opcode::kAnd, {address}, {literal(3)}), {literal(3)});
  const Lanes bits = b.op3(Opcode::kUbfe, {word}, shift, {literal(scalar.bits)});
  return half ? unpacked(scalar, bits, 1)[0] : bits[0];
}

// Groups components that one instruction can access: up to four consecutive words. If the dynamic part of the
// address is not a multiple of a word, components smaller than a word are accessed one by one.
std::vector<Memory::Run> Memory::runs_of(const std::vector<Place>& places, bool whole) {
  std::vector<Run> runs;
  for (size_t i = 0; i < places.size(); ++i) {
    const bool alone = !whole && is_small(*places[i].type);
    const uint32_t byte = alone ? places[i].byte : places[i].byte & ~3u;
    Run* run = runs.empty() || alone || runs.back().alone ? nullptr : &runs.back();
    const uint32_t next = run ? run->byte + 4 * run->words : 0;
    if (run && byte + 4 == next) {
      ++run->count;
    } else if (run && byte == next && run->words < 4) {
      ++run->count, ++run->words;
    } else {
      runs.push_back({.byte = byte, .words = 1, .first = i, .count = 1, .alone = alone});
    }
  }
  return runs;
}

Ref Memory::address_of(const Pointer& p, const Words& memory) {
  const std::vector<Place> places = places_of(p, p.offset);
  if (places.empty()) invalid("an access without components");
  return b.op2(Opcode::kIadd, {dynamic_offset(p)}, {literal(memory.base + places[0].byte)})[0];
}

Lanes Memory::load_words(const Pointer& p) {
  const Words memory = words_of(p);
  const std::vector<Place> places = places_of(p, p.offset);
  const bool whole = whole_words(p);
  const Ref base = dynamic_offset(p);
  const uint16_t slots = block_slots(p);
  Lanes lanes;
  for (const Run& run : runs_of(places, whole)) {
    const Ref address = b.op2(Opcode::kIadd, {base}, {literal(memory.base + run.byte)})[0];
    Inst inst{
        .op = memory.load, .ordered = memory.ordered, .width = static_cast<uint8_t>(run.words), .sources = 1};
    inst.src[0] = {.ref = {address}, .width = 1};
    inst.access.resource = memory.resource;
    inst.access.cached = memory.cached;
    inst.block_slots = slots;
    const uint32_t id = b.append(inst);
    for (size_t i = run.first; i < run.first + run.count; ++i) {
      const Ref word = b.ref(id, (places[i].byte - run.byte) / 4);
      lanes.push_back(part_of_word(*places[i].type, word, whole ? literal(places[i].byte) : address));
    }
  }
  return lanes;
}

void Memory::store_words(const Pointer& p, const Lanes& value) {
  if (p.choice.id || p.roots) {
    for_each_choice(p, [&](const Pointer& one, const Lanes& here) {
      if (here.empty()) return store_words(one, value);
      b.begin_if(here[0]);
      store_words(one, value);
      b.end_if();
    });
    return;
  }
  const Words memory = words_of(p);
  const Lanes kept = b.bits(value);
  if (!b.reachable()) return;
  const std::vector<Place> places = places_of(p, p.offset);
  if (kept.size() < places.size()) invalid("OpStore of a value that lacks components");
  const Ref base = dynamic_offset(p);
  for (const Run& run : runs_of(places, whole_words(p))) {
    const auto address = [&](uint32_t byte) {
      return b.op2(Opcode::kIadd, {base}, {literal(memory.base + byte)})[0];
    };
    Inst inst{.op = memory.store, .sources = 2};
    inst.access.resource = memory.resource;
    inst.src[0] = {.ref = {address(run.byte)}, .width = 1};
    for (size_t i = run.first; i < run.first + run.count;) {
      const size_t filled = run.alone ? 0 : fills_word(places, i, run.first + run.count);
      if (filled == 0) {
        store_part(memory, *places[i].type, address(places[i].byte), kept[i]);
        ++i;
        continue;
      }
      const Lanes of_word(kept.begin() + static_cast<ptrdiff_t>(i),
                          kept.begin() + static_cast<ptrdiff_t>(i + filled));
      const uint32_t byte = places[i].byte;
      const Type& scalar = *places[i].type;
      i += filled;
      if (filled == 1 && of_word[0].is_undef()) continue;  // an undefined word keeps the old contents
      inst.channel[inst.src[1].width] = static_cast<uint8_t>((byte - run.byte) / 4);
      inst.src[1].ref[inst.src[1].width++] = packed(scalar, of_word)[0];
    }
    if (inst.src[1].width) b.append(inst);
  }
}

// Number of components from the first on that fill a word; 0 if they do not.
size_t Memory::fills_word(const std::vector<Place>& places, size_t first, size_t end) const {
  const Type& scalar = *places[first].type;
  if (!is_small(scalar)) return 1;
  const uint32_t each = 32 / scalar.bits;
  if (places[first].byte % 4 || first + each > end) return 0;
  for (uint32_t i = 1; i < each; ++i)
    if (places[first + i].type->bits != scalar.bits || places[first + i].type->kind != scalar.kind ||
        places[first + i].byte != places[first].byte + i * scalar.bits / 8)
      return 0;
  return each;
}

void Memory::store_part(const Words& memory, const Type& scalar, const Ref& address, const Ref& kept) {
  if (kept.is_undef()) return;
  Inst inst{.op = memory.store, .sources = 2};
  inst.access.resource = memory.resource;
  inst.access.size = scalar.bits == 8 ? isa::StoreSize::kByte : isa::StoreSize::kHalf;
  inst.src[0] = {.ref = {address}, .width = 1};
  inst.src[1] = {.ref = {packed(scalar, {kept})[0]}, .width = 1};
  b.append(inst);
}

}  // namespace cutaway::compiler
