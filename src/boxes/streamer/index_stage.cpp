#include "boxes/streamer/index_stage.h"

#include <algorithm>

namespace cutaway::boxes {

using parts::kSectorBytes;

void IndexStage::start(const parts::DrawCommand& command) {
  command_ = command;
  active_ = true;
  instance_ = position_ = 0;
  start_instance();
}

void IndexStage::start_instance() {
  while (!sectors_.empty()) sectors_.drop();
  fetch_ = fetch_end_ = 0;
  if (!command_.draw.indexed || instance_ >= command_.draw.instances || command_.draw.count == 0) return;
  const uint64_t bytes = func::index_bytes(assembly().index_type);
  const uint64_t there = assembly().index_bytes / bytes;
  const uint64_t first = std::min<uint64_t>(command_.draw.first, there);
  const uint64_t last = std::min<uint64_t>(uint64_t{command_.draw.first} + command_.draw.count, there);
  fetch_ = (assembly().index_address + first * bytes) / kSectorBytes * kSectorBytes;
  fetch_end_ = last > first ? assembly().index_address + last * bytes : fetch_;
}

bool IndexStage::wants(arch::Address& sector, uint32_t& tag) const {
  if (!active_ || sectors_.full() || fetch_ >= fetch_end_) return false;
  sector = fetch_;
  tag = next_tag_;
  return true;
}

void IndexStage::asked() {
  sectors_.push({.address = fetch_, .tag = next_tag_++});
  fetch_ += kSectorBytes;
}

void IndexStage::reply(const parts::MemoryReply& reply) {
  for (uint32_t i = 0; i < sectors_.size(); i++) {
    if (sectors_[i].tag != reply.tag) continue;
    sectors_[i].arrived = true;
    sectors_[i].data = reply.data;
  }
}

bool IndexStage::available() const {
  if (!active_) return false;
  if (instance_ >= command_.draw.instances || position_ >= command_.draw.count || !command_.draw.indexed)
    return true;
  const func::IndexFetch plan = func::plan_index_fetch(assembly(), uint64_t{command_.draw.first} + position_);
  if (!plan.in_bounds) return true;
  const uint32_t needed = plan.address % kSectorBytes + plan.bytes > kSectorBytes ? 2 : 1;
  if (sectors_.size() < needed) return false;
  return sectors_[0].arrived && sectors_[needed - 1].arrived;
}

IndexedVertex IndexStage::next() const {
  if (instance_ >= command_.draw.instances || command_.draw.count == 0)
    return {.kind = IndexedVertex::Kind::kDrawEnd};
  if (position_ == command_.draw.count)
    return {.kind = instance_ + 1 == command_.draw.instances ? IndexedVertex::Kind::kDrawEnd
                                                             : IndexedVertex::Kind::kNextInstance};
  if (!command_.draw.indexed) return {.vertex = command_.draw.first + position_, .instance = instance_};
  const func::IndexFetch plan = func::plan_index_fetch(assembly(), uint64_t{command_.draw.first} + position_);
  // An index that is not aligned to its size may straddle two sectors.
  std::byte bytes[4] = {};
  for (uint32_t i = 0; plan.in_bounds && i < plan.bytes; i++) {
    const uint32_t at = static_cast<uint32_t>(plan.address % kSectorBytes) + i;
    bytes[i] = sectors_[at / kSectorBytes].data[at % kSectorBytes];
  }
  const func::Index index = func::finish_index_fetch(assembly(), plan, bytes);
  if (index.restart) return {.kind = IndexedVertex::Kind::kRestart};
  return {.vertex = index.value + command_.draw.vertex_offset, .instance = instance_};
}

void IndexStage::take() {
  const IndexedVertex item = next();
  if (item.kind == IndexedVertex::Kind::kDrawEnd) {
    active_ = false;
    return;
  }
  if (item.kind == IndexedVertex::Kind::kNextInstance) {
    instance_++;
    position_ = 0;
    start_instance();
    return;
  }
  position_++;
  drop_used_sectors();
}

void IndexStage::drop_used_sectors() {
  if (!command_.draw.indexed || sectors_.empty()) return;
  const func::IndexFetch plan = func::plan_index_fetch(assembly(), uint64_t{command_.draw.first} + position_);
  if (position_ == command_.draw.count || !plan.in_bounds ||
      plan.address >= sectors_.front().address + kSectorBytes)
    sectors_.drop();
}

}  // namespace cutaway::boxes
