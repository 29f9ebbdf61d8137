#include <algorithm>
#include <iterator>

#include "compiler/backend.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {

bool overlap(const Ranges& a, const Ranges& b) {
  if (a.empty() || b.empty()) return false;
  // Skips intervals of `a` that end before `b` starts: registers are busy in far more intervals than a value
  // lives in.
  const auto ends_before = [](const auto& range, uint32_t at) { return range.second <= at; };
  size_t i = std::lower_bound(a.begin(), a.end(), b[0].first, ends_before) - a.begin(), j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].second <= b[j].first) ++i;
    else if (b[j].second <= a[i].first) ++j;
    else return true;
  }
  return false;
}

namespace {

// Appends an interval that starts no earlier than the last one.
void append(Ranges& to, const std::pair<uint32_t, uint32_t>& range) {
  if (!to.empty() && range.first <= to.back().second)
    to.back().second = std::max(to.back().second, range.second);
  else to.push_back(range);
}

}  // namespace

void unite(Ranges& a, const Ranges& b) {
  if (a.empty() || b.empty() || a.back().first <= b[0].first) {
    for (const auto& range : b) append(a, range);
    return;
  }
  Ranges all, result;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  for (const auto& range : all) append(result, range);
  a = std::move(result);
}

Liveness liveness(const Ir& ir) {
  constexpr uint64_t kMaxWork = 1 << 26;
  const size_t lanes = ir.insts.size() * 4;
  Liveness result;
  result.ranges.resize(lanes);
  std::vector<uint32_t> position(ir.insts.size());
  std::vector<uint32_t> start(ir.blocks.size()), end(ir.blocks.size());
  uint32_t next = 0;
  for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
    start[b] = next * 2;
    for (uint32_t id : ir.blocks[b].insts) position[id] = next++;
    end[b] = next * 2;
    for (uint32_t id : ir.blocks[b].phis) position[id] = kNone;
  }
  // Uses of each lane: position, or the end of the block for copies into phis.
  struct Use {
    uint32_t block, at;
  };
  std::vector<std::vector<Use>> uses(lanes);
  for (uint32_t b = 0; b < ir.blocks.size(); ++b)
    for (uint32_t id : ir.blocks[b].insts) {
      const Inst& inst = ir.insts[id];
      for (uint32_t s = 0; s < inst.sources; ++s)
        for (uint32_t i = 0; i < inst.src[s].width; ++i)
          if (inst.src[s].ref[i].is_value())
            uses[lane_of(inst.src[s].ref[i])].push_back({b, position[id] * 2 + 1});
      // A copy into a phi lives to the end of its block; then the phi takes over.
      if (inst.op == Opcode::kMov && inst.family != 0)
        for (uint32_t i = 0; i < inst.width; ++i) uses[id * 4 + i].push_back({b, end[b]});
    }
  uint64_t work = 0;
  std::vector<uint32_t> seen(ir.blocks.size(), kNone), stack;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const Inst& inst = ir.insts[lane / 4];
    if (inst.dead || (inst.output != 0xff) || !written(inst, lane % 4)) continue;
    const uint32_t home = inst.block;
    const uint32_t born = inst.phi ? start[home] : position[lane / 4] * 2 + 1;
    Ranges& ranges = result.ranges[lane];
    if (!inst.phi) ranges.push_back({born, born + 1});
    auto live_in = [&](uint32_t block) {
      for (uint32_t pred : ir.blocks[block].preds)
        if (seen[pred] != lane) {
          seen[pred] = lane;
          stack.push_back(pred);
        }
    };
    for (const Use& use : uses[lane]) {
      if (use.block == home) {
        ranges.push_back({born, use.at});
        continue;
      }
      ranges.push_back({start[use.block], use.at});
      live_in(use.block);
    }
    while (!stack.empty()) {
      const uint32_t block = stack.back();
      stack.pop_back();
      if (++work > kMaxWork) unsupported("it is too large: its values live across too many blocks");
      if (block == home) {
        ranges.push_back({born, end[block]});
        continue;
      }
      ranges.push_back({start[block], end[block]});
      live_in(block);
    }
    std::sort(ranges.begin(), ranges.end());
    Ranges united;
    for (const auto& range : ranges) append(united, range);
    ranges = std::move(united);
  }
  return result;
}

}  // namespace cutaway::compiler
