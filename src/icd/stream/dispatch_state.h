#pragma once

#include "icd/pipeline/compute_pipeline.h"
#include "icd/stream/bindings.h"

namespace cutaway::icd {

// What an application has bound for its dispatches while it records a command buffer.
class DispatchState {
 public:
  void bind_pipeline(const ComputePipeline& pipeline) { pipeline_ = &pipeline; }
  Bindings& bindings() { return bindings_; }

  // Emits what a dispatch needs and books its caches. statistics: a query of
  // them is active. False: there is no pipeline.
  bool resolve(CommandStream& stream, bool statistics);

 private:
  const ComputePipeline* pipeline_ = nullptr;
  Bindings bindings_;
};

}  // namespace cutaway::icd
