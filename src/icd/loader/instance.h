#pragma once

#include <memory>
#include <vector>

#include "icd/object.h"

namespace cutaway::icd {

class Instance : public Dispatchable {
 public:
  explicit Instance(const VkInstanceCreateInfo& info);
  ~Instance();

  PhysicalDevice& physical_device() { return *physical_device_; }
  // The messengers passed at creation, for messages during the instance's destruction.
  const std::vector<VkDebugUtilsMessengerCreateInfoEXT>& own_messengers() const { return own_messengers_; }

 private:
  std::unique_ptr<PhysicalDevice> physical_device_;
  std::vector<VkDebugUtilsMessengerCreateInfoEXT> own_messengers_;
};

}  // namespace cutaway::icd
