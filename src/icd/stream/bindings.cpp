#include "icd/stream/bindings.h"

#include <algorithm>
#include <cstring>

namespace cutaway::icd {

void Bindings::bind_set(uint32_t index, const DescriptorSet* set, const uint32_t* dynamic_offsets) {
  if (index >= kMaxBoundDescriptorSets) return;
  sets_[index].set = set;
  if (set)
    sets_[index].dynamic_offsets.assign(dynamic_offsets, dynamic_offsets + set->shape().dynamic_offsets);
}

DescriptorSet& Bindings::pushed_set(uint32_t index, const std::shared_ptr<const SetShape>& shape) {
  BoundSet& bound = sets_.at(index);
  if (!bound.pushed || !bound.pushed->shape().identical(*shape))
    bound.pushed = std::make_unique<DescriptorSet>(shape);
  bound.set = bound.pushed.get();
  return *bound.pushed;
}

void Bindings::push_constants(uint32_t offset, uint32_t bytes, const void* data) {
  if (offset > kMaxPushConstantBytes || bytes > kMaxPushConstantBytes - offset) return;
  if (std::memcmp(&push_constants_[offset], data, bytes) == 0) return;
  std::memcpy(&push_constants_[offset], data, bytes);
  push_constants_address_ = 0;
}

arch::Surface Bindings::of_view(arch::Surface surface) const {
  if (!multiview_) return surface;
  surface.base_layer += view_;
  surface.layer_count = 1;
  return surface;
}

void Bindings::resolve(const StoredProgram& stored, CommandStream& stream) {
  const isa::Program& program = stored.program;
  resolve_constants(stored, stream);

  std::array<arch::Surface, arch::kResources> surfaces{};
  const size_t resources = std::min<size_t>(program.resources.size(), surfaces.size());
  for (size_t i = 0; i < resources; i++) surfaces[i] = resource(program.resources[i]);
  stream.load_resources(program.stage, {surfaces.data(), resources});
  if (resources) stream.caches().read(arch::kCacheTexture);
  if (stored.loads_images) stream.caches().read(arch::kCacheStorage);

  std::array<arch::Sampler, arch::kSamplers> samplers{};
  const size_t sampler_count = std::min<size_t>(program.samplers.size(), samplers.size());
  for (size_t i = 0; i < sampler_count; i++) {
    const isa::SlotBinding& slot = program.samplers[i];
    if (const Descriptor* found = descriptor(slot.set, slot.binding, slot.element))
      samplers[i] = found->sampler;
  }
  stream.load_samplers(program.stage, {samplers.data(), sampler_count});
}

void Bindings::resolve_constants(const StoredProgram& stored, CommandStream& stream) {
  const arch::Stage stage = stored.program.stage;
  for (const isa::ConstantRange& range : stored.program.constants) {
    arch::Address address = 0;
    uint32_t readable = range.count;  // vec4
    switch (range.kind) {
      case isa::ConstantRange::Kind::kLiteral:
        address = stored.literals + range.offset;
        break;
      case isa::ConstantRange::Kind::kPushConstant:
        if (!push_constants_address_)
          push_constants_address_ = stream.uploads().put(push_constants_.data(), push_constants_.size());
        address = push_constants_address_ + range.offset;
        readable =
            range.offset < kMaxPushConstantBytes ? (kMaxPushConstantBytes - range.offset) / kVec4Bytes : 0;
        break;
      case isa::ConstantRange::Kind::kUniformBuffer: {
        const BufferRange buffer = buffer_range(range.set, range.binding, range.element);
        address = buffer.address + range.offset;
        readable = word_of(
            buffer.bytes > range.offset ? (buffer.bytes - range.offset + kVec4Bytes - 1) / kVec4Bytes : 0);
        break;
      }
      case isa::ConstantRange::Kind::kView: {
        const uint32_t constant[4] = {view_, 0, 0, 0};
        if (!view_constants_[view_]) view_constants_[view_] = stream.uploads().put(constant, sizeof constant);
        address = view_constants_[view_];
        break;
      }
    }
    const uint32_t loaded = std::min(readable, range.count);
    if (loaded) stream.load_constants(stage, range.first, loaded, address);
    // Constants beyond the end of a buffer read as zero.
    if (loaded < range.count) stream.load_zeros(stage, range.first + loaded, range.count - loaded);
  }
}

const Descriptor* Bindings::descriptor(uint32_t set, uint32_t binding, uint32_t element) const {
  if (set >= kMaxBoundDescriptorSets || !sets_[set].set) return nullptr;
  return sets_[set].set->find(binding, element);
}

BufferRange Bindings::buffer_range(uint32_t set, uint32_t binding, uint32_t element) const {
  const Descriptor* found = descriptor(set, binding, element);
  if (!found || !found->address) return {};
  const SetShape::Binding& shape = *sets_[set].set->shape().find(binding);
  uint64_t offset = 0;
  if (shape.dynamic() && shape.first_dynamic + element < sets_[set].dynamic_offsets.size())
    offset = sets_[set].dynamic_offsets[shape.first_dynamic + element];
  return {found->address + offset, found->bytes};
}

arch::Surface Bindings::resource(const isa::SlotBinding& slot) const {
  // "Buffer Device Address": memory of such buffers lies where 32 bits reach.
  if (slot.set == isa::SlotBinding::kAllMemory) return raw_surface({0, kDeviceAddresses});
  const Descriptor* found = descriptor(slot.set, slot.binding, slot.element);
  if (!found) return {};
  const VkDescriptorType type = sets_[slot.set].set->shape().find(slot.binding)->type;
  // "a view of an input attachment": the layer that is drawn to.
  if (type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) return of_view(found->surface);
  const DescriptorKind kind = descriptor_kind(type);
  if (kind != DescriptorKind::kBuffer && kind != DescriptorKind::kInlineBlock) return found->surface;
  const BufferRange buffer = buffer_range(slot.set, slot.binding, slot.element);
  if (!buffer.address) return {};
  // Whether a uniform block is loaded or lies in constant registers: to the end of the last register.
  const bool uniform = type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                       type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                       type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  const uint64_t bytes = uniform ? (buffer.bytes + kVec4Bytes - 1) / kVec4Bytes * kVec4Bytes : buffer.bytes;
  return raw_surface({buffer.address, bytes});
}

}  // namespace cutaway::icd
