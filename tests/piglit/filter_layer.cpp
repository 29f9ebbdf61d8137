// A Vulkan layer that hides from a program what Cutaway's driver does not advertise, so that another driver
// can be asked to do the same work with the same means. It loads Cutaway's driver (CUTAWAY_FILTER_DRIVER: the
// path of libvulkan_cutaway.so), asks both, and answers with what both offer: extensions, features, limits,
// formats.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>
#include <vulkan/vk_layer.h>

#include "filter_structures.h"

namespace {

[[noreturn]] void fail(const char* what, const char* detail) {
  std::fprintf(stderr, "filter layer: %s: %s\n", what, detail);
  std::exit(1);
}

// Cutaway's driver, without a loader around it. No device is made of it.
class Reference {
 public:
  static Reference& get() {
    static Reference reference;
    return reference;
  }

  VkPhysicalDevice device = nullptr;

  template <class Function>
  Function proc(const char* name) const {
    const auto found = gipa_(instance_, name);
    if (!found) fail("Cutaway's driver lacks", name);
    return reinterpret_cast<Function>(found);
  }

 private:
  Reference() {
    const char* path = std::getenv("CUTAWAY_FILTER_DRIVER");
    if (!path) fail("needs the path of libvulkan_cutaway.so in", "CUTAWAY_FILTER_DRIVER");
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail("cannot load Cutaway's driver", dlerror());
    const auto negotiate =
        reinterpret_cast<VkResult (*)(uint32_t*)>(dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion"));
    gipa_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vk_icdGetInstanceProcAddr"));
    uint32_t version = 5;
    if (!negotiate || !gipa_ || negotiate(&version) != VK_SUCCESS) fail("not a Vulkan driver", path);
    VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    uint32_t count = 1;
    if (proc<PFN_vkCreateInstance>("vkCreateInstance")(&info, nullptr, &instance_) != VK_SUCCESS ||
        proc<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(instance_, &count, &device) < 0 ||
        count != 1)
      fail("cannot make an instance of", path);
  }

  PFN_vkGetInstanceProcAddr gipa_ = nullptr;
  VkInstance instance_ = nullptr;
};

// The next layer's or the driver's functions, by instance. They are looked up when the instance is made:
// later the loader would answer with the first layer's.
struct Instance {
  VkInstance instance;
  PFN_vkGetInstanceProcAddr gipa;
  std::unordered_map<std::string, PFN_vkVoidFunction> next;
};

constexpr const char* kIntercepted[] = {"vkDestroyInstance",
                                        "vkEnumerateDeviceExtensionProperties",
                                        "vkGetPhysicalDeviceFeatures",
                                        "vkGetPhysicalDeviceFeatures2",
                                        "vkGetPhysicalDeviceProperties",
                                        "vkGetPhysicalDeviceProperties2",
                                        "vkGetPhysicalDeviceFormatProperties",
                                        "vkGetPhysicalDeviceFormatProperties2",
                                        "vkGetPhysicalDeviceImageFormatProperties",
                                        "vkGetPhysicalDeviceImageFormatProperties2"};

std::mutex mutex;
std::unordered_map<void*, Instance> instances;

void* key(const void* handle) { return *static_cast<void* const*>(handle); }

template <class Function>
Function next(const void* handle, const char* name) {
  const std::lock_guard lock(mutex);
  return reinterpret_cast<Function>(instances.at(key(handle)).next.at(name));
}

// A copy, all zeros, of a chain's structures that are known, for Cutaway's driver to fill.
class ZeroChain {
 public:
  explicit ZeroChain(const void* chain) {
    for (auto* s = static_cast<const VkBaseOutStructure*>(chain); s; s = s->pNext) {
      const size_t size = structure_size(s->sType);
      if (!size) continue;
      copies_.push_back(std::make_unique<std::byte[]>(size));
      auto* copy = reinterpret_cast<VkBaseOutStructure*>(copies_.back().get());
      copy->sType = s->sType, copy->pNext = head_;
      head_ = copy;
    }
  }
  void* head() const { return head_; }

