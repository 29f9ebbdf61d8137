#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/counter.h"
#include "engine/box.h"

namespace cutaway::engine {

class BoxLedger;

// Attributes everything that boxes count, accounts and counters, to pieces of work. Each box works for one
// piece at a time, initially 0: the piece of the message that it took last, or the one that it names itself
// (Box::works_for). Therefore a box's shares over all pieces sum exactly to what it counted. Whoever hands
// out work numbers the pieces densely.
class Ledger {
 public:
  // Attributes all counts of all boxes from now on; the columns are the counters of the table. Both arguments
  // must outlive the ledger.
  Ledger(const std::vector<std::unique_ptr<Box>>& boxes, const CounterTable& counters);
  ~Ledger();
  Ledger(const Ledger&) = delete;

  struct Share {
    uint32_t work = 0;
    uint32_t counter = 0;  // index in CounterTable::counters()
    uint64_t value = 0;    // never 0
  };
  // Returns all shares since the last call, by box, work and counter. The accounts must be settled. From now
  // on all boxes work for `next`, which must not be below any earlier piece. Leftover activity for earlier
  // pieces, such as an unused prefetch, also counts for `next`.
  std::vector<Share> take(uint32_t next);

 private:
  std::vector<std::unique_ptr<BoxLedger>> books_;
};

// The shares of one box.
class BoxLedger {
 public:
  explicit BoxLedger(Box& box) : box_(box) {}
  ~BoxLedger();

  // Attributes all counts since the last call to `work`, for which the box has worked.
  void close(uint32_t work);
  // Attributes `amount` of the counts since then to `work`, instead of the piece that the box works for.
  void give(uint32_t work, const uint64_t& counter, uint64_t amount);

 private:
  friend class Ledger;
  static constexpr uint32_t kNone = ~0u;

  uint64_t* row(uint32_t work);

  Box& box_;
  std::vector<const uint64_t*> values_;
  std::vector<uint32_t> columns_;                             // column of the table, by value
  std::vector<std::pair<const uint64_t*, uint32_t>> places_;  // address and index of each value, sorted by
                                                              // address
  std::vector<uint64_t> last_;                                // by value: its state at the last close()
  std::vector<uint32_t> row_;  // by work, from first_work_: its row in sums_, in values, or kNone
  uint32_t first_work_ = 0;
  std::vector<uint64_t> sums_;
};

}  // namespace cutaway::engine
