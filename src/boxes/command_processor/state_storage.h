#pragma once

#include <array>
#include <memory>
#include <vector>

#include "boxes/command_processor/command_processor_spec.h"
#include "boxes/command_processor/state_blocks.h"

namespace cutaway::boxes {

// Where the units keep the state of draws under way: each kind in its way. Kinds that have one way share its
// versions or its spare blocks.
class StateStorage {
 public:
  explicit StateStorage(const CommandProcessorSpec& spec);

  // A draw that differs from the draw before it in these blocks.
  using Changes = std::array<unsigned, kStateKinds>;
  bool room(const Changes& changes) const;
  // The holdings of a draw, in the order of ways_.
  using Held = std::array<uint32_t, kStateKinds>;
  Held take(const Changes& changes);
  void release(const Held& held);

  bool travels(StateKind kind) const { return ways_[way_of_[static_cast<size_t>(kind)]]->travels(); }
  // Bytes in the units of a chip with so many shader stages.
  uint64_t bytes(unsigned stages) const;

 private:
  unsigned changed(size_t way, const Changes& changes) const;

  std::vector<std::unique_ptr<StateWay>> ways_;
  std::array<size_t, kStateKinds> way_of_{};
};

}  // namespace cutaway::boxes
