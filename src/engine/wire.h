#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/prefetch.h"
#include "engine/box.h"

namespace cutaway::engine {

// All are at least 1. A message arrives at the latency-th receiver edge after its send, never at the same
// instant. The slot of a taken message is free at the sender's next edge. In one domain, throughput =
// min(bandwidth, slots / (latency + 1)) messages per cycle.
struct WireSpec {
  unsigned latency = 1;    // receiver cycles
  unsigned bandwidth = 1;  // messages per sender cycle
  unsigned slots = 2;      // messages in flight or waiting to be taken
  bool operator==(const WireSpec&) const = default;
};

class WireBase {
 public:
  virtual ~WireBase() = default;
  const WireSpec& spec() const { return spec_; }
  // True if a message has been sent and has not arrived yet.
  virtual bool under_way() const = 0;
  // True if a message has arrived and has not been taken.
  virtual bool waiting() const = 0;
  // True if messages wait and the sender can hardly send another before one is taken.
  bool backed_up() const { return waiting() && filling() + spec_.bandwidth >= spec_.slots; }
  uint64_t sent() const { return sent_total_; }              // messages so far
  uint64_t filling() const { return sent_total_ - taken_; }  // messages in flight or waiting to be taken
  // Slots taken, from a message's send to its take, summed over the receiver's cycles so far.
  uint64_t slot_cycles() const;
  // The most occupied slots that the sender has found, including its own message, since the last
  // restart_peak().
  uint64_t peak() const { return peak_; }
  void restart_peak() { peak_ = filling(); }  // between instants
  // The receiver's cycle in which message `number` (from 0) arrives. The message must be sent and not taken.
  virtual Cycle arrival(uint64_t number) const = 0;

 protected:
  friend class Simulator;
  explicit WireBase(const WireSpec& spec) : spec_(spec) {}
  [[noreturn]] void misuse(const Port& port, const char* what, Cycle now) const;

  WireSpec spec_;
  // Books the message's slot from the receiver's present cycle on.
  void count_send(Cycle sender_now, Cycle receiver_now) {
    sent_total_++;
    slot_cycles_ -= receiver_now;
    peak_ = std::max(peak_, occupied(sender_now));
  }
  // Slots that are not free for the sender. Those of messages taken at this instant are not free yet,
  // whichever box ticked first.
  uint64_t occupied(Cycle sender_now) const {
    return sent_total_ - (freed_at_ > sender_now ? taken_before_ : taken_);
  }
  void count_take(Cycle freed_at, Cycle receiver_now) {
    if (freed_at_ != freed_at) freed_at_ = freed_at, taken_before_ = taken_;
    taken_++;
    slot_cycles_ += receiver_now;
  }

  // The sender's cycle from which the slots taken last are free.
  Cycle freed_at() const { return freed_at_; }

  Box *sender_ = nullptr, *receiver_ = nullptr;
  uint64_t sent_total_ = 0, taken_ = 0;

 private:
  uint64_t slot_cycles_ = 0;  // of taken messages; less the send cycles of the others
  uint64_t peak_ = 0;
  Cycle freed_at_ = 0;
  uint64_t taken_before_ = 0;  // messages taken before those
};

// A message type may name the piece of work that it belongs to (engine/ledger.h) with a function
// work_of(message) in its namespace.
template <class T>
concept NamesWork = requires(const T& message) {
  { work_of(message) } -> std::convertible_to<uint32_t>;
};

template <class T>
class In;
template <class T>
class Out;
template <class T>
class Inputs;

template <class T>
class Wire final : public WireBase {
 public:
  explicit Wire(const WireSpec& spec)
      : WireBase(spec), slots_(spec.slots ? spec.slots : 1), count_(spec.slots ? spec.slots : 1) {
    for (uint32_t i = 0; i < count_; i++) slots_[i].next = &slots_[i + 1 < count_ ? i + 1 : 0];
  }

  bool under_way() const override {
    const Cycle newest = after(*out_->next_, count_ - 1).ready;
    return newest != kAsleep && newest > receiver_->domain().now();
  }
  bool waiting() const override { return in_->oldest_->ready <= receiver_->domain().now(); }
  Cycle arrival(uint64_t number) const override { return slot_of(number).ready; }
  // For observers, between cycles; `number` as in arrival().
  const T& message(uint64_t number) const { return slot_of(number).message; }

 private:
  template <class>
  friend class In;
  template <class>
  friend class Out;
  friend class Simulator;
  struct Slot {
    Cycle ready = kAsleep;  // receiver cycle at which the message arrives
    Cycle free = 0;         // sender cycle from which the slot is free
    Slot* next = nullptr;   // the slot after it, in the ring of all
    T message{};
  };
  // The slot that follows `places` after another; fewer than all.
  const Slot& after(const Slot& slot, uint32_t places) const {
    const auto at = static_cast<uint32_t>(&slot - slots_.data()) + places;
    return slots_[at < count_ ? at : at - count_];
  }
  const Slot& slot_of(uint64_t number) const {
    CUTAWAY_CHECK(number >= taken_ && number < sent_total_, "message {} is not under way", number);
    return after(*in_->oldest_, static_cast<uint32_t>(number - taken_));
  }

