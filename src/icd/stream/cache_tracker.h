#pragma once

#include <cstdint>

#include "arch/packet.h"
#include "icd/vulkan.h"

namespace cutaway::icd {

// Paths between the machine and memory that a Vulkan access may take: the caches of arch::CacheBits, and
// paths that bypass every cache.
constexpr uint32_t kPathCopyEngine = 1 << 8;        // copies, fills
constexpr uint32_t kPathCommandProcessor = 1 << 9;  // indirect arguments
constexpr uint32_t kPathHost = 1 << 10;
constexpr uint32_t kPathAll = arch::kCacheAll | kPathCopyEngine | kPathCommandProcessor | kPathHost;

// The paths of the accesses in a barrier's mask (Vulkan "Access Types"). Transfers are performed by the copy
// engine or, for clears and blits, by draws of the driver.
uint32_t read_paths(VkAccessFlags access);
uint32_t write_paths(VkAccessFlags access);

// Derives FLUSH, INVALIDATE and WAIT_IDLE packets from barriers. It tracks caches that may hold dirty lines,
// caches that hold any line, and caches whose lines memory has overtaken, so that a barrier costs nothing if
// nothing happened. A command buffer starts with cold caches.
class CacheTracker {
 public:
  // shared: work of another queue may bring lines into the caches at any time.
  explicit CacheTracker(bool shared = false) : shared_(shared) {}

  // From now on memory may have several addresses, so that a cache, which goes by addresses, does not see all
  // its own writes.
  void note_aliases() { aliased_ = true; }

  // Invalidates all caches.
  void begin(arch::CommandWriter& writer);
  // Flushes everything dirty: results are in memory when the stream has ended.
  void end(arch::CommandWriter& writer);

  // Notes a draw that reads through the caches `read` and writes through `written` (color, depth, storage).
  void draw(uint32_t read, uint32_t written);
  // Notes a draw of the driver that is a transfer to Vulkan: a clear or a blit outside of render passes.
  void transfer_draw(uint32_t read, uint32_t written);
  // Notes a constant load or another read outside a draw.
  void read(uint32_t caches) { held_ |= caches; }
  // Notes a program that stores to buffers or images.
  void storage_write();
  // Notes a packet of the copy engine.
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

  bool shared_, aliased_ = false;
  uint32_t dirty_ = 0;  // may hold lines newer than memory
  uint32_t dirty_by_transfer_ = 0;
  uint32_t owed_ = 0;   // dirty caches for which a barrier requested availability and no reader has come yet
  uint32_t held_ = 0;   // may hold lines
  uint32_t stale_ = 0;  // memory was changed by another path while they held lines
  bool busy_ = false;   // work since the last WAIT_IDLE
};

}  // namespace cutaway::icd
