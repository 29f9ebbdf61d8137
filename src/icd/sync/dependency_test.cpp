#include "icd/sync/dependency.h"

#include <gtest/gtest.h>

namespace cutaway::icd {
namespace {

TEST(Dependency, StagesAndAccessesOf64Bits) {
  EXPECT_EQ(stages_of(VK_PIPELINE_STAGE_2_NONE), 0u);
  EXPECT_EQ(stages_of(VK_PIPELINE_STAGE_2_COPY_BIT), VkPipelineStageFlags{VK_PIPELINE_STAGE_TRANSFER_BIT});
  EXPECT_EQ(stages_of(VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_HOST_BIT),
            VkPipelineStageFlags{VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_HOST_BIT});
  EXPECT_TRUE(stages_of(VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT) &
              VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
  EXPECT_EQ(accesses_of(VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT), VkAccessFlags{VK_ACCESS_SHADER_WRITE_BIT});
  EXPECT_EQ(accesses_of(VK_ACCESS_2_SHADER_SAMPLED_READ_BIT), VkAccessFlags{VK_ACCESS_SHADER_READ_BIT});
  EXPECT_EQ(accesses_of(VK_ACCESS_2_SHADER_READ_BIT),
            VkAccessFlags{VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT});
}

}  // namespace
}  // namespace cutaway::icd
