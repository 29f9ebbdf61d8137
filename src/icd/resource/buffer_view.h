#pragma once

#include <memory>

#include "arch/surface.h"
#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

class BufferView {
 public:
  explicit BufferView(const VkBufferViewCreateInfo& info);
  const arch::Surface& surface() const { return surface_; }  // type kTexelBuffer
  const std::weak_ptr<void>& memory() const { return memory_; }

 private:
  arch::Surface surface_{};
  std::weak_ptr<void> memory_;
};

}  // namespace cutaway::icd
