#include "icd/pipeline/compute_pipeline.h"

#include "icd/pipeline/pipeline_state.h"

namespace cutaway::icd {

ComputePipeline::ComputePipeline(Device& device, const VkComputePipelineCreateInfo& info,
                                 ProgramSource from) {
  make_pipeline([&] {
    const StageRequest request = stage_request(info.stage, arch::Stage::kCompute, info.layout);
    from.name = request.name;
    program_ = device.programs().get(request, from);
  });
  const isa::Program& program = program_->program;
  shader_ = shader_registers(program);
  shader_.program = program_->code;
  registers_ = {{program.local_size[0], program.local_size[1], program.local_size[2]}, program.shared_bytes};
}

VkResult CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks*,
                                VkPipeline* pipelines) {
  return create_pipelines(cache, std::span(infos, count), pipelines,
                          [&](VkPipeline* made, const VkComputePipelineCreateInfo& info, ProgramSource from) {
                            return create_as<ComputePipeline>(made, *object(device), info, from);
                          });
}

}  // namespace cutaway::icd
