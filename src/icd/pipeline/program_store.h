#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "compiler/compiler.h"
#include "icd/internal/internal_programs.h"
#include "icd/pipeline/pipeline_cache.h"

namespace cutaway::icd {

// A compiled program in GPU memory.
struct StoredProgram {
  isa::Program program;
  std::unique_ptr<host::Allocation> memory;  // its instructions, then its literals
  arch::Address code = 0, literals = 0;
  bool reads_draw_number = false;  // of a vertex program: gl_DrawID
  bool loads_images = false;       // storage images, through the cache of what programs store
};

// Where a program may come from, beside equal ones that are there.
struct ProgramSource {
  PipelineCache* cache = nullptr;  // the application's
  bool may_compile = true;
};

// The programs of a device. Pipelines that need the same program share it. Safe from any thread.
class ProgramStore {
 public:
  explicit ProgramStore(Device& device) : device_(device), internal_(device) {}

  const InternalPrograms& internal() const { return internal_; }

  // Finds what an equal request gave before, here or in the application's cache (which may be null), or
  // compiles; the cache has it then. UserError: compiler/compiler.h.
  // ApiError VK_PIPELINE_COMPILE_REQUIRED: it would have to compile and may not.
  std::shared_ptr<const StoredProgram> get(const compiler::Request& request, ProgramSource from = {});

 private:
  std::shared_ptr<StoredProgram> store(const compiler::Request& request, isa::Program program);
  static ProgramKey key_of(const compiler::Request& request);

  Device& device_;
  const InternalPrograms internal_;
  std::mutex mutex_;
  std::map<ProgramKey, std::weak_ptr<const StoredProgram>> programs_;
};

}  // namespace cutaway::icd
