#include "replay/pass_numbers.h"

#include "arch/packet.h"

namespace cutaway::replay {
namespace {

bool begins_next(const run_record::WorkRecord& work, uint32_t marker_before, uint32_t marker_behind) {
  if (work.packet != arch::opcode_name(arch::Opcode::kClear)) return false;
  return work.marker != marker_before || work.marker == marker_behind;
}

}  // namespace

void number_passes(run_record::FrameRecord& record) {
  uint32_t pass = 0, marker = 0;
  size_t gap = 0;  // first work behind the last draw
  for (size_t i = 0; i < record.work.size(); i++) {
    const int32_t state = record.work[i].state;
    record.work[i].pass = pass;
    if (state < 0) continue;
    const uint32_t next = record.states[static_cast<size_t>(state)].pass;
    bool moved = false;
    for (size_t k = gap; next != pass && k < i; k++) {
      moved |= begins_next(record.work[k], marker, record.work[i].marker);
      if (moved) record.work[k].pass = next;
    }
    pass = record.work[i].pass = next;
    marker = record.work[i].marker;
    gap = i + 1;
  }
}

}  // namespace cutaway::replay
