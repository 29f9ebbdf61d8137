#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/compiler.h"
#include "icd/internal/internal_programs.h"
#include "icd/pipeline/pipeline_cache.h"

namespace cutaway::icd {

// Where a program's name comes from; a later one takes precedence.
enum class NameOrigin : uint8_t { kNone, kSource, kPipeline, kApplication };

// A compiled program in GPU memory.
struct StoredProgram {
  isa::Program program;
  std::unique_ptr<host::Allocation> memory;  // its instructions, then its literals
  arch::Address code = 0, literals = 0;
  bool reads_draw_number = false;                // a vertex program reads gl_DrawID
  bool loads_images = false;                     // reads storage images, through the cache of program stores
  mutable NameOrigin named = NameOrigin::kNone;  // only the store touches it
};

// Sources of a program, besides equal ones that exist already.
struct ProgramSource {
  PipelineCache* cache = nullptr;  // the application's
  bool may_compile = true;
  std::string name = {};  // the application's, of the module
};

// The programs of a device. Pipelines that need the same program share it. Callable from any thread.
class ProgramStore {
 public:
  explicit ProgramStore(Device& device) : device_(device), internal_(device) {}

  const InternalPrograms& internal() const { return internal_; }

  // Returns the program of an earlier equal request, here or in the application's cache (which may be null),
  // or compiles it and adds it to that cache. UserError: compiler/compiler.h. ApiError
  // VK_PIPELINE_COMPILE_REQUIRED: it would have to compile but may not.
  std::shared_ptr<const StoredProgram> get(const compiler::Request& request, const ProgramSource& from = {});

  // Tells captures a program's name, unless it has one of this origin or a better one.
  void name(const StoredProgram& program, std::string_view name, NameOrigin origin);

 private:
  std::shared_ptr<StoredProgram> store(const compiler::Request& request, isa::Program program);
  static ProgramKey key_of(const compiler::Request& request);

  Device& device_;
  const InternalPrograms internal_;
  std::mutex mutex_;
  std::map<ProgramKey, std::weak_ptr<const StoredProgram>> programs_;
};

}  // namespace cutaway::icd
