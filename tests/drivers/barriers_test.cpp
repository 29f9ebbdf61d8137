#include "barrier_fixture.h"
#include "shaders/passed_vert.h"
#include "shaders/uniform_frag.h"

// One test for each kind of barrier that reaches a cache of the machine.
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

constexpr Vec4 kRedTint{1, 0, 0, 1}, kGreenTint{0, 1, 0, 1};
constexpr VkAttachmentLoadOp kClears = VK_ATTACHMENT_LOAD_OP_CLEAR;

// A texture is drawn, sampled into the left half of the picture, drawn anew, and sampled into the right half.
TEST_F(Barriers, ColorWritesAreSampled) {
  const Target texture = make_target(kFormat), picture = make_target(kFormat);
  const Texture sampled = make_texture(texture.image);
  const PipelineShape color = colored(texture.clear);
  const VkPipeline paint = make_pipeline(color), show_it = make_pipeline(textured(picture.keep, sampled));
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&texture.image, &picture.image});
  for (uint32_t i = 0; i < 2; i++) {
    draw(commands, texture.clear, texture, paint, 0, 2,
         [&] { push(commands, color.layout, i ? kGreenTint : kRedTint); });
    barrier(commands, texture.image, kColorStage, kColorWrite, kFragmentStage, VK_ACCESS_SHADER_READ_BIT);
    draw(commands, picture.keep, picture, show_it, i, 1, [&] { bind(commands, sampled); });
    barrier(commands, texture.image, kFragmentStage, 0, kColorStage, kColorWrite);
  }
  const Buffer result = show(commands, picture.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3), kRed);
  EXPECT_EQ(pixel(result, 12, 12), kGreen);
  needed = {"FLUSH(1)", "INVALIDATE(4)"};
}

TEST_F(Barriers, DepthWritesAreSampled) {
  const Target texture = make_target(kDepthFormat), picture = make_target(kFormat);
  const Texture sampled = make_texture(texture.image);
  const VkPipeline write = make_pipeline(deep(texture.clear, VK_COMPARE_OP_ALWAYS)),
                   show_it = make_pipeline(textured(picture.keep, sampled));
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&texture.image, &picture.image});
  for (uint32_t i = 0; i < 2; i++) {
    // Cleared to 0, then 0.5 everywhere.
    draw(commands, i ? texture.keep : texture.clear, texture, write, 0, i ? 2 : 0, [] {});
    barrier(commands, texture.image, kTestStages, kDepthWrite, kFragmentStage, VK_ACCESS_SHADER_READ_BIT);
    draw(commands, picture.keep, picture, show_it, i, 1, [&] { bind(commands, sampled); });
    barrier(commands, texture.image, kFragmentStage, 0, kTestStages, kDepthWrite);
  }
  const Buffer result = show(commands, picture.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3)[0], 0);
  EXPECT_EQ(pixel(result, 12, 12)[0], 128);
  needed = {"FLUSH(2)", "INVALIDATE(4)", "FLUSH(1)"};
}

// Copies into a texture that was sampled before, which they must not overtake.
TEST_F(Barriers, CopiesIntoATextureAreSampled) {
  const Target picture = make_target(kFormat);
  const Image texture = make_image(kFormat, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const Texture sampled = make_texture(texture);
  const VkPipeline show_it = make_pipeline(textured(picture.keep, sampled));
  const Buffer texels[2] = {filled(kRed), filled(kGreen)};
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&texture, &picture.image});
  for (uint32_t i = 0; i < 2; i++) {
    upload(commands, texels[i], texture);
    barrier(commands, texture, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kFragmentStage,
            VK_ACCESS_SHADER_READ_BIT);
    draw(commands, picture.keep, picture, show_it, i, 1, [&] { bind(commands, sampled); });
    barrier(commands, texture, kFragmentStage, 0, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  const Buffer result = show(commands, picture.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3), kRed);
  EXPECT_EQ(pixel(result, 12, 12), kGreen);
  needed = {"INVALIDATE(4)", "FLUSH(1)"};
}