  std::vector<Slot> slots_;
  uint32_t count_;  // of slots
  In<T>* in_ = nullptr;
  Out<T>* out_ = nullptr;
  uint32_t sent_ = 0;           // messages sent in cycle last_
  Cycle last_ = 0, clear_ = 0;  // clear_: sender cycle from which the wire accepts messages
  bool asked_ = false;          // the next take wakes the sender: it found too little room, or counted it
};

// The receiving end.
template <class T>
class In final : public Port {
 public:
  In() : Port(true) {}

  // The oldest message that has arrived and not been taken, or null. `k`: the k-th message after it.
  const T* peek(Cycle now) const { return arrives_ <= now ? &oldest_->message : nullptr; }
  const T* peek(Cycle now, uint32_t k) const {
    if (k >= wire_->count_) return nullptr;
    const auto& slot = wire_->after(*oldest_, k);
    return slot.ready <= now ? &slot.message : nullptr;
  }
  // Takes the oldest message. All that have arrived may be taken in one cycle.
  T take(Cycle now) {
    auto& slot = arrived(now, "take");
    note_work(slot.message);
    T message = std::move(slot.message);  // which leaves no resources behind
    release(slot, now);
    return message;
  }
  // Removes a message that has been read in place with peek().
  void drop(Cycle now) {
    auto& slot = arrived(now, "drop");
    note_work(slot.message);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      [[maybe_unused]] const T dropped = std::move(slot.message);  // releases its resources
    }
    release(slot, now);
  }

 private:
  friend class Simulator;
  friend class Inputs<T>;
  friend class Out<T>;
  friend class Wire<T>;
  void note_work(const T& message) {
    if constexpr (NamesWork<T>) wire_->receiver_->works_for(work_of(message));
  }
  typename Wire<T>::Slot& arrived(Cycle now, const char* what) {
    if (arrives_ > now) [[unlikely]]
      wire_->misuse(*this, what, now);
    return *oldest_;
  }
  void release(typename Wire<T>::Slot& slot, Cycle now) {
    slot.ready = kAsleep;
    slot.free = wire_->sender_->domain().now() + 1;
    oldest_ = slot.next;
    arrives_ = oldest_->ready;
    prefetch_on_host(*oldest_->next);
    if (arrives_ == kAsleep) *filled_ &= ~filled_bit_;
    wire_->out_->note_free(slot);
    wire_->count_take(slot.free, now);
    if (std::exchange(wire_->asked_, false)) wire_->sender_->wake_at(slot.free);
  }
  // A message has been put into a slot.
  void note_sent(const typename Wire<T>::Slot& slot) {
    if (&slot == oldest_) arrives_ = slot.ready;
    *filled_ |= filled_bit_;
  }
  // The wire is empty.
  void attach(Wire<T>& wire) {
    wire_ = &wire;
    oldest_ = &wire.slots_[0];
    arrives_ = kAsleep;
  }
  Wire<T>* wire_ = nullptr;
  typename Wire<T>::Slot* oldest_ = nullptr;  // of the oldest message, or of the next one
  Cycle arrives_ = kAsleep;                   // when the oldest message arrives
  uint64_t alone_ = 0;                        // filled_ of an input that is in no Inputs
  uint64_t* filled_ = &alone_;                // where a bit tells that messages are on the wire
  uint64_t filled_bit_ = 1;
};

// Inputs of one kind, such as one from each client of a box. They know on which of their wires messages are,
// so that a box asks only those: a message there may still be under way, which peek() tells.
template <class T>
class Inputs {
 public:
  explicit Inputs(size_t count = 0) : ports_(count), filled_((count + 63) / 64) {
    for (size_t i = 0; i < count; i++) {
      ports_[i].filled_ = &filled_[i / 64];
      ports_[i].filled_bit_ = uint64_t{1} << i % 64;
    }
  }
  size_t size() const { return ports_.size(); }
  bool empty() const { return ports_.empty(); }
  In<T>& operator[](size_t i) { return ports_[i]; }
  const In<T>& operator[](size_t i) const { return ports_[i]; }
  In<T>* begin() { return ports_.data(); }
  In<T>* end() { return ports_.data() + ports_.size(); }
  const In<T>* begin() const { return ports_.data(); }
  const In<T>* end() const { return ports_.data() + ports_.size(); }

