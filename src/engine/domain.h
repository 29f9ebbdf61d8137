#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cutaway::engine {

class Box;

using Cycle = uint64_t;                       // of a clock domain; the first edge is cycle 1
constexpr Cycle kAsleep = ~uint64_t{0} >> 1;  // no cycle: only a port wakes the box

// A clock and the boxes that it drives. Masks find the boxes with work in a cycle: one mask for boxes that
// asked for the next cycle, and a wheel of masks for wakes in later cycles.
class Domain {
 public:
  // Calls tick() of a box's own class. The host knows it before it has fetched the box.
  using TickCall = Cycle (*)(Box& box, Cycle now);

  Domain(std::string name, uint64_t period) : name_(std::move(name)), period_(period), edge_(period) {}
  Domain(const Domain&) = delete;

  const std::string& name() const { return name_; }
  uint64_t period() const { return period_; }  // in units common to all domains of a simulator
  Cycle now() const { return now_; }
  uint64_t next_edge() const { return edge_; }
  uint64_t boxes() const { return driven_.size(); }
  uint64_t executed_ticks() const { return executed_; }

  // The cycle that contains `time`, which must not be past.
  Cycle cycle_at(uint64_t time) const { return time < edge_ ? now_ : now_ + 1 + (time - edge_) / period_; }

 private:
  friend class Box;
  friend class Simulator;
  static constexpr Cycle kWheel = 256;
  struct Driven {
    Box* box;
    TickCall call;
  };
  struct FarWake {
    Cycle cycle;
    uint32_t box;
    bool operator<(const FarWake& other) const { return cycle > other.cycle; }  // the heap's top is the next
  };

  void add(Box& box, TickCall call);
  void shuffle(uint64_t seed);  // permutes the order of boxes in a cycle; 0 keeps it
  void elaborate();
  void advance() { now_++, edge_ += period_; }
  void tick(bool skip_idle);
  enum class Order : uint8_t { kRising, kFalling };
  template <Order kOrder>
  void tick_word(uint32_t word, uint64_t due);
  void wake_far(uint32_t box, Cycle cycle);

  std::string name_;
  uint64_t period_, edge_;
  Cycle now_ = 0;
  uint32_t words_ = 0;
  uint64_t executed_ = 0;
  std::vector<Driven> driven_;  // by index of the box
  std::vector<uint64_t> active_, all_;
  std::vector<uint64_t> wheel_;  // [word][cycle % kWheel]
  std::vector<FarWake> far_;     // beyond the wheel, as a heap
};

// Integer periods in the ratio of the frequencies, in units of 1 / their least common multiple. Frequencies
// may be in any one unit of at least 1 Hz, such as kHz. If the unit would be finer than 10^-15 of that
// frequency unit's period, periods are rounded to it.
std::vector<uint64_t> periods_of(std::span<const uint64_t> frequencies);

}  // namespace cutaway::engine
