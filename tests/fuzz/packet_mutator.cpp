// How libFuzzer changes the inputs of packet_events.h: packets, registers, descriptors and instructions in
// their places, so that draws still draw.
#include <iterator>
#include <optional>

#include "arch/packet.h"
#include "fuzz/packet_events.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using namespace cutaway;
using namespace cutaway::fuzz;

constexpr arch::Opcode kOpcodes[] = {arch::Opcode::kNop,           arch::Opcode::kSetRegisters,
                                     arch::Opcode::kLoadConstants, arch::Opcode::kLoadResources,
                                     arch::Opcode::kLoadSamplers,  arch::Opcode::kLoadProgram,
                                     arch::Opcode::kDraw,          arch::Opcode::kDrawIndexed,
                                     arch::Opcode::kDrawIndirect,  arch::Opcode::kDrawIndexedIndirect,
                                     arch::Opcode::kDispatch,      arch::Opcode::kDispatchIndirect,
                                     arch::Opcode::kDrawByteCount, arch::Opcode::kCopyBuffer,
                                     arch::Opcode::kFillBuffer,    arch::Opcode::kCopySurface,
                                     arch::Opcode::kCopyQueries,   arch::Opcode::kClear,
                                     arch::Opcode::kFlush,         arch::Opcode::kInvalidate,
                                     arch::Opcode::kWaitIdle,      arch::Opcode::kWriteQuery,
                                     arch::Opcode::kWriteValue,    arch::Opcode::kWaitValue,
                                     arch::Opcode::kLoadFeedback,  arch::Opcode::kStoreFeedback,
                                     arch::Opcode::kPredicate,     arch::Opcode::kCall,
                                     arch::Opcode::kMarker,        arch::Opcode::kPresent};

struct Random {
  uint32_t state;
  uint32_t operator()(size_t below) {
    state = state * 1664525 + 1013904223;
    return static_cast<uint32_t>((uint64_t{state >> 8} * below) >> 24);
  }
};

using Words = std::vector<uint32_t>;

Words words_of(const std::vector<std::byte>& data) {
  Words words(data.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), data.data(), words.size() * 4);
  return words;
}

