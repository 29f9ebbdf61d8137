#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "base/testing/temporary_folder.h"
#include "capture/reader.h"
#include "emulator/emulator.h"
#include "icd/testing/loader_fixture.h"

namespace swapchain_test {
namespace {

constexpr VkExtent2D kExtent{100, 50};

// Clears images of a swapchain and presents them.
struct SwapchainTest : cutaway::icd::testing::Loader {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  std::vector<uint32_t> shown;  // images, in order
  VkSemaphore acquired = VK_NULL_HANDLE, cleared = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  std::vector<VkImage> images;

  void make_headless_surface() {
    VkHeadlessSurfaceCreateInfoEXT info{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    const auto make = reinterpret_cast<PFN_vkCreateHeadlessSurfaceEXT>(
        vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT"));
    ASSERT_EQ(make(instance, &info, nullptr, &surface), VK_SUCCESS);
  }

  void make_swapchain(VkFormat format) {
    VkBool32 supported = VK_FALSE;
    ASSERT_EQ(vkGetPhysicalDeviceSurfaceSupportKHR(physical, 0, surface, &supported), VK_SUCCESS);
    ASSERT_TRUE(supported);
    VkSurfaceCapabilitiesKHR capabilities;
    ASSERT_EQ(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface, &capabilities), VK_SUCCESS);
    uint32_t count = 0;
    vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, nullptr);
    std::vector<VkSurfaceFormatKHR> formats(count);
    vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, formats.data());
    vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, nullptr);
    std::vector<VkPresentModeKHR> modes(count);
    vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, modes.data());

    VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    info.surface = surface;
    info.minImageCount = 2;
    info.imageFormat = format;
    info.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    info.imageExtent = kExtent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    ASSERT_EQ(vkCreateSwapchainKHR(device, &info, nullptr, &swapchain), VK_SUCCESS);
    ASSERT_EQ(vkGetSwapchainImagesKHR(device, swapchain, &count, nullptr), VK_SUCCESS);
    images.resize(count);
    ASSERT_EQ(vkGetSwapchainImagesKHR(device, swapchain, &count, images.data()), VK_SUCCESS);

    VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    vkCreateSemaphore(device, &semaphore, nullptr, &acquired);
    vkCreateSemaphore(device, &semaphore, nullptr, &cleared);
    VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    ASSERT_EQ(vkCreateCommandPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
    VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool;
    allocate.commandBufferCount = 1;
    ASSERT_EQ(vkAllocateCommandBuffers(device, &allocate, &commands), VK_SUCCESS);
  }

  void TearDown() override {
    vkDeviceWaitIdle(device);
    if (pool) vkDestroyCommandPool(device, pool, nullptr);
    if (acquired) vkDestroySemaphore(device, acquired, nullptr);
    if (cleared) vkDestroySemaphore(device, cleared, nullptr);
    if (swapchain) vkDestroySwapchainKHR(device, swapchain, nullptr);
    if (surface) vkDestroySurfaceKHR(instance, surface, nullptr);
    Loader::TearDown();
  }

  void record_clear(VkImage image, const VkClearColorValue& color) {
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_EQ(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = whole;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &barrier);
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &whole);
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = 0;
    barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &barrier);
    ASSERT_EQ(vkEndCommandBuffer(commands), VK_SUCCESS);
  }

  VkResult show(const VkClearColorValue& color) {
    uint32_t index = 0;
    if (const VkResult result =
            vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, acquired, VK_NULL_HANDLE, &index);
        result != VK_SUCCESS)
      return result;
    shown.push_back(index);
    record_clear(images[index], color);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = submit.commandBufferCount = 1;
    submit.pWaitSemaphores = &acquired;
    submit.pWaitDstStageMask = &stage;
    submit.pCommandBuffers = &commands;
    submit.pSignalSemaphores = &cleared;
    EXPECT_EQ(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    VkPresentInfoKHR present{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    present.waitSemaphoreCount = present.swapchainCount = 1;
    present.pWaitSemaphores = &cleared;
    present.pSwapchains = &swapchain;
    present.pImageIndices = &index;
    const VkResult result = vkQueuePresentKHR(queue, &present);
    EXPECT_EQ(vkQueueWaitIdle(queue), VK_SUCCESS);
    return result;
  }
};

