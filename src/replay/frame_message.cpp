#include "replay/frame_message.h"

#include <cstring>

#include "base/error.h"

namespace cutaway::replay {
namespace {

// A single list of members serves both directions: Archive is a Writer or a Reader.
struct Writer {
  std::string bytes;
  template <class T>
  void number(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void raw(const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

struct Reader {
  const std::string& bytes;
  size_t at = 0;
  template <class T>
  void number(T& value) {
    raw(&value, sizeof value);
  }
  void raw(void* data, size_t size) {
    CUTAWAY_CHECK(bytes.size() - at >= size, "a worker's message ends early");
    if (size) std::memcpy(data, bytes.data() + at, size);
    at += size;
  }
};

template <class A, class T>
void sized(A& archive, T& sequence) {
  uint64_t size = sequence.size();
  archive.number(size);
  if constexpr (std::is_same_v<A, Reader>) {
    CUTAWAY_CHECK(size <= archive.bytes.size(), "a worker's message names {} elements", size);
    sequence.resize(size);
  }
}

template <class A, class T>
void text(A& archive, T& string) {
  sized(archive, string);
  archive.raw(string.data(), string.size());
}

template <class A, class T>
void unit(A& archive, T& figures) {
  text(archive, figures.path);
  for (auto* value : {&figures.cycles, &figures.busy, &figures.starved, &figures.blocked, &figures.idle})
    archive.number(*value);
  sized(archive, figures.waits);
  for (auto& wait : figures.waits) {
    archive.number(wait.starved), archive.number(wait.cycles);
    text(archive, wait.port), text(archive, wait.neighbour);
  }
}

template <class A, class T>
void plain(A& archive, T& sequence) {
  static_assert(std::is_trivially_copyable_v<typename T::value_type>);
  sized(archive, sequence);
  archive.raw(sequence.data(), sequence.size() * sizeof sequence[0]);
}

template <class A, class T>
void columns(A& archive, T& record) {
  sized(archive, record.counters);
  for (auto& c : record.counters)
    for (auto* string : {&c.path, &c.name, &c.unit, &c.meaning}) text(archive, *string);
  sized(archive, record.wires);
  for (auto& w : record.wires) {
    for (auto* string : {&w.from, &w.to, &w.message}) text(archive, *string);
    for (auto* value : {&w.latency, &w.bandwidth, &w.slots}) archive.number(*value);
  }
}

template <class A, class T>
void fragments(A& archive, T& log) {
  sized(archive, log.parts);
  for (auto& p : log.parts) {
    for (auto* value : {&p.first_cycle, &p.last_cycle}) archive.number(*value);
    archive.number(p.events);
    text(archive, p.data);
  }
  sized(archive, log.targets);
  for (auto& t : log.targets) {
    for (auto* value : {&t.pass, &t.surface, &t.width, &t.height, &t.samples}) archive.number(*value);
    archive.number(t.target), archive.number(t.color), archive.number(t.address);
    text(archive, t.format);
  }
  archive.number(log.events), archive.number(log.end);
}

template <class A, class T>
void recorded(A& archive, T& record) {
  columns(archive, record);
  sized(archive, record.states);
  for (auto& s : record.states) {
    for (auto* value : {&s.width, &s.height, &s.samples}) archive.number(*value);
    for (auto* string : {&s.topology, &s.targets, &s.textures, &s.buffers, &s.settings})
      text(archive, *string);
    archive.number(s.pass);
    for (auto& program : s.program) archive.number(program);
  }
  sized(archive, record.work);
  for (auto& w : record.work) {
    text(archive, w.kind), text(archive, w.packet);
    archive.number(w.submission), archive.number(w.of_driver), archive.number(w.state);
    archive.number(w.compute_queue);
    for (auto* value : {&w.draw, &w.marker, &w.pass, &w.vertices, &w.instances}) archive.number(*value);
    for (auto* value : {&w.began, &w.end, &w.marginal_cycles, &w.texture_footprint,
                        &w.texture_cache_footprint, &w.texture_first_touches})
      archive.number(*value);
  }
  for (auto* amounts : {&record.own, &record.meanwhile, &record.intervals}) plain(archive, *amounts);
  plain(archive, record.interval_end), plain(archive, record.wire_intervals);
  sized(archive, record.units);
  for (auto& path : record.units) text(archive, path);
  sized(archive, record.kinds);
  for (auto& kind : record.kinds) text(archive, kind);
  plain(archive, record.tiles), plain(archive, record.instructions);
  archive.number(record.texture_footprint);
  plain(archive, record.work_holdups), plain(archive, record.interval_holdups);
  bool logged = record.fragments.has_value();
  archive.number(logged);
  if (!logged) return;
  if constexpr (std::is_same_v<A, Reader>) record.fragments.emplace();
  fragments(archive, *record.fragments);
}

template <class A, class T>
void members(A& archive, T& frame) {
  auto& f = frame.figures;
  for (auto* value : {&f.frame, &f.cycles, &f.scan_out_cycles, &f.executed_ticks, &f.possible_ticks,
                      &f.memory_hash, &f.statistics_hash, &f.peak_memory_bytes})
    archive.number(*value);
  archive.number(f.seconds), archive.number(f.core_mhz), archive.number(f.phases);
  sized(archive, f.units);
  for (auto& figures : f.units) unit(archive, figures);
  sized(archive, f.counters);
  for (auto& counter : f.counters) {
    text(archive, counter.path), text(archive, counter.name), archive.number(counter.value);
    archive.number(counter.role), archive.number(counter.of);
  }
  sized(archive, f.clients);
  for (auto& client : f.clients)
    text(archive, client.name), archive.number(client.read_bytes), archive.number(client.write_bytes);
  sized(archive, f.wires);
  for (auto& wire : f.wires) {
    for (auto* string : {&wire.from, &wire.to, &wire.message}) text(archive, *string);
    for (auto* value : {&wire.slots, &wire.messages, &wire.slot_cycles, &wire.cycles, &wire.peak})
      archive.number(*value);
  }
  text(archive, frame.difference), archive.number(frame.hangs_on_order);

  bool has_record = frame.record.has_value();
  archive.number(has_record);
  if (has_record) {
    if constexpr (std::is_same_v<A, Reader>) frame.record.emplace();
    recorded(archive, *frame.record);
  }

  bool shown = frame.picture.has_value();
  archive.number(shown);
  if (!shown) return;
  if constexpr (std::is_same_v<A, Reader>) frame.picture.emplace();
  archive.number(frame.picture->width), archive.number(frame.picture->height);
  sized(archive, frame.picture->rgba);
  archive.raw(frame.picture->rgba.data(), frame.picture->rgba.size());
}

}  // namespace

std::string encode_frame(const SimulatedFrame& frame) {
  Writer writer;
  members(writer, frame);
  return std::move(writer.bytes);
}

SimulatedFrame decode_frame(const std::string& message) {
  SimulatedFrame frame;
  Reader reader{message};
  members(reader, frame);
  CUTAWAY_CHECK(reader.at == message.size(), "a worker's message is too long");
  return frame;
}

}  // namespace cutaway::replay
