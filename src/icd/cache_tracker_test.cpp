#include "icd/cache_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace cutaway::icd {
namespace {

using arch::kCacheColor;
using arch::kCacheDepth;
using arch::kCacheTexture;
using arch::kCacheVertex;

constexpr VkPipelineStageFlags kColorStage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags kFragmentStage = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
constexpr VkPipelineStageFlags kTransferStage = VK_PIPELINE_STAGE_TRANSFER_BIT;

class CacheTrackerTest : public testing::Test {
 protected:
  void SetUp() override {
    tracker.begin(writer);
    taken();
  }

  // The packets since the last call: "WAIT_IDLE FLUSH(1) INVALIDATE(4)".
  std::string taken() {
    std::string text;
    const std::vector<uint32_t>& words = writer.commands();
    for (; at_ < words.size(); at_ += 1 + arch::packet_payload(words[at_])) {
      if (!text.empty()) text += ' ';
      text += arch::opcode_name(arch::packet_opcode(words[at_]));
      if (arch::packet_payload(words[at_])) text += "(" + std::to_string(words[at_ + 1]) + ")";
    }
    return text;
  }

  std::string barrier(VkPipelineStageFlags from, VkAccessFlags source, VkPipelineStageFlags to,
                      VkAccessFlags destination) {
    tracker.barrier({from, to, source, destination}, writer);
    return taken();
  }

  CacheTracker tracker;
  arch::CommandWriter writer;

 private:
  size_t at_ = 0;
};

TEST_F(CacheTrackerTest, StartsColdAndEndsClean) {
  CacheTracker other;
  arch::CommandWriter stream;
  other.begin(stream);
  EXPECT_THAT(stream.commands(),
              testing::ElementsAre(arch::packet_header(arch::Opcode::kInvalidate, 1), arch::kCacheAll));
  tracker.draw(kCacheVertex, kCacheColor | kCacheDepth);
  tracker.end(writer);
  EXPECT_EQ(taken(), "WAIT_IDLE FLUSH(3)");
}

TEST_F(CacheTrackerTest, NothingHappenedCostsNothing) {
  EXPECT_EQ(
      barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_READ_BIT),
      "");
  tracker.end(writer);
  EXPECT_EQ(taken(), "");
}

TEST_F(CacheTrackerTest, RenderedTextureIsFlushedAndOldTexelsForgotten) {
  tracker.draw(kCacheTexture | kCacheVertex, kCacheColor);
  EXPECT_EQ(
      barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_READ_BIT),
      "WAIT_IDLE FLUSH(1) INVALIDATE(4)");
  EXPECT_EQ(
      barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_READ_BIT),
      "");
}

TEST_F(CacheTrackerTest, AvailabilityAndVisibilityMayComeInTwoBarriers) {
  tracker.draw(kCacheTexture, kCacheColor);
  EXPECT_EQ(barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0),
            "WAIT_IDLE");
  tracker.draw(0, kCacheColor);  // to another image
  EXPECT_EQ(barrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, kFragmentStage, VK_ACCESS_SHADER_READ_BIT),
            "WAIT_IDLE FLUSH(1) INVALIDATE(4)");
}

TEST_F(CacheTrackerTest, PixelUnitsKeepTheirOwnOrder) {
  tracker.draw(0, kCacheColor | kCacheDepth);
  EXPECT_EQ(barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kColorStage,
                    VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT),
            "");
}

TEST_F(CacheTrackerTest, CopyIntoATextureThatWasSampled) {
  tracker.draw(kCacheTexture, kCacheColor);
  EXPECT_EQ(barrier(kFragmentStage, 0, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT), "WAIT_IDLE");
  tracker.copy();
  EXPECT_EQ(barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_READ_BIT),
            "WAIT_IDLE INVALIDATE(4)");
  tracker.draw(kCacheTexture, kCacheColor);
  EXPECT_EQ(barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_READ_BIT),
            "WAIT_IDLE");
}

TEST_F(CacheTrackerTest, CopyOverATargetThatIsDrawnToAgain) {
  tracker.draw(0, kCacheColor);
  EXPECT_EQ(barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kTransferStage,
                    VK_ACCESS_TRANSFER_WRITE_BIT),
            "WAIT_IDLE FLUSH(1)");
  tracker.copy();
  EXPECT_EQ(barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kColorStage,
                    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT),
            "WAIT_IDLE INVALIDATE(1)");
}

TEST_F(CacheTrackerTest, ClearsAreDrawsOfTheDriver) {
  tracker.transfer_draw(0, kCacheColor);  // vkCmdClearColorImage
  EXPECT_EQ(
      barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kTransferStage, VK_ACCESS_TRANSFER_READ_BIT),
      "WAIT_IDLE FLUSH(1)");
}

// A color image, a depth image and a color image again in the same memory.
TEST_F(CacheTrackerTest, MemoryThatWasADepthTargetMeanwhile) {
  constexpr VkPipelineStageFlags kDepthStage = VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  tracker.draw(0, kCacheColor);
  EXPECT_EQ(barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kDepthStage,
                    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT),
            "WAIT_IDLE FLUSH(1)");
  tracker.draw(0, kCacheDepth);
  EXPECT_EQ(barrier(kDepthStage, VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, kColorStage,
                    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT),
            "WAIT_IDLE FLUSH(2) INVALIDATE(1)");
}

TEST_F(CacheTrackerTest, VertexBufferWrittenByCopies) {
  tracker.draw(kCacheVertex, kCacheColor);
  tracker.copy();
  EXPECT_EQ(barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                    VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT),
            "WAIT_IDLE INVALIDATE(8)");
}

}  // namespace
}  // namespace cutaway::icd
