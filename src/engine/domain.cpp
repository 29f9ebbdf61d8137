#include "engine/domain.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.h"
#include "engine/box.h"

namespace cutaway::engine {

void Domain::add(Box& box, TickCall call) {
  driven_.push_back({&box, call});
  box.domain_ = this;
}

void Domain::shuffle(uint64_t seed) {
  if (!seed) return;
  uint64_t state = seed;
  for (size_t i = driven_.size(); i > 1; i--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(driven_[i - 1], driven_[(state >> 33) % i]);
  }
}

void Domain::elaborate() {
  words_ = static_cast<uint32_t>((driven_.size() + 63) / 64);
  wheel_.assign(kWheel * words_, 0);
  all_.assign(words_, 0);
  for (uint32_t i = 0; i < driven_.size(); i++) {
    Box& box = *driven_[i].box;
    box.index_ = i;
    box.bit_ = uint64_t{1} << i % 64;
    box.wheel_ = &wheel_[i / 64 * kWheel];
    all_[i / 64] |= box.bit_;
  }
  active_ = all_;
}

void Domain::tick(bool skip_idle) {
  while (!far_.empty() && far_.front().cycle <= now_) {
    active_[far_.front().box / 64] |= uint64_t{1} << far_.front().box % 64;
    std::pop_heap(far_.begin(), far_.end());
    far_.pop_back();
  }
  const auto tick_due = [&]<Order kOrder>(uint32_t word) {
    uint64_t& woken = wheel_[word * kWheel + now_ % kWheel];
    const uint64_t due = skip_idle ? active_[word] | woken : all_[word];
    woken = 0;
    if (due) tick_word<kOrder>(word, due);
  };
  // Every other cycle turns the order round: what the host's caches hold at the end of a cycle, of code and
  // of boxes, is used first in the next one.
  if (now_ % 2)
    for (uint32_t word = 0; word < words_; word++) tick_due.operator()<Order::kRising>(word);
  else
    for (uint32_t word = words_; word-- > 0;) tick_due.operator()<Order::kFalling>(word);
}

template <Domain::Order kOrder>
void Domain::tick_word(uint32_t word, uint64_t due) {
  const Driven* const driven = &driven_[size_t{word} * 64];
  const Cycle now = now_;
  uint64_t next_active = 0, ticks = 0;
  for (; due; ticks++) {
    const int place = kOrder == Order::kRising ? std::countr_zero(due) : 63 - std::countl_zero(due);
    const uint64_t bit = uint64_t{1} << place;
    due &= ~bit;
    const auto [ticked, call] = driven[place];
    Box& box = *ticked;
    const Cycle next = call(box, now);
    box.timer_ = next;
    if (next == now + 1) {
      next_active |= bit;
    } else if (next != kAsleep) {
      CUTAWAY_CHECK(next > now, "{} asks in cycle {} to be woken in {}", box.path(), now, next);
      // A timer lies beyond the wheel: the box ticks once for nothing and asks again.
      box.wake_at(std::min(next, now + kWheel - 1));
    }
  }
  active_[word] = next_active;
  executed_ += ticks;
}

void Domain::wake_far(uint32_t box, Cycle cycle) {
  far_.push_back({cycle, box});
  std::push_heap(far_.begin(), far_.end());
}

std::vector<uint64_t> periods_of(std::span<const uint64_t> frequencies) {
  constexpr uint64_t kFinest = 1'000'000'000'000'000;
  uint64_t multiple = 1;
  for (const uint64_t frequency : frequencies) {
    CUTAWAY_CHECK(frequency > 0 && frequency <= kFinest, "a clock of frequency {}", frequency);
    const uint64_t factor = frequency / std::gcd(multiple, frequency);
    multiple = factor > kFinest / multiple ? kFinest : multiple * factor;
    if (multiple == kFinest) break;
  }
  std::vector<uint64_t> periods;
  for (const uint64_t frequency : frequencies) periods.push_back((multiple + frequency / 2) / frequency);
  return periods;
}

}  // namespace cutaway::engine
