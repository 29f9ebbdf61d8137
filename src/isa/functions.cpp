#include "isa/functions.h"

#include <algorithm>

#include "isa/flow.h"

namespace cutaway::isa {

void Functions::open(uint32_t depth) { functions_.back().depth = std::max(functions_.back().depth, depth); }

void Functions::call(size_t instruction, size_t target, uint32_t depth) {
  calls_.push_back({instruction, target, functions_.size() - 1, depth});
}

const char* Functions::check(size_t& where) const {
  // Nesting depth of constructs and of calls in a function and all its callees. The last function comes
  // first.
  std::vector<uint32_t> constructs, calls(functions_.size());
  for (const Function& function : functions_) constructs.push_back(function.depth);
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    where = call->instruction;
    const auto callee = std::lower_bound(functions_.begin() + 1, functions_.end(), call->target,
                                         [](const Function& f, size_t start) { return f.start < start; });
    if (callee == functions_.end() || callee->start != call->target)
      return "no function begins at its target";
    const auto called = static_cast<size_t>(callee - functions_.begin());
    if (called <= call->function) return "a function that does not stand behind the one that calls";
    uint32_t& deepest = constructs[call->function];
    deepest = std::max(deepest, call->depth + constructs[called]);
    if (deepest > kFlowDepth) return "nested too deeply";
    uint32_t& longest = calls[call->function];
    longest = std::max(longest, 1 + calls[called]);
    if (longest > kCallDepth) return "too many calls, one within the other";
  }
  return nullptr;
}

}  // namespace cutaway::isa
