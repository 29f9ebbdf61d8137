#include "boxes/tessellation/memory_slots.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cutaway::boxes {

using engine::Cycle;
using messages::MemoryReply;
using messages::MemoryRequest;
using messages::ShadedVertices;
using messages::SlotIndex;
using structures::CommitQueue;

namespace {

constexpr uint32_t kSectorBits = 4;  // for the sector in the tag of a read; its place stands above
static_assert(MemorySlots::kSectorsOfPoint <= 1u << kSectorBits);

// Calls f(output, position) for each output in a sector.
template <class F>
void for_outputs(uint64_t outputs, uint32_t sector, F&& f) {
  for (uint32_t i = 0; i < sector * MemorySlots::kOutputsOfSector; i++) outputs &= outputs - 1;
  for (uint32_t i = 0; i < MemorySlots::kOutputsOfSector && outputs; i++, outputs &= outputs - 1)
    f(static_cast<uint32_t>(std::countr_zero(outputs)), i);
}

}  // namespace

MemorySlots::MemorySlots(uint32_t first, uint32_t slots, uint32_t places, uint32_t order, uint32_t shaders,
                         arch::Address memory, messages::Pools& pools)
    : first_(first),
      memory_(memory),
      pools_(pools),
      slots_(slots),
      places_(slots ? places : 0),
      to_read_(slots ? order : 0),
      arrivals_(shaders) {}

// A point without outputs has a sector all the same.
uint32_t MemorySlots::sectors(uint64_t outputs) {
  const auto count = static_cast<uint32_t>(std::popcount(outputs));
  return std::max((count + kOutputsOfSector - 1) / kOutputsOfSector, 1u);
}

void MemorySlots::begin(SlotIndex number, uint64_t outputs, const messages::Origin& origin) {
  Slot& begun = slot(number);
  if (begun.place != kNone) places_[begun.place].slot = kNone;
  begun = {.outputs = outputs, .origin = origin};
}

void MemorySlots::pop(SlotIndex number) {
  places_[slot(number).place].users--;
  held_--;
}

// ---- Back from memory ----

MemorySlots::Read MemorySlots::read(Cycle now, engine::Out<MemoryRequest>& memory_out, CommitQueue& commit) {
  if (to_read_.empty()) return Read::kNothing;
  const SlotIndex number = to_read_.front();
  const Slot& next = slot(number);
  if (next.place != kNone && !next_sector_) {
    places_[next.place].users++;
    held_++;
    to_read_.drop();
    return Read::kFound;
  }
  if (!next.written || !memory_out.ready(now)) return Read::kNothing;
  if (!next_sector_ && !take_place(number, commit)) return Read::kNothing;
  memory_out.send(now, {.address = address(number, next_sector_),
                        .tag = next.place << kSectorBits | next_sector_,
                        .origin = next.origin});
  reads_++;
  if (++next_sector_ < sectors(next.outputs)) return Read::kSector;
  next_sector_ = 0;
  places_[next.place].users++;
  held_++;
  to_read_.drop();
  return Read::kPoint;
}

// Takes the place that was taken longest ago. Fails if the order still uses its point.
bool MemorySlots::take_place(uint32_t number, CommitQueue& commit) {
  Place& place = places_[next_place_];
  if (place.users) return false;
  if (place.slot != kNone) {
    slot(place.slot).place = kNone;
    commit.take_away(static_cast<SlotIndex>(place.slot));
  }
  place.slot = number;
  place.missing = sectors(slot(number).outputs);
  place.vertex = pools_.vertices.allocate();
  place.vertex->output = {};
  place.vertex->index = messages::kEmittedVertex;
  place.vertex->instance = 0;
  slot(number).place = next_place_;
  if (++next_place_ == places_.size()) next_place_ = 0;
  return true;
}

bool MemorySlots::take_reply(Cycle now, engine::In<MemoryReply>& memory_in, CommitQueue& commit) {
  const MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  if (reply->write) {
    writes_--;
  } else {
    reads_--;
    Place& place = places_[reply->tag >> kSectorBits];
    for_outputs(slot(place.slot).outputs, reply->tag & ((1u << kSectorBits) - 1),
                [&](uint32_t output, uint32_t i) {
                  std::memcpy(place.vertex->output[output].data(), &reply->data[16 * i], 16);
                });
    if (!--place.missing) commit.put(static_cast<SlotIndex>(place.slot), std::move(place.vertex));
  }
  memory_in.drop(now);
  return true;
}

// ---- Out to memory ----

bool MemorySlots::take(Cycle now, std::vector<engine::In<ShadedVertices>>& points_in,
                       engine::Out<MemoryRequest>& memory_out, CommitQueue& commit) {
  bool progress = false;
  for (uint32_t unit = 0; unit < points_in.size(); unit++) {
    const ShadedVertices* shaded = points_in[unit].peek(now);
    Arrival& arrival = arrivals_[unit];
    if (!shaded || arrival.begun) continue;
    commit.take(*shaded);
    progress = true;
    skip_to_ours(*shaded, arrival);
    arrival.begun = arrival.lane < shaded->lanes;
    if (arrival.begun) groups_++;
    else leave(now, points_in[unit], arrival);
  }
  return write(now, points_in, memory_out) || progress;
}

void MemorySlots::leave(Cycle now, engine::In<ShadedVertices>& in, Arrival& arrival) {
  arrival = {};
  in.drop(now);
}

// Moves on to the next lane whose slot lies in memory.
void MemorySlots::skip_to_ours(const ShadedVertices& shaded, Arrival& arrival) const {
  while (arrival.lane < shaded.lanes && shaded.vertices->slot[arrival.lane] < first_) arrival.lane++;
}

// Writes a sector of a group; when the group is written, the next unit has its turn.
bool MemorySlots::write(Cycle now, std::vector<engine::In<ShadedVertices>>& points_in,
                        engine::Out<MemoryRequest>& memory_out) {
  if (!groups_ || !memory_out.ready(now)) return false;
  while (!arrivals_[turn_].begun) turn_ = turn_ + 1 == arrivals_.size() ? 0 : turn_ + 1;
  Arrival& arrival = arrivals_[turn_];
  const ShadedVertices& shaded = *points_in[turn_].peek(now);
  const SlotIndex number = shaded.vertices->slot[arrival.lane];
  Slot& to = slot(number);
  MemoryRequest request{.address = address(number, arrival.sector), .write = true, .origin = to.origin};
  uint32_t outputs = 0;
  for_outputs(to.outputs, arrival.sector, [&](uint32_t output, uint32_t i) {
    std::memcpy(&request.data[16 * i], shaded.vertices->shaded[arrival.lane]->output[output].data(), 16);
    outputs = i + 1;
  });
  request.mask = messages::byte_mask(0, 16 * outputs);
  memory_out.send(now, request);
  writes_++;
  if (++arrival.sector < sectors(to.outputs)) return true;
  to.written = true;
  arrival.sector = 0, arrival.lane++;
  skip_to_ours(shaded, arrival);
  if (arrival.lane < shaded.lanes) return true;
  leave(now, points_in[turn_], arrival);
  groups_--;
  turn_ = turn_ + 1 == arrivals_.size() ? 0 : turn_ + 1;
  return true;
}

}  // namespace cutaway::boxes
