#pragma once

#include <unordered_set>

#include "compiler/module.h"

namespace cutaway::compiler {

// Variables with an index that chooses from more elements go to scratch memory: limits for loads and stores.
constexpr uint32_t kSelectElements = 64, kSelectStores = 24;

// Uses of a module's pointers, found before translation.
struct PointerUse {
  bool writes_memory = false;              // it stores to buffers or images
  std::unordered_set<uint32_t> too_large;  // indexed variables that are too large for selects
};
PointerUse pointer_use(const Module& module);

}  // namespace cutaway::compiler
