#pragma once

#include <span>

#include "compiler/compiler.h"
#include "icd/pipeline/pipeline_cache.h"

namespace cutaway::icd {

// What VkPipeline names: a GraphicsPipeline or a ComputePipeline. Which one follows from the bind point.
class Pipeline {
 public:
  virtual ~Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

 protected:
  Pipeline() = default;
};

// What the compiler is asked for one stage: its module, entry point and specialization constants. Views
// memory of the module.
compiler::Request stage_request(const VkPipelineShaderStageCreateInfo& info, arch::Stage stage);

// No result of vkCreate*Pipelines tells of a shader that the compiler refuses:
// UserErrors of the body become VK_ERROR_UNKNOWN.
template <class Body>
void make_pipeline(Body&& body) {
  try {
    body();
  } catch (const UserError& error) { throw ApiError{VK_ERROR_UNKNOWN, error.what()}; }
}

// "Multiple Pipeline Creation": the others are made even when one fails.
template <class Class, class Info>
VkResult create_pipelines(VkDevice device, VkPipelineCache cache, std::span<const Info> infos,
                          VkPipeline* pipelines) {
  VkResult result = VK_SUCCESS;
  for (size_t i = 0; i < infos.size(); i++) {
    const VkResult one = create_as<Class>(&pipelines[i], *object(device), infos[i], object(cache));
    if (one != VK_SUCCESS) result = one;
  }
  return result;
}

}  // namespace cutaway::icd
