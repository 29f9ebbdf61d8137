#include "icd/descriptor/descriptor_set.h"

#include <algorithm>
#include <cstring>

#include "icd/resource/buffer.h"
#include "icd/resource/buffer_view.h"
#include "icd/resource/image_view.h"
#include "icd/resource/sampler.h"

namespace cutaway::icd {
namespace {

template <class T>
T value_at(const void* data, size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(data) + offset, sizeof value);
  return value;
}

void write_image(const VkDescriptorImageInfo& info, VkDescriptorType type, bool immutable, Descriptor& to) {
  const bool sampler =
      type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  if (sampler && !immutable && info.sampler) to.sampler = object(info.sampler)->descriptor();
  if (type == VK_DESCRIPTOR_TYPE_SAMPLER) return;
  to.surface = info.imageView ? object(info.imageView)->surface() : arch::Surface{};
  to.memory = info.imageView ? object(info.imageView)->memory() : std::weak_ptr<void>();
}

void write_buffer(const VkDescriptorBufferInfo& info, Descriptor& to) {
  to.address = 0, to.bytes = 0;
  to.memory.reset();
  if (!info.buffer) return;
  const Buffer& buffer = *object(info.buffer);
  to.address = buffer.address() + info.offset;
  to.bytes = buffer.range(info.offset, info.range);
  to.memory = buffer.memory();
}

}  // namespace

DescriptorSet::DescriptorSet(std::shared_ptr<const SetShape> shape, std::unique_ptr<host::Allocation> blocks,
                             uint32_t variable)
    : shape_(std::move(shape)),
      blocks_(std::move(blocks)),
      variable_(variable),
      descriptors_(shape_->descriptors) {
  if (const SetShape::Binding* last = shape_->variable(); last && !last->block_bytes)
    descriptors_.resize(size_t{last->first} + std::min(variable, last->count));
  for (const SetShape::Binding& binding : shape_->bindings) {
    if (blocks_ && binding.block_bytes) {
      descriptors_[binding.first].address = blocks_->address() + binding.block_offset;
      descriptors_[binding.first].bytes = std::min(binding.block_bytes, pool_units(binding));
    }
    for (size_t i = 0; i < binding.immutable_samplers.size() && binding.first + i < descriptors_.size(); i++)
      descriptors_[binding.first + i].sampler = binding.immutable_samplers[i];
  }
}

const Descriptor* DescriptorSet::find(uint32_t binding, uint32_t element) const {
  const SetShape::Binding* found = shape_->find(binding);
  if (!found || size_t{found->first} + element >= descriptors_.size()) return nullptr;
  return &descriptors_[found->first + element];
}

Descriptor DescriptorSet::now(uint32_t binding, uint32_t element) const {
  const std::unique_lock held = lock();
  const Descriptor* found = find(binding, element);
  return found ? *found : Descriptor{};
}

void DescriptorSet::write(const DescriptorWrite& write) {
  const auto& [binding, element, type, count, data, stride] = write;
  const SetShape::Binding* found = shape_->find(binding);
  if (!found) return;
  const bool immutable = !found->immutable_samplers.empty();
  if (descriptor_kind(type) == DescriptorKind::kInlineBlock) return write_block(*found, write);
  const std::unique_lock held = lock();
  for (uint32_t i = 0; i < count; i++) {
    const size_t index = size_t{found->first} + element + i;
    if (index >= descriptors_.size()) return;
    Descriptor& to = descriptors_[index];
    switch (descriptor_kind(type)) {
      case DescriptorKind::kTexelBuffer: {
        const auto view = value_at<VkBufferView>(data, i * stride);
        to.surface = view ? object(view)->surface() : arch::Surface{};
        to.memory = view ? object(view)->memory() : std::weak_ptr<void>();
        break;
      }
      case DescriptorKind::kBuffer:
        write_buffer(value_at<VkDescriptorBufferInfo>(data, i * stride), to);
        break;
      case DescriptorKind::kImage:
        write_image(value_at<VkDescriptorImageInfo>(data, i * stride), type, immutable, to);
        break;
      case DescriptorKind::kInlineBlock:
        break;
    }
  }
}

