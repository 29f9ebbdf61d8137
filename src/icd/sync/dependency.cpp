#include "icd/sync/dependency.h"

namespace cutaway::icd {
namespace {

// Replacements for bits beyond the 32 of version 1.0.
struct Wide {
  uint64_t wide;
  uint32_t narrow;
};
constexpr Wide kStages[] = {
    {VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
         VK_PIPELINE_STAGE_2_CLEAR_BIT,
     VK_PIPELINE_STAGE_TRANSFER_BIT},
    {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
     VK_PIPELINE_STAGE_VERTEX_INPUT_BIT},
    {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT,
     VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT |
         VK_PIPELINE_STAGE_TESSELLATION_EVALUATION_SHADER_BIT | VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT},
};
constexpr Wide kAccesses[] = {
    {VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT, VK_ACCESS_SHADER_READ_BIT},
    {VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, VK_ACCESS_SHADER_WRITE_BIT},
    // "VK_ACCESS_2_SHADER_READ_BIT is equivalent to the logical OR of" the above and uniform reads.
    {VK_ACCESS_2_SHADER_READ_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT},
};

template <size_t kCount>
uint32_t narrowed(uint64_t bits, const Wide (&table)[kCount]) {
  auto narrow = static_cast<uint32_t>(bits);
  for (const Wide& row : table)
    if (bits & row.wide) narrow |= row.narrow;
  return narrow;
}

template <class Memory>
void add(const Memory& from, CacheTracker::Barrier& to) {
  to.source_stages |= stages_of(from.srcStageMask);
  to.destination_stages |= stages_of(from.dstStageMask);
  to.source |= accesses_of(from.srcAccessMask);
  to.destination |= accesses_of(from.dstAccessMask);
}

}  // namespace

VkPipelineStageFlags stages_of(VkPipelineStageFlags2 stages) { return narrowed(stages, kStages); }
VkAccessFlags accesses_of(VkAccessFlags2 accesses) { return narrowed(accesses, kAccesses); }

CacheTracker::Barrier barrier_of(const VkMemoryBarrier2& memory) {
  CacheTracker::Barrier barrier;
  add(memory, barrier);
  return barrier;
}

CacheTracker::Barrier barrier_of(const VkDependencyInfo& dependency) {
  CacheTracker::Barrier barrier;
  for (uint32_t i = 0; i < dependency.memoryBarrierCount; i++) add(dependency.pMemoryBarriers[i], barrier);
  for (uint32_t i = 0; i < dependency.bufferMemoryBarrierCount; i++)
    add(dependency.pBufferMemoryBarriers[i], barrier);
  for (uint32_t i = 0; i < dependency.imageMemoryBarrierCount; i++)
    add(dependency.pImageMemoryBarriers[i], barrier);
  return barrier;
}

}  // namespace cutaway::icd
