#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Variables of storage class Output, and what transform feedback captures of them.
class Outputs final : Part {
 public:
  explicit Outputs(Translation& t) : Part(t) {}

  // Moves every output variable's components to their registers: at the end of the program.
  void write();

 private:
  // A component of an output variable: the register that it goes to, the slot where it lies, and where
  // transform feedback captures it.
  struct OutputTarget {
    uint32_t reg = 0, component = 0, slot = 0;
    std::optional<arch::FeedbackOutput> captured;
  };
  void output_targets(uint32_t type, uint32_t location, uint32_t component, const Decorations& d,
                      uint32_t& slot, std::vector<OutputTarget>& targets);
  void repeat_distances(std::vector<OutputTarget>& targets) const;
  void capture_targets(const Decorations& d, std::span<OutputTarget> targets);
  uint32_t blocks(uint32_t type) const;
  void capture_after(uint32_t buffers, std::span<OutputTarget> targets);
};

}  // namespace cutaway::compiler
