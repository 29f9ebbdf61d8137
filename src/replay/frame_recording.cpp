#include "replay/frame_recording.h"

#include <algorithm>
#include <tuple>

#include "arch/packet.h"
#include "base/error.h"
#include "replay/fragment_recording.h"
#include "replay/pass_numbers.h"
#include "replay/state_text.h"

namespace cutaway::replay {
namespace {

std::vector<run_record::CounterColumn> counter_columns(const CounterTable& table) {
  std::vector<run_record::CounterColumn> columns;
  for (const Counter& counter : table.counters())
    columns.push_back({counter.path, counter.name, counter.unit, counter.meaning});
  return columns;
}

std::vector<run_record::WireColumn> wire_columns(const engine::Simulator& simulator) {
  std::vector<run_record::WireColumn> columns;
  for (const engine::WireInfo& wire : simulator.wires())
    columns.push_back(
        {wire.from, wire.to, wire.message, wire.spec.latency, wire.spec.bandwidth, wire.spec.slots});
  return columns;
}

run_record::WorkRecord work_record(const messages::Work& work, engine::Cycle first) {
  const bool draw = work.kind == messages::Work::Kind::kDraw;
  return {
      .kind = name_of(work.kind),
      .packet = !messages::has_packet(work.kind) ? "" : arch::opcode_name(work.opcode),
      .context = work.context,
      .submission = work.origin.submission,
      .draw = draw ? work.origin.draw : 0,
      .of_driver = work.of_driver,
      .compute_queue = work.queue == arch::QueueKind::kCompute,
      .marker = work.marker,
      .state = draw || work.kind == messages::Work::Kind::kDispatch ? static_cast<int32_t>(work.state) : -1,
      .vertices = draw ? work.draw.count : 0,
      .instances = draw ? work.draw.instances : 0,
      .began = work.began - first,
      .end = work.end - first};
}

// pass_of: the record's number of each pass of the list.
void copy_tiles(const messages::WorkList& works, engine::Cycle first, const std::vector<uint32_t>& pass_of,
                run_record::FrameRecord& record) {
  for (uint32_t pass = 0; pass < works.passes().size(); pass++) {
    const messages::TileCounts& counts = *works.passes()[pass];
    for (uint32_t y = 0; y < counts.rows(); y++)
      for (uint32_t x = 0; x < counts.columns(); x++) {
        const messages::TileCount& t = counts.tile(x, y);
        if (!t.generated && !t.written) continue;
        record.tiles.push_back({.pass = pass_of[pass],
                                .x = x,
                                .y = y,
                                .generated = t.generated,
                                .killed_hz = t.killed_hz,
                                .killed_z = t.killed_z,
                                .killed_stencil = t.killed_stencil,
                                .killed_shader = t.killed_shader,
                                .shaded = t.shaded,
                                .helpers = t.helpers,
                                .shader_cycles = t.shader_cycles,
                                .texture_requests = t.texture_requests,
                                .texture_misses = t.texture_misses,
                                .written = t.written,
                                .last_write = t.last_write ? t.last_write - first : 0});
      }
  }
}

// Appends rows of a stage's program for a piece of work.
void copy_instructions(const messages::InstructionCounts::Entry& entry, uint32_t work,
                       run_record::FrameRecord& record) {
  for (uint32_t i = 0; i < entry.counts.size(); i++) {
    const messages::InstructionCount& c = entry.counts[i];
    if (!c.any()) continue;
    record.instructions.push_back({.work = work,
                                   .instruction = i,
                                   .stage = static_cast<uint8_t>(entry.stage),
                                   .issued = c.issued,
                                   .lanes = c.lanes,
                                   .issue_cycles = c.issue_cycles,
                                   .waited_flow = c.waited_flow,
                                   .waited_result = c.waited_result,
                                   .waited_issue = c.waited_issue,
                                   .waited_send = c.waited_send,
                                   .waited_texture = c.waited_texture,
                                   .waited_drain = c.waited_drain,
                                   .waited_output = c.waited_output});
  }
}

void copy_instructions(const messages::WorkList& works, run_record::FrameRecord& record) {
  for (const messages::WorkState& state : works.states())
    for (const messages::InstructionCounts::Entry& entry : state.instructions->entries())
      copy_instructions(entry, entry.work - works.first(), record);
  // Units that begin with a draw in the same cycle do so in arbitrary order.
  const auto place = [](const run_record::InstructionRecord& row) {
    return std::tuple(row.work, row.stage, row.instruction);
  };
  std::sort(record.instructions.begin(), record.instructions.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

void copy_footprints(const messages::WorkList& works, run_record::FrameRecord& record) {
  const messages::TouchedLines& touched = works.touched_lines();
  record.texture_footprint = touched.bytes();
  for (uint32_t i = 0; i < record.work.size(); i++) {
    const messages::TouchedLines::Footprint& footprint = touched.of(works.first() + i);
    if (!footprint.bytes) continue;
    run_record::WorkRecord& work = record.work[i];
    work.texture_footprint = footprint.bytes;
    work.texture_first_touches = footprint.first_touches;
    work.texture_cache_footprint =
        *std::max_element(footprint.cache_bytes.begin(), footprint.cache_bytes.end());
  }
}

// The kinds of work of each box, as indices into FrameRecord::kinds, which it fills.
class KindsOfWork {
 public:
  KindsOfWork(const engine::Simulator& simulator, run_record::FrameRecord& record) {
    record.kinds = {""};
    for (const auto& box : simulator.boxes()) {
      std::vector<uint32_t>& of_box = kinds_.emplace_back();
      for (const std::string_view name : box->kinds_of_work()) {
        const auto found = std::find(record.kinds.begin(), record.kinds.end(), name);
        of_box.push_back(static_cast<uint32_t>(found - record.kinds.begin()));
        if (found == record.kinds.end()) record.kinds.emplace_back(name);
      }
    }
  }
  uint32_t of(const engine::Sampler::Culprit& culprit) const {
    if (culprit.box == engine::WaitWalk::kNobody || kinds_[culprit.box].empty()) return 0;
    return kinds_[culprit.box][culprit.kind];
  }

 private:
  std::vector<std::vector<uint32_t>> kinds_;  // by box
};

void add_holdups(const engine::Sampler& sampler, size_t row, uint32_t of, size_t units,
                 const KindsOfWork& kinds, std::vector<run_record::Holdup>& to) {
  for (const auto& culprit : sampler.culprits(row)) {
    const bool nobody = culprit.box == engine::WaitWalk::kNobody;
    to.push_back(
        {of, nobody ? static_cast<uint32_t>(units) : culprit.box, kinds.of(culprit), culprit.probes});
  }
}

// Attributes rows of the sampler to the piece of work with which they end; a row that ends with several
// pieces belongs to the first.
void share_windows(const engine::Sampler& windows, const std::vector<messages::Work>& works,
                   engine::Cycle first, const KindsOfWork& kinds, run_record::FrameRecord& record) {
  std::vector<uint32_t> owner(windows.rows(), ~0u);
  for (uint32_t i = 0; i < works.size(); i++)
    if (works[i].ended && owner[works[i].row] == ~0u) owner[works[i].row] = i;
  engine::Cycle begin = first;
  for (size_t row = 0; row < windows.rows(); row++) {
    CUTAWAY_CHECK(owner[row] != ~0u, "row {} is nobody's", row);
    record.work[owner[row]].marginal_cycles = windows.end(row) - begin;
    begin = windows.end(row);
    for (const auto& entry : windows.entries(row))
      record.meanwhile.push_back({owner[row], entry.counter, entry.value});
    add_holdups(windows, row, owner[row], record.units.size(), kinds, record.work_holdups);
  }
}

void copy_intervals(const engine::Sampler& intervals, engine::Cycle first, const KindsOfWork& kinds,
                    run_record::FrameRecord& record) {
  for (uint32_t row = 0; row < intervals.rows(); row++) {
    record.interval_end.push_back(intervals.end(row) - first);
    for (const auto& entry : intervals.entries(row))
      record.intervals.push_back({row, entry.counter, entry.value});
    add_holdups(intervals, row, row, record.units.size(), kinds, record.interval_holdups);
    const auto probes = static_cast<double>(std::max<uint64_t>(1, intervals.probes(row)));
    for (const auto& entry : intervals.wires(row))
      record.wire_intervals.push_back(
          {row, entry.wire, entry.messages, static_cast<double>(entry.filling) / probes});
  }
}

run_record::TurnsRecord turns_since(engine::Cycle first, run_record::TurnsRecord record) {
  for (run_record::TurnRecord& turn : record.turns) turn.began -= first, turn.end -= first;
  for (run_record::SwitchRecord& one : record.switches) one.began -= first, one.end -= first;
  return record;
}

}  // namespace

run_record::FrameRecord take_recording(machine::Machine& machine, engine::Cycle first) {
  machine::Recording& recording = *machine.recording();
  engine::Simulator& simulator = machine.simulator();
  simulator.settle();
  recording.intervals.finish();

  run_record::FrameRecord record;
  record.counters = counter_columns(simulator.counters());
  record.wires = wire_columns(simulator);
  for (const auto& box : simulator.boxes()) record.units.push_back(box->path());
  for (const messages::WorkState& state : recording.works.states())
    record.states.push_back(state_record(state));
  for (const messages::Work& work : recording.works.works()) record.work.push_back(work_record(work, first));
  const std::vector<uint32_t> passes = number_passes(record);
  copy_tiles(recording.works, first, passes, record);
  copy_instructions(recording.works, record);
  copy_footprints(recording.works, record);
  const uint32_t base = recording.works.first();
  // Counts after the last piece of work was issued belong to a piece that never comes, so they are added to
  // the last piece.
  const uint32_t last = record.work.empty() ? 0 : static_cast<uint32_t>(record.work.size()) - 1;
  for (const auto& share : recording.ledger.take(recording.works.next()))
    record.own.push_back({std::min(share.work - base, last), share.counter, share.value});
  const KindsOfWork kinds(simulator, record);
  share_windows(recording.windows, recording.works.works(), first, kinds, record);
  copy_intervals(recording.intervals, first, kinds, record);
  record.turns = turns_since(first, recording.works.turns().record());
  if (recording.fragments) record.fragments = take_fragments(recording, first);

  recording.windows.clear();
  recording.intervals.clear();
  recording.works.clear();
  return record;
}

}  // namespace cutaway::replay