  void join_into(void* chain) const {
    for (auto* s = static_cast<VkBaseOutStructure*>(chain); s; s = s->pNext)
      for (auto* copy = head_; copy; copy = copy->pNext)
        if (copy->sType == s->sType) join_structure(s->sType, s, copy);
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> copies_;
  VkBaseOutStructure* head_ = nullptr;
};

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkInstance* instance) {
  auto* link = static_cast<VkLayerInstanceCreateInfo*>(const_cast<void*>(info->pNext));
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                   link->function == VK_LAYER_LINK_INFO))
    link = static_cast<VkLayerInstanceCreateInfo*>(const_cast<void*>(link->pNext));
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr gipa = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(gipa(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  Instance made = {*instance, gipa, {}};
  for (const char* name : kIntercepted) made.next[name] = gipa(*instance, name);
  const std::lock_guard lock(mutex);
  instances[key(*instance)] = std::move(made);
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks* allocator) {
  if (!instance) return;
  const auto destroy = next<PFN_vkDestroyInstance>(instance, "vkDestroyInstance");
  {
    const std::lock_guard lock(mutex);
    instances.erase(key(instance));
  }
  destroy(instance, allocator);
}

std::vector<VkExtensionProperties> extensions(PFN_vkEnumerateDeviceExtensionProperties enumerate,
                                              VkPhysicalDevice device) {
  uint32_t count = 0;
  enumerate(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> found(count);
  enumerate(device, nullptr, &count, found.data());
  found.resize(count);
  return found;
}

VKAPI_ATTR VkResult VKAPI_CALL enumerate_device_extensions(VkPhysicalDevice device, const char* layer,
                                                           uint32_t* count,
                                                           VkExtensionProperties* properties) {
  constexpr const char* kName = "vkEnumerateDeviceExtensionProperties";
  const auto theirs = next<PFN_vkEnumerateDeviceExtensionProperties>(device, kName);
  if (layer) return theirs(device, layer, count, properties);
  Reference& reference = Reference::get();
  const auto ours =
      extensions(reference.proc<PFN_vkEnumerateDeviceExtensionProperties>(kName), reference.device);
  std::vector<VkExtensionProperties> both;
  for (const VkExtensionProperties& extension : extensions(theirs, device))
    if (std::ranges::any_of(ours, [&](const VkExtensionProperties& o) {
          return !std::strcmp(o.extensionName, extension.extensionName);
        }))
      both.push_back(extension);
  if (!properties) {
    *count = static_cast<uint32_t>(both.size());
    return VK_SUCCESS;
  }
  *count = std::min(*count, static_cast<uint32_t>(both.size()));
  std::copy_n(both.begin(), *count, properties);
  return *count < both.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device, VkPhysicalDeviceFeatures* features) {
  next<PFN_vkGetPhysicalDeviceFeatures>(device, "vkGetPhysicalDeviceFeatures")(device, features);
  Reference& reference = Reference::get();
  VkPhysicalDeviceFeatures ours;
  reference.proc<PFN_vkGetPhysicalDeviceFeatures>("vkGetPhysicalDeviceFeatures")(reference.device, &ours);
  join_features(*features, ours);
}

VKAPI_ATTR void VKAPI_CALL get_features2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features) {
  constexpr const char* kName = "vkGetPhysicalDeviceFeatures2";
  next<PFN_vkGetPhysicalDeviceFeatures2>(device, kName)(device, features);
  Reference& reference = Reference::get();
  const ZeroChain chain(features->pNext);
  VkPhysicalDeviceFeatures2 ours = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, chain.head(), {}};
  reference.proc<PFN_vkGetPhysicalDeviceFeatures2>(kName)(reference.device, &ours);
  join_features(features->features, ours.features);
  chain.join_into(features->pNext);
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* properties) {
  constexpr const char* kName = "vkGetPhysicalDeviceProperties";
  next<PFN_vkGetPhysicalDeviceProperties>(device, kName)(device, properties);
  Reference& reference = Reference::get();
  VkPhysicalDeviceProperties ours;
  reference.proc<PFN_vkGetPhysicalDeviceProperties>(kName)(reference.device, &ours);
  join_properties(*properties, ours);
}

VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  constexpr const char* kName = "vkGetPhysicalDeviceProperties2";
  next<PFN_vkGetPhysicalDeviceProperties2>(device, kName)(device, properties);
  Reference& reference = Reference::get();
  const ZeroChain chain(properties->pNext);
  VkPhysicalDeviceProperties2 ours = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, chain.head(), {}};
  reference.proc<PFN_vkGetPhysicalDeviceProperties2>(kName)(reference.device, &ours);
  join_properties(properties->properties, ours.properties);
  chain.join_into(properties->pNext);
}

void join_format(VkFormatProperties& theirs, VkFormat format) {
  Reference& reference = Reference::get();
  VkFormatProperties ours;
  reference.proc<PFN_vkGetPhysicalDeviceFormatProperties>("vkGetPhysicalDeviceFormatProperties")(
      reference.device, format, &ours);
  theirs.linearTilingFeatures &= ours.linearTilingFeatures;
  theirs.optimalTilingFeatures &= ours.optimalTilingFeatures;
  theirs.bufferFeatures &= ours.bufferFeatures;
}

VKAPI_ATTR void VKAPI_CALL get_format(VkPhysicalDevice device, VkFormat format,
                                      VkFormatProperties* properties) {
  next<PFN_vkGetPhysicalDeviceFormatProperties>(device, "vkGetPhysicalDeviceFormatProperties")(device, format,
                                                                                               properties);
  join_format(*properties, format);
}

VKAPI_ATTR void VKAPI_CALL get_format2(VkPhysicalDevice device, VkFormat format,
                                       VkFormatProperties2* properties) {
  next<PFN_vkGetPhysicalDeviceFormatProperties2>(device, "vkGetPhysicalDeviceFormatProperties2")(
      device, format, properties);
  join_format(properties->formatProperties, format);
}

