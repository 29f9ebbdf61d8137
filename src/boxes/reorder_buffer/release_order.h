#pragma once

#include "base/policy.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// Decides which shaded quads may leave a reorder buffer. Each policy is a file of its own.
class ReleaseOrder {
 public:
  virtual ~ReleaseOrder() = default;

  // True if an entry's quad may leave before the oldest entry's has been shaded. Queried for one entry after
  // the other until it returns false.
  virtual bool beside(const messages::ReorderEntry& oldest, const messages::ReorderEntry& entry) const = 0;
};

// A policy is made with nothing.
struct ReleaseOrders : PolicyFamily<ReleaseOrders, ReleaseOrder> {};

}  // namespace cutaway::boxes
