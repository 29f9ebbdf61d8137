#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::icd {

// Stacks of debug labels. Each stack is a node of a tree whose parent is the stack without its innermost
// label, so equal stacks have one number however often a program makes them. Callable from any thread.
//
// Labels are input from programs, so everything is bounded: bytes per label, labels per text, number of
// stacks. Beyond the bounds a stack is shown as its parent.
class LabelTree {
 public:
  using Stack = uint32_t;  // 0: no labels
  static constexpr size_t kLabelBytes = 256;
  static constexpr uint32_t kDepth = 32;
  static constexpr uint32_t kStacks = 1 << 20;

  // annotate: called once for each new visible stack, with its id and text "frame / shadow pass".
  using Annotate = std::function<void(uint32_t id, std::string_view text)>;
  explicit LabelTree(Annotate annotate, uint32_t stacks = kStacks)
      : annotate_(std::move(annotate)), stacks_(stacks) {}

  Stack push(Stack stack, std::string_view label);
  Stack pop(Stack stack) const;        // the empty stack stays empty
  uint32_t marker(Stack stack) const;  // its id in MARKER packets and annotations

 private:
  struct Node {
    Stack parent = 0;
    Stack shown = 0;  // itself, or the stack shown in its place
    uint32_t depth = 0;
    std::string text = {};  // text of all its labels; empty if it is not shown
  };

  struct Below {
    Stack stack;
    std::string label;
  };
  struct Less {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      return a.stack != b.stack ? a.stack < b.stack : std::string_view(a.label) < std::string_view(b.label);
    }
  };

  const Annotate annotate_;
  const uint32_t stacks_;
  mutable std::mutex mutex_;
  std::vector<Node> nodes_{Node{}};
  std::map<Below, Stack, Less> below_;
};

// The label at a place in a command stream.
struct LabelPlace {
  LabelTree::Stack stack = 0;
  LabelTree::Stack shown = 0;  // the stack, possibly plus one inserted label
  bool operator==(const LabelPlace&) const = default;
};

}  // namespace cutaway::icd
