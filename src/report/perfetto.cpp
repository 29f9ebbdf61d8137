#include "report/perfetto.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>

#include "base/text.h"
#include "report/passages.h"
#include "report/perfetto.pb.h"

namespace cutaway::report {
namespace {

using Event = perfetto::TrackEvent;
using Thing = run_record::Timeline::Thing;

constexpr uint32_t kSequence = 1;
constexpr uint64_t kRoot = 1;

// Names of annotations, by interned id from 1.
enum Note : uint64_t {
  kDraw = 1,
  kSubmission,
  kPrimitive,
  kX,
  kY,
  kIndex,
  kInstance,
  kAddress,
  kThings,
  kLatency
};
constexpr const char* kNotes[] = {"draw",  "submission", "primitive", "x",      "y",
                                  "index", "instance",   "address",   "things", "latency"};

// Terms of a switch between programs, and what a program's host does.
constexpr const char *kFlush = "write caches back", *kInvalidate = "empty caches",
                     *kBind = "bind memory clients", *kComputes = "computes", *kWaits = "waits";

const char* name_of(const Thing& thing) {
  switch (thing.kind) {
    case Thing::Kind::kVertex:
      return "vertex";
    case Thing::Kind::kPrimitive:
      return "primitive";
    case Thing::Kind::kTile:
      return "tile";
    case Thing::Kind::kQuad:
      return "quad";
    case Thing::Kind::kRequest:
      return thing.write ? "write" : "read";
  }
  return "?";
}

class Writer {
 public:
  Writer(const run_record::Timeline& timeline, const std::function<void(std::span<const std::byte>)>& append)
      : timeline_(timeline), append_(append), seen_(timeline.things.size()) {}

  void write() {
    intern_names();
    const std::string of =
        timeline_.programs.empty() ? fmt::format("frame {}", timeline_.frame) : "the run of several programs";
    describe(kRoot, 0, 0,
             fmt::format("{} on {}: 1 us is 1 cycle of the core's clock, {:g} MHz", of, timeline_.gpu,
                         timeline_.core_mhz));
    for (const uint32_t thing : timeline_.carried) seen_[thing]++;
    if (timeline_.programs.empty()) write_works();
    else write_programs();
    for (uint32_t unit = 0; unit < timeline_.units.size(); unit++) write_unit(unit);
    write_traffic();
    flush();
  }

