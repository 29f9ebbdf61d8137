#pragma once

namespace cutaway {

// Returns the index that is `n` places after `from` in a round of `count`; both are less than `count`. Units
// take turns in each cycle: a division takes the host many times as long.
template <class Index>
constexpr Index in_round(Index from, Index n, Index count) {
  const Index at = from + n;
  return at < count ? at : at - count;
}

}  // namespace cutaway
