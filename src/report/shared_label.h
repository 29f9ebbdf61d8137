#pragma once

#include <string>
#include <string_view>

namespace cutaway::report {

// The labels that stacks of labels share, the outermost first: "frame" of "frame / shadow" and "frame /
// main".
class SharedLabel {
 public:
  // An empty stack, of work without a label, changes nothing.
  void add(std::string_view stack) {
    if (stack.empty()) return;
    if (first_) label_ = stack;
    first_ = false;
    while (!holds(stack)) {
      const size_t cut = label_.rfind(" / ");
      label_.resize(cut == std::string::npos ? 0 : cut);
    }
  }
  const std::string& text() const { return label_; }

 private:
  // True if the stack equals the label or is nested in it.
  bool holds(std::string_view stack) const {
    return label_.empty() || stack == label_ ||
           (stack.starts_with(label_) && stack.substr(label_.size()).starts_with(" / "));
  }

  std::string label_;
  bool first_ = true;
};

}  // namespace cutaway::report
