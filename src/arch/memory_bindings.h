#pragma once

#include <map>
#include <set>

#include "arch/memory.h"

namespace cutaway::arch {

// The sparse ranges of a Memory. Addresses are those of pages.
struct Memory::Bindings {
  std::map<Address, Address> ranges;           // by their start: their end; no two touch
  std::map<Address, Address> targets;          // by the page that is bound
  std::map<Address, std::set<Address>> bound;  // the same by target; none is empty

  void add_range(Address start, Address end);
  void remove_range(Address start, Address end);
  bool is_full(Address target, Address start, Address end) const;
};

}  // namespace cutaway::arch
