#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/module.h"
#include "compiler/translate/pointer_layout.h"

namespace cutaway::compiler {

// A possible target of a variable pointer: an element of an array of descriptors, or a single descriptor.
struct PointerRoot {
  uint32_t variable = 0, element = 0;
};
using PointerRoots = std::vector<std::pair<uint32_t, PointerRoot>>;  // with their numbers, from 1 on

// Finds where pointer values come from, before a module is translated: which buffers a variable pointer may
// point to, and with which layout it was made. Pointers flow from id to id; a variable that holds pointers is
// treated as one value.
class PointerFlow {
 public:
  // UnsupportedShader: there are too many descriptors.
  explicit PointerFlow(const Module& module);
  // True if the module has pointers that are addresses.
  static bool holds_addresses(const Module& module);

  // Number of a variable's first descriptor; the others follow it.
  uint32_t number_of(uint32_t variable) const;
  // Possible targets of the pointer with this id.
  std::shared_ptr<const PointerRoots> roots(uint32_t id) const;
  // The layout of the pointer with this id, joined over all that it may come from.
  PointerLayout layout(uint32_t id) const;

 private:
  struct Edge {
    uint32_t to = 0;
    std::optional<uint32_t> element;  // restricts the flow to this element of an array of descriptors
    const Word* chain = nullptr;      // access chain that the pointer goes through
  };

  using Bits = std::vector<uint64_t>;  // one bit per element of all_

  void find_types();
  void number_buffers();
  void connect(uint32_t from, uint32_t to, std::optional<uint32_t> element = {}, const Word* chain = nullptr);
  void connect_both(uint32_t a, uint32_t b);
  void follow(const Word& word, uint32_t function);
  void follow_chain(const Word& word);
  void follow_call(const Word& word);
  void spread();
  void spread_layouts();
  PointerLayout through(PointerLayout layout, const Word& chain) const;
  void add(Bits& to, uint32_t root) const;
  bool holds_pointers(uint32_t type) const;
  bool holds_values(uint32_t id) const;  // a pointer to something that holds pointers
  uint32_t type_of(uint32_t id) const;

  const Module& m_;
  std::unordered_map<uint32_t, uint32_t> types_;    // by id
  std::unordered_map<uint32_t, uint32_t> numbers_;  // by variable
  std::vector<PointerRoot> all_;                    // by number - 1
  std::unordered_map<uint32_t, std::vector<Edge>> edges_;
  std::unordered_map<uint32_t, Bits> reached_;           // by id
  std::unordered_map<uint32_t, Bits> of_element_;        // those that are this element of their array
  std::unordered_map<uint32_t, PointerLayout> layouts_;  // by id; none: nothing reaches it
};

}  // namespace cutaway::compiler
