#pragma once

#include "headless.h"

namespace headless {

// Before and after what is drawn.
class Stopwatch {
 public:
  explicit Stopwatch(const Context& context) : context_(context) {
    vkGetPhysicalDeviceProperties(context.physical_device(), &properties_);
    if (!properties_.limits.timestampComputeAndGraphics) return;
    const VkQueryPoolCreateInfo info{
        VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, VK_QUERY_TYPE_TIMESTAMP, 2, 0};
    HEADLESS_CHECK(vkCreateQueryPool(context.device(), &info, nullptr, &pool_));
  }
  ~Stopwatch() { vkDestroyQueryPool(context_.device(), pool_, nullptr); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start(VkCommandBuffer commands) const {
    if (!pool_) return;
    vkCmdResetQueryPool(commands, pool_, 0, 2);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool_, 0);
  }
  void stop(VkCommandBuffer commands) const {
    if (pool_) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, 1);
  }
  bool runs() const { return pool_; }
  // Of the draw that was submitted and waited for.
  double nanoseconds() const {
    uint64_t at[2];
    HEADLESS_CHECK(vkGetQueryPoolResults(context_.device(), pool_, 0, 2, sizeof at, at, sizeof at[0],
                                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    return static_cast<double>(at[1] - at[0]) * static_cast<double>(properties_.limits.timestampPeriod);
  }
  const char* device() const { return properties_.deviceName; }
  const char* kind() const { return properties_.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? "cpu" : "gpu"; }

  // The device's name, "cpu" or "gpu", and where it has timestamps the nanoseconds of a draw, a line each. A
  // draw to warm up; then the least of several, since a real GPU has other things to do as well.
  template <class Draw>
  void write(const char* path, Draw&& draw) const {
    constexpr int kDraws = 5;
    std::FILE* file = std::fopen(path, "wb");
    if (!file) {
      std::perror(path);
      std::exit(1);
    }
    std::fprintf(file, "%s\n%s\n", device(), kind());
    double least = 0;
    for (int i = 0; runs() && i <= kDraws; i++) {
      draw();
      if (i == 1 || nanoseconds() < least) least = nanoseconds();
    }
    if (runs()) std::fprintf(file, "%.0f\n", least);
    std::fclose(file);
  }

 private:
  const Context& context_;
  VkPhysicalDeviceProperties properties_{};
  VkQueryPool pool_ = VK_NULL_HANDLE;
};

}  // namespace headless
