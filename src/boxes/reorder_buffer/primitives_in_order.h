#pragma once

#include "boxes/reorder_buffer/release_order.h"

namespace cutaway::boxes {

// Releases primitives in order. Quads of one primitive do not overlap, so they may leave in any order (DX-8).
class PrimitivesInOrder final : public ReleaseOrder {
 public:
  bool beside(const parts::ReorderEntry& oldest, const parts::ReorderEntry& entry) const override {
    return !oldest.draw_end && !entry.draw_end && entry.origin.draw == oldest.origin.draw &&
           entry.origin.primitive == oldest.origin.primitive;
  }
};

}  // namespace cutaway::boxes
