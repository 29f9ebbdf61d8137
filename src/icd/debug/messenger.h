#pragma once

#include <string>
#include <vector>

#include "icd/object.h"

namespace cutaway::icd {

// Calls a program back with messages of the kinds that it asked for, from when it is made to its end. Safe
// from any thread.
class Messenger {
 public:
  // instance: whose submitted messages it hears too; nullptr: of none.
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

// The messengers that a pNext chain asks for; any number may stand there.
std::vector<VkDebugUtilsMessengerCreateInfoEXT> messengers_of(const void* chain);

// What the driver reports as an error, to all messengers of the process.
void tell_messengers(const std::string& line);

}  // namespace cutaway::icd
