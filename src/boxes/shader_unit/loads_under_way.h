#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "engine/domain.h"
#include "func/shader/micro_op.h"

namespace cutaway::boxes {

// The name of a request of a shader unit, which its answer has, too: the group, and its number among the
// instructions of the group that are under way.
struct RequestName {
  static constexpr uint32_t kGroups = 1024;  // of a unit

  uint32_t group = 0, load = 0;
  constexpr uint32_t number() const { return load * kGroups + group; }
  static constexpr RequestName of(uint32_t number) { return {number % kGroups, number / kGroups}; }
};

// The loads of a group whose results are under way while the group goes on. Each has a number below
// shader.loads_under_way, which its requests carry.
class LoadsUnderWay {
 public:
  static constexpr uint32_t kMost = 16;
  static constexpr uint32_t kNone = ~0u;

  // The unit that answers a load.
  enum class From : uint8_t { kTexture, kPull, kStorage };
  struct Load {
    const func::MicroOp* op = nullptr;
    uint32_t pc = 0;
    uint64_t lanes = 0;  // those that were active when it issued
    From from{};
    engine::Cycle not_before = 0;  // results of earlier instructions are still under way to its destination
  };

  // The load that the group waits for, or kNone: it goes on, or waits for something else.
  uint32_t awaited = kNone;

  // Returns the number of the load. Not if all are taken.
  uint32_t begin(const Load& load) {
    const auto number = static_cast<uint32_t>(std::countr_one(taken_));
    load_[number] = load;
    taken_ |= 1u << number;
    of_storage_ += load.from == From::kStorage;
    return number;
  }
  void end(uint32_t number) {
    taken_ &= ~(1u << number);
    of_storage_ -= load_[number].from == From::kStorage;
  }
  const Load& operator[](uint32_t number) const { return load_[number]; }
  bool none() const { return taken_ == 0; }
  uint32_t count() const { return static_cast<uint32_t>(std::popcount(taken_)); }
  uint32_t of_storage() const { return of_storage_; }

  // A load that the group waits for before it can issue `op`: one whose destination `op` reads or writes,
  // else any. There is one under way at least.
  uint32_t blocking(const func::MicroOp& op) const {
    for (uint32_t left = taken_; left; left &= left - 1) {
      const auto number = static_cast<uint32_t>(std::countr_zero(left));
      if (touches(op, *load_[number].op)) return number;
    }
    return any();
  }
  uint32_t any() const { return static_cast<uint32_t>(std::countr_zero(taken_)); }

 private:
  static bool touches(const func::MicroOp& op, const func::MicroOp& load) {
    if (op.dst_file == load.dst_file && op.dst == load.dst && (op.dst_mask & load.dst_mask)) return true;
    if (load.dst_file != isa::File::kTemporary) return false;
    for (const func::MicroSource& source : op.src) {
      if (source.file != isa::File::kTemporary) continue;
      for (uint32_t c = 0; c < 4; c++)
        if ((source.read >> c & 1) && source.component[c] / 4 == load.dst &&
            (load.dst_mask >> source.component[c] % 4 & 1))
          return true;
    }
    return false;
  }

  uint32_t taken_ = 0;  // numbers, bit each
  uint32_t of_storage_ = 0;
  std::array<Load, kMost> load_;
};

}  // namespace cutaway::boxes
