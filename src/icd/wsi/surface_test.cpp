#include <dlfcn.h>
#include <filesystem>

#include "icd/testing/loader_fixture.h"

namespace {

namespace fs = std::filesystem;

// Uses the driver without a loader. Loaders differ: Debian 12's passes its own surface if the driver has made
// none; those of 2025 and later assume that the device cannot present.
struct SurfaceTest : ::testing::Test {
  void* library = nullptr;
  PFN_vkGetInstanceProcAddr find = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;

  template <class Function>
  Function load(const char* name) const {
    const auto function = reinterpret_cast<Function>(find(instance, name));
    EXPECT_NE(function, nullptr) << name;
    return function;
  }

  void SetUp() override {
    const fs::path path = fs::path(CUTAWAY_MANIFEST).parent_path() / "libvulkan_cutaway.so";
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    using Negotiate = VkResult (*)(uint32_t*);
    uint32_t version = 7;  // of the interface, as a loader of 1.4 offers it
    ASSERT_EQ(
        reinterpret_cast<Negotiate>(dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion"))(&version),
        VK_SUCCESS);
    ASSERT_GE(version, 3u);
    find = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vk_icdGetInstanceProcAddr"));
    const VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    ASSERT_EQ(load<PFN_vkCreateInstance>("vkCreateInstance")(&info, nullptr, &instance), VK_SUCCESS);
    uint32_t count = 1;
    ASSERT_EQ(load<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(instance, &count, &physical),
              VK_SUCCESS);
  }

  void TearDown() override {
    if (instance) load<PFN_vkDestroyInstance>("vkDestroyInstance")(instance, nullptr);
    if (library) dlclose(library);
  }

  VkBool32 supports(VkSurfaceKHR surface, uint32_t family = 0) const {
    VkBool32 supported = VK_FALSE;
    const auto ask = load<PFN_vkGetPhysicalDeviceSurfaceSupportKHR>("vkGetPhysicalDeviceSurfaceSupportKHR");
    EXPECT_EQ(ask(physical, family, surface, &supported), VK_SUCCESS);
    return supported;
  }
};

TEST_F(SurfaceTest, TheDriverMakesSurfacesOfItsOwn) {
  const auto destroy = load<PFN_vkDestroySurfaceKHR>("vkDestroySurfaceKHR");
  const auto create_headless = load<PFN_vkCreateHeadlessSurfaceEXT>("vkCreateHeadlessSurfaceEXT");
  const auto create_xcb = load<PFN_vkCreateXcbSurfaceKHR>("vkCreateXcbSurfaceKHR");
  const auto create_xlib = load<PFN_vkCreateXlibSurfaceKHR>("vkCreateXlibSurfaceKHR");
  ASSERT_TRUE(destroy && create_headless && create_xcb && create_xlib);

  VkSurfaceKHR surface = VK_NULL_HANDLE;
  const VkHeadlessSurfaceCreateInfoEXT headless{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
  ASSERT_EQ(create_headless(instance, &headless, nullptr, &surface), VK_SUCCESS);
  ASSERT_NE(surface, VK_NULL_HANDLE);
  EXPECT_TRUE(supports(surface));
  EXPECT_FALSE(supports(surface, 1)) << "a compute queue presents nothing";
  const auto by_xcb =
      load<PFN_vkGetPhysicalDeviceXcbPresentationSupportKHR>("vkGetPhysicalDeviceXcbPresentationSupportKHR");
  const auto by_xlib = load<PFN_vkGetPhysicalDeviceXlibPresentationSupportKHR>(
      "vkGetPhysicalDeviceXlibPresentationSupportKHR");
  EXPECT_TRUE(by_xcb(physical, 0, nullptr, 0) && by_xlib(physical, 0, nullptr, 0));
  EXPECT_FALSE(by_xcb(physical, 1, nullptr, 0) || by_xlib(physical, 1, nullptr, 0));
  destroy(instance, surface, nullptr);
  destroy(instance, VK_NULL_HANDLE, nullptr);  // permitted: "Object Lifetime"
}

}  // namespace
