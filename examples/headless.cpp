#include "headless.h"

#include <array>
#include <cstring>

namespace headless {

namespace {

constexpr uint32_t kNoFamily = ~0u;

// A family with compute programs and without graphics.
uint32_t compute_family(VkPhysicalDevice device) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (uint32_t i = 0; i < count; i++)
    if ((families[i].queueFlags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) == VK_QUEUE_COMPUTE_BIT)
      return i;
  return kNoFamily;
}

}  // namespace

Context::Context(const std::vector<const char*>& instance_extensions,
                 const VkPhysicalDeviceFeatures& features, uint32_t version, const void* more_features,
                 const std::vector<const char*>& device_extensions, bool computes_beside) {
  const VkApplicationInfo application{
      VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "cutaway example", 1, nullptr, 0, version};
  VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, nullptr, 0, &application};
  instance_info.enabledExtensionCount = static_cast<uint32_t>(instance_extensions.size());
  instance_info.ppEnabledExtensionNames = instance_extensions.data();
  HEADLESS_CHECK(vkCreateInstance(&instance_info, nullptr, &instance_));
  uint32_t count = 1;
  const VkResult found = vkEnumeratePhysicalDevices(instance_, &count, &physical_device_);
  if (count == 0 || found < 0) check(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical_device_, &properties);
  if (print_device) std::printf("device: %s\n", properties.deviceName);

  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, more_features};
  device_info.pEnabledFeatures = &features;
  device_info.enabledExtensionCount = static_cast<uint32_t>(device_extensions.size());
  device_info.ppEnabledExtensionNames = device_extensions.data();
  make_device(device_info, computes_beside);
}

void Context::make_device(VkDeviceCreateInfo info, bool computes_beside) {
  const float priority = 1;
  std::vector<VkDeviceQueueCreateInfo> queues{
      {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority}};
  const uint32_t beside = computes_beside ? compute_family(physical_device_) : kNoFamily;
  if (beside != kNoFamily) {
    queues.push_back(queues[0]);
    queues[1].queueFamilyIndex = beside;
  }
  info.queueCreateInfoCount = static_cast<uint32_t>(queues.size());
  info.pQueueCreateInfos = queues.data();
  HEADLESS_CHECK(vkCreateDevice(physical_device_, &info, nullptr, &device_));
  const auto take = [&](uint32_t family) {
    Queue taken;
    taken.family = family;
    vkGetDeviceQueue(device_, family, 0, &taken.queue);
    const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, family};
    HEADLESS_CHECK(vkCreateCommandPool(device_, &pool, nullptr, &taken.pool));
    return taken;
  };
  drawing_ = take(0);
  if (beside != kNoFamily) computing_ = take(beside);
}

Context::~Context() {
  vkDestroyCommandPool(device_, computing_.pool, nullptr);
  vkDestroyCommandPool(device_, drawing_.pool, nullptr);
  vkDestroyDevice(device_, nullptr);
  vkDestroyInstance(instance_, nullptr);
}