// vkCmdClearColorImage is a draw of the driver's, and a transfer to Vulkan.
TEST_F(Barriers, ClearsAreSampled) {
  const Target texture = make_target(kFormat), picture = make_target(kFormat);
  const Texture sampled = make_texture(texture.image);
  const VkPipeline show_it = make_pipeline(textured(picture.keep, sampled));
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&texture.image, &picture.image});
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  for (uint32_t i = 0; i < 2; i++) {
    const VkClearColorValue color{{i ? 0.f : 1.f, i ? 1.f : 0.f, 0, 1}};
    vkCmdClearColorImage(commands, texture.image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
    barrier(commands, texture.image, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kFragmentStage,
            VK_ACCESS_SHADER_READ_BIT);
    draw(commands, picture.keep, picture, show_it, i, 1, [&] { bind(commands, sampled); });
    barrier(commands, texture.image, kFragmentStage, 0, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  const Buffer result = show(commands, picture.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3), kRed);
  EXPECT_EQ(pixel(result, 12, 12), kGreen);
  needed = {"FLUSH(1)", "INVALIDATE(4)"};
}

TEST_F(Barriers, DepthWritesAreCopied) {
  const Target texture = make_target(kDepthFormat);
  const VkPipeline write = make_pipeline(deep(texture.clear, VK_COMPARE_OP_ALWAYS));
  const Buffer result = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&texture.image});
  draw(commands, texture.clear, texture, write, 1, 1, [] {});
  barrier(commands, texture.image, kTestStages, kDepthWrite, kTransferStage, VK_ACCESS_TRANSFER_READ_BIT);
  download(commands, texture.image, result);
  submit(commands);
  EXPECT_EQ(result.at<float>(0), 0.0f);
  EXPECT_EQ(result.at<float>(kSide - 1), 0.5f);
  needed = {"FLUSH(2)"};
}

// A blit that converts is a draw that samples.
TEST_F(Barriers, ColorWritesAreBlitted) {
  const Target texture = make_target(kFormat);
  const Image other =
      make_image(VK_FORMAT_B8G8R8A8_UNORM, VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  const PipelineShape color = colored(texture.keep);
  const VkPipeline paint = make_pipeline(color);
  const Buffer results[2] = {make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                             make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT)};
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&texture.image, &other});
  for (uint32_t i = 0; i < 2; i++) {
    draw(commands, texture.keep, texture, paint, 0, 2,
         [&] { push(commands, color.layout, i ? kGreenTint : kRedTint); });
    barrier(commands, texture.image, kColorStage, kColorWrite, kTransferStage, VK_ACCESS_TRANSFER_READ_BIT);
    VkImageBlit blit{};
    blit.srcSubresource = blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    blit.srcOffsets[1] = blit.dstOffsets[1] = {kSide, kSide, 1};
    vkCmdBlitImage(commands, texture.image.image, VK_IMAGE_LAYOUT_GENERAL, other.image,
                   VK_IMAGE_LAYOUT_GENERAL, 1, &blit, VK_FILTER_NEAREST);
    barrier(commands, other, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kTransferStage,
            VK_ACCESS_TRANSFER_READ_BIT);
    download(commands, other, results[i]);
    barrier(commands, texture.image, kTransferStage, 0, kColorStage, kColorWrite);
    barrier(commands, other, kTransferStage, 0, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  submit(commands);
  EXPECT_EQ(pixel(results[0], 3, 3), kBlue);
  EXPECT_EQ(pixel(results[1], 12, 12), kGreen);
  needed = {"FLUSH(1)", "INVALIDATE(4)"};
}

// Copies over a target, to which a draw is then added: what the color cache held is old.
TEST_F(Barriers, CopiesOverATargetAreDrawnOn) {
  const Target picture = make_target(kFormat);
  PipelineShape color = colored(picture.keep);
  color.adds = true;
  const VkPipeline paint = make_pipeline(color);
  const Buffer texels = filled(kBlue);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&picture.image});
  draw(commands, picture.clear, picture, paint, 0, 1, [&] { push(commands, color.layout, kRedTint); });
  barrier(commands, picture.image, kColorStage, kColorWrite, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT);
  upload(commands, texels, picture.image);
  barrier(commands, picture.image, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kColorStage,
          VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | kColorWrite);
  draw(commands, picture.keep, picture, paint, 0, 1, [&] { push(commands, color.layout, kGreenTint); });
  const Buffer result = show(commands, picture.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 0, 0), (Color{0, 255, 255, 255}));
  EXPECT_EQ(pixel(result, 15, 15), kBlue);
  needed = {"FLUSH(1)", "INVALIDATE(1)"};
}