 private:
  perfetto::TracePacket& packet() {
    if (trace_.packet_size() == kPackets) flush();
    perfetto::TracePacket& packet = *trace_.add_packet();
    packet.set_trusted_packet_sequence_id(kSequence);
    packet.set_sequence_flags(perfetto::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
    return packet;
  }
  // A trace may be written in parts: their concatenation is the trace.
  void flush() {
    bytes_.clear();
    trace_.AppendToString(&bytes_);
    append_(std::as_bytes(std::span(bytes_)));
    trace_.Clear();
  }

  uint64_t time(uint64_t at) const {
    const uint64_t period = timeline_.core_period;
    return at / period * kPerfettoCycle + (at % period * kPerfettoCycle + period / 2) / period;
  }

  // The first packet contains all names of slices.
  void intern_names() {
    perfetto::TracePacket& first = packet();
    first.set_sequence_flags(perfetto::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED);
    perfetto::InternedData& data = *first.mutable_interned_data();
    const auto intern = [&](const std::string& name) {
      const auto [place, is_new] = names_.emplace(name, names_.size() + 1);
      if (!is_new) return;
      perfetto::InternedName& entry = *data.add_event_names();
      entry.set_iid(place->second);
      entry.set_name(name);
    };
    for (const run_record::Timeline::Unit& unit : timeline_.units)
      for (const auto& reason : unit.reasons) intern(reason.text);
    for (const run_record::Timeline::Wire& wire : timeline_.wires) intern(wire.message);
    for (const run_record::Timeline::Work& work : timeline_.works) intern(work.kind);
    for (uint32_t context = 0; context < timeline_.programs.size(); context++) intern(turn_name(context));
    if (!timeline_.programs.empty())
      for (const char* name : {kFlush, kInvalidate, kBind, kComputes, kWaits}) intern(name);
    for (const char* name :
         {"vertex", "primitive", "tile", "quad", "read", "write", kVertexGroup, kFragmentGroup})
      intern(name);
    for (uint64_t i = 0; i < std::size(kNotes); i++) {
      perfetto::InternedName& entry = *data.add_debug_annotation_names();
      entry.set_iid(i + 1);
      entry.set_name(kNotes[i]);
    }
  }

  perfetto::TrackDescriptor& describe(uint64_t track, uint64_t parent, size_t rank, const std::string& name) {
    perfetto::TrackDescriptor& descriptor = *packet().mutable_track_descriptor();
    descriptor.set_uuid(track);
    if (parent) descriptor.set_parent_uuid(parent);
    descriptor.set_name(name);
    descriptor.set_child_ordering(perfetto::TrackDescriptor::EXPLICIT);
    descriptor.set_sibling_order_rank(static_cast<int32_t>(rank));
    return descriptor;
  }
  uint64_t new_track(uint64_t parent, const std::string& name) {
    last_track_++;
    describe(last_track_, parent, last_track_, name);
    return last_track_;
  }
  uint64_t new_counter(uint64_t parent, const std::string& name, perfetto::CounterDescriptor::Unit unit) {
    last_track_++;
    describe(last_track_, parent, last_track_, name).mutable_counter()->set_unit(unit);
    return last_track_;
  }

  Event& event(uint64_t track, uint64_t at, Event::Type type) {
    perfetto::TracePacket& holder = packet();
    holder.set_timestamp(time(at));
    Event& event = *holder.mutable_track_event();
    event.set_type(type);
    event.set_track_uuid(track);
    return event;
  }
  // Begins a slice; the caller ends it after adding to the event.
  Event& begin(uint64_t track, uint64_t at, const std::string& name) {
    Event& event = this->event(track, at, Event::TYPE_SLICE_BEGIN);
    event.set_name_iid(names_.at(name));
    return event;
  }
  void end(uint64_t track, uint64_t at) { event(track, at, Event::TYPE_SLICE_END); }
  void count(uint64_t track, uint64_t at, uint64_t value) {
    event(track, at, Event::TYPE_COUNTER).set_counter_value(static_cast<int64_t>(value));
  }
  static void note(Event& event, Note name, uint64_t value) {
    perfetto::DebugAnnotation& annotation = *event.add_debug_annotations();
    annotation.set_name_iid(name);
    annotation.set_uint_value(value);
  }

  // A unit's track holds its account; below it are the wires to it, and its thread groups.
  void write_unit(uint32_t unit) {
    const uint64_t track = new_track(kRoot, timeline_.units[unit].path);
    for (const run_record::Timeline::Slice& slice : timeline_.slices[unit]) {
      if (slice.reason == run_record::Timeline::kIdle || time(slice.begin) == time(slice.end)) continue;
      begin(track, slice.begin, timeline_.units[unit].reasons[slice.reason].text);
      end(track, slice.end);
    }
    write_groups(track, unit);
    for (uint32_t wire = 0; wire < timeline_.wires.size(); wire++)
      if (timeline_.wires[wire].receiver == unit) write_wire(track, wire);
  }

  // Tracks of one name on which overlapping slices are kept apart.
  struct Lanes {
    uint64_t parent;
    std::string name;
    std::vector<std::pair<uint64_t, uint64_t>> free;  // time from which it is free, track
  };
  uint64_t lane(Lanes& lanes, uint64_t from, uint64_t until) {
    for (auto& [free, track] : lanes.free)
      if (free <= from) {
        free = until;
        return track;
      }
    lanes.free.emplace_back(until, new_track(lanes.parent, lanes.name));
    return lanes.free.back().second;
  }

  void write_groups(uint64_t parent, uint32_t unit) {
    Lanes lanes{parent, "groups of threads", {}};
    for (const GroupStay& stay : groups().by_unit[unit]) {
      const uint64_t track = lane(lanes, stay.begin, stay.end);
      annotate(begin(track, stay.begin, stay.name), timeline_.messages[stay.message], false);
      end(track, stay.end);
    }
  }

  // Writes the work of each queue, on as many rows as there are pieces at a time.
  void write_works() {
    Lanes queues[] = {{kRoot, "work of the graphics queue", {}}, {kRoot, "work of the compute queue", {}}};
    for (const run_record::Timeline::Work& work : timeline_.works)
      write_work(queues[work.compute_queue], work);
  }
  void write_work(Lanes& lanes, const run_record::Timeline::Work& work) {
    const uint64_t track = lane(lanes, work.begin, work.end);
    Event& event = begin(track, work.begin, work.kind);
    note(event, kSubmission, work.submission);
    if (work.draw) note(event, kDraw, work.draw);
    end(track, work.end);
  }

  // Writes who has the GPU, and for each program its work and what its host does.
  void write_programs() {
    write_turns();
    for (uint32_t context = 0; context < timeline_.programs.size(); context++) {
      const std::string name = one_line(timeline_.programs[context]);
      Lanes lanes{kRoot, fmt::format("work of program {}, {}", context + 1, name), {}};
      for (const run_record::Timeline::Work& work : timeline_.works)
        if (work.context == context) write_work(lanes, work);
      write_host(context, fmt::format("host of program {}, {}", context + 1, name));
    }
  }
  std::string turn_name(uint32_t context) const {
    return fmt::format("{}: {}", context + 1, one_line(timeline_.programs.at(context)));
  }
  // Turns and the terms of switches do not overlap. They are written in order of time, so that of two slices
  // that meet one ends before the other begins.
  void write_turns() {
    struct Slice {
      uint64_t begin, end;
      std::string name;
      uint64_t submission;  // 0: of a switch
    };
    std::vector<Slice> slices;
    for (const run_record::TurnRecord& turn : timeline_.turns.turns)
      slices.push_back({turn.began, turn.end, turn_name(turn.context), turn.submission});
    for (const run_record::SwitchRecord& one : timeline_.turns.switches) {
      uint64_t from = one.began + timeline_.core_period;  // a cycle begins it
      for (const auto& [name, cycles] :
           {std::pair(kFlush, one.flush_cycles), std::pair(kInvalidate, one.invalidate_cycles),
            std::pair(kBind, one.bind_cycles)}) {
        // The window ends within the term that is not counted yet.
        const uint64_t until = cycles ? from + cycles * timeline_.core_period : one.end;
        const uint64_t begin = std::max(from, timeline_.begin), end = std::min(until, timeline_.end);
        if (begin < end) slices.push_back({begin, end, name, 0});
        from = until;
      }
    }
    std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    const uint64_t track = new_track(kRoot, "who has the GPU");
    for (const Slice& slice : slices) {
      Event& event = begin(track, slice.begin, slice.name);
      if (slice.submission) note(event, kSubmission, slice.submission);
      end(track, slice.end);
    }
  }
  void write_host(uint32_t context, const std::string& name) {
    uint64_t track = 0;
    for (const run_record::Timeline::HostSlice& slice : timeline_.hosts) {
      if (slice.context != context || slice.begin == slice.end) continue;
      if (!track) track = new_track(kRoot, name);
      begin(track, slice.begin, slice.waits ? kWaits : kComputes);
      end(track, slice.end);
    }
  }

  // Writes one slice per message of a wire, from send to take, and the number of messages.
  void write_wire(uint64_t parent, uint32_t wire) {
    const auto& messages = by_wire().at(wire);
    if (messages.empty()) return;
    const run_record::Timeline::Wire& info = timeline_.wires[wire];
    const std::string port = info.to.substr(timeline_.units[info.receiver].path.size() + 1);
    const std::string sender = timeline_.units[info.sender].path;
    Lanes lanes{parent, fmt::format("{} from {}", port, sender), {}};
    std::vector<std::pair<uint64_t, int>> changes;
    for (const uint32_t number : messages) {
      const run_record::Timeline::Message& message = timeline_.messages[number];
      const uint64_t from = message.sent == run_record::Timeline::kNever ? timeline_.begin : message.sent;
      const uint64_t until = std::min(message.taken, timeline_.end);
      changes.emplace_back(from, 1);
      changes.emplace_back(until, -1);
      if (time(from) == time(until)) continue;
      const uint64_t track = lane(lanes, from, until);
      const char* name = message.things ? name_of(thing(message, 0)) : nullptr;
      annotate(begin(track, from, name ? name : info.message), message, true);
      end(track, until);
    }
    const uint64_t counter =
        new_counter(parent, fmt::format("filling of {} from {}, {} slots", port, sender, info.slots),
                    perfetto::CounterDescriptor::UNIT_COUNT);
    std::sort(changes.begin(), changes.end());
    int filling = 0;
    for (size_t i = 0; i < changes.size(); i++) {
      filling += changes[i].second;
      if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
      count(counter, changes[i].first, static_cast<uint64_t>(filling));
    }
  }

  const Thing& thing(const run_record::Timeline::Message& message, uint32_t i) const {
    return timeline_.things[timeline_.carried[message.first_thing + i]];
  }
  // Describes the message's contents: the first thing by its members, all things by their flows.
  void annotate(Event& event, const run_record::Timeline::Message& message, bool on_wire) {
    if (on_wire) note(event, kLatency, timeline_.wires[message.wire].latency);
    if (!message.things) return;
    const Thing& first = thing(message, 0);
    note(event, kDraw, first.draw);
    note(event, kSubmission, first.submission);
    if (first.kind != Thing::Kind::kVertex) note(event, kPrimitive, first.primitive);
    if (first.kind == Thing::Kind::kVertex)
      note(event, kIndex, first.index), note(event, kInstance, first.instance);
    if (first.kind == Thing::Kind::kRequest) note(event, kAddress, first.index);
    if (first.kind == Thing::Kind::kQuad || first.kind == Thing::Kind::kTile) {
      note(event, kX, static_cast<uint64_t>(first.x));
      note(event, kY, static_cast<uint64_t>(first.y));
    }
    if (message.things > 1) note(event, kThings, message.things);
    for (uint32_t i = 0; i < message.things; i++) {
      const uint32_t number = timeline_.carried[message.first_thing + i];
      if (seen_[number] > 1) event.add_flow_ids(number + 1);
    }
  }

  void write_traffic() {
    const uint64_t parent = new_track(kRoot, "bytes of each memory client");
    std::vector<std::pair<uint64_t, uint64_t>> tracks(
        timeline_.clients.size());  // tracks of reads and writes
    for (const run_record::Timeline::Traffic& traffic : timeline_.traffic) {
      auto& [reads, writes] = tracks[traffic.client];
      const std::string& client = timeline_.clients[traffic.client];
      const auto add = [&](uint64_t& track, const char* what, uint64_t bytes) {
        if (!bytes && !track) return;
        if (!track) track = new_counter(parent, client + what, perfetto::CounterDescriptor::UNIT_SIZE_BYTES);
        count(track, traffic.time, bytes);
      };
      add(reads, " read", traffic.read);
      add(writes, " written", traffic.written);
    }
  }

  const std::vector<std::vector<uint32_t>>& by_wire() {
    if (!by_wire_.empty()) return by_wire_;
    by_wire_.resize(timeline_.wires.size());
    for (uint32_t i = 0; i < timeline_.messages.size(); i++)
      by_wire_[timeline_.messages[i].wire].push_back(i);
    return by_wire_;
  }
  const GroupStays& groups() {
    if (groups_.by_unit.empty()) groups_ = group_stays(timeline_);
    return groups_;
  }

  static constexpr int kPackets = 4096;  // packets buffered before a write

  const run_record::Timeline& timeline_;
  const std::function<void(std::span<const std::byte>)>& append_;
  perfetto::Trace trace_;
  std::string bytes_;
  std::map<std::string, uint64_t> names_;
  std::vector<uint32_t> seen_;  // messages seen, by thing
  std::vector<std::vector<uint32_t>> by_wire_;
  GroupStays groups_;
  uint64_t last_track_ = kRoot;
};

}  // namespace

void write_perfetto(const run_record::Timeline& timeline,
                    const std::function<void(std::span<const std::byte>)>& append) {
  Writer(timeline, append).write();
}

}  // namespace cutaway::report
