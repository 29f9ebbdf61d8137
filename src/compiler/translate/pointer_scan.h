#pragma once

#include <unordered_set>

#include "compiler/module.h"

namespace cutaway::compiler {

// Variables of which an index chooses from more elements lie in scratch memory: to load, to store.
constexpr uint32_t kSelectElements = 64, kSelectStores = 24;

// What a module does through its pointers, found before it is translated.
struct PointerUse {
  bool writes_memory = false;              // it stores to buffers or images
  std::unordered_set<uint32_t> too_large;  // variables that are indexed by more than selects can do
};
PointerUse pointer_use(const Module& module);

}  // namespace cutaway::compiler
