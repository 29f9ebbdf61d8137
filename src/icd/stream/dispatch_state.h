#pragma once

#include "icd/pipeline/pipeline.h"
#include "icd/stream/bindings.h"

namespace cutaway::icd {

// What an application has bound for its dispatches while it records a command buffer.
class DispatchState {
 public:
  void bind_pipeline(const Pipeline& pipeline) { pipeline_ = &pipeline; }
  Bindings& bindings() { return bindings_; }

  // Emits what a dispatch needs and books its caches. statistics: a query of them is active. False: there is
  // no pipeline.
  bool resolve(CommandStream& stream, bool statistics);

 private:
  const Pipeline* pipeline_ = nullptr;
  Bindings bindings_;
};

}  // namespace cutaway::icd
