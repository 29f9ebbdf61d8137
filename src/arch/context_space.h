#pragma once

#include "arch/memory.h"

// Contexts that share one machine: each has a part of its memory, which its programs address from 0 on.
namespace cutaway::arch {

constexpr uint32_t kContextBits = 38;  // bits of an address within a context's part: 256 GB
constexpr ContextId kMostContexts = 1u << (kAddressBits - kContextBits);

constexpr Address context_base(ContextId context) { return Address{context} << kContextBits; }
constexpr ContextId context_of(Address address) { return static_cast<ContextId>(address >> kContextBits); }

// Copies all pages of `from`, which lie below 1 << kContextBits, to the part of a context.
void put_context(Memory& to, ContextId context, const Memory& from);
// The part of a context, addressed from 0 on.
Memory take_context(const Memory& from, ContextId context);

}  // namespace cutaway::arch
