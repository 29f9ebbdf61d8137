#pragma once

#include "boxes/reorder_buffer/release_order.h"

namespace cutaway::boxes {

// Every quad in its turn.
class QuadsInOrder final : public ReleaseOrder {
 public:
  bool beside(const parts::ReorderEntry&, const parts::ReorderEntry&) const override { return false; }
};

}  // namespace cutaway::boxes
