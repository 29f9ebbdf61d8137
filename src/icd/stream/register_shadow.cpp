#include "icd/stream/register_shadow.h"

#include <cstring>

namespace cutaway::icd {
namespace {

// A separate packet costs a header and a register number: it is cheaper to write through shorter gaps.
constexpr uint32_t kPacketOverhead = 2;

}  // namespace

void RegisterShadow::update(const arch::Registers& wanted, arch::CommandWriter& writer) {
  const auto* want = reinterpret_cast<const uint32_t*>(&wanted);
  auto* held = reinterpret_cast<uint32_t*>(&held_);
  uint32_t word = 0;
  while (word < words_) {
    if (known_ && want[word] == held[word]) {
      word++;
      continue;
    }
    const uint32_t first = word;
    uint32_t end = word + 1;  // one past the last word that differs
    for (uint32_t i = end; i < words_ && i <= end + kPacketOverhead; i++)
      if (!known_ || want[i] != held[i]) end = i + 1;
    writer.set_registers(first, {want + first, end - first});
    word = end;
  }
  known_ = true;
  std::memcpy(static_cast<void*>(&held_), &wanted, sizeof held_);
}

}  // namespace cutaway::icd
