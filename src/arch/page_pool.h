#pragma once

#include <cstddef>

// Storage for the pages of all Memories. Freed blocks are used again and go back to the system with the last
// block in use: it would clear them anew, and every frame of a GPU replaces thousands. Callable from any
// thread, also in a process that is forked.
namespace cutaway::arch {

constexpr size_t kBlockAlignment = 64;
constexpr size_t kBlockBytes = 4096 + kBlockAlignment;  // a page and what is noted about it

void* take_block();  // throws std::bad_alloc
void give_block(void* block);

}  // namespace cutaway::arch
