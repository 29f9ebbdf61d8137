#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

// Storage for the pages of all Memories. Freed pages are used again and go back to the system with the last
// page in use: it would clear them anew, and every frame of a GPU replaces thousands. Callable from any
// thread, also in a process that is forked.
namespace cutaway::arch {

constexpr uint64_t kPageBytes = 4096;
using Page = std::array<std::byte, kPageBytes>;

// Takes a page with one user; its bytes are of no meaning. Throws std::bad_alloc. Pages are aligned to 64
// bytes at least.
Page* take_page();
void give_page(Page* page);

// The number of Memories and others that share a page. It lies apart from the page: who shares all pages of a
// GPU in a process that was forked then writes to few pages of the system, which it would copy.
std::atomic<uint32_t>& users_of(const Page* page);

}  // namespace cutaway::arch
