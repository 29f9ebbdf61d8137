#include "icd/stream/cache_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace cutaway::icd::cache_tracker_test {
namespace {

using arch::kCacheColor;
using arch::kCacheDepth;
using arch::kCacheTexture;
using arch::kCacheVertex;

constexpr VkPipelineStageFlags kColorStage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags kFragmentStage = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
constexpr VkPipelineStageFlags kTransferStage = VK_PIPELINE_STAGE_TRANSFER_BIT;

class CacheTrackerTest : public ::testing::Test {
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

// Work of another queue may bring in lines beside what this command buffer copies, before it uses any.
TEST_F(CacheTrackerTest, SharedCachesHoldLinesFromTheStart) {
  const auto after_a_copy = [&] {
    tracker.copy();
    taken();
    return barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_READ_BIT);
  };
  EXPECT_EQ(after_a_copy(), "WAIT_IDLE");
  tracker = CacheTracker(true);
  tracker.begin(writer);
  for (int i = 0; i < 2; i++)
    EXPECT_EQ(after_a_copy(),
              "WAIT_IDLE INVALIDATE(" + std::to_string(kCacheTexture | arch::kCacheStorage) + ")");
}

// A cache that goes by addresses does not see what it holds of the same memory at another.
TEST_F(CacheTrackerTest, CachesDoNotSeeTheirWritesOfAliasedMemory) {
  const auto drawn_again = [&] {
    tracker.draw(0, kCacheColor);
    return barrier(kColorStage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kColorStage,
                   VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  };
  const auto stored_again = [&] {
    tracker.storage_write();
    return barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
  };
  const auto restart = [&](bool aliased) {
    tracker = CacheTracker();
    if (aliased) tracker.note_aliases();
    tracker.begin(writer);
    taken();
  };
  EXPECT_EQ(drawn_again(), "");
  restart(false);
  EXPECT_EQ(stored_again(), "WAIT_IDLE");
  restart(true);
  EXPECT_EQ(drawn_again(), "WAIT_IDLE FLUSH(1) INVALIDATE(1)");
  restart(true);
  const std::string storage = std::to_string(arch::kCacheStorage);
  EXPECT_EQ(stored_again(), "WAIT_IDLE FLUSH(" + storage + ") INVALIDATE(" + storage + ")");
}

TEST_F(CacheTrackerTest, StartsColdAndEndsClean) {
  CacheTracker other;
  arch::CommandWriter stream;
  other.begin(stream);
  EXPECT_THAT(stream.commands(),
              ::testing::ElementsAre(arch::packet_header(arch::Opcode::kInvalidate, 1), arch::kCacheAll));
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

// A color image, a depth image and again a color image in the same memory.
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

// INVALIDATE keeps dirty lines, so the cache is not empty afterwards.
TEST_F(CacheTrackerTest, DirtyLinesOutliveAnInvalidation) {
  tracker.draw(0, kCacheColor);
  for (int i = 0; i < 2; i++) {
    tracker.copy();
    EXPECT_EQ(barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kColorStage,
                      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT),
              "WAIT_IDLE INVALIDATE(1)")
        << i;
  }
}

// Stores and atomics of programs stay in a separate cache, and other caches may hold old data.
TEST_F(CacheTrackerTest, StoresOfProgramsAreFlushedForOtherReaders) {
  tracker.draw(kCacheTexture, kCacheColor);
  tracker.storage_write();
  EXPECT_EQ(barrier(kFragmentStage, VK_ACCESS_SHADER_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_READ_BIT),
            "WAIT_IDLE FLUSH(32) INVALIDATE(4)");
  tracker.storage_write();
  EXPECT_EQ(barrier(kFragmentStage, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                    VK_ACCESS_INDIRECT_COMMAND_READ_BIT),
            "WAIT_IDLE FLUSH(32)");
  tracker.storage_write();
  tracker.end(writer);
  EXPECT_EQ(taken(), "WAIT_IDLE FLUSH(33)");
}

// A store after a store finds the data in the same cache.
TEST_F(CacheTrackerTest, StoresAfterStoresWaitOnly) {
  tracker.storage_write();
  EXPECT_EQ(barrier(kFragmentStage, VK_ACCESS_SHADER_WRITE_BIT, kFragmentStage, VK_ACCESS_SHADER_WRITE_BIT),
            "WAIT_IDLE");
}

// Data overwritten by a copy is no longer in the storage cache.
TEST_F(CacheTrackerTest, CopyOverWhatProgramsStored) {
  tracker.storage_write();
  EXPECT_EQ(barrier(kFragmentStage, VK_ACCESS_SHADER_WRITE_BIT, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT),
            "WAIT_IDLE FLUSH(32)");
  tracker.copy();
  EXPECT_EQ(barrier(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kFragmentStage,
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT),
            "WAIT_IDLE INVALIDATE(32)");
}

// Tests each of "Access Types" separately.
TEST(CachePaths, OfEveryAccess) {
  constexpr uint32_t kConstant = arch::kCacheConstant, kBack = kCacheColor | kCacheDepth;
  struct Case {
    VkAccessFlags access;
    uint32_t read, written;
  };
  for (const Case& c : {Case{VK_ACCESS_INDIRECT_COMMAND_READ_BIT, kPathCommandProcessor, 0},
                        Case{VK_ACCESS_INDEX_READ_BIT, kCacheVertex, 0},
                        Case{VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT, kCacheVertex, 0},
                        Case{VK_ACCESS_UNIFORM_READ_BIT, kConstant | kCacheTexture, 0},
                        Case{VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, kCacheTexture, 0},
                        Case{VK_ACCESS_SHADER_READ_BIT, kCacheTexture | arch::kCacheStorage, 0},
                        Case{VK_ACCESS_SHADER_WRITE_BIT, 0, arch::kCacheStorage},
                        Case{VK_ACCESS_COLOR_ATTACHMENT_READ_BIT, kCacheColor, 0},
                        Case{VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0, kCacheColor},
                        Case{VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, kCacheDepth, 0},
                        Case{VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, 0, kCacheDepth},
                        Case{VK_ACCESS_TRANSFER_READ_BIT, kPathCopyEngine | kCacheTexture, 0},
                        Case{VK_ACCESS_TRANSFER_WRITE_BIT, 0, kPathCopyEngine | kBack},
                        Case{VK_ACCESS_HOST_READ_BIT, kPathHost, 0},
                        Case{VK_ACCESS_HOST_WRITE_BIT, 0, kPathHost},
                        Case{VK_ACCESS_MEMORY_READ_BIT, kPathAll, 0},
                        Case{VK_ACCESS_MEMORY_WRITE_BIT, 0,
                             kPathCopyEngine | kPathHost | kBack | kCacheTexture | arch::kCacheStorage},
                        Case{VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT, kPathCommandProcessor, 0},
                        Case{VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, 0, kPathCommandProcessor},
                        Case{VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, kPathCommandProcessor, 0},
                        Case{VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, 0, kPathCommandProcessor}}) {
    EXPECT_EQ(read_paths(c.access), c.read) << c.access;
    EXPECT_EQ(write_paths(c.access), c.written) << c.access;
  }
}

}  // namespace
}  // namespace cutaway::icd::cache_tracker_test
