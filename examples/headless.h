#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>

// The least that a program without a window needs of Vulkan.
namespace headless {

inline void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s failed with VkResult %d\n", what, result);
  std::exit(1);
}
#define HEADLESS_CHECK(call) ::headless::check(call, #call)

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;
};

struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

// True: a new context prints the name of its device.
inline bool print_device = true;

// A queue, and a pool of commands for it.
struct Queue {
  VkQueue queue = VK_NULL_HANDLE;
  uint32_t family = 0;
  VkCommandPool pool = VK_NULL_HANDLE;
};

class Context {
 public:
  // Extensions and features that the program needs, more_features in a pNext chain; computes_beside: it asks
  // for a queue of compute programs beside the one that draws.
  explicit Context(const std::vector<const char*>& instance_extensions = {},
                   const VkPhysicalDeviceFeatures& features = {}, uint32_t version = VK_API_VERSION_1_0,
                   const void* more_features = nullptr,
                   const std::vector<const char*>& device_extensions = {}, bool computes_beside = false);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  VkInstance instance() const { return instance_; }
  VkPhysicalDevice physical_device() const { return physical_device_; }
  VkDevice device() const { return device_; }
  VkQueue queue() const { return drawing_.queue; }
  VkCommandPool pool() const { return drawing_.pool; }
  const Queue& drawing() const { return drawing_; }
  // The queue without graphics, if the program asked for it and the device has one; else the one that draws.
  const Queue& computing() const { return computing_.queue ? computing_ : drawing_; }

  Buffer make_buffer(VkDeviceSize bytes, VkBufferUsageFlags usage) const;                    // mapped
  Buffer make_buffer(const void* data, VkDeviceSize bytes, VkBufferUsageFlags usage) const;  // of the data
  Image make_image(VkFormat format, uint32_t width, uint32_t height, uint32_t levels, VkImageUsageFlags usage,
                   uint32_t layers = 1, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) const;
  VkShaderModule make_shader(const uint32_t* words, size_t bytes) const;
  void destroy(const Buffer& buffer) const;
  void destroy(const Image& image) const;

  VkCommandBuffer begin() const { return begin(drawing_); }
  VkCommandBuffer begin(const Queue& queue) const;
  void submit_and_wait(VkCommandBuffer commands) const;

 private:
  void make_device(VkDeviceCreateInfo info, bool computes_beside);
  uint32_t memory_type(uint32_t permitted, VkMemoryPropertyFlags wanted) const;

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  Queue drawing_, computing_;
};

// A state of an image: its layout, and the accesses in a stage before or after a barrier.
struct ImageState {
  VkPipelineStageFlags stage;
  VkAccessFlags access;
  VkImageLayout layout;
};

// All of an aspect of an image, from one state to another.
void image_barrier(VkCommandBuffer commands, VkImage image, const ImageState& from, const ImageState& to,
                   VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT);

// A render pass that clears a color and a depth attachment (and its stencil), draws, and leaves the color for
// a copy.
VkRenderPass make_drawing_pass(VkDevice device, VkFormat color_format, VkFormat depth_format,
                               VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT);

// Everything before is over and visible to everything after.
void full_barrier(VkCommandBuffer commands);

// A new image in the general layout, for writes of a stage.
void to_general(VkCommandBuffer commands, const Image& image, VkPipelineStageFlags stage,
                VkAccessFlags access);

// Binary PPM: rows from the top, three bytes a pixel.
void write_ppm(const std::string& path, uint32_t width, uint32_t height, const uint8_t* rgba);

}  // namespace headless
