#include "icd/device/offer.h"

#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "icd/device/physical_device.h"
#include "icd/loader/extensions.h"
#include "icd/loader/instance.h"
#include "icd/resource/format_support.h"

namespace cutaway::icd {
namespace {

TEST(Offer, IsAllThatIsNotLeftOut) {
  const Offer all = offer_without("");
  EXPECT_TRUE(all.geometry && all.tessellation && all.vertex_stores && all.fragment_stores && all.streams());
  EXPECT_TRUE(all.pull);
  EXPECT_FALSE(offer_without("pull_interpolation").pull);
  EXPECT_TRUE(all.doubles);
  EXPECT_FALSE(offer_without("doubles").doubles);
  const Offer g80 = offer_without("tessellation,vertex_stores");
  EXPECT_TRUE(g80.geometry && g80.fragment_stores && g80.streams());
  EXPECT_FALSE(g80.tessellation || g80.vertex_stores);
  EXPECT_FALSE(offer_without("geometry,tessellation").streams());
}

TEST(Offer, HasTopologiesAndStagesAccordingly) {
  const Offer flat = offer_without("tessellation,geometry"), g80 = offer_without("tessellation");
  EXPECT_TRUE(flat.has(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN));
  EXPECT_FALSE(flat.has(VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY));
  EXPECT_TRUE(g80.has(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY));
  EXPECT_FALSE(g80.has(VK_PRIMITIVE_TOPOLOGY_PATCH_LIST));
  EXPECT_TRUE(offer_without("").has(VK_PRIMITIVE_TOPOLOGY_PATCH_LIST));
  EXPECT_TRUE(flat.has(VK_SHADER_STAGE_FRAGMENT_BIT));
  EXPECT_FALSE(flat.has(VK_SHADER_STAGE_GEOMETRY_BIT));
  EXPECT_FALSE(g80.has(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT));
  EXPECT_FALSE(g80.has(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT));
}

TEST(Offer, NamesWhatItDoesNotKnow) {
  ::testing::internal::CaptureStderr();
  const Offer all = offer_without("tesselation");
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("\"tesselation\""), std::string::npos);
  EXPECT_TRUE(all.tessellation);
}

TEST(Offer, HasTheFormatsThatAreNamed) {
  EXPECT_EQ(formats_offered(""), arch::FormatUses{});
  const arch::FormatUses some = formats_offered("filter=R8_UNORM,R8G8_UNORM;blend=none");
  EXPECT_TRUE(some.filter.has(arch::Format::R8G8_UNORM));
  EXPECT_FALSE(some.filter.has(arch::Format::R32_SFLOAT));
  EXPECT_TRUE(some.blend.empty());
  EXPECT_EQ(some.target, arch::FormatUses{}.target);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(formats_offered("filter=R8;targets=none"), arch::FormatUses{});
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("CUTAWAY_FORMATS: formats.filter = R8: expected all"), std::string::npos) << told;
  EXPECT_NE(told.find("formats has no parameter targets"), std::string::npos) << told;
}

TEST(Offer, HasTheSizesAndTheVersionThatAreNamed) {
  EXPECT_EQ(images_offered(""), arch::ImageSizes{});
  EXPECT_EQ(images_offered("size=8192;volume_size=512"),
            (arch::ImageSizes{.size = 8192, .volume_size = 512}));
  EXPECT_EQ(version_offered(""), VK_API_VERSION_1_3);
  EXPECT_EQ(version_offered("1.0"), VK_API_VERSION_1_0);
  EXPECT_EQ(version_offered("1.2"), VK_API_VERSION_1_2);
  EXPECT_EQ(programs_offered(""), arch::ProgramLimits{});
  EXPECT_EQ(programs_offered("color_targets=4;vertex_instructions=512"),
            (arch::ProgramLimits{.color_targets = 4, .vertex_instructions = 512}));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(programs_offered("varyings=33"), arch::ProgramLimits{});
  EXPECT_EQ(images_offered("size=100"), arch::ImageSizes{});
  EXPECT_EQ(version_offered("1.4"), VK_API_VERSION_1_3);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("CUTAWAY_IMAGES: images.size = 100"), std::string::npos) << told;
  EXPECT_NE(told.find("CUTAWAY_PROGRAMS: programs.varyings = 33"), std::string::npos) << told;
  EXPECT_NE(told.find("CUTAWAY_VULKAN: \"1.4\""), std::string::npos) << told;
}

TEST(Offer, HasTheMemoryThatIsNamed) {
  Offer offer;
  read_memory("", offer);
  EXPECT_FALSE(offer.system_memory);
  read_memory("system", offer);
  EXPECT_TRUE(offer.system_memory);
  EXPECT_FALSE(offer.textures_in_system);
  read_memory("system,textures", offer);
  EXPECT_TRUE(offer.textures_in_system);
  ::testing::internal::CaptureStderr();
  read_memory("none", offer);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("CUTAWAY_MEMORY: \"none\""), std::string::npos);
}

