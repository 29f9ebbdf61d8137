#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "messages/storage_message.h"
#include "structures/replacement/replacement.h"

namespace cutaway::boxes {

// The first level of what the groups of a shader unit load from buffers and images, before the storage cache.
// It keeps what loads bring, whole sectors of them, and gives it to loads that need not see what other units
// store meanwhile; what its own unit stores it always gives as stored. It has nothing that the storage cache
// does not have: stores change lines that are here and go on, atomics and other loads go on, and what they
// touch is forgotten. It knows no clock: the unit asks, sends what misses, and hands the replies in.
class StorageL1 {
 public:
  struct Geometry {
    uint32_t lines = 0, ways = 1, line_bytes = 64;
    uint32_t pending = 1;  // lines under way, and loads that wait for one that another has asked for
    structures::ReplacementName replacement = "lru";
  };
  // kHit: the job has its bytes. kMerged: it waits for a line under way. kMiss: it is to be sent, and now
  // asks for whole sectors. kStall: there is no place for its line, or none to wait at; nothing has changed.
  enum class Outcome : uint8_t { kHit, kMerged, kMiss, kStall };

  explicit StorageL1(const Geometry& geometry);

  explicit operator bool() const { return geometry_.lines != 0; }
  // may_miss: else what would miss stalls.
  Outcome load(const messages::PoolRef<messages::StorageJob>& job, bool may_miss = true);
  // A store, an atomic, or a load that must see what others have stored, on its way.
  void pass(const messages::StorageJob& job);
  // The reply to a load that has missed. Calls answered(job) for those that waited for it.
  template <class Answered>
  void fill(const messages::StorageJob& job, Answered&& answered);
  // Forgets all, and keeps nothing of what is under way.
  void invalidate();
  uint32_t waiting() const { return static_cast<uint32_t>(waiting_.size()); }

 private:
  static constexpr uint32_t kNone = ~0u;
  static constexpr arch::Address kNowhere = ~arch::Address{0};
  using Bytes = messages::LineBytes;
  struct Line {
    arch::Address address = kNowhere;
    uint32_t under_way = 0;  // fills
    Bytes valid{};
  };
  struct Fill {
    uint64_t number = 0;
    arch::Address address = 0;
    uint32_t line = kNone;  // kNone: it is kept nowhere
    Bytes brings{};         // of what it was asked for, what is to be kept
  };
  struct Waiting {
    uint64_t fill = 0;
    Bytes bytes{};  // that it takes from the fill
    messages::PoolRef<messages::StorageJob> job;
  };

  uint32_t set_of(arch::Address address) const;
  uint32_t line_of(arch::Address address) const;
  uint32_t place_for(arch::Address address) const;
  void make(uint32_t line, arch::Address address);
  void note_use(uint32_t line);
  bool merge(const messages::PoolRef<messages::StorageJob>& job, const Fill& fill);
  void copy_out(uint32_t line, const Bytes& bytes, messages::StorageJob& job) const;
  void copy_in(uint32_t line, const Bytes& bytes, const messages::StorageJob& job);
  uint32_t keep(const messages::StorageJob& job);

  Geometry geometry_;
  std::vector<Line> lines_;
  std::vector<std::byte> data_;
  std::vector<Fill> fills_;  // those of a line in the order in which they are answered
  std::vector<Waiting> waiting_;
  std::unique_ptr<structures::Replacement> replacement_;
  uint64_t fills_begun_ = 0;
};

template <class Answered>
void StorageL1::fill(const messages::StorageJob& job, Answered&& answered) {
  const uint32_t found = keep(job);
  const uint64_t number = fills_[found].number;
  fills_.erase(fills_.begin() + found);
  size_t left = 0;
  for (size_t i = 0; i < waiting_.size(); i++) {
    Waiting& one = waiting_[i];
    if (one.fill == number) {
      messages::copy_bytes(one.bytes, job.data.data(), one.job->data.data());
      answered(std::move(one.job));
    } else {
      if (left != i) waiting_[left] = std::move(one);
      left++;
    }
  }
  waiting_.resize(left);
}

}  // namespace cutaway::boxes