// The GPU sees the data from the next submission on, even if the set was bound before.
void DescriptorSet::write_block(const SetShape::Binding& binding, const DescriptorWrite& write) {
  if (!blocks_ || write.element >= binding.block_bytes) return;
  blocks_->write(binding.block_offset + write.element, write.data,
                 std::min(write.count, binding.block_bytes - write.element));
}

void DescriptorSet::copy(const VkCopyDescriptorSet& copy) {
  const DescriptorSet& source = *object(copy.srcSet);
  const SetShape::Binding* from = source.shape_->find(copy.srcBinding);
  const SetShape::Binding* to = shape_->find(copy.dstBinding);
  if (!from || !to) return;
  if (source.blocks_ && from->block_bytes) {
    std::vector<std::byte> bytes(std::min(copy.descriptorCount, from->block_bytes));
    source.blocks_->read(from->block_offset + copy.srcArrayElement, bytes.data(), bytes.size());
    return write_block(*to, {copy.dstBinding, copy.dstArrayElement, to->type,
                             static_cast<uint32_t>(bytes.size()), bytes.data(), 0});
  }
  std::vector<Descriptor> copied;
  {
    const std::unique_lock held = source.lock();
    for (uint32_t i = 0; i < copy.descriptorCount; i++)
      if (const Descriptor* one = source.find(copy.srcBinding, copy.srcArrayElement + i))
        copied.push_back(*one);
  }
  const std::unique_lock held = lock();
  for (size_t i = 0; i < copied.size(); i++) {
    const size_t b = size_t{to->first} + copy.dstArrayElement + i;
    if (b >= descriptors_.size()) return;
    const arch::Sampler sampler = descriptors_[b].sampler;
    descriptors_[b] = copied[i];
    // "If [...] dstBinding [...] was created with immutable samplers [...] the sampler is not updated."
    if (!to->immutable_samplers.empty()) descriptors_[b].sampler = sampler;
  }
}

size_t descriptor_info_bytes(VkDescriptorType type) {
  switch (descriptor_kind(type)) {
    case DescriptorKind::kTexelBuffer:
      return sizeof(VkBufferView);
    case DescriptorKind::kBuffer:
      return sizeof(VkDescriptorBufferInfo);
    case DescriptorKind::kInlineBlock:
      return 1;
    case DescriptorKind::kImage:
      break;
  }
  return sizeof(VkDescriptorImageInfo);
}

DescriptorWrite descriptor_write(const VkWriteDescriptorSet& write) {
  const DescriptorKind kind = descriptor_kind(write.descriptorType);
  const void* data = write.pImageInfo;
  if (kind == DescriptorKind::kTexelBuffer) data = write.pTexelBufferView;
  if (kind == DescriptorKind::kBuffer) data = write.pBufferInfo;
  if (kind == DescriptorKind::kInlineBlock)
    if (const auto* block = find_struct<VkWriteDescriptorSetInlineUniformBlock>(
            write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK))
      data = block->pData;
  return {write.dstBinding,
          write.dstArrayElement,
          write.descriptorType,
          write.descriptorCount,
          data,
          descriptor_info_bytes(write.descriptorType)};
}

void UpdateDescriptorSets(VkDevice, uint32_t writes, const VkWriteDescriptorSet* write, uint32_t copies,
                          const VkCopyDescriptorSet* copy) {
  for (uint32_t i = 0; i < writes; i++) object(write[i].dstSet)->write(descriptor_write(write[i]));
  for (uint32_t i = 0; i < copies; i++) object(copy[i].dstSet)->copy(copy[i]);
}

}  // namespace cutaway::icd
