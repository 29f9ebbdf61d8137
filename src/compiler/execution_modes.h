#pragma once

#include <array>
#include <cstdint>

#include "compiler/module.h"

namespace cutaway::compiler {

// The execution modes of a module's entry point: reads them into the module, and checks them.
class ExecutionModes {
 public:
  explicit ExecutionModes(Module& module) : m_(module) {}

  void apply(const Word& word);     // OpExecutionMode
  void apply_id(const Word& word);  // OpExecutionModeId
  // Finds the size of workgroups, once all constants are known, and refuses modes that are missing or beyond
  // the limits.
  void check(arch::Stage stage);

 private:
  void depth(uint32_t mode);
  void floats(uint32_t mode, uint32_t bits);
  void primitives(uint32_t mode, const Word& word);
  void tessellation(uint32_t mode);
  void check_primitives(arch::Stage stage) const;
  void workgroup_size();

  Module& m_;
  std::array<uint32_t, 3> size_ids_{};  // constants with the size of workgroups
};

}  // namespace cutaway::compiler
