#pragma once

#include <map>
#include <set>
#include <utility>

#include "arch/memory.h"

namespace cutaway::arch {

// The sparse ranges of a Memory. Addresses are those of pages.
struct Memory::Bindings {
  std::map<Address, Address> ranges;            // by their start: their end; no two touch
  std::map<Address, Address> targets;           // by the page that is bound
  std::set<std::pair<Address, Address>> bound;  // the same: target, page

  void add_range(Address start, Address end);
  void remove_range(Address start, Address end);
};

}  // namespace cutaway::arch
