#include "icd/pass/render_pass.h"

#include <gtest/gtest.h>

namespace cutaway::icd {
namespace {

constexpr VkAttachmentReference kUnused{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};

TEST(RenderPass, ShapeNamesUsedColorsAndAspects) {
  VkAttachmentDescription attachments[2] = {};
  attachments[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  attachments[1].format = VK_FORMAT_X8_D24_UNORM_PACK32;
  for (auto& attachment : attachments) attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  const VkAttachmentReference colors[2] = {kUnused, {0, VK_IMAGE_LAYOUT_GENERAL}};
  const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 2;
  subpass.pColorAttachments = colors;
  subpass.pDepthStencilAttachment = &depth;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 2, info.pAttachments = attachments;
  info.subpassCount = 1, info.pSubpasses = &subpass;
  const SubpassShape shape = RenderPass(info).shape(0);
  EXPECT_EQ(shape.color_count, 2u);
  EXPECT_EQ(shape.color_used, 2u);
  EXPECT_TRUE(shape.depth);
  EXPECT_FALSE(shape.stencil);
}

TEST(RenderPass, AttachmentsAreResolvedIntoOthers) {
  VkAttachmentDescription2 attachments[2] = {{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2},
                                             {VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2}};
  attachments[0].samples = VK_SAMPLE_COUNT_4_BIT;
  attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;
  const VkAttachmentReference2 color{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0};
  const VkAttachmentReference2 resolve{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 1};
  VkSubpassDescription2 subpass{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color, subpass.pResolveAttachments = &resolve;
  VkRenderPassCreateInfo2 info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  info.attachmentCount = 2, info.pAttachments = attachments;
  info.subpassCount = 1, info.pSubpasses = &subpass;
  const RenderPass pass(info);
  EXPECT_EQ(pass.attachments()[0].samples, VK_SAMPLE_COUNT_4_BIT);
  ASSERT_EQ(pass.subpasses()[0].resolves, std::vector<uint32_t>{1});
  EXPECT_FALSE(pass.subpasses()[0].uses(1)) << "what it held does not matter";
  EXPECT_TRUE(pass.subpasses()[0].touches(1));
  attachments[0].samples = VK_SAMPLE_COUNT_16_BIT;
  EXPECT_THROW(RenderPass{info}, ApiError);
}

TEST(RenderPass, DependenciesBecomeBarriers) {
  const VkSubpassDescription subpasses[2] = {};
  const VkSubpassDependency dependencies[3] = {
      {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
       VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT, 0},
      {0, 1, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
       VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, 0},
      {1, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
       VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0}};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.subpassCount = 2, info.pSubpasses = subpasses;
  info.dependencyCount = 3, info.pDependencies = dependencies;
  const RenderPass pass(info);
  const auto first = pass.barrier_before(0), second = pass.barrier_before(1), end = pass.barrier_at_end();
  EXPECT_EQ(first.source, VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT});
  EXPECT_TRUE(first.destination & VK_ACCESS_SHADER_READ_BIT);
  EXPECT_TRUE(first.destination & VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);  // the implicit dependency's
  EXPECT_EQ(second.source, VkAccessFlags{VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT});
  EXPECT_EQ(second.destination, VkAccessFlags{VK_ACCESS_INPUT_ATTACHMENT_READ_BIT});
  EXPECT_TRUE(end.destination & VK_ACCESS_TRANSFER_READ_BIT);
}

}  // namespace
}  // namespace cutaway::icd
