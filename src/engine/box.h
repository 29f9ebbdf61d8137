#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/domain.h"

namespace cutaway::engine {

class Box;
class BoxLedger;
class WireBase;

// One end of a wire, or a storage: a member of its box. It must not move, so a vector of ports gets its size
// at construction.
class Port {
 public:
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  const std::string& name() const { return name_; }
  bool is_input() const { return input_; }
  bool connected() const { return peer_ != nullptr; }
  const WireBase* wire() const {
    return base_;
  }                                  // null for a storage, and before the simulator is
                                     // elaborated
  Box* box() const { return box_; }  // null before the simulator is elaborated
  Box* neighbour() const { return peer_ ? peer_->box_ : nullptr; }
  const Port* peer() const { return peer_; }  // the other end
  std::string full_name() const;              // "gpu.clipper.triangles_in"
  const char* carries() const {
    return carries_;
  }  // the messages, in a few words for tables; of a storage ""

 protected:
  explicit Port(bool input) : input_(input) {}
  ~Port() = default;

 private:
  friend class Box;
  friend class PortList;
  friend class Simulator;
  Box* box_ = nullptr;
  Port* peer_ = nullptr;
  const WireBase* base_ = nullptr;
  std::string name_;
  const char* carries_ = "";
  uint32_t reason_ = 0;  // of waiting, in the account of its box
  bool input_;
};

// Receives the ports of a box: list("triangles_in", triangles_in, "triangles to draw"). A vector's are named
// "name[i]". `carries` is a literal.
class PortList {
 public:
  void operator()(std::string name, Port& port, const char* carries = "");
  // A vector of ports, or engine::Inputs.
  template <class Ports>
  requires requires(Ports& ports) { ports[0].connected(); }
  void operator()(const std::string& name, Ports& ports, const char* carries = "") {
    for (size_t i = 0; i < ports.size(); i++)
      (*this)(name + "[" + std::to_string(i) + "]", ports[i], carries);
  }

 private:
  friend class Simulator;
  explicit PortList(Box& box) : box_(box) {}
  Box& box_;
};

// How a box spent its cycles. The four figures sum to all of its cycles.
struct Account {
  struct Wait {
    bool starved;  // else blocked
    std::string port, neighbour;
    Cycle cycles;
  };
  Cycle cycles = 0, busy = 0, starved = 0, blocked = 0, idle = 0;
  std::vector<Wait> waits;  // by port, in the order in which the box lists them

  Cycle starved_by(const std::string& neighbour) const;
  Cycle blocked_by(const std::string& neighbour) const;
};

// A hardware unit in a clock domain. It communicates with other units only through its ports.
//
// The contract of tick(now), which makes skipping idle boxes exact:
// - It decides only from its own state, its ports and its timers, and changes nothing else.
// - A tick that changes any state (takes, sends, counts, moves a pointer) ends in `return busy(now)`.
// - A tick that changes nothing ends in busy, starved, blocked or idle with the cycle at which its own timer
//   runs out, or without one: then only a message that arrives wakes it, a returned place of a storage, or a
//   slot that comes free on an output that the tick asked: ready() said no, or room() counted. What it
//   reports must hold until then.
class Box {
 public:
  virtual ~Box() = default;
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

  const std::string& path() const { return path_; }  // "gpu.shader0.texture"
  Domain& domain() const { return *domain_; }

  // Adds to counters that depend only on elapsed time, for all cycles before `next`. Called between cycles,
  // before counters are read. It must not change anything that a tick decides from.
  virtual void count_until(Cycle /*next*/) {}

  // Simulates one cycle. Returns the next cycle with work of its own, or kAsleep: the result of busy(),
  // starved(), blocked() or idle().
  virtual Cycle tick(Cycle now) = 0;
  // Lists every port exactly once.
  virtual void list_ports(PortList& list) = 0;
  // Names the work that costs hardware time or room and costs this box, with its parameters, none: a literal
  // for each, without a full stop. `cutaway gpus NAME` and docs/pipeline.md list them.
  virtual std::vector<std::string_view> costs_nothing() const { return {}; }
  // Empty: drained. Else what it still holds, in a few words, for the report of a deadlock.
  virtual std::string why_busy() const = 0;

  // The input that feeds `out` while the box holds nothing for `out`. Needed by a box with several paths
  // through it, for example one before shading and one after. Null: the box's own account also holds for
  // `out`.
  virtual const Port* source_of(const Port& /*out*/) const { return nullptr; }

