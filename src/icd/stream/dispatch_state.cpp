#include "icd/stream/dispatch_state.h"

namespace cutaway::icd {

bool DispatchState::resolve(CommandStream& stream, bool statistics) {
  if (!pipeline_) return false;
  stream.set_compute(pipeline_->shader(), pipeline_->registers(), statistics);
  bindings_.resolve(pipeline_->program(), stream);
  stream.caches().draw(0, 0);
  if (pipeline_->shader().flags & arch::kShaderWritesMemory) stream.caches().storage_write();
  return true;
}

}  // namespace cutaway::icd
