#pragma once

#include "arch/surface.h"
#include "icd/object.h"

namespace cutaway::icd {

class Sampler {
 public:
  explicit Sampler(const VkSamplerCreateInfo& info);
  const arch::Sampler& descriptor() const { return descriptor_; }

 private:
  arch::Sampler descriptor_{};
};

}  // namespace cutaway::icd