uint32_t Context::memory_type(uint32_t permitted, VkMemoryPropertyFlags wanted) const {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical_device_, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
    if ((permitted >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  check(VK_ERROR_OUT_OF_DEVICE_MEMORY, "the search for a memory type");
  return 0;
}

Buffer Context::make_buffer(VkDeviceSize bytes, VkBufferUsageFlags usage) const {
  Buffer made;
  const VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, bytes, usage};
  HEADLESS_CHECK(vkCreateBuffer(device_, &info, nullptr, &made.buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device_, made.buffer, &needs);
  const VkMemoryAllocateFlagsInfo addressed{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                            VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo memory_info{
      VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT ? &addressed : nullptr, needs.size,
      memory_type(needs.memoryTypeBits,
                  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)};
  HEADLESS_CHECK(vkAllocateMemory(device_, &memory_info, nullptr, &made.memory));
  HEADLESS_CHECK(vkBindBufferMemory(device_, made.buffer, made.memory, 0));
  HEADLESS_CHECK(vkMapMemory(device_, made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped));
  return made;
}

Buffer Context::make_buffer(const void* data, VkDeviceSize bytes, VkBufferUsageFlags usage) const {
  const Buffer made = make_buffer(bytes, usage);
  std::memcpy(made.mapped, data, bytes);
  return made;
}

Image Context::make_image(VkFormat format, uint32_t width, uint32_t height, uint32_t levels,
                          VkImageUsageFlags usage, uint32_t layers, VkSampleCountFlagBits samples) const {
  Image made;
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {width, height, 1};
  info.mipLevels = levels;
  info.arrayLayers = layers;
  info.samples = samples;
  info.usage = usage;
  HEADLESS_CHECK(vkCreateImage(device_, &info, nullptr, &made.image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device_, made.image, &needs);
  const VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size,
                                         memory_type(needs.memoryTypeBits, 0)};
  HEADLESS_CHECK(vkAllocateMemory(device_, &memory_info, nullptr, &made.memory));
  HEADLESS_CHECK(vkBindImageMemory(device_, made.image, made.memory, 0));
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  if (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) aspects = VK_IMAGE_ASPECT_DEPTH_BIT;
  if (format == VK_FORMAT_D24_UNORM_S8_UINT) aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = made.image;
  view_info.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  view_info.format = format;
  view_info.subresourceRange = {aspects, 0, levels, 0, layers};
  HEADLESS_CHECK(vkCreateImageView(device_, &view_info, nullptr, &made.view));
  return made;
}

VkShaderModule Context::make_shader(const uint32_t* words, size_t bytes) const {
  const VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, bytes, words};
  VkShaderModule module = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateShaderModule(device_, &info, nullptr, &module));
  return module;
}

void Context::destroy(const Buffer& buffer) const {
  vkDestroyBuffer(device_, buffer.buffer, nullptr);
  vkFreeMemory(device_, buffer.memory, nullptr);
}

void Context::destroy(const Image& image) const {
  vkDestroyImageView(device_, image.view, nullptr);
  vkDestroyImage(device_, image.image, nullptr);
  vkFreeMemory(device_, image.memory, nullptr);
}

VkCommandBuffer Context::begin(const Queue& queue) const {
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, queue.pool,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands = nullptr;
  HEADLESS_CHECK(vkAllocateCommandBuffers(device_, &info, &commands));
  const VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                            VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  HEADLESS_CHECK(vkBeginCommandBuffer(commands, &begin_info));
  return commands;
}

void Context::submit_and_wait(VkCommandBuffer commands) const {
  HEADLESS_CHECK(vkEndCommandBuffer(commands));
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  HEADLESS_CHECK(vkQueueSubmit(drawing_.queue, 1, &info, VK_NULL_HANDLE));
  HEADLESS_CHECK(vkQueueWaitIdle(drawing_.queue));
  vkFreeCommandBuffers(device_, drawing_.pool, 1, &commands);
}

void image_barrier(VkCommandBuffer commands, VkImage image, const ImageState& from, const ImageState& to,
                   VkImageAspectFlags aspect) {
  const VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                     nullptr,
                                     from.access,
                                     to.access,
                                     from.layout,
                                     to.layout,
                                     VK_QUEUE_FAMILY_IGNORED,
                                     VK_QUEUE_FAMILY_IGNORED,
                                     image,
                                     {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  vkCmdPipelineBarrier(commands, from.stage, to.stage, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

void full_barrier(VkCommandBuffer commands) {
  const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                       &barrier, 0, nullptr, 0, nullptr);
}

void to_general(VkCommandBuffer commands, const Image& image, VkPipelineStageFlags stage,
                VkAccessFlags access) {
  image_barrier(commands, image.image, {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED},
                {stage, access, VK_IMAGE_LAYOUT_GENERAL});
}

void write_ppm(const std::string& path, uint32_t width, uint32_t height, const uint8_t* rgba) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) {
    std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
    std::exit(1);
  }
  std::fprintf(file, "P6\n%u %u\n255\n", width, height);
  for (size_t i = 0; i < size_t{width} * height; i++) std::fwrite(rgba + 4 * i, 1, 3, file);
  std::fclose(file);
}

VkRenderPass make_drawing_pass(VkDevice device, VkFormat color_format, VkFormat depth_format,
                               VkSampleCountFlagBits samples) {
  const bool resolves = samples != VK_SAMPLE_COUNT_1_BIT;
  std::array<VkAttachmentDescription, 3> attachments{};
  attachments[0].format = color_format;
  attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  attachments[1].format = depth_format;
  attachments[1].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachments[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  for (VkAttachmentDescription& attachment : attachments) {
    attachment.samples = samples;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  }
  attachments[2] = attachments[0];
  attachments[2].samples = VK_SAMPLE_COUNT_1_BIT;
  attachments[2].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  if (resolves) {
    attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  }
  attachments[1].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pDepthStencilAttachment = &depth;
  const VkAttachmentReference resolved{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  if (resolves) subpass.pResolveAttachments = &resolved;
  const VkSubpassDependency to_copy{0,
                                    VK_SUBPASS_EXTERNAL,
                                    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                    VK_PIPELINE_STAGE_TRANSFER_BIT,
                                    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                    VK_ACCESS_TRANSFER_READ_BIT,
                                    0};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = resolves ? 3 : 2;
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 1;
  info.pDependencies = &to_copy;
  VkRenderPass pass = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateRenderPass(device, &info, nullptr, &pass));
  return pass;
}

}  // namespace headless
