#pragma once

#include <vector>

#include "probe/rates.h"
#include "resources.h"

// What a rate's fragments read, bound as a set of its own: textures, which are uploaded where they are drawn,
// or a buffer of words.
class Read {
 public:
  Read(const headless::Context& context, const cutaway::probe::RateDraw& draw, uint32_t push_bytes);
  ~Read();
  Read(const Read&) = delete;
  Read& operator=(const Read&) = delete;

  VkPipelineLayout layout() const { return resources_.layout(); }
  void upload(VkCommandBuffer commands) const;
  void bind(VkCommandBuffer commands) const {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout(), 0, 1, &set_, 0, nullptr);
  }

 private:
  void make_words(const cutaway::probe::RateDraw& draw);
  void make_textures(const cutaway::probe::RateDraw& draw);
  void upload(VkCommandBuffer commands, const headless::Image& image) const;

  const headless::Context& context_;
  const cutaway::probe::Texel texel_;
  const uint32_t side_, levels_;
  const headless::Resources resources_;
  std::vector<headless::Image> images_;
  headless::Buffer words_;  // that are read, or uploaded
  VkSampler sampler_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

// Of the texels of a texture, or of a target.
VkFormat format_of(cutaway::probe::Texel texel);
