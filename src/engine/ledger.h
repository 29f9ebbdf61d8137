#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/counter.h"
#include "engine/box.h"

namespace cutaway::engine {

class BoxLedger;

// Shares out what boxes count over the pieces of work that they count it for: their accounts and their
// counters. Each box works for one piece at a time, at first for 0: that of the message that it took last, or
// the one that it names itself (Box::works_for). So over all pieces the shares of a box sum to what it
// counted, to the cycle. Pieces are numbered densely by whoever hands out work.
class Ledger {
 public:
  // From now on, for all boxes; the counters are the columns of the table. Both must outlive it.
  Ledger(const std::vector<std::unique_ptr<Box>>& boxes, const CounterTable& counters);
  ~Ledger();
  Ledger(const Ledger&) = delete;

  struct Share {
    uint32_t work = 0;
    uint32_t counter = 0;  // of CounterTable::counters()
    uint64_t value = 0;    // never 0
  };
  // All shares since the last call, by box, work and counter. The accounts must be settled. From now on all
  // boxes work for `next`, which is no lower than any piece before; what is left to do for one of these, such
  // as a read ahead that nobody needs any more, counts for `next` too.
  std::vector<Share> take(uint32_t next);

 private:
  std::vector<std::unique_ptr<BoxLedger>> books_;
};

// The shares of one box.
class BoxLedger {
 public:
  explicit BoxLedger(Box& box) : box_(box) {}
  ~BoxLedger();

  // What was counted since the last call goes to `work`, which the box has worked for.
  void close(uint32_t work);
  // `amount` of what was counted since then is `work`'s, not that of the piece that the box works for.
  void give(uint32_t work, const uint64_t& counter, uint64_t amount);

 private:
  friend class Ledger;
  static constexpr uint32_t kNone = ~0u;

  uint64_t* row(uint32_t work);

  Box& box_;
  std::vector<const uint64_t*> values_;
  std::vector<uint32_t> columns_;                             // of the table, by value
  std::vector<std::pair<const uint64_t*, uint32_t>> places_;  // of values, in order of their addresses
  std::vector<uint64_t> last_;                                // by value: as it was when it was closed
  std::vector<uint32_t> row_;  // by work, from first_work_: of sums_, in values, or kNone
  uint32_t first_work_ = 0;
  std::vector<uint64_t> sums_;
};

}  // namespace cutaway::engine