TEST_F(Barriers, CopiesIntoDepthAreTestedAgainst) {
  const Target target = make_target(kDepthFormat);
  PipelineShape shape = deep(target.clear, VK_COMPARE_OP_GREATER_OR_EQUAL);
  const VkPipeline write = make_pipeline(shape);
  const Buffer texels = filled(0.75f);
  const Buffer result = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&target.image});
  draw(commands, target.clear, target, write, 0, 1, [] {});  // 0.5 above 0
  barrier(commands, target.image, kTestStages, kDepthWrite, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT);
  upload(commands, texels, target.image);
  barrier(commands, target.image, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kTestStages,
          VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | kDepthWrite);
  draw(commands, target.keep, target, write, 0, 2, [] {});  // not above 0.75
  barrier(commands, target.image, kTestStages, kDepthWrite, kTransferStage, VK_ACCESS_TRANSFER_READ_BIT);
  download(commands, target.image, result);
  submit(commands);
  for (uint32_t i = 0; i < kSide * kSide; i++) ASSERT_EQ(result.at<float>(i), 0.75f) << i;
  needed = {"FLUSH(2)", "INVALIDATE(2)"};
}

struct BufferBarriers : Barriers {
  Target picture;
  VkCommandBuffer commands = nullptr;
  void SetUp() override {
    Barriers::SetUp();
    picture = make_target(kFormat);
    commands = begin();
    begin_use(commands, {&picture.image});
  }
  Buffer made(VkBufferUsageFlags usage) { return make_buffer(256, usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT); }
  // Old bytes are used, new ones are written and used; each draw covers what its bytes say.
  template <class Bind>
  Buffer draw_twice(VkPipeline pipeline, const Buffer& buffer, const void* bytes, size_t size,
                    VkPipelineStageFlags stage, VkAccessFlags access, Bind&& bind_and_draw) {
    for (uint32_t i = 0; i < 2; i++) {
      if (i) vkCmdUpdateBuffer(commands, buffer.buffer, 0, size, bytes);
      barrier(commands, buffer, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, stage, access);
      begin_pass(commands, picture.keep, picture.framebuffer);
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      bind_and_draw(i);
      vkCmdEndRenderPass(commands);
      barrier(commands, buffer, stage, 0, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT);
    }
    const Buffer result = show(commands, picture.image);
    submit(commands);
    return result;
  }
};

// Triangles over the target's left and right half.
constexpr Vec4 kLeft[3] = {{-1, -1, 0, 1}, {0, -1, 0, 1}, {-1, 3, 0, 1}};
constexpr Vec4 kRight[3] = {{1, -1, 0, 1}, {1, 3, 0, 1}, {0, -1, 0, 1}};

TEST_F(BufferBarriers, VerticesAreFetchedAnew) {
  PipelineShape shape = colored(picture.keep);
  shape.vertex = make_shader(passed_vert);
  shape.bindings = {{0, sizeof(Vec4), VK_VERTEX_INPUT_RATE_VERTEX}};
  shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  const Buffer vertices = made(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  std::memcpy(vertices.mapped, kLeft, sizeof kLeft);
  const Buffer result =
      draw_twice(make_pipeline(shape), vertices, kRight, sizeof kRight, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                 VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT, [&](uint32_t i) {
                   const VkDeviceSize offset = 0;
                   vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &offset);
                   push(commands, shape.layout, i ? kGreenTint : kRedTint);
                   vkCmdDraw(commands, 3, 1, 0, 0);
                 });
  EXPECT_EQ(pixel(result, 1, 1), kRed);
  EXPECT_EQ(pixel(result, 14, 1), kGreen);
  needed = {"INVALIDATE(8)"};
}

