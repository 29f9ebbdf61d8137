#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/counter.h"
#include "engine/domain.h"

namespace cutaway::engine {

class WaitWalk;
class WireBase;

// What was counted between moments, row after row: all counters and accounts, and what went through the
// wires. A row ends every so many cycles of a domain, or when somebody asks for it, after the boxes have
// ticked at that instant.
class Sampler {
 public:
  struct Options {
    Cycle interval = 0;              // 0: rows end only by request()
    bool wires = false;              // sampled too
    const WaitWalk* walk = nullptr;  // tells who holds the machine up; must outlive the sampler
  };
  Sampler(const Domain& domain, const Options& options, const CounterTable& counters,
          std::vector<const WireBase*> wires, size_t boxes);

  // A counter that changed in a row; `counter` is its place in CounterTable::counters().
  struct Entry {
    uint32_t counter = 0;
    uint64_t value = 0;
  };
  // Messages sent in a row, and the sum of how many were under way or waiting, over the row's probes.
  struct WireEntry {
    uint32_t wire = 0;
    uint64_t messages = 0, filling = 0;
  };
  // Probes of a row that found a box to hold the machine up.
  struct Culprit {
    uint32_t box = 0;  // place in Simulator::boxes(), or WaitWalk::kNobody
    uint64_t probes = 0;
  };
  size_t rows() const { return ends_.size(); }
  Cycle end(size_t row) const { return ends_[row].cycle; }  // the last cycle of the row
  uint64_t probes(size_t row) const { return ends_[row].probes; }
  std::span<const Entry> entries(size_t row) const { return part(entries_, &End::entries, row); }
  std::span<const WireEntry> wires(size_t row) const { return part(wire_entries_, &End::wires, row); }
  std::span<const Culprit> culprits(size_t row) const { return part(culprits_, &End::culprits, row); }
  // A counter's value in each row, by its full name. A name that none has is an InternalError.
  std::vector<uint64_t> column(std::string_view full_name) const;

  // The row ends with this instant.
  void request() { requested_ = true; }
  // The row under way ends now, unless it has just begun. Accounts must be settled.
  void finish();
  // Forgets all rows, for instance when their reader has them; the row under way goes on.
  void clear();

 private:
  friend class Simulator;
  static constexpr Cycle kProbe = 64;  // cycles from one look at the wires to the next
  static constexpr Cycle kWalk = 17;   // cycles from one search for who holds the machine up to the next: a
                                       // prime, so that what repeats is met at each of its steps

  struct End {
    Cycle cycle;
    uint64_t probes;
    size_t entries, wires, culprits;  // up to which they are this row's
  };
  template <class T>
  std::span<const T> part(const std::vector<T>& all, size_t End::*end, size_t row) const {
    const size_t first = row ? ends_[row - 1].*end : 0;
    return std::span(all).subspan(first, ends_[row].*end - first);
  }
  // True: accounts must be settled, and close() called.
  bool due() {
    if (domain_.now() >= next_probe_) probe();
    if (domain_.now() >= next_walk_) walk();
    return requested_ || domain_.now() >= next_;
  }
  void probe();
  void walk();
  void close();

  const Domain& domain_;
  Options options_;
  const CounterTable& counters_;
  Cycle begin_, next_, next_probe_, next_walk_;  // of the row under way: the cycle before its first; its end
  bool requested_ = false;
  std::vector<const WireBase*> wires_;
  uint64_t probes_ = 0;                                // in the row under way
  std::vector<uint64_t> last_, wire_last_, wire_sum_;  // at the end of the row before; of probes
  std::vector<Entry> entries_;
  std::vector<WireEntry> wire_entries_;
  std::vector<uint64_t> walks_;  // by box, nobody last: probes of the row under way
  std::vector<Culprit> culprits_;
  std::vector<End> ends_;
};

}  // namespace cutaway::engine