std::vector<std::byte> bytes_of(const Words& words) {
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

// A word that may mean something: a small number, a limit, a float, an address, or one of its like.
uint32_t new_word(uint32_t old, const Words& among, Random& random) {
  constexpr uint32_t kWords[] = {0,          1,          0xff,       0x100,      0xffff,
                                 0x10000,    1u << 24,   0x7fffffff, 0x80000000, 0xffffffff,
                                 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x4f000000,
                                 0x00800000, 64,         4096,       16384,      kWindow};
  switch (random(7)) {
    case 0:
      return random(16);
    case 1:
      return random(256);
    case 2:
      return kWords[random(std::size(kWords))];
    case 3:
      return old ^ 1u << random(32);
    case 4:
      return old + random(9) - 4;
    case 5:
      return kWindow + random(kWindowBytes / 256) * 256;
    default:
      return among.empty() ? old : among[random(among.size())];
  }
}

// Start of each packet.
std::vector<size_t> packets_of(const Words& words) {
  std::vector<size_t> at;
  for (size_t i = 0; i < words.size(); i += 1 + arch::packet_payload(words[i])) at.push_back(i);
  return at;
}

// A packet of any kind with as many words as it needs.
Words new_packet(const Words& among, Random& random) {
  const arch::Opcode opcode = kOpcodes[random(std::size(kOpcodes))];
  const uint32_t words = opcode == arch::Opcode::kNop ? 0 : arch::payload_range(opcode).least;
  Words packet{arch::packet_header(opcode, words)};
  for (uint32_t i = 0; i < words; i++) packet.push_back(new_word(0, among, random));
  return packet;
}

// One register, before any packet: most of what a draw does hangs on one.
Words new_registers(const Words& among, Random& random) {
  return {arch::packet_header(arch::Opcode::kSetRegisters, 2), random(arch::kRegisterWords),
          new_word(0, among, random)};
}

void mutate_packets(Words& words, Random& random) {
  const std::vector<size_t> at = packets_of(words);
  if (at.empty()) return;
  const size_t from = at[random(at.size())];
  const size_t count = std::min<size_t>(1 + arch::packet_payload(words[from]), words.size() - from);
  const auto begin = words.begin() + static_cast<ptrdiff_t>(from),
             end = begin + static_cast<ptrdiff_t>(count);
  const auto insert = [&](const Words& packet) { words.insert(begin, packet.begin(), packet.end()); };
  switch (random(8)) {
    case 0:
      words.erase(begin, end);
      return;
    case 1: {
      const Words packet(begin, end);
      words.insert(words.begin() + static_cast<ptrdiff_t>(at[random(at.size())]), packet.begin(),
                   packet.end());
      return;
    }
    case 2:
      return insert(new_packet(words, random));
    case 3:
    case 4:
      return insert(new_registers(words, random));
    default: {  // seldom the header
      const size_t word = count > 1 && random(32) ? 1 + random(count - 1) : 0;
      words[from + word] = new_word(words[from + word], words, random);
    }
  }
}

// Vertices, descriptors, programs: a word, or an instruction or a descriptor's quarter elsewhere.
void mutate_data(Words& words, Random& random) {
  if (words.size() >= 8 && random(4) == 0) {
    const size_t from = random(words.size() / 4) * 4, to = random(words.size() / 4) * 4;
    std::copy_n(words.begin() + static_cast<ptrdiff_t>(from), 4, words.begin() + static_cast<ptrdiff_t>(to));
    return;
  }
  uint32_t& word = words[random(words.size())];
  word = new_word(word, words, random);
}

// The last write before a submission that holds the start of its commands.
std::optional<size_t> stream_of(const std::vector<Event>& events, size_t submit) {
  for (size_t i = submit; i-- > 0;)
    if (events[i].kind == Kind::kWrite && events[i].offset <= events[submit].offset &&
        events[submit].offset - events[i].offset < events[i].data.size())
      return i;
  return std::nullopt;
}

void mutate_stream(std::vector<Event>& events, size_t submit, Random& random) {
  const std::optional<size_t> stream = stream_of(events, submit);
  if (!stream || events[*stream].offset != events[submit].offset) return;
  Words words = words_of(events[*stream].data);
  const size_t before = words.size();
  for (uint32_t changes = 1 + random(3); changes; changes--) mutate_packets(words, random);
  if (words.size() > 0x3fff) return;
  events[*stream].data = bytes_of(words);
  events[submit].words = static_cast<uint16_t>(events[submit].words + words.size() - before);
  // A grown stream moves to an unused place.
  if (words.size() > before)
    events[*stream].offset = events[submit].offset = (8u << 20) + random(1024) * 4096;
}

void mutate(std::vector<Event>& events, Random& random) {
  const size_t at = random(events.size());
  Event& event = events[at];
  if (random(16) == 0) {
    const Event copy = event;
    switch (random(3)) {
      case 0:
        events.erase(events.begin() + static_cast<ptrdiff_t>(at));
        return;
      case 1:
        events.insert(events.begin() + random(events.size()), copy);
        return;
      default:
        events.insert(events.begin() + random(events.size()), {.kind = random(2) ? Kind::kMap : Kind::kUnmap,
                                                               .page = static_cast<uint16_t>(random(4096)),
                                                               .pages = static_cast<uint16_t>(random(64))});
        return;
    }
  }
  if (event.kind == Kind::kSubmit) return mutate_stream(events, at, random);
  if (event.kind != Kind::kWrite) return;
  Words words = words_of(event.data);
  if (words.empty()) return;
  mutate_data(words, random);
  std::memcpy(event.data.data(), words.data(), words.size() * 4);
}

// Leaves out what does not fit.
size_t write_events(const std::vector<Event>& events, uint8_t* data, size_t max_size) {
  size_t size = 0;
  const auto put = [&](uint32_t value, size_t bytes) {
    std::memcpy(data + size, &value, bytes);
    size += bytes;
  };
  for (const Event& event : events) {
    if (max_size - size < 8 + event.data.size()) break;
    put(static_cast<uint8_t>(event.kind), 1);
    if (event.kind == Kind::kWrite) {
      put(event.offset, 3), put(static_cast<uint32_t>(event.data.size()), 2);
      if (!event.data.empty()) std::memcpy(data + size, event.data.data(), event.data.size());
      size += event.data.size();
    } else if (event.kind == Kind::kSubmit) {
      put(event.offset, 3), put(event.words, 2), put(event.flags, 1);
    } else {
      put(event.page, 2), put(event.pages, 2);
    }
  }
  return size;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  Random random{seed};
  std::vector<Event> events = events_of(data, size);
  if (events.empty() || random(32) == 0) return LLVMFuzzerMutate(data, size, max_size);
  // Half of the changes go to commands.
  std::vector<size_t> submits;
  for (size_t i = 0; i < events.size(); i++)
    if (events[i].kind == Kind::kSubmit) submits.push_back(i);
  for (uint32_t changes = 1 + random(3); changes && !events.empty(); changes--) {
    if (!submits.empty() && random(2)) mutate_stream(events, submits[random(submits.size())], random);
    else {
      mutate(events, random);
      submits.clear();
    }
  }
  return write_events(events, data, max_size);
}

// One of the second's writes in the place of one of the first's: its program, its descriptors.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size, const uint8_t* second,
                                            size_t second_size, uint8_t* out, size_t max_size,
                                            unsigned seed) {
  Random random{seed};
  std::vector<Event> events = events_of(first, first_size), others = events_of(second, second_size);
  std::erase_if(others, [](const Event& event) { return event.kind != Kind::kWrite; });
  if (others.empty() || events.empty()) return 0;
  Event& to = events[random(events.size())];
  if (to.kind == Kind::kWrite) to.data = others[random(others.size())].data;
  return write_events(events, out, max_size);
}
