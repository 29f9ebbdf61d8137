#include "compiler/translate/block_order.h"

#include <algorithm>
#include <set>
#include <spirv/unified1/spirv.hpp>
#include <tuple>

#include "compiler/refusal.h"

namespace cutaway::compiler {

std::vector<uint32_t> successors(const Module& module, const Word& end) {
  switch (end.op) {
    case spv::OpBranch:
      return {arg(end, 0)};
    case spv::OpBranchConditional:
      return {arg(end, 1), arg(end, 2)};
    case spv::OpSwitch: {
      const size_t literal = module.wide_switches.contains(end.number) ? 2 : 1;
      std::vector<uint32_t> all = {arg(end, 1)};
      for (size_t i = 2 + literal; i < end.words.size(); i += literal + 1) all.push_back(end.words[i]);
      return all;
    }
    default:
      return {};
  }
}

const Label& BlockOrder::block(uint32_t label) const {
  const auto found = m_.blocks.find(label);
  if (found == m_.blocks.end() || found->second.body.empty()) invalid("%{} is no block", label);
  return found->second;
}

std::vector<uint32_t> BlockOrder::targets(uint32_t label, bool is_start) const {
  const Label& from = block(label);
  if (from.loop && !is_start) return {from.merge};
  return successors(m_, from.body.back());
}

void BlockOrder::count_uses() {
  counted_ = true;
  for (const auto& [label, block] : m_.blocks) {
    if (block.loop) ends_of_loops_.insert({block.merge, block.continues});
    for (const Word& word : block.body)
      for (const uint32_t operand : word.words) ++uses_[operand];
  }
}

// True for blocks that only branch, and have no phis but those that only phis of their target read: a jump
// to one may go on to its target at once.
bool BlockOrder::passes_through(uint32_t label) {
  if (const auto found = passed_.find(label); found != passed_.end()) return found->second;
  if (!counted_) count_uses();
  const Label& from = block(label);
  const Word& end = from.body.back();
  bool passes = !from.loop && end.op == spv::OpBranch && !ends_of_loops_.contains(label) &&
                std::all_of(from.body.begin(), from.body.end() - 1,
                            [](const Word& word) { return word.op == spv::OpPhi; });
  if (passes && from.body.size() > 1) {
    std::unordered_map<uint32_t, uint32_t> read;  // by the target's phis
    for (const Word& phi : block(arg(end, 0)).body)
      for (size_t i = 0; phi.op == spv::OpPhi && i + 1 < phi.words.size(); i += 2)
        if (phi.words[i + 1] == label) ++read[phi.words[i]];
    for (const Word& word : from.body)
      passes = passes && (word.op != spv::OpPhi || uses_[word.result] == read[word.result]);
  }
  return passed_[label] = passes;
}

BlockOrder::Way BlockOrder::way(Region& region, uint32_t from, uint32_t to) {
  Way way{from, to};
  if (const auto known = region.known.find(to); known != region.known.end()) return known->second;
  std::vector<uint32_t> passed;
  bool has_phis = false;
  while (region.is_inner(way.to) && passes_through(way.to)) {
    const Label& next = block(way.to);
    has_phis = has_phis || next.body.size() > 1;
    passed.push_back(way.to);
    if (passed.size() > m_.blocks.size()) invalid("block %{} leads to itself without an OpLoopMerge", to);
    way.from = way.to;
    way.to = arg(next.body.back(), 0);
    const auto known = has_phis ? region.known.end() : region.known.find(way.to);
    if (known == region.known.end()) continue;
    way = known->second;
    break;
  }
  if (has_phis) way.through = std::move(passed);
  else
    for (const uint32_t label : passed) region.known[label] = way;
  return way;
}

// A depth-first walk that finds the blocks, and control flow that comes back.
class BlockOrder::Walk {
 public:
  Walk(BlockOrder& blocks, Region& region) : blocks_(blocks), region_(region) {}

  void run(uint32_t start) {
    open(start, blocks_.targets(start, true));
    while (!open_.empty()) {
      const uint32_t label = open_.back();
      Node& node = nodes_[label];
      if (node.next == node.targets.size()) {
        close(node);
        continue;
      }
      uint32_t& target_of = node.targets[node.next++];
      const uint32_t target = target_of = blocks_.way(region_, label, target_of).to;
      if (!region_.is_inner(target)) continue;
      const auto found = nodes_.find(target);
      if (found == nodes_.end()) open(target, blocks_.targets(target, false));
      else if (found->second.height == 0)
        invalid("control flow comes back to block %{}, which has no OpLoopMerge around it", target);
    }
  }

  // Each block comes when all that lead to it are in. Among several the one that ends soonest: the arms of a
  // ladder stand behind their tests, and not behind the whole ladder.
  void sort(uint32_t start) {
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> ready;  // height, number, label
    const auto release = [&](uint32_t label) {
      for (const uint32_t target : nodes_[label].targets)
        if (const auto found = nodes_.find(target); found != nodes_.end() && --found->second.leading == 0)
          ready.insert({found->second.height, found->second.number, target});
    };
    for (auto& [label, node] : nodes_)
      for (const uint32_t target : node.targets)
        if (const auto found = nodes_.find(target); found != nodes_.end()) ++found->second.leading;
    for (release(start); !ready.empty();) {
      const uint32_t label = std::get<2>(*ready.begin());
      ready.erase(ready.begin());
      region_.order.push_back(label);
      release(label);
    }
  }

 private:
  struct Node {
    std::vector<uint32_t> targets;
    size_t next = 0;       // target to look at
    uint32_t number = 0;   // in the order of discovery
    uint32_t height = 0;   // blocks on the longest way from here; 0: not known yet
    uint32_t leading = 0;  // jumps of blocks that are not in the order yet
  };

  void open(uint32_t label, std::vector<uint32_t> targets) {
    const auto number = static_cast<uint32_t>(nodes_.size());
    nodes_[label] = {std::move(targets), 0, number};
    open_.push_back(label);
  }

  void close(Node& node) {
    for (const uint32_t target : node.targets)
      if (const auto found = nodes_.find(target); found != nodes_.end())
        node.height = std::max(node.height, found->second.height);
    ++node.height;
    open_.pop_back();
  }

  BlockOrder& blocks_;
  Region& region_;
  std::unordered_map<uint32_t, Node> nodes_;
  std::vector<uint32_t> open_;
};

BlockOrder::Region BlockOrder::behind(uint32_t start, std::function<bool(uint32_t)> is_inner) {
  Region region{std::move(is_inner)};
  Walk walk(*this, region);
  walk.run(start);
  walk.sort(start);
  return region;
}

}  // namespace cutaway::compiler