// The variables are read once: in a process of its own.
TEST(OfferDeathTest, DecidesLimitsAndTheVersion) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto tell = [](const char* images, const char* version) {
    setenv("CUTAWAY_IMAGES", images, 1), setenv("CUTAWAY_VULKAN", version, 1);
    const VkPhysicalDeviceProperties p = PhysicalDevice::properties();
    VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    PhysicalDevice::extend_properties(&driver);
    VkPhysicalDeviceImageFormatInfo2 cube{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
    cube.format = VK_FORMAT_R8_UNORM, cube.type = VK_IMAGE_TYPE_2D;
    cube.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT, cube.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    VkImageFormatProperties faces;
    image_support(cube, faces);
    fmt::print(stderr, "1.{} \"{}\" {}: {} {} {} {} {}", VK_API_VERSION_MINOR(p.apiVersion),
               driver.driverName, lists(device_extensions(), VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME),
               p.limits.maxImageDimension2D, p.limits.maxImageDimensionCube, p.limits.maxImageDimension3D,
               p.limits.maxFramebufferWidth, faces.maxExtent.height);
    std::exit(0);
  };
  EXPECT_EXIT(tell("", ""), ::testing::ExitedWithCode(0),
              "1.3 \"Cutaway\" true: 16384 16384 2048 16384 16384");
  EXPECT_EXIT(tell("size=4096;cube_size=8192;volume_size=512", "1.1"), ::testing::ExitedWithCode(0),
              "1.1 \"\" false: 4096 8192 512 4096 8192");
}

TEST(OfferDeathTest, DecidesLimitsOfPrograms) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto tell = [](const char* programs) {
    setenv("CUTAWAY_PROGRAMS", programs, 1);
    const VkPhysicalDeviceLimits l = PhysicalDevice::properties().limits;
    fmt::print(stderr, "{} {} {} {}", l.maxColorAttachments, l.maxFragmentOutputAttachments,
               l.maxVertexOutputComponents, l.maxFragmentInputComponents);
    std::exit(0);
  };
  EXPECT_EXIT(tell(""), ::testing::ExitedWithCode(0), "8 8 128 128");
  EXPECT_EXIT(tell("color_targets=4;varyings=10"), ::testing::ExitedWithCode(0), "4 4 80 40");
}

TEST(OfferDeathTest, TellsWgpuHowToListTheDriver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto tell = [](const char* engine, const char* allow, const char* version) {
    setenv("WGPU_ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER", allow, 1), setenv("CUTAWAY_VULKAN", version, 1);
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pEngineName = engine;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    const Instance instance(info);
    fmt::print(stderr, "made");
    std::exit(0);
  };
  const char* kTold = "set WGPU_ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER=1, or CUTAWAY_VULKAN=1.1 .*\nmade";
  EXPECT_EXIT(tell("wgpu-hal", "", ""), ::testing::ExitedWithCode(0), kTold);
  EXPECT_EXIT(tell("wgpu-hal", "1", ""), ::testing::ExitedWithCode(0), "^made");
  EXPECT_EXIT(tell("wgpu-hal", "", "1.1"), ::testing::ExitedWithCode(0), "^made");
  EXPECT_EXIT(tell(nullptr, "", ""), ::testing::ExitedWithCode(0), "^made");
}

TEST(OfferDeathTest, LeavesOutTheComputeQueue) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto families = [](const char* without) {
    setenv("CUTAWAY_WITHOUT", without, 1);
    fmt::print(stderr, "families {}", PhysicalDevice::queue_families().size());
    const uint32_t beyond = *without ? 1 : 2;
    EXPECT_THROW(PhysicalDevice::queue_kind(beyond), ApiError);
    std::exit(::testing::Test::HasFailure());
  };
  EXPECT_EXIT(families(""), ::testing::ExitedWithCode(0), "families 2");
  EXPECT_EXIT(families("compute_queue"), ::testing::ExitedWithCode(0), "families 1");
}

// The variable is read once: in a process of its own.
TEST(OfferDeathTest, DecidesWhichFeaturesThereAre) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto features = [](const char* without) {
    setenv("CUTAWAY_WITHOUT", without, 1);
    const VkPhysicalDeviceFeatures f = PhysicalDevice::features();
    VkPhysicalDeviceTransformFeedbackFeaturesEXT streams{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT};
    PhysicalDevice::extend_features(&streams);
    VkPhysicalDeviceVulkan12Features layers{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    PhysicalDevice::extend_features(&layers);
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    PhysicalDevice::extend_features(&dynamic);
    fmt::print(stderr, "features {}{}{}{}{}{}{}", f.geometryShader, f.tessellationShader,
               f.shaderTessellationAndGeometryPointSize, f.vertexPipelineStoresAndAtomics,
               f.fragmentStoresAndAtomics, streams.geometryStreams, f.shaderFloat64);
    VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT restart{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT};
    PhysicalDevice::extend_features(&restart);
    fmt::print(stderr, ", restart {}{}", restart.primitiveTopologyListRestart,
               restart.primitiveTopologyPatchListRestart);
    fmt::print(stderr, ", origin {}{}", dynamic.extendedDynamicState3TessellationDomainOrigin,
               dynamic.extendedDynamicState3PolygonMode);
    fmt::print(stderr, ", layers {}{}", layers.shaderOutputLayer,
               lists(device_extensions(), VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME) ? 1 : 0);
    std::exit(0);
  };
  EXPECT_EXIT(features(""), ::testing::ExitedWithCode(0),
              "features 1111111, restart 11, origin 11, layers 11");
  EXPECT_EXIT(features("tessellation,vertex_stores"), ::testing::ExitedWithCode(0),
              "features 1010111, restart 10, origin 01, layers 11");
  EXPECT_EXIT(features("geometry,tessellation,vertex_stores,fragment_stores,doubles"),
              ::testing::ExitedWithCode(0), "features 0000000, restart 10, origin 01, layers 00");
}

}  // namespace
}  // namespace cutaway::icd