TEST_F(SwapchainTest, WithoutAWindowImagesTakeTurns) {
  ASSERT_NO_FATAL_FAILURE(make_headless_surface());
  ASSERT_NO_FATAL_FAILURE(make_swapchain(VK_FORMAT_B8G8R8A8_UNORM));
  for (int frame = 0; frame < 5; frame++) EXPECT_EQ(show({{1, 0, 0, 1}}), VK_SUCCESS);
  // Even if all are free, because the display may still read the previous one.
  EXPECT_EQ(shown, (std::vector<uint32_t>{0, 1, 0, 1, 0}));
}

// Forbidden, so that the layer is off.
struct ComputeQueuePresents : SwapchainTest {
  ComputeQueuePresents() { families = {0, 1}, validates = false; }
};

TEST_F(ComputeQueuePresents, AreRefused) {
  ASSERT_NO_FATAL_FAILURE(make_headless_surface());
  ASSERT_NO_FATAL_FAILURE(make_swapchain(VK_FORMAT_B8G8R8A8_UNORM));
  EXPECT_EQ(show({{1, 0, 0, 1}}), VK_SUCCESS);
  VkQueue compute = VK_NULL_HANDLE;
  vkGetDeviceQueue(device, 1, 0, &compute);
  uint32_t index = 0;
  ASSERT_EQ(vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, acquired, VK_NULL_HANDLE, &index),
            VK_SUCCESS);
  VkPresentInfoKHR present{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  present.waitSemaphoreCount = present.swapchainCount = 1;
  present.pWaitSemaphores = &acquired, present.pSwapchains = &swapchain, present.pImageIndices = &index;
  EXPECT_EQ(vkQueuePresentKHR(compute, &present), VK_ERROR_UNKNOWN);
  EXPECT_EQ(vkDeviceWaitIdle(device), VK_SUCCESS);
}

// Tests CUTAWAY_CAPTURE and CUTAWAY_FRAMES: presented frames are recorded in a capture.
struct RecordingTest : SwapchainTest {
  const std::string path = cutaway::temporary_folder() / "recording.cutaway";

  void SetUp() override {
    setenv("CUTAWAY_CAPTURE", path.c_str(), 1);
    setenv("CUTAWAY_FRAMES", "2..3", 1);
    SwapchainTest::SetUp();
    unsetenv("CUTAWAY_CAPTURE");
    unsetenv("CUTAWAY_FRAMES");
  }
  void TearDown() override {
    SwapchainTest::TearDown();
    std::filesystem::remove(path);
  }
};

TEST_F(RecordingTest, KeepsTheFramesAskedFor) {
  ASSERT_NO_FATAL_FAILURE(make_headless_surface());
  ASSERT_NO_FATAL_FAILURE(make_swapchain(VK_FORMAT_B8G8R8A8_UNORM));
  for (const float green : {0.0f, 0.2f, 0.6f, 1.0f}) {
    EXPECT_FALSE(std::filesystem::exists(path) && green < 0.6f);
    EXPECT_EQ(show({{0, green, 0, 1}}), VK_SUCCESS);
  }
  const cutaway::capture::Reader reader(path);
  EXPECT_EQ(reader.info().first_frame(), 2u);
  EXPECT_EQ(reader.info().last_frame(), 3u);

  // The capture alone reproduces frame 3's color.
  std::vector<cutaway::arch::Picture> pictures;
  cutaway::emulator::Options options;
  options.on_frame = [&](cutaway::emulator::FrameEnd& end) { pictures.push_back(std::move(end.picture)); };
  const auto gpu = cutaway::emulator::make_emulator(options);
  reader.play_range(2, 3, *gpu);
  gpu->wait();
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[1].width, kExtent.width);
  EXPECT_EQ(pictures[1].rgba[0], 0);
  EXPECT_EQ(pictures[1].rgba[1], 153);
}

struct RecordingOfSeveralTest : RecordingTest {
  // Three devices; the second presents frames 1 and 2, all that are requested. The first is destroyed in
  // between.
  void present_from_the_second() {
    setenv("CUTAWAY_CAPTURE", path.c_str(), 1);
    setenv("CUTAWAY_FRAMES", "1..2", 1);
    const VkDevice first = device;
    ASSERT_EQ(create_device(), VK_SUCCESS);
    const VkDevice second = device;
    ASSERT_EQ(create_device(), VK_SUCCESS);
    device = second;
    vkGetDeviceQueue(device, 0, 0, &queue);
    ASSERT_NO_FATAL_FAILURE(make_headless_surface());
    ASSERT_NO_FATAL_FAILURE(make_swapchain(VK_FORMAT_B8G8R8A8_UNORM));
    EXPECT_EQ(show({{0, 0.2f, 0, 1}}), VK_SUCCESS);
    vkDeviceWaitIdle(device);
    vkDestroyDevice(first, nullptr);
    EXPECT_EQ(show({{0, 0.6f, 0, 1}}), VK_SUCCESS);
    vkDeviceWaitIdle(device);
  }

