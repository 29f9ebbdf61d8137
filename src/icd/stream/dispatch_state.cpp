#include "icd/stream/dispatch_state.h"

#include "icd/pipeline/pipeline_state.h"

namespace cutaway::icd {

bool DispatchState::resolve(CommandStream& stream, bool statistics) {
  if (!pipeline_) return false;
  const StoredProgram& stored = pipeline_->compute();
  arch::ShaderRegisters shader = shader_registers(stored.program);
  shader.program = stored.code;
  const auto& size = stored.program.local_size;
  stream.set_compute(shader, {{size[0], size[1], size[2]}, stored.program.shared_bytes}, statistics);
  bindings_.resolve(stored, stream);
  stream.caches().draw(0, 0);
  if (shader.flags & arch::kShaderWritesMemory) stream.caches().storage_write();
  return true;
}

}  // namespace cutaway::icd
