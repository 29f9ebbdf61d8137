#include "icd/descriptor/descriptor_set_layout.h"

#include <algorithm>
#include <cstring>

#include "icd/device/limits.h"
#include "icd/resource/sampler.h"

namespace cutaway::icd {
namespace {

bool has_sampler(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

}  // namespace

DescriptorKind descriptor_kind(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return DescriptorKind::kTexelBuffer;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return DescriptorKind::kBuffer;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return DescriptorKind::kInlineBlock;
    default:
      return DescriptorKind::kImage;
  }
}

const SetShape::Binding* SetShape::find(uint32_t number) const {
  const auto found = std::lower_bound(bindings.begin(), bindings.end(), number,
                                      [](const Binding& binding, uint32_t n) { return binding.number < n; });
  return found != bindings.end() && found->number == number ? &*found : nullptr;
}

// The variable-length binding is the one with the highest number.
const SetShape::Binding* SetShape::variable() const {
  return !bindings.empty() && bindings.back().variable() ? &bindings.back() : nullptr;
}

bool SetShape::identical(const SetShape& other) const {
  return std::equal(bindings.begin(), bindings.end(), other.bindings.begin(), other.bindings.end(),
                    [](const Binding& a, const Binding& b) {
                      return a.number == b.number && a.type == b.type && a.count == b.count &&
                             a.block_bytes == b.block_bytes && a.flags == b.flags &&
                             a.immutable_samplers.size() == b.immutable_samplers.size() &&
                             (a.immutable_samplers.empty() ||
                              std::memcmp(a.immutable_samplers.data(), b.immutable_samplers.data(),
                                          a.immutable_samplers.size() * sizeof(arch::Sampler)) == 0);
                    });
}

DescriptorSetLayout::DescriptorSetLayout(const VkDescriptorSetLayoutCreateInfo& info) {
  auto shape = std::make_shared<SetShape>();
  const auto* flags = find_struct<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
  for (uint32_t i = 0; i < info.bindingCount; i++) {
    const VkDescriptorSetLayoutBinding& from = info.pBindings[i];
    SetShape::Binding binding;
    binding.number = from.binding;
    binding.type = from.descriptorType;
    binding.count = from.descriptorCount;
    if (flags && i < flags->bindingCount) binding.flags = flags->pBindingFlags[i];
    shape->live |= binding.live();
    // "descriptorCount [...] is the number of bytes" of an inline uniform block: one descriptor.
    if (descriptor_kind(binding.type) == DescriptorKind::kInlineBlock) {
      binding.block_bytes = from.descriptorCount;
      binding.count = from.descriptorCount ? 1 : 0;
    }
    // "pImmutableSamplers [...] is ignored" for types without a sampler.
    if (has_sampler(binding.type) && from.pImmutableSamplers)
      for (uint32_t k = 0; k < from.descriptorCount; k++)
        binding.immutable_samplers.push_back(object(from.pImmutableSamplers[k])->descriptor());
    shape->bindings.push_back(std::move(binding));
  }
  std::sort(shape->bindings.begin(), shape->bindings.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  for (SetShape::Binding& binding : shape->bindings) {
    binding.first = shape->descriptors;
    shape->descriptors += binding.count;
    binding.first_dynamic = shape->dynamic_offsets;
    if (binding.dynamic()) shape->dynamic_offsets += binding.count;
    binding.block_offset = shape->block_bytes;
    shape->block_bytes += static_cast<uint32_t>((binding.block_bytes + kBufferOffsetAlignment - 1) /
                                                kBufferOffsetAlignment * kBufferOffsetAlignment);
  }
  shape_ = std::move(shape);
}

VkResult CreateDescriptorSetLayout(VkDevice, const VkDescriptorSetLayoutCreateInfo* info,
                                   const VkAllocationCallbacks*, VkDescriptorSetLayout* layout) {
  return create(layout, *info);
}

void DestroyDescriptorSetLayout(VkDevice, VkDescriptorSetLayout layout, const VkAllocationCallbacks*) {
  destroy(layout);
}

// Every layout with up to maxPerSetDescriptors is supported; beyond that, as many as a host can hold. A
// variable-length binding is limited by the slots of a stage, "or [...] the requested size".
void GetDescriptorSetLayoutSupport(VkDevice, const VkDescriptorSetLayoutCreateInfo* info,
                                   VkDescriptorSetLayoutSupport* support) {
  uint64_t descriptors = 0;
  for (uint32_t i = 0; i < info->bindingCount; i++) descriptors += info->pBindings[i].descriptorCount;
  support->supported = descriptors <= kMaxSupportedDescriptors ? VK_TRUE : VK_FALSE;
  auto* variable = find_struct<VkDescriptorSetVariableDescriptorCountLayoutSupport>(
      support->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
  if (!variable) return;
  variable->maxVariableDescriptorCount = 0;
  if (!support->supported) return;
  const DescriptorSetLayout layout(*info);
  const SetShape::Binding* last = layout.shape()->variable();
  if (!last) return;
  const bool block = descriptor_kind(last->type) == DescriptorKind::kInlineBlock;
  const uint32_t slots = has_sampler(last->type) ? arch::kSamplers : kMaxSlotDescriptors;
  variable->maxVariableDescriptorCount =
      std::max(block ? kMaxInlineBlockBytes : slots, block ? last->block_bytes : last->count);
}

}  // namespace cutaway::icd
