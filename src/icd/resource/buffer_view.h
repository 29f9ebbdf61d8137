#pragma once

#include "arch/surface.h"
#include "icd/object.h"

namespace cutaway::icd {

class BufferView {
 public:
  explicit BufferView(const VkBufferViewCreateInfo& info);
  const arch::Surface& surface() const { return surface_; }  // type kTexelBuffer

 private:
  arch::Surface surface_{};
};

}  // namespace cutaway::icd
