#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "compiler/compiler.h"
#include "icd/internal_programs.h"

namespace cutaway::icd {

// A compiled program in GPU memory.
struct StoredProgram {
  isa::Program program;
  std::unique_ptr<host::Allocation> memory;  // its instructions, then its literals
  arch::Address code = 0, literals = 0;
};

// The programs of a device. Pipelines that need the same program share it. Safe from any thread.
class ProgramStore {
 public:
  explicit ProgramStore(Device& device) : device_(device), internal_(device) {}

  const InternalPrograms& internal() const { return internal_; }

  // Compiles, or finds what an equal request gave before. UserError: compiler/compiler.h.
  std::shared_ptr<const StoredProgram> get(const compiler::Request& request);

 private:
  using Key = std::pair<uint64_t, uint64_t>;  // two hashes of all that a request says

  std::shared_ptr<StoredProgram> compile(const compiler::Request& request);
  static Key key_of(const compiler::Request& request);

  Device& device_;
  const InternalPrograms internal_;
  std::mutex mutex_;
  std::map<Key, std::weak_ptr<const StoredProgram>> programs_;
};

}  // namespace cutaway::icd
