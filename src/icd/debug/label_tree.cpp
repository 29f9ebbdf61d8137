#include "icd/debug/label_tree.h"

#include <fmt/format.h>

namespace cutaway::icd {
namespace {

// Truncates to at most `bytes`, without splitting a UTF-8 character.
std::string_view cut(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) bytes--;
  return text.substr(0, bytes);
}

}  // namespace

LabelTree::Stack LabelTree::push(Stack stack, std::string_view label) {
  label = cut(label, kLabelBytes);
  const std::lock_guard lock(mutex_);
  struct Key {
    Stack stack;
    std::string_view label;
  };
  const auto found = below_.find(Key{stack, label});
  if (found != below_.end()) return found->second;
  if (nodes_.size() > stacks_) return stack;
  const auto made = static_cast<Stack>(nodes_.size());
  Node node{.parent = stack, .shown = made, .depth = nodes_[stack].depth + 1};
  if (node.depth > kDepth) node.shown = nodes_[stack].shown;
  else node.text = stack ? fmt::format("{} / {}", nodes_[stack].text, label) : std::string(label);
  if (node.shown == made) annotate_(made, node.text);
  nodes_.push_back(std::move(node));
  below_.emplace(Below{stack, std::string(label)}, made);
  return made;
}

LabelTree::Stack LabelTree::pop(Stack stack) const {
  const std::lock_guard lock(mutex_);
  return nodes_[stack].parent;
}

uint32_t LabelTree::marker(Stack stack) const {
  const std::lock_guard lock(mutex_);
  return nodes_[stack].shown;
}

}  // namespace cutaway::icd
