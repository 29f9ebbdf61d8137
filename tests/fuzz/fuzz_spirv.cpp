// The compiler: arbitrary SPIR-V. An input is
//
//   u8 stage (2 compute; else bit 0: 0 vertex, 1 fragment), u8 live outputs (bits 0 to 7), u8 constant budget
//   in units of 4 vec4 (0: all), u8 bit 0: points, then the words of the module
//
// The entry point is the module's first.
#include <string>
#include <vector>

#include "base/error.h"
#include "compiler/compiler.h"
#include "fuzz/fuzz_target.h"

namespace {

constexpr uint32_t kOpEntryPoint = 15;
constexpr uint32_t kBindings = 4, kLength = 4;  // of set 0, for arrays of descriptors without a length

// The name of the first entry point; "main" if none can be found.
std::string entry_of(std::span<const uint32_t> words) {
  for (size_t at = 5; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) break;
    if ((words[at] & 0xffff) == kOpEntryPoint && count > 3) {
      const auto* text = reinterpret_cast<const char*>(&words[at + 3]);
      return {text, strnlen(text, (count - 3) * size_t{4})};
    }
    at += count;
  }
  return "main";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cutaway;
  fuzz::Input input(data, size);
  compiler::Request request;
  const auto stage = input.take<uint8_t>();
  request.stage = stage == 2  ? arch::Stage::kCompute
                  : stage % 2 ? arch::Stage::kFragment
                              : arch::Stage::kVertex;
  request.live_outputs = input.take<uint8_t>();
  if (const auto budget = input.take<uint8_t>()) request.constant_budget = budget * 4u;
  request.live_point_size = input.take<uint8_t>() & 1;
  for (uint32_t binding = 0; binding < kBindings; binding++)
    request.descriptors.push_back({0, binding, kLength});
  const auto rest = input.rest();
  std::vector<uint32_t> words(rest.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), rest.data(), words.size() * 4);
  request.spirv = words;
  const std::string entry = entry_of(words);
  request.entry = entry;
  try {
    compiler::compile(request);
  } catch (const UserError&) {}
  return 0;
}

#ifdef CUTAWAY_LIBFUZZER
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

struct Random {
  uint32_t state;
  uint32_t operator()(size_t below) {
    state = state * 1664525 + 1013904223;
    return static_cast<uint32_t>((uint64_t{state >> 8} * below) >> 24);
  }
};

// Start of each instruction of a module.
std::vector<size_t> instructions_of(const std::vector<uint32_t>& words) {
  std::vector<size_t> at;
  for (size_t i = 5; i < words.size(); i += words[i] >> 16) {
    if ((words[i] >> 16) == 0 || (words[i] >> 16) > words.size() - i) break;
    at.push_back(i);
  }
  return at;
}

void mutate(std::vector<uint32_t>& words, Random& random) {
  const auto at = instructions_of(words);
  if (at.empty()) return;
  const size_t from = at[random(at.size())], count = words[from] >> 16;
  const std::vector<uint32_t> whole(words.begin() + static_cast<ptrdiff_t>(from),
                                    words.begin() + static_cast<ptrdiff_t>(from + count));
  switch (random(6)) {
    case 0:  // another operand of the module, a literal or an id
    case 1:
      if (count > 1) words[from + 1 + random(count - 1)] = words[5 + random(words.size() - 5)];
      return;
    case 2:  // an id
      if (count > 1) words[from + 1 + random(count - 1)] = random(words[3] + 1);
      return;
    case 3:  // a neighbour: the next operation, a larger literal
      words[from + random(count)] += random(2) ? 1 : ~0u;
      return;
    case 4:
      words.erase(words.begin() + static_cast<ptrdiff_t>(from),
                  words.begin() + static_cast<ptrdiff_t>(from + count));
      return;
    default: {  // once more, elsewhere, with an id of its own if it has one
      std::vector<uint32_t> copy = whole;
      if (copy.size() > 2 && words[3] < 4096) copy[2] = words[3]++;
      words.insert(words.begin() + static_cast<ptrdiff_t>(at[random(at.size())]), copy.begin(), copy.end());
    }
  }
}

}  // namespace

// Changes instructions, so that modules come out that are worth more than the validator's first line.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  constexpr size_t kHead = 4;
  Random random{seed};
  if (size < kHead + 24 || random(8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::vector<uint32_t> words((size - kHead) / 4);
  std::memcpy(words.data(), data + kHead, words.size() * 4);
  for (uint32_t changes = 1 + random(3); changes; changes--) mutate(words, random);
  words.resize(std::min(words.size(), (max_size - kHead) / 4));
  std::memcpy(data + kHead, words.data(), words.size() * 4);
  if (random(4) == 0) data[random(kHead)] = static_cast<uint8_t>(random(256));
  return kHead + words.size() * 4;
}
#endif