  // True if a message is on any of the wires.
  bool any_filled() const {
    return std::any_of(filled_.begin(), filled_.end(), [](uint64_t word) { return word != 0; });
  }
  // Calls visit(i) for each input i with messages on its wire, in rising order. It may take them.
  template <class Visit>
  void for_filled(const Visit& visit) const {
    for (size_t word = 0; word < filled_.size(); word++)
      for (uint64_t left = filled_[word]; left; left &= left - 1)
        visit(static_cast<unsigned>(word * 64) + static_cast<unsigned>(std::countr_zero(left)));
  }

 private:
  std::vector<In<T>> ports_;
  std::vector<uint64_t> filled_;  // a bit for each input
};

// The sending end.
template <class T>
class Out final : public Port {
 public:
  Out() : Port(false) {}

  // True if a message may be sent; with `count`, that many in this cycle. If not, the sender ticks again when
  // a slot comes free: only its own ticks may ask.
  bool ready(Cycle now) const { return opens_ <= now || ask(now); }
  bool ready(Cycle now, uint32_t count) const {
    if (count > wire_->count_ || !ready(now)) return count == 0;
    const uint32_t sent = wire_->last_ == now ? wire_->sent_ : 0;
    return (sent + count <= wire_->spec_.bandwidth &&
            (count == 0 || wire_->after(*next_, count - 1).free <= now)) ||
           ask(now);
  }

  // Sends a message. `cycles`: sender cycles for which the message occupies the wire because it is wider than
  // the wire; nothing else is sent in them, and it arrives with its last part.
  void send(Cycle now, const T& message, unsigned cycles = 1) { slot(now, cycles).message = message; }
  void send(Cycle now, T&& message, unsigned cycles = 1) { slot(now, cycles).message = std::move(message); }
  // Messages that may be sent in this and following cycles without a take; 0 if none may be sent in this one.
  uint32_t room(Cycle now) const {
    ask(now);
    return opens_ <= now ? wire_->count_ - static_cast<uint32_t>(wire_->occupied(now)) : 0;
  }

  // Sends a message that the caller fills in place before this tick ends. It starts as T{}.
  T& put(Cycle now, unsigned cycles = 1) {
    T& message = slot(now, cycles).message;
    message = T{};
    return message;
  }

 private:
  friend class Simulator;
  friend class In<T>;
  friend class Wire<T>;
  // Makes the sender tick when a slot comes free, since that may change its decision. Returns false.
  bool ask(Cycle now) const {
    // A receiver that ticked first at this instant has taken already: no take will come to wake the sender.
    if (const Cycle free = wire_->freed_at(); free > now) wire_->sender_->wake_at(free);
    else wire_->asked_ = true;
    return false;
  }
  typename Wire<T>::Slot& slot(Cycle now, unsigned cycles) {
    Wire<T>& wire = *wire_;
    auto& slot = *next_;
    if (opens_ > now) [[unlikely]]
      wire.misuse(*this, "send", now);
    if (wire.last_ != now) wire.last_ = now, wire.sent_ = 0;
    wire.sent_++;
    const Domain& receiver = wire.receiver_->domain();
    slot.ready = receiver.now() + wire.spec_.latency;
    slot.free = kAsleep;
    if (cycles > 1) [[unlikely]] {
      const Domain& sender = wire.sender_->domain();
      // This instant is the sender's last edge.
      slot.ready =
          receiver.cycle_at(sender.next_edge() + (cycles - 2) * sender.period()) + wire.spec_.latency;
      wire.clear_ = now + cycles;
      wire.sender_->wake_at(wire.clear_);
    } else if (wire.sent_ == wire.spec_.bandwidth) {
      wire.clear_ = now + 1;
    }
    next_ = slot.next;
    opens_ = std::max(next_->free, wire.clear_);
    prefetch_on_host(*next_->next);
    wire.in_->note_sent(slot);
    wire.count_send(now, receiver.now());
    wire.receiver_->wake_at(slot.ready);
    return slot;
  }
  // A message has been taken from a slot: of a full wire the next one.
  void note_free(const typename Wire<T>::Slot& slot) {
    if (&slot == next_) opens_ = std::max(slot.free, wire_->clear_);
  }
  void attach(Wire<T>& wire) {
    wire_ = &wire;
    next_ = &wire.slots_[0];
    opens_ = 0;
  }
  Wire<T>* wire_ = nullptr;
  typename Wire<T>::Slot* next_ = nullptr;  // of the next message
  Cycle opens_ = 0;                         // from when on the next message may be sent
};

// The name of a message type without its namespaces.
template <class T>
std::string_view message_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  name = name.substr(name.find("T = ") + 4);
  name = name.substr(0, name.find_first_of(";]"));
  const size_t colon = name.substr(0, name.find('<')).rfind(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

}  // namespace cutaway::engine
