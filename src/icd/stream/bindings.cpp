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
  return layer_of_view(surface, multiview_ ? std::optional(view_) : std::nullopt);
}

void Bindings::resolve(const StoredProgram& stored, CommandStream& stream) {
  const isa::Program& program = stored.program;
  resolve_constants(stored, stream);

  std::array<arch::Surface, arch::kResources> surfaces{};
  const size_t resources = std::min<size_t>(program.resources.size(), surfaces.size());
  LiveDescriptors::Uses live;
  for (uint32_t i = 0; i < resources; i++) {
    const isa::SlotBinding& slot = program.resources[i];
    // "Buffer Device Address": such buffers lie in memory that 32 bits can address.
    if (slot.set == isa::SlotBinding::kAllMemory) {
      surfaces[i] = raw_surface({0, kDeviceAddresses});
      continue;
    }
    const DescriptorUse use = use_of(slot.set, slot.binding, slot.element);
    if (use.live) live.push_back({i, use});
    else if (use.set) surfaces[i] = resource_of(use, *use.set->find(use.binding, use.element));
  }
  stream.load_resources(program.stage, {surfaces.data(), resources}, std::move(live));
  if (resources) stream.caches().read(arch::kCacheTexture);
  if (stored.loads_images) stream.caches().read(arch::kCacheStorage);

  std::array<arch::Sampler, arch::kSamplers> samplers{};
  const size_t sampler_count = std::min<size_t>(program.samplers.size(), samplers.size());
  LiveDescriptors::Uses live_samplers;
  for (uint32_t i = 0; i < sampler_count; i++) {
    const isa::SlotBinding& slot = program.samplers[i];
    const DescriptorUse use = use_of(slot.set, slot.binding, slot.element);
    if (use.live) live_samplers.push_back({i, use});
    else if (use.set) samplers[i] = use.set->find(use.binding, use.element)->sampler;
  }
  stream.load_samplers(program.stage, {samplers.data(), sampler_count}, std::move(live_samplers));
}

void Bindings::resolve_constants(const StoredProgram& stored, CommandStream& stream) {
  const arch::Stage stage = stored.program.stage;
  for (const isa::ConstantRange& range : stored.program.constants) {
    arch::Address address = 0;
    uint32_t readable = range.count;  // in vec4
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
        const DescriptorUse use = use_of(range.set, range.binding, range.element);
        if (use.live) {
          stream.load_live_constants(stage, range.first, range.count, range.offset, use);
          continue;
        }
        BufferRange buffer;
        if (use.set) buffer = range_of(use, *use.set->find(use.binding, use.element));
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

DescriptorUse Bindings::use_of(uint32_t set, uint32_t binding, uint32_t element) const {
  if (set >= kMaxBoundDescriptorSets || !sets_[set].set) return {};
  const BoundSet& bound = sets_[set];
  if (!bound.set->find(binding, element)) return {};
  DescriptorUse use{.set = bound.set, .binding = binding, .element = element};
  const SetShape::Binding& shape = *bound.set->shape().find(binding);
  if (shape.dynamic() && shape.first_dynamic + element < bound.dynamic_offsets.size())
    use.offset = bound.dynamic_offsets[shape.first_dynamic + element];
  // Pushed descriptors belong to the command buffer, and a block's address is fixed.
  use.live = shape.live() && bound.set != bound.pushed.get() && !shape.block_bytes;
  if (multiview_ && shape.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) use.view = view_;
  return use;
}

}  // namespace cutaway::icd
