#pragma once

#include <cstddef>

// Storage for the pages of all Memories. Freed blocks are used again and never go back to the system, which
// would clear them anew: every frame of a GPU replaces thousands. Callable from any thread.
namespace cutaway::arch {

constexpr size_t kBlockAlignment = 64;
constexpr size_t kBlockBytes = 4096 + kBlockAlignment;  // a page and what is noted about it

void* take_block();  // throws std::bad_alloc
void give_block(void* block);

}  // namespace cutaway::arch