  void check_the_capture() const {
    const cutaway::capture::Reader reader(path);
    EXPECT_EQ(reader.info().first_frame(), 1u);  // includes the device's activity before its first present
    EXPECT_EQ(reader.info().last_frame(), 2u);
    // The first present removed the other devices' files.
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()))
      EXPECT_TRUE(entry.path() == path || !entry.path().string().starts_with(path)) << entry.path();
  }
};

// Programs make devices that they never present from, and keep them. Runs in a separate process, because a
// process records only once.
TEST_F(RecordingOfSeveralTest, IsOfTheFirstThatPresents) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        present_from_the_second();
        if (!HasFailure()) check_the_capture();
        std::exit(HasFailure());
      },
      ::testing::ExitedWithCode(0), "");
}

// A program's process may have closed the command's pipe and reused its number for another file.
TEST_F(RecordingTest, FindsTheCommandsPipeAgain) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto present_three = [&] {
    int pipe_of_command[2], another[2];
    ASSERT_TRUE(pipe2(pipe_of_command, O_NONBLOCK) == 0 && pipe2(another, O_NONBLOCK) == 0);
    close(pipe_of_command[1]);
    setenv("CUTAWAY_PROGRESS_FD", std::to_string(another[1]).c_str(), 1);
    setenv("CUTAWAY_PROGRESS_PIPE", ("/proc/self/fd/" + std::to_string(pipe_of_command[0])).c_str(), 1);
    ASSERT_NO_FATAL_FAILURE(make_headless_surface());
    ASSERT_NO_FATAL_FAILURE(make_swapchain(VK_FORMAT_B8G8R8A8_UNORM));
    for (int frame = 0; frame < 3; frame++) EXPECT_EQ(show({{0, 0.2f, 0, 1}}), VK_SUCCESS);
    vkDeviceWaitIdle(device);
    char told[100] = {};
    EXPECT_GT(read(pipe_of_command[0], told, sizeof told - 1), 0);
    EXPECT_STREQ(told, "frame 1\nframe 2\nframe 3\ndone\n");
    EXPECT_EQ(read(another[0], told, sizeof told), -1);  // nothing
  };
  EXPECT_EXIT((present_three(), std::exit(HasFailure())), ::testing::ExitedWithCode(0), "");
}

// An X server without a screen.
class XServer {
 public:
  XServer() {
    int ends[2];
    if (pipe(ends)) return;
    process_ = fork();
    if (process_ == 0) {
      const std::string fd = std::to_string(ends[1]);
      execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "640x480x24", "-nolisten", "tcp",
             nullptr);
      _exit(127);
    }
    close(ends[1]);
    char number[16]{};
    if (read(ends[0], number, sizeof number - 1) > 0) display_ = ":" + std::to_string(std::atoi(number));
    close(ends[0]);
  }
  ~XServer() {
    if (process_ <= 0) return;
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  const std::string& display() const { return display_; }

 private:
  pid_t process_ = 0;
  std::string display_;
};

struct WindowTest : SwapchainTest {
  XServer server;
  xcb_connection_t* connection = nullptr;
  xcb_window_t window = 0;

  void make_window() {
    ASSERT_FALSE(server.display().empty()) << "needs Debian's xvfb";
    connection = xcb_connect(server.display().c_str(), nullptr);
    ASSERT_EQ(xcb_connection_has_error(connection), 0);
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    window = xcb_generate_id(connection);
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, kExtent.width,
                      kExtent.height, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, nullptr);
    xcb_map_window(connection, window);
    xcb_flush(connection);
    VkXcbSurfaceCreateInfoKHR info{VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR};
    info.connection = connection;
    info.window = window;
    ASSERT_EQ(vkCreateXcbSurfaceKHR(instance, &info, nullptr, &surface), VK_SUCCESS);
  }

  void TearDown() override {
    SwapchainTest::TearDown();
    if (connection) xcb_disconnect(connection);
  }

  // 0x00RRGGBB
  uint32_t pixel(int16_t x, int16_t y) {
    const auto cookie = xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window, x, y, 1, 1, ~0u);
    xcb_get_image_reply_t* reply = xcb_get_image_reply(connection, cookie, nullptr);
    if (!reply) return ~0u;
    uint32_t value = 0;
    std::memcpy(&value, xcb_get_image_data(reply), 4);
    std::free(reply);
    return value & 0xffffff;
  }
};

