#pragma once

#include "icd/testing/render_fixture.h"

namespace cutaway::icd::testing {

using Vec4 = std::array<float, 4>;

constexpr Color kNothing{0, 0, 0, 0};

// Draws in a pass with one color attachment, cleared to zeros.
struct OnePass : Renderer {
  VkRenderPass pass = VK_NULL_HANDLE;
  PipelineShape shape;  // for that pass

  void SetUp() override {
    Renderer::SetUp();
    pass = make_pass();
    shape.pass = pass;
  }
  // Draws into a new target.
  template <class Draw>
  Buffer draw(VkPipeline pipeline, Draw&& body) {
    const Image target = make_target();
    const VkCommandBuffer commands = begin();
    begin_pass(commands, pass, make_framebuffer(pass, {target.view}));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    body(commands);
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return picture;
  }
};

}  // namespace cutaway::icd::testing
