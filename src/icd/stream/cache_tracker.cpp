#include "icd/stream/cache_tracker.h"

namespace cutaway::icd {
namespace {

constexpr VkPipelineStageFlags kPixelStages = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                              VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT |
                                              VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr uint32_t kPixelCaches = arch::kCacheColor | arch::kCacheDepth;
// Write-back caches.
constexpr uint32_t kWriteBack[] = {arch::kCacheColor, arch::kCacheDepth, arch::kCacheStorage};

}  // namespace

uint32_t read_paths(VkAccessFlags access) {
  uint32_t paths = 0;
  constexpr VkAccessFlags kCommandProcessor = VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                                              VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT |
                                              VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT;
  if (access & kCommandProcessor) paths |= kPathCommandProcessor;
  if (access & (VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT)) paths |= arch::kCacheVertex;
  // The constant loader performs uniform loads at constant offsets; other loads go through the texture
  // caches.
  if (access & VK_ACCESS_UNIFORM_READ_BIT) paths |= arch::kCacheConstant | arch::kCacheTexture;
  if (access & (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INPUT_ATTACHMENT_READ_BIT))
    paths |= arch::kCacheTexture;
  // Data that the same draw's programs also write is read through the storage cache. First-level caches must
  // drop their lines before, which an invalidate of the texture caches causes.
  if (access & VK_ACCESS_SHADER_READ_BIT) paths |= arch::kCacheStorage;
  if (access & VK_ACCESS_COLOR_ATTACHMENT_READ_BIT) paths |= arch::kCacheColor;
  if (access & VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT) paths |= arch::kCacheDepth;
  if (access & VK_ACCESS_TRANSFER_READ_BIT) paths |= kPathCopyEngine | arch::kCacheTexture;
  if (access & VK_ACCESS_HOST_READ_BIT) paths |= kPathHost;
  if (access & VK_ACCESS_MEMORY_READ_BIT) paths |= kPathAll;
  return paths;
}

uint32_t write_paths(VkAccessFlags access) {
  uint32_t paths = 0;
  if (access & VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT) paths |= arch::kCacheColor;
  if (access & VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT) paths |= arch::kCacheDepth;
  if (access & VK_ACCESS_SHADER_WRITE_BIT) paths |= arch::kCacheStorage;
  if (access & VK_ACCESS_TRANSFER_WRITE_BIT) paths |= kPathCopyEngine | kPixelCaches;
  // Captured vertices bypass every cache.
  if (access &
      (VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT))
    paths |= kPathCommandProcessor;
  if (access & VK_ACCESS_HOST_WRITE_BIT) paths |= kPathHost;
  if (access & VK_ACCESS_MEMORY_WRITE_BIT)
    paths |= kPathCopyEngine | kPathHost | kPixelCaches | arch::kCacheStorage | arch::kCacheTexture;
  return paths;
}

void CacheTracker::begin(arch::CommandWriter& writer) {
  const bool aliased = aliased_;
  *this = CacheTracker(shared_);
  aliased_ = aliased;
  if (shared_) held_ = arch::kCacheAll;
  writer.packet(arch::Opcode::kInvalidate, uint32_t{arch::kCacheAll});
}

void CacheTracker::end(arch::CommandWriter& writer) {
  wait(writer);
  flush(dirty_, writer);
}

void CacheTracker::draw(uint32_t read, uint32_t written) {
  held_ |= read | written;
  dirty_ |= written;
  busy_ = true;
}

void CacheTracker::transfer_draw(uint32_t read, uint32_t written) {
  draw(read, written);
  dirty_by_transfer_ |= written;
}

void CacheTracker::storage_write() { draw(0, arch::kCacheStorage); }

void CacheTracker::copy() {
  stale_ |= held_;
  busy_ = true;
}

uint32_t CacheTracker::barrier(const Barrier& barrier, arch::CommandWriter& writer) {
  owed_ |= write_paths(barrier.source & ~VK_ACCESS_TRANSFER_WRITE_BIT) & dirty_;
  if (barrier.source & VK_ACCESS_TRANSFER_WRITE_BIT) owed_ |= dirty_by_transfer_;
  const uint32_t destination = read_paths(barrier.destination) | write_paths(barrier.destination);

  // A cache sees its own writes at one address: it is flushed only for readers or writers on another path.
  uint32_t to_flush = 0;
  for (const uint32_t cache : kWriteBack)
    if ((owed_ & cache) && (aliased_ ? destination : destination & ~cache)) to_flush |= cache;

  // Nothing precedes the top of the pipe, nothing follows its bottom; the pixel units keep the order of draws
  // themselves.
  const VkPipelineStageFlags before = barrier.source_stages & ~VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
  const VkPipelineStageFlags after = barrier.destination_stages & ~VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
  const bool ordered = before && after && ((before | after) & ~kPixelStages);
  if (to_flush || (destination & held_ & stale_) || ordered) wait(writer);
  flush(to_flush, writer);

  const uint32_t to_invalidate = destination & held_ & stale_ & arch::kCacheAll;
  if (to_invalidate) {
    writer.packet(arch::Opcode::kInvalidate, to_invalidate);
    stale_ &= ~to_invalidate;
    if (!shared_) held_ &= ~(to_invalidate & ~dirty_);
  }
  return to_invalidate;
}

void CacheTracker::wait(arch::CommandWriter& writer) {
  if (busy_) writer.packet(arch::Opcode::kWaitIdle);
  busy_ = false;
}

void CacheTracker::flush(uint32_t caches, arch::CommandWriter& writer) {
  if (!caches) return;
  writer.packet(arch::Opcode::kFlush, caches);
  dirty_ &= ~caches;
  dirty_by_transfer_ &= ~caches;
  owed_ &= ~caches;
  // The other write-back caches become stale too: memory may be bound alternately to color and depth images.
  for (const uint32_t cache : kWriteBack)
    if (caches & cache) stale_ |= aliased_ ? held_ : held_ & ~cache;
}

}  // namespace cutaway::icd
