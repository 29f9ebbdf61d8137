#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/counter.h"
#include "engine/domain.h"

namespace cutaway::engine {

class Box;
class WaitWalk;
class WireBase;

// Records all counters, accounts and wire traffic over time, row by row. A row ends every `interval` cycles
// of a domain, or on request, after the boxes have ticked at that instant.
class Sampler {
 public:
  struct Options {
    Cycle interval = 0;              // 0: rows end only by request()
    bool wires = false;              // wires are sampled too
    const WaitWalk* walk = nullptr;  // finds the box that holds the machine up; must outlive the sampler
  };
  // boxes: all boxes of the simulator, in its order.
  Sampler(const Domain& domain, const Options& options, const CounterTable& counters,
          std::vector<const WireBase*> wires, std::vector<const Box*> boxes);

  // A counter that changed during a row; `counter` is its index in CounterTable::counters().
  struct Entry {
    uint32_t counter = 0;
    uint64_t value = 0;
  };
  // Messages sent during a row, and the sum of messages in flight or waiting over the row's probes.
  struct WireEntry {
    uint32_t wire = 0;
    uint64_t messages = 0, filling = 0;
  };
  // Number of probes in a row that found `box` holding the machine up by work of a kind.
  struct Culprit {
    uint32_t box = 0;   // index in Simulator::boxes(), or WaitWalk::kNobody
    uint32_t kind = 0;  // index into Box::kinds_of_work(); 0 if the box has one kind
    uint64_t probes = 0;
  };
  size_t rows() const { return ends_.size(); }
  Cycle end(size_t row) const { return ends_[row].cycle; }  // the last cycle of the row
  uint64_t probes(size_t row) const { return ends_[row].probes; }
  std::span<const Entry> entries(size_t row) const { return part(entries_, &End::entries, row); }
  std::span<const WireEntry> wires(size_t row) const { return part(wire_entries_, &End::wires, row); }
  std::span<const Culprit> culprits(size_t row) const { return part(culprits_, &End::culprits, row); }
  // A counter's value in each row, by its full name. InternalError if no counter has that name.
  std::vector<uint64_t> column(std::string_view full_name) const;

  // Ends the row with this instant.
  void request() { requested_ = true; }
  // Ends the current row now, unless it has just begun. Accounts must be settled.
  void finish();
  // Drops all completed rows, for instance once a reader has copied them; the current row goes on.
  void clear();

 private:
  friend class Simulator;
  static constexpr Cycle kProbe = 64;  // cycles between probes of the wires
  static constexpr Cycle kWalk = 17;   // cycles between searches for the box that holds the machine up: a
                                       // prime, so that periodic behaviour is seen at each of its steps

  struct End {
    Cycle cycle;
    uint64_t probes;
    size_t entries, wires, culprits;  // end of this row's entries in each vector
  };
  template <class T>
  std::span<const T> part(const std::vector<T>& all, size_t End::*end, size_t row) const {
    const size_t first = row ? ends_[row - 1].*end : 0;
    return std::span(all).subspan(first, ends_[row].*end - first);
  }
  // True: the caller must settle the accounts and call close().
  bool due() {
    if (domain_.now() >= next_probe_) probe();
    if (domain_.now() >= next_walk_) walk();
    return requested_ || domain_.now() >= next_;
  }
  void list_places();
  void probe();
  void walk();
  void close();

  const Domain& domain_;
  Options options_;
  const CounterTable& counters_;
  Cycle begin_, next_, next_probe_, next_walk_;  // of the current row: the cycle before its first; its end
  bool requested_ = false;
  std::vector<const WireBase*> wires_;
  uint64_t probes_ = 0;                                // in the current row
  std::vector<uint64_t> last_, wire_last_, wire_sum_;  // at the end of the previous row; of probes
  std::vector<Entry> entries_;
  std::vector<WireEntry> wire_entries_;
  // Probes in the current row: by box and, within a box, by kind of work; then of kNobody.
  std::vector<uint64_t> walks_;
  std::vector<const Box*> boxes_;
  std::vector<Culprit> places_;  // by index of walks_: the box and the kind
  std::vector<uint32_t> first_;  // by box: index of its first kind in walks_
  std::vector<Culprit> culprits_;
  std::vector<End> ends_;
};

}  // namespace cutaway::engine
