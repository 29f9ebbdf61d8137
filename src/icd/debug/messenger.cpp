#include "icd/debug/messenger.h"

#include <algorithm>
#include <mutex>

namespace cutaway::icd {
namespace {

// All messengers that have not been destroyed.
struct LiveMessengers {
  std::mutex mutex;
  std::vector<const Messenger*> list;
};
LiveMessengers& live() {
  static LiveMessengers& messengers = *new LiveMessengers;  // outlives every destructor of the process
  return messengers;
}

// Visits messengers without holding the lock: a callback may be slow and may take locks of the program.
template <class Visit>
void for_each_messenger(Visit&& visit) {
  std::vector<const Messenger*> list;
  {
    const std::lock_guard lock(live().mutex);
    list = live().list;
  }
  for (const Messenger* messenger : list) visit(*messenger);
}

}  // namespace

Messenger::Messenger(const VkDebugUtilsMessengerCreateInfoEXT& info, VkInstance instance)
    : info_(info), instance_(instance) {
  const std::lock_guard lock(live().mutex);
  live().list.push_back(this);
}

Messenger::~Messenger() {
  const std::lock_guard lock(live().mutex);
  std::erase(live().list, this);
}

// "PFN_vkDebugUtilsMessengerCallbackEXT": the callback's return value is for layers only.
void Messenger::tell(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                     const VkDebugUtilsMessengerCallbackDataEXT& data) const {
  if (!(info_.messageSeverity & severity) || !(info_.messageType & types)) return;
  info_.pfnUserCallback(severity, types, &data, info_.pUserData);
}

std::vector<VkDebugUtilsMessengerCreateInfoEXT> messengers_of(const void* chain) {
  std::vector<VkDebugUtilsMessengerCreateInfoEXT> found;
  for (auto* s = static_cast<const VkBaseInStructure*>(chain); s; s = s->pNext)
    if (s->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT) {
      found.push_back(*reinterpret_cast<const VkDebugUtilsMessengerCreateInfoEXT*>(s));
      found.back().pNext = nullptr;
    }
  return found;
}

void tell_messengers(const std::string& line) {
  VkDebugUtilsMessengerCallbackDataEXT data{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT};
  data.pMessageIdName = "cutaway";
  data.pMessage = line.c_str();
  for_each_messenger([&](const Messenger& messenger) {
    messenger.tell(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                   data);
  });
}

VkResult CreateDebugUtilsMessengerEXT(VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT* info,
                                      const VkAllocationCallbacks*, VkDebugUtilsMessengerEXT* messenger) {
  return create(messenger, *info, instance);
}

void DestroyDebugUtilsMessengerEXT(VkInstance, VkDebugUtilsMessengerEXT messenger,
                                   const VkAllocationCallbacks*) {
  destroy(messenger);
}

void SubmitDebugUtilsMessageEXT(VkInstance instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                VkDebugUtilsMessageTypeFlagsEXT types,
                                const VkDebugUtilsMessengerCallbackDataEXT* data) {
  for_each_messenger([&](const Messenger& messenger) {
    if (messenger.instance() == instance) messenger.tell(severity, types, *data);
  });
}

}  // namespace cutaway::icd
