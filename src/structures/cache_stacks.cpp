#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "structures/cache.h"

// Stacks of equal samples. A stack is written at once to the sector of its last sample, which may lie in
// another channel of memory than those of the others: there is no order between it and what concerns them
// alone. So it is only written at once when memory has acknowledged all writes to its sectors, and until it
// has acknowledged this one, nothing of the stack is read or written.
namespace cutaway::structures {
namespace {

// A write's tag.
constexpr uint32_t kHashShift = 16, kAtOnce = 1u << 31;

uint32_t hash_of(arch::Address last) {
  const uint64_t sector = last / messages::kSectorBytes;
  return static_cast<uint32_t>((sector ^ sector >> 10 ^ sector >> 20) & 0x3ff);
}

}  // namespace

arch::Address Cache::last_of_stack(uint32_t index, uint32_t sector) const {
  const Packing& packing = lines_[index].packing;
  return packing.stack.last_of(addresses_[index] + sector * messages::kSectorBytes, packing.surface);
}

uint32_t Cache::stack_tag(uint32_t index, uint32_t sector, bool at_once) {
  const uint32_t tag = index * sectors_ + sector;
  if (!lines_[index].packing.stack) return tag;
  const uint32_t hash = hash_of(last_of_stack(index, sector));
  stack_writes_[hash].any++;
  stack_writes_[hash].at_once += at_once;
  return tag | (hash + 1) << kHashShift | (at_once ? kAtOnce : 0);
}

void Cache::stack_written(uint32_t tag) {
  if (!geometry_.stacks || !(tag >> kHashShift)) return;
  StackWrites& writes = stack_writes_[((tag & ~kAtOnce) >> kHashShift) - 1];
  writes.any--;
  writes.at_once -= (tag & kAtOnce) != 0;
}

// True if a stack of these sectors is being written at once.
bool Cache::stacks_wait(const Packing& packing, arch::Address line, uint32_t sectors) const {
  if (!packing.stack) return false;
  for (uint32_t s = 0; s < sectors_; s++)
    if ((sectors >> s & 1) &&
        stack_writes_[hash_of(packing.stack.last_of(line + s * messages::kSectorBytes, packing.surface))]
            .at_once)
      return true;
  return false;
}

// The same of those that a write-back of the line writes.
bool Cache::stacks_wait(uint32_t index) const {
  const Line& line = lines_[index];
  return line.dirty && stacks_wait(line.packing, addresses_[index], line.dirty);
}

// The stack of a sector at once. False: its samples differ, or are not all here; the sector must be written
// for its own sample.
bool Cache::write_stack(uint32_t index, uint32_t sector, const messages::Origin& origin) {
  const messages::SampleStack stack = lines_[index].packing.stack;
  if (!stack || !lines_[index].may_pack) return false;
  packed_.apart++;
  const arch::Address last = last_of_stack(index, sector);
  if (stack_writes_[hash_of(last)].any) return false;
  const std::byte* bytes = data(index) + sector * messages::kSectorBytes;
  struct Place {
    uint32_t line, sector;
  };
  std::array<Place, 8> places;
  for (uint32_t back = 0; back < stack.samples; back++) {
    const arch::Address address = stack.before(last, back);
    const uint32_t line = line_of(address);
    if (line == kNone) return false;
    const uint32_t s = static_cast<uint32_t>(address - addresses_[line]) / messages::kSectorBytes;
    if (lines_[line].sector[s].valid != messages::kAllBytes) return false;
    if (std::memcmp(data(line) + s * messages::kSectorBytes, bytes, messages::kSectorBytes) != 0)
      return false;
    places[back] = {line, s};
  }
  for (uint32_t back = 0; back < stack.samples; back++)
    packed_.stacked += lines_[places[back].line].take_dirty(places[back].sector) != 0;
  packed_.apart--;
  packed_.stacks++;
  messages::MemoryRequest& request = requests_.push({.address = last,
                                                     .tag = stack_tag(places[0].line, places[0].sector, true),
                                                     .write = true,
                                                     .stack = stack,
                                                     .origin = origin});
  std::memcpy(request.data.data(), bytes, messages::kSectorBytes);
  awaited_++;
  return true;
}

}  // namespace cutaway::structures
