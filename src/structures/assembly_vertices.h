#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "messages/messages.h"

namespace cutaway::structures {

// The vertices that an assembler remembers, and one more. All other entries are empty, so that their places
// are returned.
template <uint32_t kMost>
class AssemblyVertices {
 public:
  // Returns the number by which the assembler knows the vertex.
  uint32_t add(messages::VertexRef vertex) {
    const auto slot = static_cast<uint32_t>(std::countr_one(used_));
    vertex_[slot] = std::move(vertex);
    used_ |= uint64_t{1} << slot;
    return slot;
  }
  const messages::VertexRef& operator[](uint32_t number) const { return vertex_[number]; }

  // Releases vertices that the assembler does not remember.
  template <class Assembler>
  void forget(const Assembler& assembler) {
    uint64_t remembered = 0;
    for (uint32_t i = 0; i < assembler.remembered(); i++)
      remembered |= uint64_t{1} << assembler.remembered(i);
    for (uint64_t left = used_ & ~remembered; left; left &= left - 1)
      vertex_[static_cast<uint32_t>(std::countr_zero(left))] = {};
    used_ &= remembered;
  }
  void clear() {
    for (; used_; used_ &= used_ - 1) vertex_[static_cast<uint32_t>(std::countr_zero(used_))] = {};
  }

 private:
  static_assert(kMost <= 64);
  std::array<messages::VertexRef, kMost> vertex_;
  uint64_t used_ = 0;  // one bit per entry
};

}  // namespace cutaway::structures