// The machine has no cache that would keep indices from one draw to the next.
TEST_F(BufferBarriers, IndicesAreFetchedAnew) {
  const PipelineShape shape = colored(picture.keep);
  const Buffer indices = made(VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const uint16_t old_ones[6] = {0, 1, 2, 0, 0, 0}, new_ones[6] = {3, 4, 5, 0, 0, 0};
  std::memcpy(indices.mapped, old_ones, sizeof old_ones);
  const Buffer result =
      draw_twice(make_pipeline(shape), indices, new_ones, sizeof new_ones, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                 VK_ACCESS_INDEX_READ_BIT, [&](uint32_t i) {
                   vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
                   push(commands, shape.layout, i ? kGreenTint : kRedTint);
                   vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
                 });
  EXPECT_EQ(pixel(result, 0, 0), kRed);
  EXPECT_EQ(pixel(result, 7, 15), kGreen);
}

// Nor one for constants: what counts is that they are loaded again.
TEST_F(BufferBarriers, UniformsAreLoadedAnew) {
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  const auto [set_layout, set] = make_set({{0, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
                                           {1, type, 2, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  const Buffer uniforms = made(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  std::memset(uniforms.mapped, 0, 256);
  uniforms.put(0, kRedTint);
  const VkDescriptorBufferInfo ranges[3] = {
      {uniforms.buffer, 0, 16}, {uniforms.buffer, 64, 16}, {uniforms.buffer, 128, 16}};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1, type};
  write.pBufferInfo = ranges;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  write.dstBinding = 1, write.descriptorCount = 2, write.pBufferInfo = ranges + 1;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  PipelineShape shape = colored(picture.keep);
  shape.fragment = make_shader(uniform_frag);
  shape.layout = make_layout({set_layout});
  const Buffer result = draw_twice(make_pipeline(shape), uniforms, &kGreenTint, sizeof kGreenTint,
                                   kFragmentStage, VK_ACCESS_UNIFORM_READ_BIT, [&, bound = set](uint32_t i) {
                                     vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                             shape.layout, 0, 1, &bound, 0, nullptr);
                                     vkCmdDraw(commands, 6, 1, 0, i);
                                   });
  EXPECT_EQ(pixel(result, 0, 0), kRed);
  EXPECT_EQ(pixel(result, 15, 0), kGreen);
}

// Past every cache: the command processor reads what the copy engine wrote.
TEST_F(BufferBarriers, IndirectArgumentsAreReadAnew) {
  const PipelineShape shape = colored(picture.keep);
  const Buffer arguments = made(VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  arguments.put(0, VkDrawIndirectCommand{6, 1, 0, 0});
  const VkDrawIndirectCommand right{6, 1, 0, 1};
  const Buffer result =
      draw_twice(make_pipeline(shape), arguments, &right, sizeof right, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                 VK_ACCESS_INDIRECT_COMMAND_READ_BIT, [&](uint32_t i) {
                   push(commands, shape.layout, i ? kGreenTint : kRedTint);
                   vkCmdDrawIndirect(commands, arguments.buffer, 0, 1, 0);
                 });
  EXPECT_EQ(pixel(result, 0, 0), kRed);
  EXPECT_EQ(pixel(result, 15, 0), kGreen);
}

// A compute queue clears an image in rows by a clear of tiles and copies of them.
struct ComputeBarriers : Barriers {
  ComputeBarriers() { families = {1}; }
};

TEST_F(ComputeBarriers, ClearsOfTilesAreCopiedToRows) {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D, info.format = kFormat, info.extent = {kSide, kSide, 1};
  info.mipLevels = info.arrayLayers = 1, info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.tiling = VK_IMAGE_TILING_LINEAR;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  Image rows;
  ok(vkCreateImage(device, &info, nullptr, &rows.image));
  at_end([this, rows] { vkDestroyImage(device, rows.image, nullptr); });
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, rows.image, &needs);
  ok(vkBindImageMemory(device, rows.image, allocate(needs), 0));
  const VkCommandBuffer commands = begin();
  barrier(commands, rows, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearColorValue green{{0, 1, 0, 1}};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, rows.image, VK_IMAGE_LAYOUT_GENERAL, &green, 1, &all);
  barrier(commands, rows, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, kTransferStage,
          VK_ACCESS_TRANSFER_READ_BIT);
  const Buffer result = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {kSide, kSide, 1};
  vkCmdCopyImageToBuffer(commands, rows.image, VK_IMAGE_LAYOUT_GENERAL, result.buffer, 1, &region);
  submit(commands);
  EXPECT_EQ(pixel(result, 12, 12), kGreen);
}

}  // namespace
