#pragma once

#include "compiler/translate/arithmetic.h"
#include "compiler/translate/clock.h"
#include "compiler/translate/composites.h"
#include "compiler/translate/flow.h"
#include "compiler/translate/glsl.h"
#include "compiler/translate/interpolation.h"
#include "compiler/translate/outputs.h"
#include "compiler/translate/storage.h"
#include "compiler/translate/subgroups.h"

namespace cutaway::compiler {

// Translates the entry point of a module: combines the parts and dispatches instructions to them.
class Translator final : Part, Instructions {
 public:
  explicit Translator(Translation& t);
  void run();

 private:
  void instruction(const Word& word) override;
  void translate(const Word& word);
  void mark_halves(const Word& word, size_t first);
  bool emit(const Word& word);
  bool helpers(const Word& word);
  void watch_helpers();
  bool is_volatile_helper(const Word& word) const;
  bool is_annotation(const Word& word) const;
  const std::string& instruction_set(const Word& word) const;  // name of an OpExtInst's set
  Lanes compute(const Word& word);
  Lanes call(const Word& word);

  Clock clock_;
  Composites composites_;
  Arithmetic arithmetic_;
  Inputs inputs_;
  PatchMemory patch_;
  Memory memory_;
  Glsl glsl_;
  Interpolation interpolation_;
  Images images_;
  Storage storage_;
  Subgroups subgroups_;
  Outputs outputs_;
  Flow flow_;
  uint32_t demoted_ = kNone;  // slot: all ones after OpDemoteToHelperInvocation, if the program queries it
};

}  // namespace cutaway::compiler
