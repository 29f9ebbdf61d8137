// A picture of which only a part has memory: a window moves over it, block by block, through a pool of memory
// that holds half of it. What comes into the window gets the memory of what leaves it. The program compares
// what the GPU reads with what it expects: zeros where there is no memory.
//
//   partly_resident OUTPUT.ppm

#include <algorithm>
#include <map>

#include "headless.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr uint32_t kWidth = 512, kHeight = 96, kSteps = 7;
constexpr VkImageSubresourceLayers kLayers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                     VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;

constexpr uint32_t color(uint32_t step, uint32_t x, uint32_t y) {
  return 0xff000000 | step * 30 << 16 | (x / 2 & 0xff) << 8 | (2 * y & 0xff);
}

// A sparse picture, and the memory that its blocks share.
class Picture {
 public:
  explicit Picture(const Context& context) : context_(context) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    info.imageType = VK_IMAGE_TYPE_2D, info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {kWidth, kHeight, 1};
    info.mipLevels = info.arrayLayers = 1, info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = kUsage;
    HEADLESS_CHECK(vkCreateImage(context.device(), &info, nullptr, &image_));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(context.device(), image_, &needs);
    uint32_t count = 1;
    VkSparseImageMemoryRequirements sparse{};
    vkGetImageSparseMemoryRequirements(context.device(), image_, &count, &sparse);
    block_ = sparse.formatProperties.imageGranularity, block_bytes_ = needs.alignment;
    columns_ = (kWidth + block_.width - 1) / block_.width;
    rows_ = (kHeight + block_.height - 1) / block_.height;
    const VkDeviceSize pool = (uint64_t{columns_} * rows_ / 2 + 1) * block_bytes_;
    const VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, pool,
                                        static_cast<uint32_t>(__builtin_ctz(needs.memoryTypeBits))};
    HEADLESS_CHECK(vkAllocateMemory(context.device(), &allocate, nullptr, &memory_));
    for (VkDeviceSize at = pool; at > 0; at -= block_bytes_) free_.push_back(at - block_bytes_);
  }
  ~Picture() {
    vkDestroyImage(context_.device(), image_, nullptr);
    vkFreeMemory(context_.device(), memory_, nullptr);
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  VkImage image() const { return image_; }
  uint32_t columns() const { return columns_; }
  bool has(uint32_t x, uint32_t y) const {
    return bound_.contains(y / block_.height * columns_ + x / block_.width);
  }

  // Gives memory to every other row of so many columns, and takes that of all other blocks.
  void move_window(uint32_t first, uint32_t columns) {
    std::vector<VkSparseImageMemoryBind> binds;
    for (const bool gives : {false, true})
      for (uint32_t block = 0; block < columns_ * rows_; block++) {
        const uint32_t column = block % columns_, row = block / columns_;
        const bool inside = column >= first && column < first + columns && (row + column) % 2 == 0;
        if (inside != gives || inside == bound_.contains(block)) continue;
        if (gives) bound_[block] = free_.back(), free_.pop_back();
        binds.push_back(bind_of(column, row, gives ? memory_ : VK_NULL_HANDLE, gives ? bound_[block] : 0));
        if (!gives) free_.insert(free_.begin(), bound_[block]), bound_.erase(block);
      }
    const VkSparseImageMemoryBindInfo of_image{image_, static_cast<uint32_t>(binds.size()), binds.data()};
    VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
    info.imageBindCount = 1, info.pImageBinds = &of_image;
    HEADLESS_CHECK(vkQueueBindSparse(context_.queue(), 1, &info, VK_NULL_HANDLE));
  }

 private:
  VkSparseImageMemoryBind bind_of(uint32_t column, uint32_t row, VkDeviceMemory memory,
                                  VkDeviceSize at) const {
    const uint32_t x = column * block_.width, y = row * block_.height;
    return {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0},
            {static_cast<int32_t>(x), static_cast<int32_t>(y), 0},
            {std::min(block_.width, kWidth - x), std::min(block_.height, kHeight - y), 1},
            memory,
            at,
            0};
  }

  const Context& context_;
  VkImage image_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkExtent3D block_{};
  VkDeviceSize block_bytes_ = 0;
  uint32_t columns_ = 0, rows_ = 0;
  std::vector<VkDeviceSize> free_;
  std::map<uint32_t, VkDeviceSize> bound_;  // where in memory, by block
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  VkPhysicalDeviceFeatures features{};
  features.sparseBinding = features.sparseResidencyImage2D = VK_TRUE;
  const Context context({}, features);
  constexpr VkDeviceSize kBytes = VkDeviceSize{kWidth} * kHeight * 4;
  const Buffer colors = context.make_buffer(kBytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const Buffer seen = context.make_buffer(kBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Buffer result = context.make_buffer(kBytes / 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Image shown = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth / 2, kHeight / 2, 1, kUsage);
  uint32_t wrong = 0;
  {
    Picture picture(context);
    for (uint32_t step = 0; step < kSteps; step++) {
      picture.move_window(step % picture.columns(), picture.columns() / 2);
      auto* const texels = static_cast<uint32_t*>(colors.mapped);
      for (uint32_t i = 0; i < kWidth * kHeight; i++) texels[i] = color(step, i % kWidth, i / kWidth);
      const VkCommandBuffer commands = context.begin();
      const Image sparse{picture.image(), VK_NULL_HANDLE, VK_NULL_HANDLE};
      if (step == 0)
        for (const Image& image : {sparse, shown})
          headless::to_general(commands, image, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
      const VkBufferImageCopy whole{0, 0, 0, kLayers, {0, 0, 0}, {kWidth, kHeight, 1}};
      vkCmdCopyBufferToImage(commands, colors.buffer, sparse.image, VK_IMAGE_LAYOUT_GENERAL, 1, &whole);
      headless::full_barrier(commands);
      const VkImageBlit half{
          kLayers, {{0, 0, 0}, {kWidth, kHeight, 1}}, kLayers, {{0, 0, 0}, {kWidth / 2, kHeight / 2, 1}}};
      vkCmdBlitImage(commands, sparse.image, VK_IMAGE_LAYOUT_GENERAL, shown.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                     &half, VK_FILTER_LINEAR);
      vkCmdCopyImageToBuffer(commands, sparse.image, VK_IMAGE_LAYOUT_GENERAL, seen.buffer, 1, &whole);
      headless::full_barrier(commands);
      const VkBufferImageCopy last{0, 0, 0, kLayers, {0, 0, 0}, {kWidth / 2, kHeight / 2, 1}};
      vkCmdCopyImageToBuffer(commands, shown.image, VK_IMAGE_LAYOUT_GENERAL, result.buffer, 1, &last);
      headless::full_barrier(commands);
      context.submit_and_wait(commands);
      const auto* const found = static_cast<const uint32_t*>(seen.mapped);
      for (uint32_t i = 0; i < kWidth * kHeight; i++)
        wrong += found[i] != (picture.has(i % kWidth, i / kWidth) ? texels[i] : 0);
    }
  }
  headless::write_ppm(arguments[1], kWidth / 2, kHeight / 2, static_cast<const uint8_t*>(result.mapped));
  context.destroy(shown);
  for (const Buffer& buffer : {colors, seen, result}) context.destroy(buffer);
  if (wrong) std::fprintf(stderr, "%u texels are wrong\n", wrong);
  return wrong ? 1 : 0;
}
