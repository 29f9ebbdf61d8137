#pragma once

#include <cstdint>

#include "arch/registers.h"
#include "draw/draw.h"

namespace cutaway::parts {

// Front ends side by side: streamer, primitive assembly, clipper and triangle setup each. They share out
// every draw in batches of primitives.
struct FrontEnds {
  unsigned units = 1;
  unsigned batch = 32;   // primitives; an even number, so that triangle strips keep their winding
  unsigned tellers = 1;  // boxes of each that tell what a batch gave (DrawAssembled)
};

// A part of the vertices of a draw, which gives primitives by itself.
struct Batch {
  uint32_t instance = 0;         // from 0 in the draw
  uint32_t begin = 0, end = 0;   // positions among the draw's vertices or indices
  uint32_t first_primitive = 0;  // id of the first: from 0 in the instance
  uint32_t repeated = 0;         // at its begin: vertices that the batch before has, too
  bool centre = false;           // it begins with position 0 before these: of a fan
};

// Vertices after which another primitive of the draw begins, with none that this one has: of lists. 1: of
// strips and fans.
uint32_t vertices_of_list_primitive(const arch::Registers& registers);

// The batches of a draw, by instance and position. A primitive belongs to the batch of its first vertex; a
// batch of a strip also has the vertices that its first primitive shares with the batch before, one of a fan
// those and the centre. Vertices that are left over at the end of an instance go with its last batch.
//
// A draw is a single batch, with all its instances, on a machine with one front end, where nothing tells
// without reading all indices where a primitive begins (primitive restart), where a primitive needs to know
// of those before it (stippled line strips) or whether it is the last (triangle strips with adjacency), and
// where there are no primitives.
class DrawBatches {
 public:
  DrawBatches() = default;
  DrawBatches(const draw::Draw& draw, const arch::Registers& registers, const FrontEnds& front_ends);

  uint32_t count() const { return count_; }  // at least 1
  bool whole() const { return per_instance_ == 0; }
  // The `number`-th; of a draw that is whole: its first instance.
  Batch batch(uint32_t number) const;

 private:
  uint32_t vertices_ = 0;                  // of an instance
  uint32_t primitives_ = 0;                // of a batch
  uint32_t count_ = 1, per_instance_ = 0;  // batches
  uint32_t step_ = 1, shared_ = 0;         // positions from a primitive to the next, and that both have
  bool fan_ = false;
};

}  // namespace cutaway::parts
