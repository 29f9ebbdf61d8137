#include "rate.h"

#include <optional>
#include <vector>

#include "drawing.h"
#include "rate_depth.h"
#include "rate_programs.h"
#include "rate_read.h"
#include "stopwatch.h"

namespace {

using cutaway::probe::kWindow;
using cutaway::probe::Point;
using cutaway::probe::RateDraw;
using cutaway::probe::Texel;
using headless::Buffer;
using headless::Context;

constexpr uint32_t kLineBytes = 64;  // of 4 x 4 texels, of which one is read

// As the shaders declare them.
struct RatePush {
  float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  float repeats[2] = {1, 1};
  float farther = 0;
  int32_t turns = 0;
  float block = 1;
  int32_t lines = 1;
  int32_t stride = 0;
};

// From pixels to what is clipped.
std::vector<Point> placed(std::vector<Point> points) {
  for (Point& point : points) {
    point.x = point.x / kWindow * 2 - 1;
    point.y = point.y / kWindow * 2 - 1;
  }
  return points;
}

// Of a strip's triangles, each as one of its own that faces as they do.
std::vector<uint32_t> indices_of(const RateDraw& draw) {
  std::vector<uint32_t> made;
  for (uint32_t i = 0; draw.indexed && i < draw.triangles; i++)
    made.insert(made.end(), {i + i % 2, i + 1 - i % 2, i + 2});
  return made;
}

headless::PipelineShape pipeline_shape(const RateDraw& draw) {
  headless::PipelineShape made;
  if (draw.triangles && !draw.apart && !draw.indexed) made.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  made.attributes = {VK_FORMAT_R32G32_SFLOAT};
  made.attribute_offsets = {0};
  made.stride = sizeof(Point);
  made.viewport = {0, 0, kWindow, kWindow, 0, 1};
  if (draw.triangles && !draw.side) made.cull = VK_CULL_MODE_BACK_BIT;
  made.depth.depthTestEnable = made.depth.depthWriteEnable = draw.depth ? VK_TRUE : VK_FALSE;
  if (!draw.color) made.blend.colorWriteMask = 0;
  made.blend.blendEnable = draw.blend ? VK_TRUE : VK_FALSE;
  made.blend.srcColorBlendFactor = made.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
  made.blend.srcAlphaBlendFactor = made.blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  made.push_bytes = sizeof(RatePush);
  return made;
}

VkPhysicalDeviceFeatures features_for(const RateDraw& draw) {
  VkPhysicalDeviceFeatures features{};
  features.samplerAnisotropy = draw.anisotropic ? VK_TRUE : VK_FALSE;
  features.geometryShader = draw.geometry ? VK_TRUE : VK_FALSE;
  return features;
}

class RateProgram {
 public:
  explicit RateProgram(const RateDraw& draw)
      : context_({}, features_for(draw)),
        drawing_(context_, kWindow, kWindow, 1, PlainDepth::kDepthFormat, 0,
                 static_cast<VkSampleCountFlagBits>(draw.samples), format_of(draw.target)),
        draw_(draw),
        points_(placed(cutaway::probe::vertices_of(draw))),
        indices_(indices_of(draw)),
        vertices_(context_.make_buffer(points_.data(), points_.size() * sizeof points_[0],
                                       VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)),
        pipeline_(make_pipeline()) {
    if (draw.plain_depth) plain_depth_.emplace(context_, kWindow);
    if (draw.indexed)
      index_buffer_ = context_.make_buffer(indices_.data(), indices_.size() * sizeof indices_[0],
                                           VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    push_.repeats[1] = static_cast<float>(kWindow) / static_cast<float>(draw.texels);
    push_.repeats[0] = push_.repeats[1] * static_cast<float>(draw.repeats_along_x);
    push_.turns = static_cast<int32_t>(draw.turns + draw.reads);
    push_.stride = static_cast<int32_t>(draw.stride / sizeof(uint32_t));
    push_.block = static_cast<float>(draw.block);
    push_.lines = static_cast<int32_t>(draw.footprint / kLineBytes);
    if (draw.depth) push_.farther = (draw.hidden ? 1.0f : -1.0f) / 64;
  }
  ~RateProgram() {
    context_.destroy(vertices_);
    context_.destroy(index_buffer_);
  }
  RateProgram(const RateProgram&) = delete;
  RateProgram& operator=(const RateProgram&) = delete;

  void draw(const char* picture) const {
    const VkCommandBuffer commands = context_.begin();
    watch_.start(commands);
    if (read_) read_->upload(commands);
    const auto body = [&](VkCommandBuffer into) { record(into); };
    if (plain_depth_) plain_depth_->record(commands, body);
    else drawing_.record(commands, body);
    watch_.stop(commands);
    // Pictures are of the drawing's own target, of 8 bits a channel.
    if (picture && !plain_depth_ && draw_.target == Texel::kBytes)
      drawing_.submit_and_write(commands, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, picture);
    else context_.submit_and_wait(commands);
  }
  void write_times(const char* path) const {
    watch_.write(path, [&] { draw(nullptr); });
  }

 private:
  headless::Drawing::Pipeline make_pipeline() {
    headless::PipelineShape shape = pipeline_shape(draw_);
    shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex_program(context_, draw_)},
                    {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_program(context_, draw_)}};
    if (draw_.geometry) shape.stages.push_back({VK_SHADER_STAGE_GEOMETRY_BIT, geometry_program(context_)});
    if (draw_.textures || draw_.stride) shape.layout = read_.emplace(context_, draw_, sizeof push_).layout();
    const headless::Drawing::Pipeline made = drawing_.make_pipeline(shape);
    for (const headless::Stage& stage : shape.stages)
      vkDestroyShaderModule(context_.device(), stage.module, nullptr);
    return made;
  }
  void record(VkCommandBuffer into) const {
    const uint32_t instances = draw_.triangles ? 1 : draw_.layers;
    if (!instances) return;
    const VkDeviceSize zero = 0;
    vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.pipeline);
    vkCmdPushConstants(into, pipeline_.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof push_, &push_);
    if (read_) read_->bind(into);
    vkCmdBindVertexBuffers(into, 0, 1, &vertices_.buffer, &zero);
    if (!draw_.indexed) return vkCmdDraw(into, static_cast<uint32_t>(points_.size()), instances, 0, 0);
    vkCmdBindIndexBuffer(into, index_buffer_.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(into, static_cast<uint32_t>(indices_.size()), instances, 0, 0, 0);
  }

  const Context context_;
  const headless::Stopwatch watch_{context_};
  headless::Drawing drawing_;
  const RateDraw draw_;
  const std::vector<Point> points_;
  const std::vector<uint32_t> indices_;
  const Buffer vertices_;
  Buffer index_buffer_;
  std::optional<PlainDepth> plain_depth_;
  std::optional<Read> read_;
  const headless::Drawing::Pipeline pipeline_;
  RatePush push_;
};

}  // namespace

void draw_rate(const cutaway::probe::Rate& rate, const char* picture, const char* times) {
  const RateProgram program(rate.draw);
  if (times) program.write_times(times);
  if (picture || !times) program.draw(picture);
}
