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
  from.for_each_page([&](Address address, const Page& page) {
    CUTAWAY_CHECK(context_of(address) == 0, "{:#x} lies beyond the memory of a context", address);
    put_page(to, context_base(context) + address, page, from.placement(address));
  });
}

Memory take_context(const Memory& from, ContextId context) {
  Memory part;
  from.for_each_page([&](Address address, const Page& page) {
    if (context_of(address) == context)
      put_page(part, address - context_base(context), page, from.placement(address));
  });
  return part;
}

}  // namespace cutaway::arch
