#include "rate_read.h"

namespace {

using cutaway::probe::RateDraw;
using cutaway::probe::Texel;
using headless::Image;

uint32_t words_of(Texel texel) { return texel == Texel::kHalves ? 2 : texel == Texel::kFloats ? 4 : 1; }

// Some texels of the format, the same for all levels; no float is more than 1.
std::vector<uint32_t> contents(Texel texel, uint32_t side) {
  std::vector<uint32_t> words(size_t{side} * side * words_of(texel));
  constexpr uint32_t kMixed = 2654435761u, kHalf = 0x3800, kQuarter = 0x3e800000;
  for (size_t i = 0; i < words.size(); i++) {
    const uint32_t mixed = static_cast<uint32_t>(i) * kMixed;
    if (texel == Texel::kBytes) words[i] = mixed;
    else if (texel == Texel::kHalves) words[i] = kHalf << 16 | kHalf;
    else if (texel == Texel::kFloats) words[i] = kQuarter;
    else words[i] = mixed >> 8;
  }
  return words;
}

// Each word says which is the next one, so many bytes on; the last one, the first.
std::vector<uint32_t> chain(uint32_t bytes, uint32_t stride) {
  std::vector<uint32_t> words(bytes / sizeof(uint32_t));
  const uint32_t count = static_cast<uint32_t>(words.size()), apart = stride / sizeof(uint32_t);
  for (uint32_t i = 0; i < count; i += apart) words[i] = i + apart < count ? i + apart : 0;
  return words;
}

std::vector<VkDescriptorType> bindings(const RateDraw& draw) {
  if (draw.stride) return {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  return std::vector<VkDescriptorType>(draw.textures, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
}

VkImageAspectFlags aspect_of(Texel texel) {
  return texel == Texel::kDepths ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

VkSampler make_sampler(const headless::Context& context, const RateDraw& draw) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = draw.texel == Texel::kFloats ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
  if (draw.trilinear) {
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    info.mipLodBias = 0.5f;
    info.maxLod = 1;
  }
  info.anisotropyEnable = draw.anisotropic ? VK_TRUE : VK_FALSE;
  info.maxAnisotropy = 16;
  info.compareEnable = draw.texel == Texel::kDepths ? VK_TRUE : VK_FALSE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkSampler made = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateSampler(context.device(), &info, nullptr, &made));
  return made;
}

}  // namespace

VkFormat format_of(Texel texel) {
  switch (texel) {
    case Texel::kBytes:
      return VK_FORMAT_R8G8B8A8_UNORM;
    case Texel::kHalves:
      return VK_FORMAT_R16G16B16A16_SFLOAT;
    case Texel::kFloats:
      return VK_FORMAT_R32G32B32A32_SFLOAT;
    case Texel::kDepths:
      return VK_FORMAT_X8_D24_UNORM_PACK32;
  }
  std::abort();
}

Read::Read(const headless::Context& context, const RateDraw& draw, uint32_t push_bytes)
    : context_(context),
      texel_(draw.texel),
      side_(draw.texels),
      levels_(draw.trilinear ? 2 : 1),
      resources_(context, bindings(draw), VK_SHADER_STAGE_ALL_GRAPHICS, push_bytes, 1) {
  if (draw.stride) make_words(draw);
  else make_textures(draw);
}

void Read::make_words(const RateDraw& draw) {
  const std::vector<uint32_t> words = chain(draw.footprint, draw.stride);
  words_ =
      context_.make_buffer(words.data(), words.size() * sizeof words[0], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  set_ = resources_.make_set({words_});
}

void Read::make_textures(const RateDraw& draw) {
  sampler_ = make_sampler(context_, draw);
  VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (texel_ == Texel::kDepths) usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  std::vector<headless::Resource> sampled;
  for (uint32_t i = 0; i < draw.textures; i++) {
    images_.push_back(context_.make_image(format_of(texel_), side_, side_, levels_, usage));
    sampled.emplace_back(images_.back(), sampler_);
  }
  set_ = resources_.make_set(sampled);
  const std::vector<uint32_t> words = contents(texel_, side_);
  words_ =
      context_.make_buffer(words.data(), words.size() * sizeof words[0], VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
}

Read::~Read() {
  for (const Image& image : images_) context_.destroy(image);
  context_.destroy(words_);
  vkDestroySampler(context_.device(), sampler_, nullptr);
}

void Read::upload(VkCommandBuffer commands) const {
  for (const Image& image : images_) upload(commands, image);
}

void Read::upload(VkCommandBuffer commands, const Image& image) const {
  const VkImageAspectFlags aspect = aspect_of(texel_);
  const headless::ImageState written{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  headless::image_barrier(commands, image.image,
                          {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED}, written, aspect);
  for (uint32_t level = 0; level < levels_; level++) {
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect, level, 0, 1};
    region.imageExtent = {side_ >> level, side_ >> level, 1};
    vkCmdCopyBufferToImage(commands, words_.buffer, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                           &region);
  }
  headless::image_barrier(commands, image.image, written,
                          {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                          aspect);
}
