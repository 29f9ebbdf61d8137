#pragma once

#include <string>
#include <vector>

#include "icd/object.h"

namespace cutaway::icd {

// Calls a program back with messages of the requested kinds during its life. Callable from any thread.
class Messenger {
 public:
  // instance: also receives messages submitted to this instance; nullptr: none.
  explicit Messenger(const VkDebugUtilsMessengerCreateInfoEXT& info, VkInstance instance = nullptr);
  ~Messenger();
  Messenger(const Messenger& other) : Messenger(other.info_, other.instance_) {}
  Messenger& operator=(const Messenger&) = delete;

  VkInstance instance() const { return instance_; }
  void tell(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
            const VkDebugUtilsMessengerCallbackDataEXT& data) const;

 private:
  const VkDebugUtilsMessengerCreateInfoEXT info_;
  const VkInstance instance_;
};

// The messengers that a pNext chain requests; there may be any number.
std::vector<VkDebugUtilsMessengerCreateInfoEXT> messengers_of(const void* chain);

// Sends an error reported by the driver to all messengers of the process.
void tell_messengers(const std::string& line);

}  // namespace cutaway::icd
