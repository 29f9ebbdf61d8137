#include "rate.h"

#include <optional>
#include <vector>

#include "drawing.h"
#include "rate_frag_0.h"
#include "rate_frag_1.h"
#include "rate_frag_2.h"
#include "rate_frag_3.h"
#include "rate_frag_4.h"
#include "rate_frag_6.h"
#include "rate_frag_8.h"
#include "rate_frag_blocks.h"
#include "rate_frag_mads.h"
#include "rate_frag_mads_1.h"
#include "rate_frag_reads.h"
#include "rate_vert.h"
#include "rate_vert_layers.h"
#include "rate_vert_transformed.h"
#include "resources.h"
#include "stopwatch.h"

namespace {

using cutaway::probe::kWindow;
using cutaway::probe::Point;
using cutaway::probe::RateDraw;
using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr uint32_t kLineBytes = 64;  // of 4 x 4 texels, of which one is read

// As the shaders declare them.
struct Push {
  float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  float repeats[2] = {1, 1};
  float farther = 0;
  int32_t turns = 0;
  float block = 1;
  int32_t lines = 1;
};

// From pixels to what is clipped.
std::vector<Point> placed(std::vector<Point> points) {
  for (Point& point : points) {
    point.x = point.x / kWindow * 2 - 1;
    point.y = point.y / kWindow * 2 - 1;
  }
  return points;
}

VkShaderModule vertex_program(const Context& context, const RateDraw& draw) {
  if (draw.transformed) return context.make_shader(rate_vert_transformed, sizeof rate_vert_transformed);
  if (draw.triangles) return context.make_shader(rate_vert, sizeof rate_vert);
  return context.make_shader(rate_vert_layers, sizeof rate_vert_layers);
}

VkShaderModule fragment_program(const Context& context, const RateDraw& draw) {
  const auto make = [&](const auto& words) { return context.make_shader(words, sizeof words); };
  if (draw.reads) return make(rate_frag_reads);
  if (draw.turns) return make(rate_frag_blocks);
  if (draw.mads) return draw.textures ? make(rate_frag_mads_1) : make(rate_frag_mads);
  switch (draw.textures) {
    case 1:
      return make(rate_frag_1);
    case 2:
      return make(rate_frag_2);
    case 3:
      return make(rate_frag_3);
    case 4:
      return make(rate_frag_4);
    case 6:
      return make(rate_frag_6);
    case 8:
      return make(rate_frag_8);
    default:
      return make(rate_frag_0);
  }
}

// Textures, bound as a set of their own. They are uploaded where they are drawn.
class Textures {
 public:
  Textures(const Context& context, const RateDraw& draw)
      : context_(context),
        side_(draw.texels),
        resources_(context,
                   std::vector<VkDescriptorType>(draw.textures, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
                   VK_SHADER_STAGE_ALL_GRAPHICS, sizeof(Push), 1) {
    VkSamplerCreateInfo bilinear{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    bilinear.magFilter = bilinear.minFilter = VK_FILTER_LINEAR;
    bilinear.anisotropyEnable = draw.anisotropic ? VK_TRUE : VK_FALSE;
    bilinear.maxAnisotropy = 16;
    HEADLESS_CHECK(vkCreateSampler(context.device(), &bilinear, nullptr, &sampler_));
    std::vector<headless::Resource> sampled;
    for (uint32_t i = 0; i < draw.textures; i++) {
      images_.push_back(context.make_image(VK_FORMAT_R8G8B8A8_UNORM, side_, side_, 1,
                                           VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT));
      sampled.emplace_back(images_.back(), sampler_);
    }
    set_ = resources_.make_set(sampled);
    std::vector<uint32_t> texels(size_t{side_} * side_);
    for (size_t i = 0; i < texels.size(); i++) texels[i] = static_cast<uint32_t>(i) * 2654435761u;
    staging_ = context.make_buffer(texels.data(), texels.size() * sizeof texels[0],
                                   VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  }
  ~Textures() {
    for (const Image& image : images_) context_.destroy(image);
    context_.destroy(staging_);
    vkDestroySampler(context_.device(), sampler_, nullptr);
  }
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  VkPipelineLayout layout() const { return resources_.layout(); }
  void upload(VkCommandBuffer commands) const {
    for (const Image& image : images_) {
      const headless::ImageState written{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
      headless::image_barrier(commands, image.image,
                              {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED}, written);
      VkBufferImageCopy region{};
      region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      region.imageExtent = {side_, side_, 1};
      vkCmdCopyBufferToImage(commands, staging_.buffer, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                             &region);
      headless::image_barrier(commands, image.image, written,
                              {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL});
    }
  }
  void bind(VkCommandBuffer commands) const {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout(), 0, 1, &set_, 0, nullptr);
  }

 private:
  const Context& context_;
  const uint32_t side_;
  const headless::Resources resources_;
  std::vector<Image> images_;
  Buffer staging_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

headless::PipelineShape pipeline_shape(const RateDraw& draw, VkShaderModule vertex, VkShaderModule fragment) {
  headless::PipelineShape made;
  made.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
  if (draw.triangles && !draw.apart) made.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
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
  made.push_bytes = sizeof(Push);
  return made;
}

VkPhysicalDeviceFeatures features_for(const RateDraw& draw) {
  VkPhysicalDeviceFeatures features{};
  features.samplerAnisotropy = draw.anisotropic ? VK_TRUE : VK_FALSE;
  return features;
}

class RateProgram {
 public:
  explicit RateProgram(const RateDraw& draw)
      : context_({}, features_for(draw)),
        drawing_(context_, kWindow, kWindow, 1, VK_FORMAT_D32_SFLOAT, 0,
                 static_cast<VkSampleCountFlagBits>(draw.samples)),
        draw_(draw),
        points_(placed(cutaway::probe::vertices_of(draw))),
        vertex_(vertex_program(context_, draw)),
        fragment_(fragment_program(context_, draw)),
        vertices_(context_.make_buffer(points_.data(), points_.size() * sizeof points_[0],
                                       VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)),
        pipeline_(make_pipeline()) {
    push_.repeats[1] = static_cast<float>(kWindow) / static_cast<float>(draw.texels);
    push_.repeats[0] = push_.repeats[1] * static_cast<float>(draw.repeats_along_x);
    push_.turns = static_cast<int32_t>(draw.turns + draw.reads);
    push_.block = static_cast<float>(draw.block);
    push_.lines = static_cast<int32_t>(draw.footprint / kLineBytes);
    if (draw.depth) push_.farther = (draw.hidden ? 1.0f : -1.0f) / 64;
  }
  ~RateProgram() {
    context_.destroy(vertices_);
    for (const VkShaderModule module : {vertex_, fragment_})
      vkDestroyShaderModule(context_.device(), module, nullptr);
  }
  RateProgram(const RateProgram&) = delete;
  RateProgram& operator=(const RateProgram&) = delete;

  void draw(const char* picture) const {
    const VkCommandBuffer commands = context_.begin();
    watch_.start(commands);
    if (textures_) textures_->upload(commands);
    drawing_.record(commands, [&](VkCommandBuffer into) { record(into); });
    watch_.stop(commands);
    if (picture) drawing_.submit_and_write(commands, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, picture);
    else context_.submit_and_wait(commands);
  }
  void write_times(const char* path) const {
    watch_.write(path, [&] { draw(nullptr); });
  }

 private:
  headless::Drawing::Pipeline make_pipeline() {
    headless::PipelineShape shape = pipeline_shape(draw_, vertex_, fragment_);
    if (draw_.textures) shape.layout = textures_.emplace(context_, draw_).layout();
    return drawing_.make_pipeline(shape);
  }
  void record(VkCommandBuffer into) const {
    const uint32_t instances = draw_.triangles ? 1 : draw_.layers;
    if (!instances) return;
    const VkDeviceSize zero = 0;
    vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.pipeline);
    vkCmdPushConstants(into, pipeline_.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof push_, &push_);
    if (textures_) textures_->bind(into);
    vkCmdBindVertexBuffers(into, 0, 1, &vertices_.buffer, &zero);
    vkCmdDraw(into, static_cast<uint32_t>(points_.size()), instances, 0, 0);
  }

  const Context context_;
  const headless::Stopwatch watch_{context_};
  headless::Drawing drawing_;
  const RateDraw draw_;
  const std::vector<Point> points_;
  const VkShaderModule vertex_, fragment_;
  const Buffer vertices_;
  std::optional<Textures> textures_;
  const headless::Drawing::Pipeline pipeline_;
  Push push_;
};

}  // namespace

void draw_rate(const cutaway::probe::Rate& rate, const char* picture, const char* times) {
  const RateProgram program(rate.draw);
  if (times) program.write_times(times);
  if (picture || !times) program.draw(picture);
}
