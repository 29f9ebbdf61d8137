// The streamer's vertex fetch: attributes through the fetch cache into the input registers of a group.
#include <bit>

#include "boxes/streamer/streamer.h"
#include "func/shader/micro_op.h"

namespace cutaway::boxes {

using engine::Cycle;
using parts::Cache;
using parts::kSectorBytes;

// Attributes of the oldest vertex that still has some to look up. A read pins its lines until it is
// delivered; reads are delivered in order, so that those ahead always come to let go of theirs.
bool Streamer::look_up_attributes(Cycle) {
  bool progress = false;
  unsigned budget = spec_.attributes_per_cycle;
  for (uint32_t i = 0; i < fetches_.size() && budget; i++) {
    Fetch& fetch = fetches_[i];
    const func::Assembly& assembly = fetch.state->registers.assembly;
    for (; fetch.to_look_up && budget; budget--) {
      if (reads_.full()) return progress;
      if (reads_.empty() || reads_.back().lines == reads_.back().lines_wanted) {
        AttributeRead& read = reads_.push();
        read.attribute = static_cast<uint32_t>(std::countr_zero(fetch.to_look_up));
        read.plan = func::plan_vertex_fetch(assembly, read.attribute, fetch.vertex, fetch.instance,
                                            fetch.draw.first_instance);
        const uint64_t first = read.plan.address / kSectorBytes;
        const uint64_t last = (read.plan.address + read.plan.bytes - 1) / kSectorBytes;
        read.lines_wanted = read.plan.reads_memory() ? static_cast<uint8_t>(last - first + 1) : 0;
        progress = true;
      }
      if (!pin_lines(reads_.back())) return progress;
      fetch.to_look_up &= fetch.to_look_up - 1;
      progress = true;
    }
    if (fetch.to_look_up) break;
  }
  return progress;
}

bool Streamer::pin_lines(AttributeRead& read) {
  while (read.lines < read.lines_wanted) {
    const arch::Address address = (read.plan.address / kSectorBytes + read.lines) * kSectorBytes;
    const Cache::Outcome outcome = cache_.access(address, 1, fetches_.front().origin, read.line[read.lines]);
    if (outcome == Cache::Outcome::kStall) return false;
    (outcome == Cache::Outcome::kHit ? counters.cache_hits : counters.cache_misses)++;
    read.lines++;
  }
  return true;
}

// Delivers what has arrived, in order, and closes groups that are full.
bool Streamer::deliver_attributes(Cycle now) {
  bool progress = false;
  for (unsigned budget = spec_.attributes_per_cycle; budget && !fetches_.empty(); budget--) {
    if (group_.lanes == group_lanes_ && lanes_done_ == group_.lanes) return progress | close_group(now);
    Fetch& fetch = fetches_.front();
    if (group_.lanes && group_.state != fetch.state && lanes_done_ == group_.lanes)
      return progress | close_group(now);
    if (lanes_done_ == group_.lanes) {
      begin_lane(fetch);
      progress = true;
    }
    if (fetch.missing) {
      if (reads_.empty()) break;
      const AttributeRead& read = reads_.front();
      if (read.lines < read.lines_wanted) break;
      bool there = true;
      for (uint32_t i = 0; i < read.lines; i++) there &= cache_.ready(read.line[i], 0, kSectorBytes);
      if (!there) break;
      finish_attribute(read);
      for (uint32_t i = 0; i < read.lines; i++) cache_.unpin(read.line[i]);
      reads_.pop();
      fetch.missing--;
      progress = true;
    }
    if (fetch.missing == 0) {
      lanes_done_++;
      fetches_.pop();
      progress = true;
    }
  }
  return progress;
}

void Streamer::begin_lane(const Fetch& fetch) {
  if (group_.lanes == 0) {
    group_.inputs = pools_.vertex_inputs.allocate();
    group_.state = fetch.state;
    group_.origin = fetch.origin;
  }
  const uint32_t lane = group_.lanes++;
  group_.slot[lane] = fetch.slot;
  const auto put = [&](uint32_t reg, const draw::InputRegister& value) {
    for (uint32_t c = 0; c < 4; c++)
      group_.inputs->word[func::register_word(group_lanes_, reg, c, lane)] = value[c];
  };
  put(arch::kInputVertexId,
      draw::vertex_id_input(fetch.state->registers, fetch.draw, fetch.vertex, fetch.instance));
  put(arch::kInputDraw, draw::draw_input(fetch.draw));
}

void Streamer::finish_attribute(const AttributeRead& read) {
  std::byte bytes[2 * kSectorBytes] = {};
  for (uint32_t i = 0; i < read.lines; i++)
    std::copy_n(cache_.data(read.line[i]), kSectorBytes, bytes + i * kSectorBytes);
  uint32_t value[4];
  func::finish_vertex_fetch(fetches_.front().state->registers.assembly, read.attribute, read.plan,
                            bytes + read.plan.address % kSectorBytes, value);
  for (uint32_t c = 0; c < 4; c++)
    group_.inputs->word[func::register_word(group_lanes_, read.attribute, c, group_.lanes - 1)] = value[c];
}

// Sends the group if its lanes are all there. Called when it is full, when the next vertex has another state,
// and when nothing else moves: a group never waits for vertices that wait for it.
bool Streamer::close_group(Cycle now) {
  if (group_.lanes == 0 || lanes_done_ < group_.lanes) return false;
  const bool full = group_.lanes == group_lanes_;
  const bool last = fetches_.empty() && (!index_.active() || order_.full() || free_slots_.empty());
  const bool next_state = !fetches_.empty() && fetches_.front().state != group_.state;
  if (!full && !last && !next_state) return false;
  if (!groups_out.ready(now)) {
    blocked_on_group_ = true;
    return false;
  }
  groups_out.send(now, std::move(group_));
  group_ = {};
  lanes_done_ = 0;
  return true;
}

}  // namespace cutaway::boxes
