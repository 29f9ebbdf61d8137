#include "base/hash.h"
#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/quarter_frag.h"

// Pipeline caches (Vulkan, "Pipeline Cache").
namespace {

using namespace cutaway::icd::testing;
using Blob = std::vector<std::byte>;

constexpr size_t kHeader = sizeof(VkPipelineCacheHeaderVersionOne), kEntryHead = 32;

struct Caches : Renderer {
  VkRenderPass pass = VK_NULL_HANDLE;
  PipelineShape shape;

  void SetUp() override {
    Renderer::SetUp();
    pass = make_pass();
    shape.vertex = make_shader(half_vert);
    shape.fragment = make_shader(quarter_frag);
    shape.layout = make_layout();
    shape.pass = pass;
  }
  VkPipelineCache make_cache(const Blob& data = {}) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    ok(vkCreatePipelineCache(device, &info, nullptr, &cache));
    at_end([this, cache] { vkDestroyPipelineCache(device, cache, nullptr); });
    return cache;
  }
  Blob data_of(VkPipelineCache cache) const {
    size_t bytes = 0;
    ok(vkGetPipelineCacheData(device, cache, &bytes, nullptr));
    Blob data(bytes);
    ok(vkGetPipelineCacheData(device, cache, &bytes, data.data()));
    EXPECT_EQ(bytes, data.size());
    return data;
  }
  // The cache data after a pipeline was made, for a device without its programs.
  Blob filled() {
    const VkPipelineCache cache = make_cache();
    VkPipeline pipeline = create_pipeline(shape, cache);
    vkDestroyPipeline(device, pipeline, nullptr);
    return data_of(cache);
  }
  VkPipeline create_pipeline(PipelineShape with, VkPipelineCache cache) {
    with.cache = cache;
    return make_pipeline(with, false);
  }
  Color drawn_with(const Blob& data) {
    const VkPipeline pipeline = create_pipeline(shape, make_cache(data));
    const Image target = make_target();
    const VkCommandBuffer commands = begin();
    begin_pass(commands, pass, make_framebuffer(pass, {target.view}));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 6, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    vkDestroyPipeline(device, pipeline, nullptr);
    return pixel(picture, 0, 0);
  }
};

template <class T>
T value_at(const Blob& blob, size_t offset) {
  T value;
  std::memcpy(&value, &blob.at(offset), sizeof value);
  return value;
}

// Replaces 0.25 by 0.75 in a program's bytes, with valid hashes if `true_hashes`.
void brighten(Blob& blob, bool true_hashes) {
  for (size_t at = kHeader; at < blob.size();) {
    const auto key0 = value_at<uint64_t>(blob, at), key1 = value_at<uint64_t>(blob, at + 8);
    const auto bytes = value_at<uint64_t>(blob, at + 16);
    std::byte* program = &blob[at] + kEntryHead;
    for (size_t i = 0; i + 4 <= bytes; i++) {
      const float from = 0.25f, to = 0.75f;
      if (std::memcmp(program + i, &from, 4) == 0) std::memcpy(program + i, &to, 4);
    }
    const uint64_t hash = cutaway::hash_bytes(program, bytes, key0 ^ key1);
    if (true_hashes) std::memcpy(&blob[at + 24], &hash, sizeof hash);
    at += kEntryHead + bytes;
  }
}

TEST_F(Caches, DataBeginsWithVulkansHeader) {
  const Blob data = data_of(make_cache());
  ASSERT_EQ(data.size(), kHeader);
  const auto header = value_at<VkPipelineCacheHeaderVersionOne>(data, 0);
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  EXPECT_EQ(header.headerSize, kHeader);
  EXPECT_EQ(header.headerVersion, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
  EXPECT_EQ(header.vendorID, properties.vendorID);
  EXPECT_EQ(header.deviceID, properties.deviceID);
  EXPECT_EQ(std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE), 0);
  EXPECT_NE(value_at<uint64_t>(data, 16), 0u);
}

TEST_F(Caches, APipelineComesFromTheDataAndIsNotCompiled) {
  Blob data = filled();
  EXPECT_GT(data.size(), kHeader);
  EXPECT_EQ(drawn_with(data), (Color{64, 64, 64, 64}));
  brighten(data, true);
  EXPECT_EQ(drawn_with(data), (Color{191, 191, 191, 191}));
}

TEST_F(Caches, DamagedDataIsIgnored) {
  const Blob whole = filled();
  Blob data = whole;
  brighten(data, false);
  EXPECT_EQ(drawn_with(data), (Color{64, 64, 64, 64}));
  data = whole;
  brighten(data, true);
  data[20] ^= std::byte{1};  // of the UUID: another build
  EXPECT_EQ(drawn_with(data), (Color{64, 64, 64, 64}));
  for (size_t bytes = 0; bytes < whole.size(); bytes += 7) {
    const Blob cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(bytes));
    EXPECT_LE(data_of(make_cache(cut)).size(), std::max(bytes, kHeader));
  }
}

TEST_F(Caches, DataMerges) {
  const VkPipelineCache all = make_cache(), other = make_cache(filled()), empty = make_cache();
  const std::array from{other, empty};
  ok(vkMergePipelineCaches(device, all, 2, from.data()));
  EXPECT_EQ(data_of(all), data_of(other));
}

TEST_F(Caches, TooLittleRoomGivesWholeEntries) {
  const VkPipelineCache cache = make_cache(filled());
  const Blob whole = data_of(cache);
  Blob part(whole.size());
  size_t bytes = kHeader - 1;
  EXPECT_EQ(vkGetPipelineCacheData(device, cache, &bytes, part.data()), VK_INCOMPLETE);
  EXPECT_EQ(bytes, 0u);
  bytes = whole.size() - 1;
  EXPECT_EQ(vkGetPipelineCacheData(device, cache, &bytes, part.data()), VK_INCOMPLETE);
  part.resize(bytes);
  EXPECT_EQ(data_of(make_cache(part)), part);
}

TEST_F(Caches, DerivativesAreMade) {
  PipelineShape parent = shape, child = shape;
  parent.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  child.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
  child.base = make_pipeline(parent);
  EXPECT_NE(make_pipeline(child), VkPipeline{VK_NULL_HANDLE});
}

}  // namespace
