#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::icd {

// Stacks of debug labels. Each is a node of a tree, below the stack without its innermost label, so equal
// stacks are one number however often a program makes them. Safe from any thread.
//
// Labels are what programs say, so all is bounded: bytes of a label, labels in a text, stacks in all. Beyond
// that a stack is shown as the one around it.
class LabelTree {
 public:
  using Stack = uint32_t;  // 0: no labels
  static constexpr size_t kLabelBytes = 256;
  static constexpr uint32_t kDepth = 32;
  static constexpr uint32_t kStacks = 1 << 20;

  // annotate: called once for each new stack that is shown, with its id and text "frame / shadow pass".
  using Annotate = std::function<void(uint32_t id, std::string_view text)>;
  explicit LabelTree(Annotate annotate, uint32_t stacks = kStacks)
      : annotate_(std::move(annotate)), stacks_(stacks) {}

  Stack push(Stack stack, std::string_view label);
  Stack pop(Stack stack) const;        // without labels nothing is taken away
  uint32_t marker(Stack stack) const;  // what MARKER packets and annotations call it

 private:
  struct Node {
    Stack parent = 0;
    Stack shown = 0;  // itself, or what stands for it
    uint32_t depth = 0;
    std::string text = {};  // of all its labels; of a stack that is not shown: none
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

// What a place in a stream of commands is labelled with.
struct LabelPlace {
  LabelTree::Stack stack = 0;
  LabelTree::Stack shown = 0;  // the stack, or with one more label that was inserted
  bool operator==(const LabelPlace&) const = default;
};

}  // namespace cutaway::icd
