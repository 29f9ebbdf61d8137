#pragma once

#include <optional>

#include "arch/memory.h"

// Contexts that share one machine: each has a part of its memory, which its programs address from 0 on.
namespace cutaway::arch {

constexpr uint32_t kContextBits = 38;  // bits of an address within a context's part: 256 GB
constexpr ContextId kMostContexts = 1u << (kAddressBits - kContextBits);

constexpr uint64_t kContextBytes = uint64_t{1} << kContextBits;
// An address that no context may map.
constexpr Address kNowhere = (Address{1} << kAddressBits) - kPageBytes;

constexpr Address context_base(ContextId context) { return Address{context} << kContextBits; }
constexpr ContextId context_of(Address address) { return static_cast<ContextId>(address >> kContextBits); }
// The place in memory of a context's address; kNowhere beyond its part.
constexpr Address place_in(ContextId context, Address address) {
  return context_of(address) ? kNowhere : context_base(context) + address;
}

// The lowest page or sparse range that does not lie in the part of a context; nothing: all do.
std::optional<Address> beyond_context(const Memory& memory);
// Copies all pages and ranges of `from` to the part of a context. Requires !beyond_context().
void put_context(Memory& to, ContextId context, const Memory& from);
// The part of a context, addressed from 0 on. Pages that are bound to memory of another context become pages
// with its bytes.
Memory take_context(const Memory& from, ContextId context);

}  // namespace cutaway::arch
