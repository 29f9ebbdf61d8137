#include "boxes/streamer/index_stage.h"

#include <algorithm>

namespace cutaway::boxes {

using messages::kSectorBytes;

void IndexStage::start(const messages::DrawCommand& command) {
  command_ = command;
  batches_ = structures::DrawBatches(command.draw, command.state->registers, front_ends_);
  active_ = true;
  here_ = {};
  begin_batch(command.batch, here_);
  position_ = here_.begin;
  begin_fetch(ahead_ = here_);
}

// ---- The way through the draw ----

void IndexStage::begin_batch(uint32_t number, Stretch& stretch) const {
  stretch.batch_number = number;
  stretch.batch = batches_.batch(number);
  stretch.instance = stretch.batch.instance;
  stretch.centre = stretch.batch.centre;
  stretch.begin = stretch.centre ? 0 : stretch.batch.begin;
  stretch.end = stretch.centre ? 1 : stretch.batch.end;
}

// Returns false if there is none.
bool IndexStage::next_stretch(Stretch& stretch) const {
  if (stretch.centre) {
    stretch.centre = false;
    stretch.begin = stretch.batch.begin, stretch.end = stretch.batch.end;
  } else if (batches_.whole()) {
    if (stretch.instance + 1 >= command_.draw.instances) return false;
    stretch.instance++;
  } else {
    if (batches_.count() - stretch.batch_number <= front_ends_.units) return false;
    begin_batch(stretch.batch_number + front_ends_.units, stretch);
  }
  stretch.number++;
  return true;
}

void IndexStage::walk_on() {
  if (!next_stretch(here_)) {
    active_ = false;
    return;
  }
  position_ = here_.begin;
  if (ahead_.number < here_.number) begin_fetch(ahead_ = here_);
}

// The marker after the last vertex of a stretch that is not a centre.
IndexedVertex IndexStage::mark() const {
  if (!batches_.whole())
    return {.kind = here_.batch_number + 1 == batches_.count() ? IndexedVertex::Kind::kDrawEnd
                                                               : IndexedVertex::Kind::kBatchEnd};
  const bool last = here_.instance + 1 >= command_.draw.instances || command_.draw.count == 0;
  return {.kind = last ? IndexedVertex::Kind::kDrawEnd : IndexedVertex::Kind::kNextInstance};
}

// ---- Sectors ----

void IndexStage::begin_fetch(const Stretch& stretch) {
  fetch_ = fetch_end_ = 0;
  if (!command_.draw.indexed || stretch.instance >= command_.draw.instances) return;
  const uint64_t bytes = func::index_bytes(assembly().index_type);
  const uint64_t there = assembly().index_bytes / bytes;
  const uint64_t first = std::min<uint64_t>(uint64_t{command_.draw.first} + stretch.begin, there);
  const uint64_t last = std::min<uint64_t>(uint64_t{command_.draw.first} + stretch.end, there);
  if (last <= first) return;
  fetch_ = (assembly().index_address + first * bytes) / kSectorBytes * kSectorBytes;
  fetch_end_ = assembly().index_address + last * bytes;
}

// Requests the indices of an instance after the last one has been walked, those of a batch earlier.
void IndexStage::read_ahead() {
  if (fetch_ < fetch_end_ || batches_.whole()) return;
  Stretch next = ahead_;
  if (next_stretch(next)) begin_fetch(ahead_ = next);
}

bool IndexStage::wants(arch::Address& sector, uint32_t& tag) const {
  if (!active_ || sectors_.full() || fetch_ >= fetch_end_) return false;
  sector = fetch_;
  tag = next_tag_;
  return true;
}

void IndexStage::asked() {
  sectors_.push({.address = fetch_, .tag = next_tag_++, .stretch = ahead_.number});
  fetch_ += kSectorBytes;
  read_ahead();
}

void IndexStage::reply(const messages::MemoryReply& reply) {
  for (uint32_t i = 0; i < sectors_.size(); i++) {
    if (sectors_[i].tag != reply.tag) continue;
    sectors_[i].arrived = true;
    sectors_[i].data = reply.data;
  }
}

// Number of sectors of this stretch, up to two: those of later stretches follow them.
uint32_t IndexStage::sectors_here() const {
  uint32_t count = 0;
  while (count < 2 && count < sectors_.size() && sectors_[count].stretch == here_.number) count++;
  return count;
}

// Drops sectors before the next index, or after the last index all of this stretch.
void IndexStage::drop_used_sectors() {
  if (position_ == here_.end) {
    while (sectors_here()) sectors_.drop();
    return;
  }
  if (!command_.draw.indexed || !sectors_here()) return;
  const func::IndexFetch plan = plan_of(position_);
  if (!plan.in_bounds || plan.address >= sectors_.front().address + kSectorBytes) sectors_.drop();
}

// ---- Items ----

bool IndexStage::available() const {
  if (!active_) return false;
  if (here_.instance >= command_.draw.instances || position_ >= here_.end || !command_.draw.indexed)
    return true;
  const func::IndexFetch plan = plan_of(position_);
  if (!plan.in_bounds) return true;
  const uint32_t needed = plan.address % kSectorBytes + plan.bytes > kSectorBytes ? 2 : 1;
  if (sectors_here() < needed) return false;
  return sectors_[0].arrived && sectors_[needed - 1].arrived;
}

IndexedVertex IndexStage::next() const {
  if (here_.instance >= command_.draw.instances || position_ == here_.end) return mark();
  IndexedVertex item{.instance = here_.instance};
  item.batch = {.first_primitive = here_.batch.first_primitive,
                .repeated = here_.centre || position_ - here_.begin < here_.batch.repeated};
  if (!command_.draw.indexed) {
    item.vertex = command_.draw.first + position_;
    return item;
  }
  const func::IndexFetch plan = plan_of(position_);
  // An index not aligned to its size may straddle two sectors.
  std::byte bytes[4] = {};
  for (uint32_t i = 0; plan.in_bounds && i < plan.bytes; i++) {
    const uint32_t at = static_cast<uint32_t>(plan.address % kSectorBytes) + i;
    bytes[i] = sectors_[at / kSectorBytes].data[at % kSectorBytes];
  }
  const func::Index index = func::finish_index_fetch(assembly(), plan, bytes);
  if (index.restart) return {.kind = IndexedVertex::Kind::kRestart};
  item.vertex = index.value + command_.draw.vertex_offset;
  return item;
}

void IndexStage::take() {
  const IndexedVertex item = next();
  switch (item.kind) {
    case IndexedVertex::Kind::kDrawEnd:
      active_ = false;
      return;
    case IndexedVertex::Kind::kNextInstance:
    case IndexedVertex::Kind::kBatchEnd:
      walk_on();
      break;
    case IndexedVertex::Kind::kVertex:
    case IndexedVertex::Kind::kRestart:
      position_++;
      drop_used_sectors();
      if (here_.centre) walk_on();
      break;
  }
  read_ahead();
}

}  // namespace cutaway::boxes
