#pragma once

#include <cstdint>

#include "arch/packet.h"
#include "icd/vulkan.h"

namespace cutaway::icd {

// Paths between the machine and memory that a Vulkan access may take: the caches of arch::CacheBits, and
// those that go past every cache.
constexpr uint32_t kPathCopyEngine = 1 << 8;        // copies, fills
constexpr uint32_t kPathCommandProcessor = 1 << 9;  // indirect arguments
constexpr uint32_t kPathHost = 1 << 10;
constexpr uint32_t kPathAll = arch::kCacheAll | kPathCopyEngine | kPathCommandProcessor | kPathHost;

// The paths that the accesses of a barrier's mask may take (Vulkan "Access Types"). Transfers are the copy
// engine's work or, as clears and blits, draws of the driver.
uint32_t read_paths(VkAccessFlags access);
uint32_t write_paths(VkAccessFlags access);

// Derives FLUSH, INVALIDATE and WAIT_IDLE packets from barriers. It knows which caches may hold dirty lines,
// which hold any line at all and behind which of these memory has changed since, so that a barrier costs
// nothing where nothing happened. A command buffer starts cold.
class CacheTracker {
 public:
  // INVALIDATE of everything.
  void begin(arch::CommandWriter& writer);
  // FLUSH of all that is dirty: results are in memory when the stream has ended.
  void end(arch::CommandWriter& writer);

  // A draw that reads through the caches `read` and writes through `written` (color, depth, storage).
  void draw(uint32_t read, uint32_t written);
  // A draw of the driver's own that is a transfer to Vulkan: a clear or a blit outside of render passes.
  void transfer_draw(uint32_t read, uint32_t written);
  // A constant load or another read outside a draw.
  void read(uint32_t caches) { held_ |= caches; }
  // A program that stores to buffers or images.
  void storage_write();
  // A packet of the copy engine.
  void copy();

  struct Barrier {
    VkPipelineStageFlags source_stages = 0, destination_stages = 0;
    VkAccessFlags source = 0, destination = 0;
  };
  // Returns the CacheBits that were invalidated.
  uint32_t barrier(const Barrier& barrier, arch::CommandWriter& writer);

 private:
  void wait(arch::CommandWriter& writer);
  void flush(uint32_t caches, arch::CommandWriter& writer);

  uint32_t dirty_ = 0;  // may hold lines that memory does not have
  uint32_t dirty_by_transfer_ = 0;
  uint32_t owed_ = 0;   // of the dirty ones: a barrier asked for availability, no reader came yet
  uint32_t held_ = 0;   // may hold lines
  uint32_t stale_ = 0;  // memory changed by another path while they held lines
  bool busy_ = false;   // work since the last WAIT_IDLE
};

}  // namespace cutaway::icd
