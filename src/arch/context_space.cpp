#include "arch/context_space.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::arch {
namespace {

void put_page(Memory& to, Address address, const Page& page, Placement placement) {
  static constexpr Page kZeros{};
  to.map(address, kPageBytes);
  if (page != kZeros) to.write(address, page.data(), kPageBytes);
  to.place(address, kPageBytes, placement);
}

// Puts the page of another context, which is mapped, in the place of the sparse one that is bound to it.
void take_page(Memory& to, Address address, const Memory& from, Address target) {
  to.unmap(address, kPageBytes);
  put_page(to, address, *from.page(target), from.placement(target));
}

}  // namespace

std::optional<Address> beyond_context(const Memory& memory) {
  std::optional<Address> lowest;
  const auto note = [&](Address address, uint64_t bytes) {
    // The last page of a context is never mapped: kNowhere.
    if (address + bytes > kContextBytes - kPageBytes) lowest = std::min(lowest.value_or(address), address);
  };
  memory.for_each_page([&](Address address, const Page&) { note(address, kPageBytes); });
  for (const Memory::Binding& binding : memory.bindings()) note(binding.address, binding.bytes);
  return lowest;
}

void put_context(Memory& to, ContextId context, const Memory& from) {
  const Address base = context_base(context);
  const std::optional<Address> beyond = beyond_context(from);
  CUTAWAY_CHECK(!beyond, "{:#x} lies beyond the memory of a context", *beyond);
  from.for_each_page([&](Address address, const Page& page) {
    if (from.sparse(address)) return;
    put_page(to, base + address, page, from.placement(address));
  });
  for (const auto& [address, bytes, target] : from.bindings())
    to.bind(base + address, bytes, target ? std::optional(base + *target) : std::nullopt);
}

Memory take_context(const Memory& from, ContextId context) {
  Memory part;
  const Address base = context_base(context);
  from.for_each_page([&](Address address, const Page& page) {
    if (context_of(address) == context && !from.sparse(address))
      put_page(part, address - base, page, from.placement(address));
  });
  for (const auto& [address, bytes, target] : from.bindings()) {
    if (context_of(address) != context) continue;
    if (!target || context_of(*target) == context)
      part.bind(address - base, bytes, target ? std::optional(*target - base) : std::nullopt);
    else
      for (uint64_t offset = 0; offset < bytes; offset += kPageBytes)
        take_page(part, address - base + offset, from, *target + offset);
  }
  return part;
}

}  // namespace cutaway::arch
