#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/counter.h"
#include "base/error.h"
#include "engine/box.h"
#include "engine/ledger.h"
#include "engine/sampler.h"
#include "engine/storage.h"
#include "engine/wait_walk.h"
#include "engine/watchdog.h"
#include "engine/wire.h"

namespace cutaway::engine {

struct SchedulerOptions {
  uint64_t seed = 0;      // shuffles the order of boxes in a cycle, which must not change results; 0: no
                          // shuffle
  bool skip_idle = true;  // false: every box ticks in every cycle, which must not change results
  Cycle watchdog_cycles = 100'000;  // without progress before a deadlock is reported; 0: never
};

// A wire as declared, for tables and tests.
struct WireInfo {
  std::string from, to;  // full names of the ports
  std::string message;   // name of the type
  WireSpec spec;
};

// Occupancy of a wire.
struct WireFilling {
  uint64_t messages = 0;     // sent
  uint64_t slot_cycles = 0;  // slots taken, summed over `cycles`
  uint64_t peak = 0;         // slots taken at once, since restart_peaks()
  Cycle cycles = 0;          // elapsed cycles of the receiver
};

// Owns domains, boxes and wires, and runs them. Add and connect everything first, then call elaborate(),
// which checks it, then run.
class Simulator {
 public:
  explicit Simulator(const SchedulerOptions& options = {});
  ~Simulator();

  // Periods are integers in one unit for all domains: see periods_of().
  Domain& add_domain(std::string name, uint64_t period);

  // Makes a box, B(arguments...). If it has a member `counters` with declared fields, adds them to the table.
  template <class B, class... Args>
  B& add(Domain& domain, Args&&... arguments) {
    auto box = std::make_unique<B>(std::forward<Args>(arguments)...);
    B& made = *box;
    own(
        domain, std::move(box), +[](Box& ticked, Cycle now) { return static_cast<B&>(ticked).B::tick(now); });
    if constexpr (requires { counters_.add(made.path(), made.counters); })
      counters_.add(made.path(), made.counters);
    return made;
  }

  template <class T>
  void connect(Out<T>& out, In<T>& in, const WireSpec& spec) {
    auto wire = std::make_unique<Wire<T>>(spec);
    out.attach(*wire);
    in.attach(*wire);
    wire->in_ = &in, wire->out_ = &out;
    join(out, in, std::move(wire), std::string(message_name<T>()));
  }
  // Puts a box, which has an input `in` and an output `out`, into the wire that begins at `from`. The wire
  // goes on behind the box; one of latency 1, as wide, leads to it.
  template <class B, class T>
  void insert(B& box, Out<T>& from) {
    const Connection cut = disconnect(from);
    const WireSpec spec = cut.wire->spec();
    connect(from, box.in, {.latency = 1, .bandwidth = spec.bandwidth, .slots = 2 * spec.bandwidth});
    connect(box.out, static_cast<In<T>&>(*cut.in), spec);
  }
  // `behind`: a port of the box that accounts name for what waits for a place.
  void connect(Storage& storage, Port& behind) { storage.peer_ = &behind; }

  // Checks that every port is connected once, every wire has a width, and no two boxes share a path. Throws
  // UserError, with the path, if a spec has a 0; InternalError for everything else. Call once.
  void elaborate();

  // Advances to the next instant at which any clock has an edge: all clocks with an edge there advance, then
  // their boxes tick.
  void step();
  // Runs `cycles` of `domain`. DeadlockError if boxes with work make no progress.
  void run(Domain& domain, Cycle cycles);
  // Runs until done() holds after an instant and returns true, or returns false after `limit` cycles of
  // `domain`. DeadlockError also if no box will ever act again.
  template <class Done>
  bool run_until(Done&& done, Domain& domain, Cycle limit = kAsleep) {
    const Cycle last = limit < kAsleep - domain.now() ? domain.now() + limit : kAsleep;
    while (!done()) {
      if (domain.now() >= last) return false;
      step();
      if (domains_.front()->now() >= next_check_) check_progress(true);
    }
    return true;
  }

  // Counters of the machine and the accounts of boxes: "path.busy", "path.idle", "path.starved.port",
  // "path.blocked.port" in cycles. Accounts are up to date after settle().
  CounterTable& counters() { return counters_; }
  const CounterTable& counters() const { return counters_; }
  void settle();
  // Hash of all counters and accounts, in the order of their names, and of the occupancy of wires.
  uint64_t counter_hash();
  // Samples all counters and accounts, and optionally the wires, row by row from now on.
  Sampler& sample(Domain& domain, const Sampler::Options& options);
  // Enables the search for the box that holds the machine up: engine/wait_walk.h. flows(message type):
  // WaitWalk::Link::flows.
  WaitWalk& walk_waits(std::function<const Box*()> start, const std::function<bool(std::string_view)>& flows);
  // Attributes everything that is counted from now on to pieces of work. Call once.
  Ledger& keep_ledger();

  const std::vector<std::unique_ptr<Domain>>& domains() const { return domains_; }
  const std::vector<std::unique_ptr<Box>>& boxes() const { return boxes_; }
  const Box& box(const std::string& path) const;  // InternalError: there is none
  std::vector<WireInfo> wires() const;            // in the order in which they were connected
  std::vector<WireFilling> fillings() const;      // in the same order, over all cycles so far
  void restart_peaks();                           // restarts the peaks of all wires, between instants
  // The sender's end of each wire, in the same order, for observers between cycles.
  std::vector<const Port*> wire_senders() const;
  uint64_t time() const;  // of the last instant, in the units of the clocks' periods
  uint64_t executed_ticks() const;
  uint64_t possible_ticks() const;  // boxes × cycles
  double skipped_share() const { return 1.0 - double(executed_ticks()) / double(possible_ticks()); }

 private:
  struct Connection {
    std::unique_ptr<WireBase> wire;
    Port *out, *in;
    std::string message;
  };
  void own(Domain& domain, std::unique_ptr<Box> box, Domain::TickCall call);
  void join(Port& out, Port& in, std::unique_ptr<WireBase> wire, std::string message);
  Connection disconnect(Port& out);
  void list_ports();
  void check_wires();
  void add_accounts();
  void check_progress(bool must_go_on);

  SchedulerOptions options_;
  std::vector<std::unique_ptr<Domain>> domains_;
  std::vector<Domain*> due_;
  std::vector<std::unique_ptr<Box>> boxes_;
  std::vector<Connection> connections_;
  CounterTable counters_;
  std::vector<std::unique_ptr<Sampler>> samplers_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<WaitWalk> walk_;
  Watchdog watchdog_;
  Cycle next_check_ = 0;  // in cycles of the first domain
  bool elaborated_ = false;
};

}  // namespace cutaway::engine
