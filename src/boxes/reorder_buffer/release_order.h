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

// Which shaded quads may leave a reorder buffer. Each way is a file of its own.
class ReleaseOrder {
 public:
  virtual ~ReleaseOrder() = default;

  // Whether the quad of an entry may leave although that of the oldest has not been shaded. It is asked of
  // one entry after the other until it says no.
  virtual bool beside(const parts::ReorderEntry& oldest, const parts::ReorderEntry& entry) const = 0;
};

std::unique_ptr<ReleaseOrder> make_release_order(ReleaseOrderPolicy policy);

}  // namespace cutaway::boxes
