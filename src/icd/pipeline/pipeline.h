#pragma once

#include <algorithm>
#include <chrono>
#include <span>

#include "compiler/compiler.h"
#include "icd/pipeline/pipeline_cache.h"
#include "icd/pipeline/program_store.h"

namespace cutaway::icd {

// The object behind VkPipeline: a GraphicsPipeline or a ComputePipeline. The bind point determines which.
class Pipeline {
 public:
  virtual ~Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // The programs of its stages; null: no such stage.
  virtual std::vector<const StoredProgram*> programs() const { return {}; }
  // The application's name, for programs that are made later.
  virtual void set_name(std::string_view /*name*/) {}

 protected:
  Pipeline() = default;
};

// A stage's request to the compiler, and the application's name for its module.
struct StageRequest : compiler::Request {
  std::string name;
};

// The compiler request for one stage: its module, entry point and specialization constants, and the layout's
// lengths for unsized descriptor arrays. Holds views of the module's memory.
StageRequest stage_request(const VkPipelineShaderStageCreateInfo& info, arch::Stage stage,
                           VkPipelineLayout layout);

// The application's name for a stage: of its module, or of VkDebugUtilsObjectNameInfoEXT in its pNext chain.
// "": none.
std::string stage_name(const VkPipelineShaderStageCreateInfo& info);

// The SPIR-V of a stage, of its module or, without one, of VkShaderModuleCreateInfo in its pNext chain.
std::span<const uint32_t> stage_words(const VkPipelineShaderStageCreateInfo& info);

// No result of vkCreate*Pipelines describes a shader that the compiler rejects: UserErrors of the body become
// VK_ERROR_UNKNOWN.
template <class Body>
void make_pipeline(Body&& body) {
  try {
    body();
  } catch (const UserError& error) { throw ApiError{VK_ERROR_UNKNOWN, error.what()}; }
}

// The source of programs for a pipeline with these flags.
inline ProgramSource program_source(PipelineCache* cache, VkPipelineCreateFlags flags) {
  return {cache, !(flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT), {}};
}

// "Pipeline Creation Feedback": reports the total duration, nothing about individual stages.
void tell_feedback(const void* chain, std::chrono::nanoseconds duration);

// "Multiple Pipeline Creation": the other pipelines are made even if one fails, except after a pipeline that
// requires compilation with early return set.
// make(handle, info, source) makes one.
template <class Info, class Make>
VkResult create_pipelines(VkPipelineCache cache, std::span<const Info> infos, VkPipeline* pipelines,
                          Make&& make) {
  std::fill_n(pipelines, infos.size(), VkPipeline{});
  VkResult result = VK_SUCCESS;
  for (size_t i = 0; i < infos.size(); i++) {
    const auto start = std::chrono::steady_clock::now();
    const VkResult one = make(&pipelines[i], infos[i], program_source(object(cache), infos[i].flags));
    tell_feedback(infos[i].pNext, std::chrono::steady_clock::now() - start);
    if (one != VK_SUCCESS && result >= 0)
      result = one;  // an error takes precedence over
                     // VK_PIPELINE_COMPILE_REQUIRED
    constexpr VkPipelineCreateFlags kEarly = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
    if (one != VK_SUCCESS && (infos[i].flags & kEarly)) break;
  }
  return result;
}

}  // namespace cutaway::icd
