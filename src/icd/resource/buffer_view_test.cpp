#include "icd/resource/buffer_view.h"

#include <gtest/gtest.h>

#include "icd/resource/buffer.h"

namespace cutaway::icd {
namespace {

// A view has at most as many texels as fit into the buffer.
TEST(BufferView, EndsWithItsBuffer) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 256;
  Buffer buffer(info);
  VkBufferViewCreateInfo view{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  view.buffer = handle(&buffer);
  view.format = VK_FORMAT_R32G32_SFLOAT;
  const auto texels = [&view](VkDeviceSize offset, VkDeviceSize range) {
    view.offset = offset, view.range = range;
    const arch::Surface surface = BufferView(view).surface();
    EXPECT_EQ(surface.address, arch::Address{offset});
    return surface.width;
  };
  EXPECT_EQ(texels(0, VK_WHOLE_SIZE), 32u);
  EXPECT_EQ(texels(64, VK_WHOLE_SIZE), 24u);
  EXPECT_EQ(texels(64, 32), 4u);
  EXPECT_EQ(texels(224, 64), 4u);
}

TEST(BufferView, OfNoFormatHasNothingToRead) {
  const BufferView view(VkBufferViewCreateInfo{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO});
  EXPECT_EQ(view.surface().format, 0u);
  EXPECT_EQ(view.surface().width, 0u);
}

}  // namespace
}  // namespace cutaway::icd
