#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Variables of storage class Output, and their capture by transform feedback.
class Outputs final : Part {
 public:
  explicit Outputs(Translation& t) : Part(t) {}

  // Moves every output variable's components to their registers: at the end of the program, or in a geometry
  // program with each vertex, for its stream.
  void write(uint32_t stream = 0);
  // Call after the last write.
  void finish();

 private:
  // A component of an output variable: its register, its slot, and its place in transform feedback.
  struct OutputTarget {
    uint32_t reg = 0, component = 0, slot = 0;
    std::optional<arch::FeedbackOutput> captured;
  };
  void output_targets(uint32_t type, uint32_t location, uint32_t component, const Decorations& d,
                      uint32_t& slot, std::vector<OutputTarget>& targets);
  std::vector<OutputTarget> targets_of(uint32_t stream);
  void repeat_distances(std::vector<OutputTarget>& targets) const;
  void capture_targets(const Decorations& d, uint32_t type, std::span<OutputTarget> targets);
  void captured_bytes(uint32_t type, uint64_t& at, std::vector<uint64_t>& bytes) const;
  bool holds_wide(uint32_t type) const;
  uint32_t blocks(uint32_t type) const;
  void count_distances();
  bool is_live(uint32_t reg) const;
  bool is_captured(const arch::FeedbackOutput& output) const;
  // True if the stage's outputs go to the rasteriser or to another stage.
  bool gives_vertices() const { return request_.stage != arch::Stage::kFragment; }
  bool emits() const { return request_.stage == arch::Stage::kGeometry; }
  void capture_after(uint32_t buffers, std::span<OutputTarget> targets);
};

}  // namespace cutaway::compiler
