#pragma once

#include "headless.h"
#include "resources.h"

// General computation on chips without compute programs (GPU Gems 2, chapters 30.2.2 and 31): a stream is a
// texture of floats, and a kernel is a fragment program that a triangle over the whole target runs once for
// each element.
namespace headless {

// Elements of one or four 32-bit floats, row by row.
struct Stream {
  Image image;
  uint32_t width = 0, height = 0, components = 0;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

class StreamPasses {
 public:
  static constexpr uint32_t kInputs = 3;  // bindings 0 to 2 of every kernel

  // push_bytes: constants of each run, at most runs.
  StreamPasses(const Context& context, uint32_t push_bytes, uint32_t runs);
  ~StreamPasses();
  StreamPasses(const StreamPasses&) = delete;
  StreamPasses& operator=(const StreamPasses&) = delete;

  Stream make_stream(uint32_t width, uint32_t height, uint32_t components);
  VkPipeline make_kernel(const uint32_t* words, size_t bytes, uint32_t components);

  // Fills a stream. The buffer must outlive the commands.
  Buffer upload(VkCommandBuffer commands, const Stream& to, const std::vector<float>& values);
  // Runs the kernel over all elements of `to`. It reads the streams with the nearest element, around the
  // edges.
  void run(VkCommandBuffer commands, VkPipeline kernel, const Stream& to, const std::vector<Stream>& from,
           const void* constants);
  // Submits the commands and returns the values of a stream.
  std::vector<float> submit_and_read(VkCommandBuffer commands, const Stream& stream);

 private:
  VkRenderPass pass_for(uint32_t components) const { return passes_[components == 4]; }

  const Context& context_;
  const uint32_t push_bytes_;
  Resources resources_;
  VkShaderModule whole_ = VK_NULL_HANDLE;
  VkRenderPass passes_[2] = {};
  VkSampler sampler_ = VK_NULL_HANDLE;
  std::vector<Stream> streams_;
  std::vector<VkPipeline> kernels_;
};

// Writes values that lie between least and greatest as gray, an element a pixel. stride: floats of an
// element.
void write_gray(const char* path, uint32_t width, uint32_t height, const float* values, uint32_t stride,
                float least, float greatest);

}  // namespace headless