  // The input that most of the box's work waits for. Needed by a box that works on many items at once and may
  // act in a cycle although most of them are stalled. Null: the box's own account holds.
  virtual const Port* short_of() const { return nullptr; }

  // True if the box holds work that waits for its own rate alone, such as the rest of a draw. Needed by a box
  // that makes many messages of one. False: only its inputs tell.
  virtual bool has_backlog() const { return false; }

  // The kinds of work that the box takes turns at, for instance the stages of its programs; empty: one kind.
  // Records of what held the machine up name them.
  virtual std::vector<std::string_view> kinds_of_work() const { return {}; }
  // The kind that the box does in this cycle, or did last: an index into kinds_of_work(). For observers.
  virtual uint32_t kind_of_work() const { return 0; }

  // Makes the box tick in the next cycle, after an input from outside the machine arrived between cycles.
  void wake() { wake_at(domain_->now() + 1); }
  // Makes the box tick in `cycle`, which must be later than now.
  void wake_at(Cycle cycle) {
    if (cycle - domain_->now() < Domain::kWheel) [[likely]]
      wheel_[cycle % Domain::kWheel] |= bit_;
    else domain_->wake_far(index_, cycle);
  }

  Account account() const;

  // The reason under which the present cycle, and all since the last tick, is booked: idle, busy, or
  // kFirstPortReason + i for port i (starved or blocked by it). For observers, between cycles.
  static constexpr uint32_t kIdleReason = 0, kBusyReason = 1, kFirstPortReason = 2;
  uint32_t reason() const { return reason_; }
  const std::vector<Port*>& ports() const { return ports_; }

  // Attributes all counts from this cycle on to `work`, if a Ledger is kept. Called during a tick: by the
  // ports when the box takes a message, or by the box itself if it works on several pieces at once.
  void works_for(uint32_t work) {
    if (ledger_ && work != work_) change_work(work);
  }
  // Adds `amount` to `counter` on behalf of `work`, whichever piece the box works for.
  void count_for(uint32_t work, uint64_t& counter, uint64_t amount) {
    counter += amount;
    if (ledger_ && work != work_) share(work, counter, amount);
  }

 protected:
  explicit Box(std::string path) : path_(std::move(path)) {}

  Cycle busy(Cycle now) { return book(kBusy, now, now + 1); }
  // Nothing changes before `until`: a fixed time of work.
  Cycle busy(Cycle now, Cycle until) { return book(kBusy, now, until); }
  // The box could work if a message came.
  Cycle starved(Cycle now, const Port& in, Cycle until = kAsleep) { return book(in.reason_, now, until); }
  // The box has something to send, but no room to send it.
  Cycle blocked(Cycle now, const Port& out, Cycle until = kAsleep) { return book(out.reason_, now, until); }
  Cycle idle(Cycle now, Cycle until = kAsleep) { return book(kIdle, now, until); }

 private:
  friend class BoxLedger;
  friend class Domain;
  friend class Ledger;
  friend class PortList;
  friend class Simulator;
  friend class WaitWalk;
  friend class Watchdog;
  enum Reason : uint32_t { kIdle = kIdleReason, kBusy = kBusyReason, kFirstPort = kFirstPortReason };

  Cycle book(uint32_t reason, Cycle now, Cycle next) {
    if (reason != reason_) {
      booked_[reason_] += now - since_;
      since_ = changed_ = now;
      reason_ = reason;
    }
    return next;
  }
  void settle();  // books the cycles up to and including now
  void change_work(uint32_t work);
  void share(uint32_t work, const uint64_t& counter, uint64_t amount);
  const Port* waits_for() const { return reason_ < kFirstPort ? nullptr : ports_[reason_ - kFirstPort]; }

  Domain* domain_ = nullptr;
  uint32_t index_ = 0;         // in its domain
  uint64_t bit_ = 0;           // its bit in the domain's masks
  uint64_t* wheel_ = nullptr;  // its word in them, by cycle % Domain::kWheel
  uint32_t reason_ = kIdle;
  Cycle since_ = 1;    // first cycle not booked
  Cycle changed_ = 1;  // first cycle of the present reason
  Cycle timer_ = kAsleep;
  BoxLedger* ledger_ = nullptr;  // none is kept
  uint32_t work_ = 0;
  std::vector<uint64_t> booked_{0, 0};  // by reason
  std::vector<Port*> ports_;
  std::string path_;
};

}  // namespace cutaway::engine
