#include "boxes/memory_controller/own_memory.h"

#include <cstring>

#include "base/error.h"

namespace cutaway::boxes {

void OwnMemory::give(unsigned client, arch::Address first, uint64_t bytes) {
  Part& part = parts_[client];
  part = {first, &part.kept, std::vector<std::byte>(bytes)};
}

void OwnMemory::give(unsigned client, arch::Address first, std::vector<std::byte>& bytes) {
  parts_[client] = {first, &bytes};
}

BlockTags::Transfers OwnMemory::act(unsigned client, const messages::MemoryRequest& request,
                                    messages::MemoryReply& reply) {
  const Part& own = parts_[client];
  const uint64_t at = request.address - own.first;
  const uint64_t size = own.bytes->size();
  CUTAWAY_CHECK(at < size && size - at >= messages::kSectorBytes, "{} is beyond a client's own memory", at);
  std::byte* sector = &(*own.bytes)[at];
  const auto transferred =
      static_cast<uint8_t>(1u << request.address % BlockTags::kBlockBytes / messages::kSectorBytes);
  if (!request.write) {
    std::memcpy(reply.data.data(), sector, messages::kSectorBytes);
    return {.reads = transferred, .bytes = request.mask};
  }
  messages::copy_bytes(request.mask, request.data.data(), sector);
  return {.writes = transferred, .bytes = request.mask};
}

}  // namespace cutaway::boxes
