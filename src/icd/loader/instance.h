#pragma once

#include <memory>

#include "icd/object.h"

namespace cutaway::icd {

constexpr uint32_t kApiVersion = VK_API_VERSION_1_1;

class Instance : public Dispatchable {
 public:
  explicit Instance(const VkInstanceCreateInfo& info);
  ~Instance();

  PhysicalDevice& physical_device() { return *physical_device_; }

 private:
  std::unique_ptr<PhysicalDevice> physical_device_;
};

}  // namespace cutaway::icd
