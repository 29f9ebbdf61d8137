#include "icd/stream/register_shadow.h"

#include <cstring>

namespace cutaway::icd {
namespace {

// A separate packet costs a header and a register number: it is cheaper to write through shorter gaps.
constexpr uint32_t kPacketOverhead = 2;

}  // namespace

// Calls act(first, values) for runs of words that hold all those that differ.
template <class Act>
void RegisterShadow::for_each_run(const arch::Registers& wanted, const Act& act) const {
  const auto* want = reinterpret_cast<const uint32_t*>(&wanted);
  const auto* held = reinterpret_cast<const uint32_t*>(&held_);
  uint32_t word = 0;
  while (word < words_) {
    if (want[word] == held[word]) {
      word++;
      continue;
    }
    const uint32_t first = word;
    uint32_t end = word + 1;  // one past the last word that differs
    for (uint32_t i = end; i < words_ && i <= end + kPacketOverhead; i++)
      if (want[i] != held[i]) end = i + 1;
    act(first, std::span(want + first, end - first));
    word = end;
  }
}

void RegisterShadow::update(const arch::Registers& wanted, arch::CommandWriter& writer) {
  for_each_run(
      wanted, [&](uint32_t first, std::span<const uint32_t> values) { writer.set_registers(first, values); });
  std::memcpy(static_cast<void*>(&held_), &wanted, sizeof held_);
}

std::vector<host::RegisterRun> RegisterShadow::left_set() const {
  std::vector<host::RegisterRun> runs;
  for_each_run({}, [&](uint32_t first, std::span<const uint32_t> values) {
    runs.push_back({first, static_cast<uint32_t>(values.size())});
  });
  return runs;
}

}  // namespace cutaway::icd
