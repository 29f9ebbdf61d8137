#include "func/geometry/assembly.h"

namespace cutaway::func {

using arch::ProvokingVertex;
using arch::Topology;

bool PrimitiveAssembler::supports(Topology topology) { return topology <= Topology::kTriangleFan; }

std::optional<AssembledPrimitive> PrimitiveAssembler::emit(uint32_t a, uint32_t b, uint32_t c,
                                                           uint8_t vertices, uint8_t first) {
  if (topology_ == Topology::kLineList) strip_++;
  return AssembledPrimitive{vertices, first, {a, b, c}, next_id_++, strip_};
}

std::optional<AssembledPrimitive> PrimitiveAssembler::add(uint32_t vertex) {
  const bool last = provoking_ == ProvokingVertex::kLast;
  const uint32_t n = count_++;
  switch (topology_) {
    case Topology::kPointList:
      count_ = 0;
      return emit(vertex, 0, 0, 1, 0);
    case Topology::kLineList:
    case Topology::kLineStrip: {
      const uint32_t previous = held_[0];
      held_[0] = vertex;
      // A strip remembers one vertex; a list with a complete line remembers none.
      count_ = n > 0 && topology_ == Topology::kLineList ? 0 : 1;
      if (n == 0) return std::nullopt;
      return last ? emit(vertex, previous, 0, 2, 1) : emit(previous, vertex, 0, 2, 0);
    }
    case Topology::kTriangleList:
      if (n < 2) {
        held_[n] = vertex;
        return std::nullopt;
      }
      count_ = 0;
      return last ? emit(vertex, held_[0], held_[1], 3, 1) : emit(held_[0], held_[1], vertex, 3, 0);
    case Topology::kTriangleStrip: {
      const uint32_t a = held_[0], b = held_[1];
      if (n < 2) {
        held_[n] = vertex;
        return std::nullopt;
      }
      held_[0] = b, held_[1] = vertex;
      // Triangle i is (i, i+1, i+2), an odd one (i, i+2, i+1): all have the same winding.
      const bool odd = n % 2 == 1;
      count_ = odd ? 2 : 3;  // only its parity matters from here on
      if (last) return odd ? emit(vertex, b, a, 3, 2) : emit(vertex, a, b, 3, 1);
      return odd ? emit(a, vertex, b, 3, 0) : emit(a, b, vertex, 3, 0);
    }
    case Topology::kTriangleFan: {
      const uint32_t centre = held_[0], previous = held_[1];
      if (n < 2) {
        held_[n] = vertex;
        return std::nullopt;
      }
      held_[1] = vertex;
      count_ = 2;
      // Triangle i is (i+1, i+2, 0): the centre comes last.
      return last ? emit(vertex, centre, previous, 3, 2) : emit(previous, vertex, centre, 3, 0);
    }
    default:
      count_ = 0;
      return std::nullopt;
  }
}

}  // namespace cutaway::func
