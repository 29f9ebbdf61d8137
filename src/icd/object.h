#pragma once

#include <iterator>
#include <utility>

#include "icd/api_error.h"
#include "icd/entry_points.h"
#include "icd/vulkan.h"

// Conventions of this folder.
//
// - A sub-folder per subject:
//       loader/      the interface to the Vulkan loader: exported symbols, dispatch, extensions, the instance
//       device/      physical device and its limits, device, memory, queues, private data
//       resource/    buffers, images, their views, samplers, formats
//       descriptor/  descriptor sets, their layouts and pools
//       pipeline/    shader modules, layouts, pipelines, compiled programs and their caches
//       pass/        render passes and framebuffers
//       command/     command buffers and the commands that are recorded into them
//       stream/      the output of commands: packets, registers, cache maintenance, bindings of a draw
//       internal/    the driver's own draws: clears, blits, resolves
//       sync/        fences, semaphores, events, queries
//       wsi/         surfaces and swapchains
//       debug/       debug labels, names of objects, messengers
//       recording/   the GPU behind a device, and the capture of its commands
// - One pair of files per Vulkan object: buffer.h has class Buffer, buffer.cpp its members and, at the end,
//   the entry points that work on it, in namespace cutaway::icd, under the name of the command without "vk":
//       VkResult CreateBuffer(VkDevice, const VkBufferCreateInfo* info, const VkAllocationCallbacks*,
//                             VkBuffer* buffer) {
//         return create(buffer, *info);
//       }
//       void DestroyBuffer(VkDevice, VkBuffer buffer, const VkAllocationCallbacks*) { destroy(buffer); }
//   entry_points.h (generated from vk.xml) declares them all; one without a definition refuses by name. A
//   promoted command is defined once, under its core name (CmdBeginRenderPass2, not ...KHR). Members of
//   CommandBuffer are in command/command_*.cpp, by the kind of command.
// - Entry points are thin. The line that implements a rule of the specification quotes its section.
// - object(handle) returns the C++ object of a handle, handle(object) the handle; both are typed. Objects
//   of non-dispatchable handles are plain classes, or derive from one (both kinds of pipeline from
//   Pipeline); dispatchable ones (Instance, PhysicalDevice, Device, Queue, CommandBuffer) derive from
//   Dispatchable, first, and have no virtual functions.
// - Inside, errors are exceptions: throw ApiError{VK_ERROR_...}; unsupported("...") for things that Vulkan
//   permits and the driver does not support; invalid_usage("...") for things that Vulkan forbids
//   (api_error.h). create() and guard() turn them into the VkResult and print the text. Allocation callbacks
//   are not used (permitted: "Memory Allocation").
// - Optional pointers in pNext chains: find_struct<VkFoo>(info.pNext, VK_STRUCTURE_TYPE_FOO).
namespace cutaway::icd {

// Every handle type and its class.
#define CUTAWAY_HANDLES(X)                                \
  X(VkInstance, Instance)                                 \
  X(VkPhysicalDevice, PhysicalDevice)                     \
  X(VkDevice, Device)                                     \
  X(VkQueue, Queue)                                       \
  X(VkCommandBuffer, CommandBuffer)                       \
  X(VkDeviceMemory, DeviceMemory)                         \
  X(VkBuffer, Buffer)                                     \
  X(VkBufferView, BufferView)                             \
  X(VkImage, Image)                                       \
  X(VkImageView, ImageView)                               \
  X(VkSampler, Sampler)                                   \
  X(VkFence, Fence)                                       \
  X(VkSemaphore, Semaphore)                               \
  X(VkEvent, Event)                                       \
  X(VkQueryPool, QueryPool)                               \
  X(VkSwapchainKHR, Swapchain)                            \
  X(VkShaderModule, ShaderModule)                         \
  X(VkPipelineLayout, PipelineLayout)                     \
  X(VkPipelineCache, PipelineCache)                       \
  X(VkPipeline, Pipeline)                                 \
  X(VkDescriptorSetLayout, DescriptorSetLayout)           \
  X(VkDescriptorPool, DescriptorPool)                     \
  X(VkDescriptorSet, DescriptorSet)                       \
  X(VkDescriptorUpdateTemplate, DescriptorUpdateTemplate) \
  X(VkRenderPass, RenderPass)                             \
  X(VkFramebuffer, Framebuffer)                           \
  X(VkCommandPool, CommandPool)                           \
  X(VkPrivateDataSlot, PrivateDataSlot)                   \
  X(VkDebugUtilsMessengerEXT, Messenger)

template <class Handle>
struct ClassOf;
template <class Class>
struct HandleOf;

#define X(HANDLE, CLASS)   \
  class CLASS;             \
  template <>              \
  struct ClassOf<HANDLE> { \
    using type = CLASS;    \
  };                       \
  template <>              \
  struct HandleOf<CLASS> { \
    using type = HANDLE;   \
  };
CUTAWAY_HANDLES(X)
#undef X

template <class Handle>
typename ClassOf<Handle>::type* object(Handle handle) {
  return reinterpret_cast<typename ClassOf<Handle>::type*>(handle);
}

template <class Class>
typename HandleOf<Class>::type handle(Class* object) {
  return reinterpret_cast<typename HandleOf<Class>::type>(object);
}

// The loader keeps its dispatch table in the first word of dispatchable objects.
struct Dispatchable {
  VK_LOADER_DATA loader_data;
  Dispatchable() { set_loader_magic_value(this); }
};

// Clears private data that belonged to an earlier object at the same address (device/private_data.h). Called
// for every new object.
void forget_private_data(const void* object);

// Makes an object of `Class`, which is the handle's class or derives from it.
template <class Class, class Handle, class... Args>
VkResult create_as(Handle* out, Args&&... args) {
  *out = VK_NULL_HANDLE;
  return guard([&] {
    typename ClassOf<Handle>::type* const made = new Class(std::forward<Args>(args)...);
    forget_private_data(made);
    *out = handle(made);
  });
}
// Makes the object of a handle type.
template <class Handle, class... Args>
VkResult create(Handle* out, Args&&... args) {
  return create_as<typename ClassOf<Handle>::type>(out, std::forward<Args>(args)...);
}

template <class Handle>
void destroy(Handle handle) {
  delete object(handle);  // deleting nothing is permitted: "Object Lifetime"
}

// Returns the structure of a type in a pNext chain, or nullptr.
template <class T>
const T* find_struct(const void* chain, VkStructureType type) {
  for (auto* s = static_cast<const VkBaseInStructure*>(chain); s; s = s->pNext)
    if (s->sType == type) return reinterpret_cast<const T*>(s);
  return nullptr;
}
template <class T>
T* find_struct(void* chain, VkStructureType type) {
  return const_cast<T*>(find_struct<T>(static_cast<const void*>(chain), type));
}

// Returns an array as Vulkan's enumeration functions do: only the count, or as many elements as fit.
template <class T, class List>
VkResult enumerate(const List& list, uint32_t* count, T* out) {
  const auto size = static_cast<uint32_t>(std::size(list));
  if (!out) {
    *count = size;
    return VK_SUCCESS;
  }
  const uint32_t given = *count < size ? *count : size;
  for (uint32_t i = 0; i < given; i++) out[i] = list[i];
  *count = given;
  return given < size ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace cutaway::icd
