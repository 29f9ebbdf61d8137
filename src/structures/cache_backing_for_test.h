#pragma once

#include <cstring>
#include <vector>

#include "structures/cache.h"

namespace cutaway::structures::cache_bench {

// A memory that answers every request at once.
struct Backing {
  std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16);
  uint64_t reads = 0, writes = 0;
  bool tagged = false;  // blocks may be packed; here all come whole
  std::vector<messages::MemoryRequest> seen;

  void serve(Cache& cache) {
    while (cache.has_request()) {
      const messages::MemoryRequest request = cache.request();
      cache.pop_request();
      messages::MemoryReply reply{.tag = request.tag, .write = request.write};
      if (request.write) {
        writes++;
        for (uint32_t i = 0; i < messages::kSectorBytes; i++)
          if (request.mask >> i & 1) bytes[request.address + i] = request.data[i];
      } else {
        reads++;
        reply.declined = request.opportunistic != messages::Opportunistic::kNo && !tagged;
        reply.may_pack = tagged && (request.packs || request.stack);
        if (!reply.declined) std::memcpy(reply.data.data(), &bytes[request.address], messages::kSectorBytes);
      }
      seen.push_back(request);
      cache.reply(reply);
    }
  }
};

}  // namespace cutaway::structures::cache_bench
