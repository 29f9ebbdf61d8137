#pragma once

#include <cstdint>

#include "arch/registers.h"
#include "command_stream/draw.h"

namespace cutaway::structures {

// Parallel front ends, each with streamer, primitive assembly, clipper and triangle setup. They share every
// draw in batches of primitives.
struct FrontEnds {
  unsigned units = 1;
  unsigned batch = 32;     // primitives; an even number, so that triangle strips keep their winding
  unsigned reporters = 1;  // boxes of each that report a batch's counts (DrawAssembled)
};

// A part of a draw's vertices that makes primitives independently.
struct Batch {
  uint32_t instance = 0;         // from 0 in the draw
  uint32_t begin = 0, end = 0;   // positions among the draw's vertices or indices
  uint32_t first_primitive = 0;  // id of the first primitive: from 0 in the instance
  uint32_t repeated = 0;         // vertices at its begin that the previous batch has too
  bool centre = false;           // of a fan: position 0 precedes these
};

// Number of vertices per primitive of a list; 1 for strips and fans, whose primitives share vertices.
uint32_t vertices_of_list_primitive(const arch::Registers& registers);

// The batches of a draw, by instance and position. A primitive belongs to the batch of its first vertex. A
// batch of a strip also has the vertices that its first primitive shares with the previous batch; a batch of
// a fan has those and the centre. Leftover vertices at the end of an instance belong to its last batch.
//
// A draw is a single batch, with all its instances, in these cases: the machine has one front end; primitive
// boundaries are unknown without reading all indices (primitive restart); a primitive depends on earlier ones
// (stippled line strips) or on being the last (triangle strips with adjacency); or there are no primitives.
class DrawBatches {
 public:
  DrawBatches() = default;
  DrawBatches(const command_stream::Draw& draw, const arch::Registers& registers,
              const FrontEnds& front_ends);

  uint32_t count() const { return count_; }  // at least 1
  bool whole() const { return per_instance_ == 0; }
  // The batch with this number; for a single-batch draw its first instance.
  Batch batch(uint32_t number) const;

 private:
  uint32_t vertices_ = 0;                  // per instance
  uint32_t primitives_ = 0;                // per batch
  uint32_t count_ = 1, per_instance_ = 0;  // batches
  uint32_t step_ = 1, shared_ = 0;         // positions between primitives, and positions shared by neighbours
  bool fan_ = false;
};

}  // namespace cutaway::structures
