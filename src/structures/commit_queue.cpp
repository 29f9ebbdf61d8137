#include "structures/commit_queue.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "messages/draw_state.h"

namespace cutaway::structures {

CommitQueue::CommitQueue(uint32_t entries, uint32_t slots, arch::Stage stage, uint32_t elsewhere)
    : stage_(stage), order_(entries), here_(slots), slots_(slots + elsewhere) {
  CUTAWAY_CHECK(slots >= 1 && slots + elsewhere <= kMaxSlots);
  for (uint32_t i = slots; i-- > 0;) free_.push_back(static_cast<messages::SlotIndex>(i));
  for (uint32_t i = slots + elsewhere; i-- > slots;)
    free_elsewhere_.push_back(static_cast<messages::SlotIndex>(i));
}

messages::SlotIndex CommitQueue::push_new_vertex(const messages::DrawState* state,
                                                 const messages::Origin& origin,
                                                 const messages::BatchVertex& batch) {
  CUTAWAY_CHECK(has_free_slot());
  auto& from = free_.empty() ? free_elsewhere_ : free_;
  const messages::SlotIndex slot = from.back();
  from.pop_back();
  push_vertex(slot, state, origin, batch);
  return slot;
}

void CommitQueue::push_vertex(messages::SlotIndex slot, const messages::DrawState* state,
                              const messages::Origin& origin, const messages::BatchVertex& batch) {
  Entry& entry = order_.push();
  entry.message.state = state;
  entry.message.origin = origin;
  entry.message.batch = batch;
  entry.slot = slot;
  slots_[slot].users++;
}

void CommitQueue::push_mark(messages::VertexMessage mark) { order_.push().message = std::move(mark); }

void CommitQueue::hold(messages::SlotIndex slot) {
  CUTAWAY_CHECK(slots_[slot].users);
  slots_[slot].users++;
}

void CommitQueue::release(messages::SlotIndex index) {
  Slot& slot = slots_[index];
  CUTAWAY_CHECK(slot.users);
  if (--slot.users) return;
  slot = {};
  (is_elsewhere(index) ? free_elsewhere_ : free_).push_back(index);
}

void CommitQueue::take(const messages::ShadedVertices& shaded) {
  for (uint32_t lane = 0; lane < shaded.lanes; lane++) {
    const messages::SlotIndex slot = shaded.vertices->slot[lane];
    if (!is_elsewhere(slot)) put(slot, std::move(shaded.vertices->shaded[lane]));
  }
}

void CommitQueue::put(messages::SlotIndex index, messages::VertexRef vertex) {
  slots_[index].vertex = std::move(vertex);
  slots_[index].shaded = true;
}

void CommitQueue::take_away(messages::SlotIndex index) {
  slots_[index].vertex = {};
  slots_[index].shaded = false;
}

bool CommitQueue::ready() const {
  if (order_.empty()) return false;
  const Entry& oldest = order_.front();
  return !oldest.is_vertex() || slots_[oldest.slot].shaded;
}

uint32_t CommitQueue::wire_cycles() const {
  const Entry& oldest = order_.front();
  if (!oldest.is_vertex()) return 1;
  const auto& shader = oldest.message.state->registers.shader[static_cast<uint32_t>(stage_)];
  const auto outputs = static_cast<uint32_t>(std::popcount(shader.outputs));
  return std::max((outputs + 15) / 16, 1u);
}

messages::VertexMessage CommitQueue::pop() {
  CUTAWAY_CHECK(ready());
  Entry oldest = order_.pop();
  if (oldest.is_vertex()) {
    oldest.message.vertex = slots_[oldest.slot].vertex;
    release(oldest.slot);
  }
  return std::move(oldest.message);
}

}  // namespace cutaway::structures
