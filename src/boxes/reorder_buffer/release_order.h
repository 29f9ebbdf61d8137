#pragma once

#include <memory>

#include "base/field.h"
#include "parts/messages.h"

namespace cutaway::boxes {

enum class ReleaseOrderPolicy : uint8_t { kQuads, kPrimitives };

inline constexpr EnumName<ReleaseOrderPolicy> kReleaseOrderNames[] = {
    {ReleaseOrderPolicy::kQuads, "quads"},
    {ReleaseOrderPolicy::kPrimitives, "primitives"},
};

// Decides which shaded quads may leave a reorder buffer. Each policy has its own file.
class ReleaseOrder {
 public:
  virtual ~ReleaseOrder() = default;

  // True if an entry's quad may leave before the oldest entry's has been shaded. Queried for one entry after
  // the other until it returns false.
  virtual bool beside(const parts::ReorderEntry& oldest, const parts::ReorderEntry& entry) const = 0;
};

std::unique_ptr<ReleaseOrder> make_release_order(ReleaseOrderPolicy policy);

}  // namespace cutaway::boxes
