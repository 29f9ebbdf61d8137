#include "resources.h"

namespace headless {

Resources::Resources(const Context& context, const std::vector<VkDescriptorType>& types,
                     VkShaderStageFlags stages, uint32_t push_bytes, uint32_t sets)
    : context_(context), types_(types) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  std::vector<VkDescriptorPoolSize> sizes;
  for (const VkDescriptorType type : types) {
    bindings.push_back({static_cast<uint32_t>(bindings.size()), type, 1, stages, nullptr});
    sizes.push_back({type, sets});
  }
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = static_cast<uint32_t>(bindings.size());
  set_info.pBindings = bindings.data();
  HEADLESS_CHECK(vkCreateDescriptorSetLayout(context.device(), &set_info, nullptr, &set_layout_));
  VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = sets;
  pool_info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  HEADLESS_CHECK(vkCreateDescriptorPool(context.device(), &pool_info, nullptr, &pool_));
  const VkPushConstantRange range{stages, 0, push_bytes};
  const VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                        nullptr,
                                        0,
                                        1,
                                        &set_layout_,
                                        push_bytes ? 1u : 0u,
                                        &range};
  HEADLESS_CHECK(vkCreatePipelineLayout(context.device(), &info, nullptr, &layout_));
}

Resources::~Resources() {
  for (const VkPipeline pipeline : pipelines_) vkDestroyPipeline(context_.device(), pipeline, nullptr);
  vkDestroyPipelineLayout(context_.device(), layout_, nullptr);
  vkDestroyDescriptorPool(context_.device(), pool_, nullptr);
  vkDestroyDescriptorSetLayout(context_.device(), set_layout_, nullptr);
}

VkDescriptorSet Resources::make_set(const std::vector<Resource>& resources) const {
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool_, 1,
                                         &set_layout_};
  VkDescriptorSet set = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkAllocateDescriptorSets(context_.device(), &info, &set));
  for (uint32_t i = 0; i < resources.size(); i++) {
    const VkDescriptorBufferInfo range{resources[i].buffer, 0, VK_WHOLE_SIZE};
    const VkDescriptorImageInfo image{
        resources[i].sampler, resources[i].view,
        resources[i].sampler ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, i, 0, 1, types_[i]};
    if (resources[i].buffer) write.pBufferInfo = &range;
    else write.pImageInfo = &image;
    vkUpdateDescriptorSets(context_.device(), 1, &write, 0, nullptr);
  }
  return set;
}

VkPipeline Resources::make_compute(const uint32_t* words, size_t bytes) {
  const VkShaderModule module = context_.make_shader(words, bytes);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                nullptr,
                0,
                VK_SHADER_STAGE_COMPUTE_BIT,
                module,
                "main",
                nullptr};
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateComputePipelines(context_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(context_.device(), module, nullptr);
  pipelines_.push_back(pipeline);
  return pipeline;
}

}  // namespace headless
