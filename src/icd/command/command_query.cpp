#include <bit>

#include "icd/command/command_buffer.h"
#include "icd/resource/buffer.h"
#include "icd/sync/query_pool.h"

// Queries, and what depends on their results: conditional rendering.
namespace cutaway::icd {
namespace {

// stream: of queries of a vertex stream's primitives.
void write_query(CommandBuffer& buffer, const QueryPool& pool, uint32_t query, arch::QueryPoint point,
                 uint32_t stream = 0) {
  buffer.stream().writer().packet(arch::Opcode::kWriteQuery,
                                  arch::QueryPacket{static_cast<uint32_t>(pool.kind()) + stream,
                                                    pool.address(query), static_cast<uint32_t>(point)});
}

// "Query Operation", with multiview: a query takes as many places of its pool as the subpass has views. The
// first has the sum of all; the others are zero, timestamps alike.
void end_query(CommandBuffer& buffer, const QueryPool& pool, uint32_t query, uint32_t stream = 0) {
  write_query(buffer, pool, query, arch::QueryPoint::kEnd, stream);
  for (uint32_t view = 1; view < buffer.pass().views() && query + view < pool.queries(); view++) {
    if (pool.kind() != arch::QueryKind::kTimestamp)
      write_query(buffer, pool, query + view, arch::QueryPoint::kBegin);
    write_query(buffer, pool, query + view, arch::QueryPoint::kEnd);
  }
}

void count(CommandBuffer& buffer, const QueryPool& pool, bool on) {
  if (pool.kind() == arch::QueryKind::kSamplesPassed) buffer.draws().count_samples(on);
  if (pool.kind() == arch::QueryKind::kStatistics || pool.kind() == arch::QueryKind::kGeneratedOfStream0)
    buffer.draws().count_statistics(on);
}

}  // namespace

void CmdResetQueryPool(VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count) {
  if (!count) return;
  CommandStream& stream = object(commands)->stream();
  stream.writer().packet(
      arch::Opcode::kFillBuffer,
      arch::FillBufferPacket{object(pool)->address(first), uint64_t{count} * object(pool)->query_bytes(), 0});
  stream.caches().copy();
  // Queries that follow write there without a barrier of the application's.
  stream.barrier({VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0});
}

void CmdBeginQueryIndexedEXT(VkCommandBuffer commands, VkQueryPool pool, uint32_t query, VkQueryControlFlags,
                             uint32_t index) {
  CommandBuffer& buffer = *object(commands);
  count(buffer, *object(pool), true);
  write_query(buffer, *object(pool), query, arch::QueryPoint::kBegin, index);
}

void CmdEndQueryIndexedEXT(VkCommandBuffer commands, VkQueryPool pool, uint32_t query, uint32_t index) {
  CommandBuffer& buffer = *object(commands);
  count(buffer, *object(pool), false);
  end_query(buffer, *object(pool), query, index);
}

void CmdBeginQuery(VkCommandBuffer commands, VkQueryPool pool, uint32_t query, VkQueryControlFlags flags) {
  CmdBeginQueryIndexedEXT(commands, pool, query, flags, 0);
}

void CmdEndQuery(VkCommandBuffer commands, VkQueryPool pool, uint32_t query) {
  CmdEndQueryIndexedEXT(commands, pool, query, 0);
}

void CmdWriteTimestamp(VkCommandBuffer commands, VkPipelineStageFlagBits, VkQueryPool pool, uint32_t query) {
  end_query(*object(commands), *object(pool), query);
}

void CmdWriteTimestamp2(VkCommandBuffer commands, VkPipelineStageFlags2, VkQueryPool pool, uint32_t query) {
  end_query(*object(commands), *object(pool), query);
}

void CmdCopyQueryPoolResults(VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count,
                             VkBuffer destination, VkDeviceSize offset, VkDeviceSize stride,
                             VkQueryResultFlags flags) {
  if (!count) return;
  const QueryPool& queries = *object(pool);
  CommandStream& stream = object(commands)->stream();
  arch::CopyQueriesPacket packet{queries.address(first),
                                 object(destination)->address() + offset,
                                 stride,
                                 count,
                                 queries.query_bytes(),
                                 queries.values(),
                                 0};
  uint64_t entry = static_cast<uint64_t>(std::popcount(queries.values()));
  if (flags & VK_QUERY_RESULT_64_BIT) packet.flags |= arch::kQueries64Bit;
  if (flags & VK_QUERY_RESULT_PARTIAL_BIT) packet.flags |= arch::kQueriesPartial;
  if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) packet.flags |= arch::kQueriesAvailability, entry++;
  entry *= result_bytes(flags);
  // "vkCmdCopyQueryPoolResults": sees earlier queries of this queue without a barrier.
  stream.writer().packet(arch::Opcode::kWaitIdle);
  if (count > 1 && stride < entry) {  // later results overwrite earlier ones
    packet.queries = 1;
    for (uint32_t i = 0; i < count; i++) {
      packet.source = queries.address(first + i);
      packet.destination = object(destination)->address() + offset + i * stride;
      stream.writer().packet(arch::Opcode::kCopyQueries, packet);
    }
  } else {
    stream.writer().packet(arch::Opcode::kCopyQueries, packet);
  }
  stream.caches().copy();
}

void CmdBeginConditionalRenderingEXT(VkCommandBuffer commands,
                                     const VkConditionalRenderingBeginInfoEXT* info) {
  const bool inverted = info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
  object(commands)->stream().set_predicate(
      {object(info->buffer)->address() + info->offset, inverted ? uint32_t{1} : uint32_t{0}});
}

void CmdEndConditionalRenderingEXT(VkCommandBuffer commands) { object(commands)->stream().set_predicate({}); }

}  // namespace cutaway::icd
