// Tests that the records cover every counter and every reason to wait, except those listed here with the
// reason.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "records.h"

namespace cutaway::records {
namespace {

struct Still {
  const char* kind;  // of kind_of(); a '*' at its end stands for the rest
  const char* why;
};

constexpr const char* kNoWork = "a unit without anything at this input is idle: it does not wait";
constexpr const char* kTaken = "its receiver takes whatever comes";
constexpr const char* kReader = "a client that only reads";
constexpr const char* kOrders = "orders come while the unit has nothing else to do, and one at a time";
constexpr const char* kWaits = "the command processor names what it waits for, not the full wire behind it";
constexpr const char* kOwnWalk = "a walk of the page table is the unit's own work, whatever it waits for";
constexpr const char* kReplies = "whoever cannot send also has a reply to wait for, and names that";

constexpr Still kStill[] = {
    {"gpu.address_translation.starved.*", kOwnWalk},
    {"gpu.address_translation.blocked.memory_out", kOwnWalk},
    {"gpu.memory_controller.page_walker.write_bytes", kReader},
    {"gpu.bus.starved.requests_in", kNoWork},
    {"gpu.bus.starved.fences_in", kNoWork},
    {"gpu.memory_controller.starved.bus_in", kNoWork},
    {"gpu.bus.blocked.doorbells_out", kTaken},
    {"gpu.bus.blocked.fences_out", kTaken},
    {"gpu.bus.blocked.replies_out", kTaken},
    {"gpu.clipper#.starved.primitives_in", kNoWork},
    {"gpu.color_write#.starved.quads_in", kNoWork},
    {"gpu.constant_loader.starved.commands_in", kNoWork},
    {"gpu.copy_engine.starved.commands_in", kNoWork},
    {"gpu.dac.starved.presents_in", kNoWork},
    {"gpu.dac.blocked.shown_out", kTaken},
    {"gpu.host.starved.shown_in", kNoWork},
    {"gpu.group_fifo#.starved.groups_in", kNoWork},
    {"gpu.hierarchical_z#.starved.tiles_in", kNoWork},
    {"gpu.hierarchical_z#.starved.updates_in[#]", kNoWork},
    {"gpu.memory_controller.starved.requests[#]", kNoWork},
    {"gpu.primitive_assembly#.starved.vertices_in", kNoWork},
    {"gpu.reorder_buffer#.starved.entries_in", kNoWork},
    {"gpu.shader#.starved.fragments_in", kNoWork},
    {"gpu.shader#.starved.vertices_in", kNoWork},
    {"gpu.streamer#.starved.draws_in", kNoWork},
    {"gpu.texture#.starved.jobs_in", kNoWork},
    {"gpu.texture_arbiter#.starved.jobs_in[#]", kNoWork},
    {"gpu.texture_arbiter#.starved.results_in", kNoWork},
    {"gpu.texture_cache#.starved.requests_in[#]", kNoWork},
    {"gpu.triangle_setup#.starved.primitives_in", kNoWork},
    {"gpu.work_distributor.starved.vertices_in[#]", kNoWork},
    {"gpu.color_write#.blocked.draw_done", kTaken},
    {"gpu.constant_loader.blocked.blocks_out", kTaken},
    {"gpu.copy_engine.blocked.done_out", kTaken},
    {"gpu.dac.blocked.done_out", kTaken},
    {"gpu.primitive_assembly#.blocked.assembled_out", kTaken},
    {"gpu.shader#.blocked.quads_out[#]", kTaken},
    {"gpu.texture#.blocked.jobs_out", kTaken},
    {"gpu.texture_arbiter#.blocked.results_out[#]", kTaken},
    {"gpu.z_stencil#.blocked.updates_out[#]", kTaken},
    {"gpu.memory_controller.constant_loader.write_bytes", kReader},
    {"gpu.memory_controller.dac.write_bytes", kReader},
    {"gpu.memory_controller.streamer_index#.write_bytes", kReader},
    {"gpu.memory_controller.streamer_vertex#.write_bytes", kReader},
    {"gpu.memory_controller.texture#.write_bytes", kReader},
    {"gpu.memory_controller.texture_cache#.write_bytes", kReader},
    {"gpu.color_write#.blocked.control_out", kOrders},
    {"gpu.color_write#.starved.control_in", kOrders},
    {"gpu.hierarchical_z#.blocked.control_out", kOrders},
    {"gpu.hierarchical_z#.starved.control_in", kOrders},
    {"gpu.streamer#.blocked.control_out", kOrders},
    {"gpu.streamer#.starved.control_in", kOrders},
    {"gpu.texture#.blocked.control_out", kOrders},
    {"gpu.texture#.starved.control_in", kOrders},
    {"gpu.texture_cache#.blocked.control_out", kOrders},
    {"gpu.texture_cache#.starved.control_in", kOrders},
    {"gpu.z_stencil#.blocked.control_out", kOrders},
    {"gpu.z_stencil#.starved.control_in", kOrders},
    {"gpu.copy_engine.blocked.clears_out", kOrders},
    {"gpu.memory_controller.blocked.cleared_out", kOrders},
    {"gpu.memory_controller.starved.clears_in", kOrders},
    {"gpu.memory_controller.tags.host_blocks_expanded",
     "the host of a scene writes no surface that is cleared"},
    {"gpu.command_processor.blocked.*", kWaits},
    {"gpu.color_write#.blocked.memory_out", kReplies},
    {"gpu.constant_loader.blocked.memory_out", kReplies},
    {"gpu.dac.blocked.memory_out", kReplies},
    {"gpu.streamer#.blocked.index_memory_out", kReplies},
    {"gpu.streamer#.blocked.memory_out", kReplies},
    {"gpu.texture#.blocked.memory_out", kReplies},
    {"gpu.texture#.blocked.memory_out[#]", kReplies},
    {"gpu.texture_cache#.blocked.memory_out", kReplies},
    {"gpu.z_stencil#.blocked.memory_out", kReplies},
};

bool matches(std::string_view pattern, std::string_view kind) {
  if (!pattern.ends_with('*')) return pattern == kind;
  return kind.starts_with(pattern.substr(0, pattern.size() - 1));
}

TEST(RecordFiles, MoveEveryCounterAndEveryReasonToWait) {
  std::set<std::string> moved;
  for (const Shape& shape : shapes())
    for (const std::string& scene : scenes_of(shape))
      for (const auto& [name, value] : read(shape.name, scene)) moved.insert(kind_of(name));
  // Every kind of box: texture units with memory behind them and with slices of a second level, channels
  // apart and in ROP partitions.
  std::set<std::string> kinds;
  for (const unsigned slices : {0u, 2u}) {
    machine::Config config;
    config.shaders.front().topology.units_per_texture = 2;
    config.shaders.front().topology.units_per_cluster = 2;
    config.texture_cache.slices = slices;
    config.rop.channels_each = slices;        // with slices: ROP partitions too
    config.bus.bytes_per_cycle = 8 * slices;  // and a bus
    config.host.cpu = slices;                 // and a host in time
    if (slices) config.translation.pages = boxes::PageSize::k4;
    machine::Machine gpu(config, arch::Memory());
    for (const Counter& counter : gpu.simulator().counters().counters())
      kinds.insert(kind_of(counter.full_name()));
  }
  for (const std::string& kind : kinds) {
    const auto still = std::find_if(std::begin(kStill), std::end(kStill),
                                    [&](const Still& s) { return matches(s.kind, kind); });
    if (still == std::end(kStill)) EXPECT_TRUE(moved.contains(kind)) << kind << ": 0 in every record";
    else EXPECT_FALSE(moved.contains(kind)) << kind << " moves, but is said not to: " << still->why;
  }
  for (const Still& still : kStill)
    EXPECT_TRUE(
        std::any_of(kinds.begin(), kinds.end(), [&](const auto& k) { return matches(still.kind, k); }))
        << still.kind << ": there is no such counter";
}

}  // namespace
}  // namespace cutaway::records
