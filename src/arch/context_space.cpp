#include "arch/context_space.h"

#include "base/error.h"

namespace cutaway::arch {
namespace {

void put_page(Memory& to, Address address, const Page& page, Placement placement) {
  static constexpr Page kZeros{};
  to.map(address, kPageBytes);
  if (page != kZeros) to.write(address, page.data(), kPageBytes);
  to.place(address, kPageBytes, placement);
}

}  // namespace

void put_context(Memory& to, ContextId context, const Memory& from) {
  const Address base = context_base(context);
  from.for_each_page([&](Address address, const Page& page) {
    CUTAWAY_CHECK(context_of(address) == 0, "{:#x} lies beyond the memory of a context", address);
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
  for (const auto& [address, bytes, target] : from.bindings())
    if (context_of(address) == context)
      part.bind(address - base, bytes, target ? std::optional(*target - base) : std::nullopt);
  return part;
}

}  // namespace cutaway::arch
