#pragma once

#include <memory>

#include "icd/pipeline/pipeline.h"
#include "icd/pipeline/program_store.h"

namespace cutaway::icd {

// A compute program, and the registers derived from it.
class ComputePipeline final : public Pipeline {
 public:
  ComputePipeline(Device& device, const VkComputePipelineCreateInfo& info, ProgramSource from);

  const StoredProgram& program() const { return *program_; }
  const arch::ShaderRegisters& shader() const { return shader_; }
  const arch::ComputeRegisters& registers() const { return registers_; }  // workgroup size, shared memory
  std::vector<const StoredProgram*> programs() const override { return {program_.get()}; }

 private:
  std::shared_ptr<const StoredProgram> program_;
  arch::ShaderRegisters shader_{};
  arch::ComputeRegisters registers_{};
};

}  // namespace cutaway::icd
