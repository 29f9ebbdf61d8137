#pragma once

#include <vector>

#include "icd/object.h"

namespace cutaway::icd {

class Framebuffer {
 public:
  explicit Framebuffer(const VkFramebufferCreateInfo& info);

  bool imageless() const { return imageless_; }  // vkCmdBeginRenderPass supplies the views
  const std::vector<ImageView*>& views() const { return views_; }
  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  uint32_t layers() const { return layers_; }

 private:
  const bool imageless_;
  std::vector<ImageView*> views_;
  const uint32_t width_, height_, layers_;
};

}  // namespace cutaway::icd
