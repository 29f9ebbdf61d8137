#pragma once

#include <vector>

#include "headless.h"

// Descriptor sets of one layout, and pipelines of compute programs that use them.
namespace headless {

// The resource of a binding: a buffer, an image in the general layout, or a sampled image.
struct Resource {
  Resource(const Buffer& of) : buffer(of.buffer) {}
  Resource(const Image& of) : view(of.view) {}
  Resource(const Image& of, VkSampler by) : view(of.view), sampler(by) {}
  VkBuffer buffer = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
};

class Resources {
 public:
  // Bindings 0, 1, ... of these types, for these stages; room for so many sets.
  Resources(const Context& context, const std::vector<VkDescriptorType>& types, VkShaderStageFlags stages,
            uint32_t push_bytes, uint32_t sets);
  ~Resources();
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  VkDescriptorSet make_set(const std::vector<Resource>& resources) const;
  VkPipelineLayout layout() const { return layout_; }
  VkPipeline make_compute(const uint32_t* words, size_t bytes);

 private:
  const Context& context_;
  const std::vector<VkDescriptorType> types_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::vector<VkPipeline> pipelines_;
};

}  // namespace headless
