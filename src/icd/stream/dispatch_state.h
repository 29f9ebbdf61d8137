#pragma once

#include "icd/pipeline/compute_pipeline.h"
#include "icd/stream/bindings.h"

namespace cutaway::icd {

// The application's bindings for dispatches while it records a command buffer.
class DispatchState {
 public:
  void bind_pipeline(const ComputePipeline& pipeline) { pipeline_ = &pipeline; }
  const ComputePipeline* pipeline() const { return pipeline_; }  // null: none is bound
  Bindings& bindings() { return bindings_; }

  // Emits the state for a dispatch and books its caches. statistics: a statistics query is active. Returns
  // false if there is no pipeline.
  bool resolve(CommandStream& stream, bool statistics);

 private:
  const ComputePipeline* pipeline_ = nullptr;
  Bindings bindings_;
};

}  // namespace cutaway::icd
