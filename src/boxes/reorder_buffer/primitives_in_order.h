#pragma once

#include "boxes/reorder_buffer/release_order.h"

namespace cutaway::boxes {

// Every primitive in its turn: quads of one do not overlap, so that it does not matter in which order they
// leave (DX-8).
class PrimitivesInOrder final : public ReleaseOrder {
 public:
  bool beside(const parts::ReorderEntry& oldest, const parts::ReorderEntry& entry) const override {
    return !oldest.draw_end && !entry.draw_end && entry.origin.draw == oldest.origin.draw &&
           entry.origin.primitive == oldest.origin.primitive;
  }
};

}  // namespace cutaway::boxes