void join_image_format(VkImageFormatProperties& theirs, const VkImageFormatProperties& ours) {
  theirs.maxExtent.width = std::min(theirs.maxExtent.width, ours.maxExtent.width);
  theirs.maxExtent.height = std::min(theirs.maxExtent.height, ours.maxExtent.height);
  theirs.maxExtent.depth = std::min(theirs.maxExtent.depth, ours.maxExtent.depth);
  theirs.maxMipLevels = std::min(theirs.maxMipLevels, ours.maxMipLevels);
  theirs.maxArrayLayers = std::min(theirs.maxArrayLayers, ours.maxArrayLayers);
  theirs.sampleCounts &= ours.sampleCounts;
  theirs.maxResourceSize = std::min(theirs.maxResourceSize, ours.maxResourceSize);
}

VKAPI_ATTR VkResult VKAPI_CALL get_image_format(VkPhysicalDevice device, VkFormat format, VkImageType type,
                                                VkImageTiling tiling, VkImageUsageFlags usage,
                                                VkImageCreateFlags flags,
                                                VkImageFormatProperties* properties) {
  constexpr const char* kName = "vkGetPhysicalDeviceImageFormatProperties";
  using Function = PFN_vkGetPhysicalDeviceImageFormatProperties;
  const VkResult theirs =
      next<Function>(device, kName)(device, format, type, tiling, usage, flags, properties);
  if (theirs != VK_SUCCESS) return theirs;
  Reference& reference = Reference::get();
  VkImageFormatProperties own;
  const VkResult ours =
      reference.proc<Function>(kName)(reference.device, format, type, tiling, usage, flags, &own);
  if (ours == VK_SUCCESS) join_image_format(*properties, own);
  return ours;
}

VKAPI_ATTR VkResult VKAPI_CALL get_image_format2(VkPhysicalDevice device,
                                                 const VkPhysicalDeviceImageFormatInfo2* info,
                                                 VkImageFormatProperties2* properties) {
  constexpr const char* kName = "vkGetPhysicalDeviceImageFormatProperties2";
  using Function = PFN_vkGetPhysicalDeviceImageFormatProperties2;
  const VkResult theirs = next<Function>(device, kName)(device, info, properties);
  if (theirs != VK_SUCCESS) return theirs;
  Reference& reference = Reference::get();
  VkImageFormatProperties2 own = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, nullptr, {}};
  const VkResult ours = reference.proc<Function>(kName)(reference.device, info, &own);
  if (ours == VK_SUCCESS) join_image_format(properties->imageFormatProperties, own.imageFormatProperties);
  return ours;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name) {
  struct Entry {
    const char* name;
    PFN_vkVoidFunction function;
  };
#define ENTRY(name, function) \
  { name, reinterpret_cast<PFN_vkVoidFunction>(function) }
  static const Entry entries[] = {
      ENTRY("vkGetInstanceProcAddr", get_instance_proc),
      ENTRY("vkCreateInstance", create_instance),
      ENTRY("vkDestroyInstance", destroy_instance),
      ENTRY("vkEnumerateDeviceExtensionProperties", enumerate_device_extensions),
      ENTRY("vkGetPhysicalDeviceFeatures", get_features),
      ENTRY("vkGetPhysicalDeviceFeatures2", get_features2),
      ENTRY("vkGetPhysicalDeviceFeatures2KHR", get_features2),
      ENTRY("vkGetPhysicalDeviceProperties", get_properties),
      ENTRY("vkGetPhysicalDeviceProperties2", get_properties2),
      ENTRY("vkGetPhysicalDeviceProperties2KHR", get_properties2),
      ENTRY("vkGetPhysicalDeviceFormatProperties", get_format),
      ENTRY("vkGetPhysicalDeviceFormatProperties2", get_format2),
      ENTRY("vkGetPhysicalDeviceFormatProperties2KHR", get_format2),
      ENTRY("vkGetPhysicalDeviceImageFormatProperties", get_image_format),
      ENTRY("vkGetPhysicalDeviceImageFormatProperties2", get_image_format2),
      ENTRY("vkGetPhysicalDeviceImageFormatProperties2KHR", get_image_format2),
  };
#undef ENTRY
  for (const Entry& entry : entries)
    if (!std::strcmp(entry.name, name)) return entry.function;
  if (!instance) return nullptr;
  PFN_vkGetInstanceProcAddr gipa;
  {
    const std::lock_guard lock(mutex);
    gipa = instances.at(key(instance)).gipa;
  }
  return gipa(instance, name);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) VkResult vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface* interface) {
  interface->loaderLayerInterfaceVersion = std::min(interface->loaderLayerInterfaceVersion, 2u);
  interface->pfnGetInstanceProcAddr = get_instance_proc;
  interface->pfnGetDeviceProcAddr = nullptr;
  interface->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