TEST_F(WindowTest, ShowsWhatWasPresentedInEveryFormat) {
  ASSERT_NO_FATAL_FAILURE(make_window());
  for (const VkFormat format : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM}) {
    SCOPED_TRACE(format);
    ASSERT_NO_FATAL_FAILURE(make_swapchain(format));
    for (const uint32_t color : {0xff0000u, 0x00ff00u, 0x0000ffu}) {
      const auto part = [&](int shift) { return static_cast<float>(color >> shift & 0xff) / 255; };
      EXPECT_EQ(show({{part(16), part(8), part(0), 1}}), VK_SUCCESS);
      for (const auto& [x, y] : {std::pair<int16_t, int16_t>{0, 0}, {99, 0}, {57, 23}, {0, 49}, {99, 49}})
        EXPECT_EQ(pixel(x, y), color) << x << ", " << y;
    }
    vkDeviceWaitIdle(device);
    vkDestroyCommandPool(device, std::exchange(pool, nullptr), nullptr);
    vkDestroySemaphore(device, std::exchange(acquired, nullptr), nullptr);
    vkDestroySemaphore(device, std::exchange(cleared, nullptr), nullptr);
    vkDestroySwapchainKHR(device, std::exchange(swapchain, nullptr), nullptr);
  }
}

// An Xlib window: the same pixels, through its underlying connection.
TEST_F(WindowTest, ShowsInAWindowOfXlib) {
  ASSERT_NO_FATAL_FAILURE(make_window());
  void* xlib = dlopen("libX11.so.6", RTLD_NOW);
  if (!xlib || !dlopen("libX11-xcb.so.1", RTLD_NOW)) GTEST_SKIP() << "no Xlib here";
  const auto open = reinterpret_cast<Display* (*)(const char*)>(dlsym(xlib, "XOpenDisplay"));
  const auto close = reinterpret_cast<int (*)(Display*)>(dlsym(xlib, "XCloseDisplay"));
  Display* display = open(server.display().c_str());
  ASSERT_NE(display, nullptr);
  vkDestroySurfaceKHR(instance, std::exchange(surface, VK_NULL_HANDLE), nullptr);
  VkXlibSurfaceCreateInfoKHR info{VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR};
  info.dpy = display;
  info.window = window;
  const auto create =
      reinterpret_cast<PFN_vkCreateXlibSurfaceKHR>(vkGetInstanceProcAddr(instance, "vkCreateXlibSurfaceKHR"));
  ASSERT_EQ(create(instance, &info, nullptr, &surface), VK_SUCCESS);
  ASSERT_NO_FATAL_FAILURE(make_swapchain(VK_FORMAT_B8G8R8A8_UNORM));
  EXPECT_EQ(show({{0, 1, 0, 1}}), VK_SUCCESS);
  EXPECT_EQ(pixel(50, 20), 0x00ff00u);
  vkDeviceWaitIdle(device);
  vkDestroySwapchainKHR(device, std::exchange(swapchain, nullptr), nullptr);
  close(display);
}

TEST_F(WindowTest, AResizedWindowMakesTheSwapchainOutOfDate) {
  ASSERT_NO_FATAL_FAILURE(make_window());
  ASSERT_NO_FATAL_FAILURE(make_swapchain(VK_FORMAT_B8G8R8A8_UNORM));
  EXPECT_EQ(show({{1, 0, 0, 1}}), VK_SUCCESS);
  const uint32_t size[] = {200, 80};
  xcb_configure_window(connection, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
  xcb_flush(connection);
  EXPECT_EQ(show({{1, 0, 0, 1}}), VK_ERROR_OUT_OF_DATE_KHR);
  VkSurfaceCapabilitiesKHR capabilities;
  EXPECT_EQ(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface, &capabilities), VK_SUCCESS);
  EXPECT_EQ(capabilities.currentExtent.width, 200u);
  EXPECT_EQ(capabilities.currentExtent.height, 80u);
}

}  // namespace
}  // namespace swapchain_test
