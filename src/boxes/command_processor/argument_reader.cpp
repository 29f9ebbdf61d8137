#include "boxes/command_processor/argument_reader.h"

#include <cstring>

namespace cutaway::boxes {

using messages::kSectorBytes;

uint32_t ArgumentReader::sectors(arch::Address address, size_t bytes) {
  return static_cast<uint32_t>((address % kSectorBytes + bytes - 1) / kSectorBytes + 1);
}

std::optional<messages::MemoryRequest> ArgumentReader::wants(arch::Address address, size_t bytes) const {
  if (asked_ == sectors(address, bytes)) return std::nullopt;
  return messages::MemoryRequest{.address = address - address % kSectorBytes + asked_ * kSectorBytes,
                                 .tag = first_tag_ + asked_};
}

void ArgumentReader::reply(const messages::MemoryReply& reply) {
  const uint32_t sector = reply.tag - first_tag_;
  std::memcpy(data_.data() + sector * kSectorBytes, reply.data.data(), kSectorBytes);
  arrived_++;
}

bool ArgumentReader::take(arch::Address address, std::span<std::byte> bytes) {
  if (arrived_ < sectors(address, bytes.size())) return false;
  std::memcpy(bytes.data(), data_.data() + address % kSectorBytes, bytes.size());
  asked_ = arrived_ = 0;
  return true;
}

}  // namespace cutaway::boxes
