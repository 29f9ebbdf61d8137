#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "messages/memory_message.h"

namespace cutaway::boxes {

// Reads words that a packet names in memory, of one access at a time: arguments of indirect draws,
// predicates, counts, awaited values. The words may lie in two sectors.
class ArgumentReader {
 public:
  static constexpr uint32_t kSectors = 2;

  // first_tag: of its kSectors requests.
  explicit ArgumentReader(uint32_t first_tag) : first_tag_(first_tag) {}

  bool idle() const { return asked_ == 0; }  // nothing has been asked for
  // The next request for these bytes, one in a cycle; none: all are asked for.
  std::optional<messages::MemoryRequest> wants(arch::Address address, size_t bytes) const;
  void asked() { asked_++; }
  bool owns(uint32_t tag) const { return tag - first_tag_ < kSectors; }
  void reply(const messages::MemoryReply& reply);
  // True: all have arrived and are copied, and the reader is idle. False: not yet.
  bool take(arch::Address address, std::span<std::byte> bytes);

 private:
  static uint32_t sectors(arch::Address address, size_t bytes);

  uint32_t first_tag_;
  uint32_t asked_ = 0, arrived_ = 0;  // sectors
  std::array<std::byte, kSectors * messages::kSectorBytes> data_{};
};

}  // namespace cutaway::boxes
