#include "replay/pass_numbers.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "arch/packet.h"

namespace cutaway::replay {
namespace {

bool changes_context(const run_record::FrameRecord& record, size_t work) {
  return work && record.work[work].context != record.work[work - 1].context;
}

bool begins_next(const run_record::WorkRecord& work, uint32_t marker_before, uint32_t marker_behind) {
  if (work.packet != arch::opcode_name(arch::Opcode::kClear)) return false;
  return work.marker != marker_before || work.marker == marker_behind;
}

// Gives each piece of work the pass of a state, as if all of it were of one context.
void number_by_states(run_record::FrameRecord& record) {
  uint32_t pass = 0, marker = 0;
  size_t gap = 0;  // first work behind the last draw
  for (size_t i = 0; i < record.work.size(); i++) {
    const int32_t state = record.work[i].state;
    record.work[i].pass = pass;
    if (state < 0) continue;
    const uint32_t next = record.states[static_cast<size_t>(state)].pass;
    bool moved = false;
    for (size_t k = gap; next != pass && k < i; k++) {
      if (record.work[k].context == record.work[i].context)
        moved |= changes_context(record, k) || begins_next(record.work[k], marker, record.work[i].marker);
      if (moved) record.work[k].pass = next;
    }
    pass = record.work[i].pass = next;
    marker = record.work[i].marker;
    gap = i + 1;
  }
}

// Numbers the passes anew, of which another context's work ends one.
void end_by_contexts(run_record::FrameRecord& record) {
  uint32_t number = 0, before = record.work.front().pass;
  for (size_t i = 0; i < record.work.size(); i++) {
    run_record::WorkRecord& work = record.work[i];
    number += work.pass != before || changes_context(record, i);
    before = std::exchange(work.pass, number);
  }
}

}  // namespace

std::vector<uint32_t> number_passes(run_record::FrameRecord& record) {
  number_by_states(record);
  std::vector<uint32_t> numbers(record.states.empty() ? 0 : record.states.back().pass + 1);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto other = [&](const auto& work) { return work.context != record.work.front().context; };
  if (std::none_of(record.work.begin(), record.work.end(), other)) return numbers;
  end_by_contexts(record);
  for (const run_record::WorkRecord& work : record.work)
    if (work.state >= 0) numbers[record.states[static_cast<size_t>(work.state)].pass] = work.pass;
  for (run_record::StateRecord& state : record.states) state.pass = numbers[state.pass];
  return numbers;
}

}  // namespace cutaway::replay
