#include <cstring>

#include "icd/command/command_buffer.h"
#include "icd/descriptor/descriptor_update_template.h"
#include "icd/pipeline/pipeline_layout.h"

// Push constants and push descriptors.
namespace cutaway::icd {
namespace {

// A write that outlives the array that it was given.
class KeptWrite {
 public:
  explicit KeptWrite(const DescriptorWrite& write) : write_(write) {
    const size_t bytes = descriptor_info_bytes(write.type);
    data_.resize(write.count * bytes);
    for (size_t i = 0; i < write.count; i++)
      std::memcpy(&data_[i * bytes], static_cast<const std::byte*>(write.data) + i * write.stride, bytes);
    write_.stride = bytes;
  }
  DescriptorWrite write() const {
    DescriptorWrite write = write_;
    write.data = data_.data();
    return write;
  }

 private:
  DescriptorWrite write_;
  std::vector<std::byte> data_;
};

// Carries out writes, or keeps them in a secondary command buffer: the layout and the template may be gone
// when it is executed. for_each_write calls with each.
template <class ForEachWrite>
void push(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t index,
          ForEachWrite&& for_each_write) {
  const std::shared_ptr<const SetShape>& shape = object(layout)->shape(index);
  if (!defers(commands))
    return object(commands)->record([&] {
      DescriptorSet& set = object(commands)->bindings(point).pushed_set(index, shape);
      for_each_write([&set](const DescriptorWrite& write) { set.write(write); });
    });
  defer(commands, [&] {
    std::vector<KeptWrite> kept;
    for_each_write([&kept](const DescriptorWrite& write) { kept.emplace_back(write); });
    return DeferredCommand([point, index, shape = shape, kept = std::move(kept)](VkCommandBuffer to) {
      DescriptorSet& set = object(to)->bindings(point).pushed_set(index, shape);
      for (const KeptWrite& write : kept) set.write(write.write());
    });
  });
}

}  // namespace

void CmdPushConstants(VkCommandBuffer commands, VkPipelineLayout, VkShaderStageFlags, uint32_t offset,
                      uint32_t bytes, const void* values) {
  object(commands)->draws().bindings().push_constants(offset, bytes, values);
  object(commands)->dispatches().bindings().push_constants(offset, bytes, values);
}

void CmdPushDescriptorSetKHR(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout,
                             uint32_t set, uint32_t count, const VkWriteDescriptorSet* writes) {
  push(commands, point, layout, set, [&](auto&& visit) {
    for (uint32_t i = 0; i < count; i++) visit(descriptor_write(writes[i]));
  });
}

void CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer commands, VkDescriptorUpdateTemplate update_template,
                                         VkPipelineLayout layout, uint32_t set, const void* data) {
  const DescriptorUpdateTemplate& from = *object(update_template);
  push(commands, from.bind_point(), layout, set, [&](auto&& visit) { from.for_each_write(data, visit); });
}

}  // namespace cutaway::icd
