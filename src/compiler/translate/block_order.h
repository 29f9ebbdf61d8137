#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/module.h"

namespace cutaway::compiler {

// Blocks of a function as a graph without loops: a loop counts as its header, which leads to its merge block.
class BlockOrder {
 public:
  explicit BlockOrder(const Module& module) : m_(module) {}

  // The end of a jump that passes blocks which do nothing but go on: the last block passed and the next one.
  struct Way {
    uint32_t from = 0, to = 0;
    std::vector<uint32_t> through = {};  // the blocks passed, in their order; empty if none has phis
  };

  // Blocks that control flow reaches from the end of one block on without leaving what is_inner() holds for.
  struct Region {
    std::function<bool(uint32_t)> is_inner;
    std::vector<uint32_t> order = {};              // each block after all that lead to it
    std::unordered_map<uint32_t, Way> known = {};  // ways without phis, by the first block passed
  };
  // Blocks that do nothing but go on are left out of the order. InvalidShader: control flow comes back to one
  // of the blocks, or to `start`.
  Region behind(uint32_t start, std::function<bool(uint32_t)> is_inner);

  // Follows a jump within a region or out of it.
  Way way(Region& region, uint32_t from, uint32_t to);

  // Labels that a block leads to at its end; for a loop's header its merge block.
  std::vector<uint32_t> targets(uint32_t label, bool is_start) const;

  const Label& block(uint32_t label) const;

 private:
  class Walk;
  bool passes_through(uint32_t label);
  void count_uses();

  const Module& m_;
  bool counted_ = false;
  std::unordered_map<uint32_t, uint32_t> uses_;  // of each id in any block; literals may count as ids
  std::unordered_set<uint32_t> ends_of_loops_;   // merge blocks and continue targets
  std::unordered_map<uint32_t, bool> passed_;    // results of passes_through()
};

// The labels that a terminator names, in its order.
std::vector<uint32_t> successors(const Module& module, const Word& end);

}  // namespace cutaway::compiler
