#include "icd/descriptor/descriptor_set.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>

#include "icd/descriptor/descriptor_pool.h"
#include "icd/descriptor/descriptor_update_template.h"
#include "icd/resource/sampler.h"

namespace cutaway::icd {
namespace {

VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type, uint32_t count) {
  return {number, type, count, VK_SHADER_STAGE_ALL, nullptr};
}

template <size_t n>
DescriptorSetLayout make_layout(const std::array<VkDescriptorSetLayoutBinding, n>& bindings) {
  return DescriptorSetLayout(
      {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, n, bindings.data()});
}

template <size_t n>
DescriptorPool make_pool(uint32_t sets, const std::array<VkDescriptorPoolSize, n>& sizes) {
  return DescriptorPool({VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, sets, n, sizes.data()});
}

Sampler make_sampler(float bias) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.mipLodBias = bias;
  return Sampler(info);
}

TEST(DescriptorSetLayout, BindingsLieInOrderOfTheirNumbers) {
  const DescriptorSetLayout layout = make_layout<3>(
      {binding(7, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2), binding(1, VK_DESCRIPTOR_TYPE_SAMPLER, 3),
       binding(4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1)});
  const SetShape& shape = *layout.shape();
  EXPECT_EQ(shape.descriptors, 6u);
  EXPECT_EQ(shape.dynamic_offsets, 3u);
  EXPECT_EQ(shape.find(1)->first, 0u);
  EXPECT_EQ(shape.find(4)->first, 3u);
  EXPECT_EQ(shape.find(7)->first_dynamic, 1u);
  EXPECT_EQ(shape.find(2), nullptr);
}

TEST(DescriptorSet, UpdatesRunOverIntoTheNextBinding) {
  const DescriptorSetLayout layout =
      make_layout<2>({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER, 2), binding(3, VK_DESCRIPTOR_TYPE_SAMPLER, 2)});
  DescriptorPool pool = make_pool<1>(1, {{{VK_DESCRIPTOR_TYPE_SAMPLER, 4}}});
  DescriptorSet& set = *pool.allocate(layout);
  Sampler samplers[3] = {make_sampler(1), make_sampler(2), make_sampler(3)};
  VkDescriptorImageInfo infos[3] = {};
  for (int i = 0; i < 3; i++) infos[i].sampler = handle(&samplers[i]);
  set.write({0, 1, VK_DESCRIPTOR_TYPE_SAMPLER, 3, infos, sizeof infos[0]});
  EXPECT_EQ(set.find(0, 0)->sampler.lod_bias, 0);
  EXPECT_EQ(set.find(0, 1)->sampler.lod_bias, 1);
  EXPECT_EQ(set.find(3, 0)->sampler.lod_bias, 2);
  EXPECT_EQ(set.find(3, 1)->sampler.lod_bias, 3);
}

TEST(DescriptorSet, ImmutableSamplersStay) {
  Sampler immutable = make_sampler(5), other = make_sampler(6);
  const VkSampler handles[1] = {handle(&immutable)};
  auto with_sampler = binding(0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1);
  with_sampler.pImmutableSamplers = handles;
  const DescriptorSetLayout layout = make_layout<1>({with_sampler});
  DescriptorPool pool = make_pool<1>(1, {{{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}}});
  DescriptorSet& set = *pool.allocate(layout);
  const VkDescriptorImageInfo info{handle(&other), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};
  set.write({0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &info, sizeof info});
  EXPECT_EQ(set.find(0, 0)->sampler.lod_bias, 5);
}

// A copy includes the sampler, unless the destination's is immutable.
TEST(DescriptorSet, CopiesTakeSamplersAlongButNotToImmutableOnes) {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  Sampler immutable = make_sampler(5), other = make_sampler(6);
  const VkSampler handles[1] = {handle(&immutable)};
  auto with_sampler = binding(1, kType, 1);
  with_sampler.pImmutableSamplers = handles;
  const DescriptorSetLayout layout =
      make_layout<3>({binding(0, kType, 1), with_sampler, binding(2, kType, 1)});
  DescriptorPool pool = make_pool<1>(2, {{{kType, 6}}});
  DescriptorSet &from = *pool.allocate(layout), &to = *pool.allocate(layout);
  const VkDescriptorImageInfo info{handle(&other), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};
  from.write({0, 0, kType, 1, &info, sizeof info});
  const auto copy = [&](uint32_t source, uint32_t destination) {
    to.copy({VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, handle(&from), source, 0, handle(&to),
             destination, 0, 1});
  };
  copy(0, 0), copy(0, 1), copy(1, 2);
  EXPECT_EQ(to.find(0, 0)->sampler.lod_bias, 6);
  EXPECT_EQ(to.find(1, 0)->sampler.lod_bias, 5);
  EXPECT_EQ(to.find(2, 0)->sampler.lod_bias, 5);
}

TEST(DescriptorPool, GivesNoMoreThanItWasMadeFor) {
  const DescriptorSetLayout layout = make_layout<1>({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER, 2)});
  DescriptorPool pool = make_pool<1>(3, {{{VK_DESCRIPTOR_TYPE_SAMPLER, 5}}});
  DescriptorSet* first = pool.allocate(layout);
  DescriptorSet* second = pool.allocate(layout);
  EXPECT_THROW(pool.allocate(layout), ApiError);  // descriptors
  pool.free(*first);
  EXPECT_NE(pool.allocate(layout), nullptr);
  pool.free(*second);
  EXPECT_NE(pool.allocate(layout), nullptr);
  pool.reset();
  EXPECT_NE(pool.allocate(layout), nullptr);
}

TEST(DescriptorUpdateTemplate, ReadsWithOffsetAndStride) {
  const DescriptorSetLayout layout = make_layout<1>({binding(2, VK_DESCRIPTOR_TYPE_SAMPLER, 2)});
  DescriptorPool pool = make_pool<1>(1, {{{VK_DESCRIPTOR_TYPE_SAMPLER, 2}}});
  DescriptorSet& set = *pool.allocate(layout);
  const VkDescriptorUpdateTemplateEntry entry{2, 0, 2, VK_DESCRIPTOR_TYPE_SAMPLER, 8, 48};
  VkDescriptorUpdateTemplateCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  info.descriptorUpdateEntryCount = 1;
  info.pDescriptorUpdateEntries = &entry;
  Sampler samplers[2] = {make_sampler(1), make_sampler(2)};
  alignas(8) std::array<std::byte, 96> data{};
  for (size_t i = 0; i < 2; i++) {
    const VkDescriptorImageInfo image{handle(&samplers[i]), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
    std::memcpy(&data[8 + 48 * i], &image, sizeof image);
  }
  DescriptorUpdateTemplate(info).for_each_write(data.data(),
                                                [&set](const DescriptorWrite& write) { set.write(write); });
  EXPECT_EQ(set.find(2, 0)->sampler.lod_bias, 1);
  EXPECT_EQ(set.find(2, 1)->sampler.lod_bias, 2);
}

}  // namespace
}  // namespace cutaway::icd
