#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "func/texture/buffer_load.h"
#include "isa/instruction.h"
#include "messages/draw_state.h"
#include "messages/storage_message.h"

namespace cutaway::boxes {

// An instruction of a group that loads, stores or does atomics in buffers or images: what of memory each lane
// touches, and what it gets or gives.
class StorageAccess {
 public:
  static constexpr uint32_t kLaneBytes = 16;
  using Words = uint32_t[4][messages::kMaxStorageLanes];

  messages::StorageJob::Kind kind = messages::StorageJob::Kind::kLoad;
  bool queued = false;   // to be sent
  bool cached = false;   // a first level may give it
  bool returns = false;  // somebody reads what it gives
  uint32_t missing = 0;  // transactions that have not been answered, if it returns

  // source: values of sources by lane; of lanes in `active`. Only those in `storing` write.
  void plan(const isa::Instruction& instruction, bool has_destination, const messages::StageState& state,
            const Words (&source)[3], uint32_t width, uint64_t active, uint64_t storing);
  bool sent_all() const { return next_ == lanes_; }
  // The line of the next transaction.
  arch::Address next_line(uint32_t line_bytes) const;
  // The next transaction: of all lanes, what they touch in next_line() and has not been sent.
  void make_job(uint32_t line_bytes, messages::StorageJob& job) const;
  // It has left.
  void mark_sent(uint32_t line_bytes, arch::Address line);
  // What a transaction that returns has brought.
  void answer(uint32_t line_bytes, const messages::StorageJob& job);
  // By lane, when all have been answered.
  void results(const messages::StageState& state, Words& result) const;

 private:
  void plan_buffer_load(const arch::Surface& buffer, const Words (&source)[3], uint64_t active);
  void plan_lane(const messages::StageState& state, const Words (&source)[3], uint32_t lane, bool stores);
  void plan_image(const messages::StageState& state, const Words (&source)[3], uint32_t lane, bool stores);
  void plan_atomic(const Words (&source)[3], uint32_t lane, bool stores, bool there, arch::Address address);
  uint32_t touched(uint32_t lane, arch::Address line, uint32_t line_bytes) const;
  void skip_sent();

  isa::Instruction instruction_;
  uint32_t lanes_ = 0;  // that there are
  uint32_t next_ = 0;   // the first with something to send, or how many there are
  std::array<arch::Address, messages::kMaxStorageLanes> address_;
  std::array<uint16_t, messages::kMaxStorageLanes> bytes_, to_send_;  // from address_ on, bit each
  std::array<std::array<std::byte, kLaneBytes>, messages::kMaxStorageLanes> data_;
  std::array<uint32_t, messages::kMaxStorageLanes> a_, b_;
  uint64_t storing_ = 0;
  std::array<func::BufferLoad, messages::kMaxStorageLanes / 4> load_;
};

}  // namespace cutaway::boxes
