#include "run_record/fragment_log.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <zlib.h>

#include "base/error.h"

namespace cutaway::run_record {
namespace {

// Bytes of the columns before the words: cycle, work, x, y, kind, lanes and sample, target.
constexpr size_t kEventBytes = 4 + 4 + 2 + 2 + 1 + 1 + 1;
constexpr size_t kMostWords = 4;  // of an event

constexpr int kQuick = 1;  // zlib's level: higher levels cost seconds and save little

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kQuick);
  CUTAWAY_CHECK(result == Z_OK, "zlib says {}", result);
  out.resize(size);
  return out;
}

[[noreturn]] void damaged() { user_error("a part of the fragment log is damaged"); }

std::string expanded(const FragmentPart& part) {
  if (part.events == 0 || part.events > kFragmentPartEvents) damaged();
  std::string bytes(part.events * (kEventBytes + 4 * kMostWords), '\0');
  uLongf size = bytes.size();
  if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                 reinterpret_cast<const Bytef*>(part.data.data()), part.data.size()) != Z_OK)
    damaged();
  if (size < part.events * kEventBytes) damaged();
  bytes.resize(size);
  return bytes;
}

// Writes columns one after the other, in the byte order of the host, which is little-endian.
static_assert(std::endian::native == std::endian::little);
class Writer {
 public:
  template <class T, class Of>
  void column(std::span<const FragmentEvent> events, const Of& of) {
    for (const FragmentEvent& event : events) number<T>(of(event));
  }
  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  T number() {
    T value;
    if (bytes_.size() - at_ < sizeof value) damaged();
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  bool done() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

FragmentPart pack_part(std::span<const FragmentEvent> events) {
  FragmentPart part{.first_cycle = events.front().cycle,
                    .last_cycle = events.back().cycle,
                    .events = static_cast<uint32_t>(events.size())};
  Writer writer;
  uint64_t before = part.first_cycle;
  writer.column<uint32_t>(events, [&](const FragmentEvent& e) {
    return static_cast<uint32_t>(e.cycle - std::exchange(before, e.cycle));
  });
  writer.column<uint32_t>(events, [](const FragmentEvent& e) { return e.work; });
  writer.column<uint16_t>(events, [](const FragmentEvent& e) { return e.x; });
  writer.column<uint16_t>(events, [](const FragmentEvent& e) { return e.y; });
  writer.column<uint8_t>(events, [](const FragmentEvent& e) { return static_cast<uint8_t>(e.kind); });
  writer.column<uint8_t>(
      events, [](const FragmentEvent& e) { return static_cast<uint8_t>(e.lanes | e.sample << 4); });
  writer.column<uint8_t>(events, [](const FragmentEvent& e) { return e.target; });
  for (const FragmentEvent& e : events) {
    if (e.kind == FragmentEvent::Kind::kKilledHz) writer.number(e.color[0]), writer.number(e.color[1]);
    if (e.kind != FragmentEvent::Kind::kWritten) continue;
    for (uint32_t lane = 0; lane < 4; lane++)
      if (e.lanes >> lane & 1) writer.number(e.color[lane]);
  }
  part.data = compressed(writer.bytes());
  return part;
}

}  // namespace

uint32_t FragmentEvent::words() const {
  if (kind == Kind::kKilledHz) return 2;
  return kind == Kind::kWritten ? static_cast<uint32_t>(std::popcount(lanes)) : 0;
}

uint32_t FragmentEvent::fragments() const {
  return static_cast<uint32_t>(kind == Kind::kKilledHz ? std::popcount(coverage()) : std::popcount(lanes));
}

bool FragmentEvent::touches(uint32_t px, uint32_t py) const {
  const uint32_t column = px - x, row = py - y;
  if (kind == Kind::kKilledHz) return column < 8 && row < 8 && coverage() >> (row * 8 + column) & 1;
  return column < 2 && row < 2 && lanes >> (row * 2 + column) & 1;
}

const char* fragment_event_name(FragmentEvent::Kind kind) {
  static constexpr const char* kNames[] = {"killed by hierarchical Z",
                                           "killed by the depth test",
                                           "killed by the stencil test",
                                           "killed by its program",
                                           "taken out by a sample mask or alpha to coverage",
                                           "killed by the depth test after shading",
                                           "killed by the stencil test after shading",
                                           "written",
                                           "written, color not logged",
                                           "passed, no color is written"};
  static_assert(std::size(kNames) == FragmentEvent::kKinds);
  return kNames[static_cast<size_t>(kind)];
}

std::vector<FragmentPart> pack_fragments(std::span<const FragmentEvent> events) {
  std::vector<FragmentPart> parts;
  while (!events.empty()) {
    size_t count = std::min<size_t>(events.size(), kFragmentPartEvents);
    // The difference of two cycles is stored in 32 bits.
    while (events[count - 1].cycle - events[0].cycle > ~uint32_t{0}) count--;
    parts.push_back(pack_part(events.first(count)));
    events = events.subspan(count);
  }
  return parts;
}

void unpack_fragments(const FragmentPart& part, std::vector<FragmentEvent>& events) {
  const std::string bytes = expanded(part);
  Reader reader(bytes);
  const size_t first = events.size();
  events.resize(first + part.events);
  const std::span<FragmentEvent> added = std::span(events).subspan(first);
  uint64_t cycle = part.first_cycle;
  for (FragmentEvent& e : added) e.cycle = cycle += reader.number<uint32_t>();
  if (cycle != part.last_cycle) damaged();
  for (FragmentEvent& e : added) e.work = reader.number<uint32_t>();
  for (FragmentEvent& e : added) e.x = reader.number<uint16_t>();
  for (FragmentEvent& e : added) e.y = reader.number<uint16_t>();
  for (FragmentEvent& e : added) {
    const uint8_t kind = reader.number<uint8_t>();
    if (kind >= FragmentEvent::kKinds) damaged();
    e.kind = static_cast<FragmentEvent::Kind>(kind);
  }
  for (FragmentEvent& e : added) {
    const uint8_t lanes = reader.number<uint8_t>();
    e.lanes = lanes & 15, e.sample = lanes >> 4;
  }
  for (FragmentEvent& e : added) e.target = reader.number<uint8_t>();
  for (FragmentEvent& e : added) {
    if (e.kind == FragmentEvent::Kind::kKilledHz)
      e.color[0] = reader.number<uint32_t>(), e.color[1] = reader.number<uint32_t>();
    if (e.kind != FragmentEvent::Kind::kWritten) continue;
    for (uint32_t lane = 0; lane < 4; lane++)
      if (e.lanes >> lane & 1) e.color[lane] = reader.number<uint32_t>();
  }
  if (!reader.done()) damaged();
}

}  // namespace cutaway::run_record
