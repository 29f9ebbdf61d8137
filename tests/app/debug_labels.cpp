// A program whose draws have debug labels of all kinds. Each draw has another number of instances, by which
// it is found again:
//
//     1  of no label
//     2  frame / shadow pass
//     3  frame / shadow pass / lamp            inserted
//     4  frame / main pass / opaque            in a secondary command buffer
//     5  frame / main pass                     behind it
//     6  frame / main pass                     in another command buffer, where the label ends
//     2, 3                                     their command buffer again, outside of the frame:
//        shadow pass, shadow pass / lamp
//     7  a label that is not text
//     8  of no label, behind ends without begins
//     2, 3                                     their command buffer twice in one submission, other labels
//     around it:
//        again / shadow pass, ..., shadow pass, ...
//
//   debug_labels [plain | markers]      plain: no labels; markers: those of command buffers and the name of
//                                       the target by VK_EXT_debug_marker
//
// It submits messages to its messenger and prints those that come back.
#include <cstring>
#include <string_view>

#include "exit_colors.frag.h"
#include "full_screen.h"

namespace {

constexpr uint32_t kSide = 16;
bool plain = false, markers = false;

// The commands of VK_EXT_debug_utils; none is called without labels.
struct Commands {
  explicit Commands(VkInstance instance) {
    load(instance, begin, "vkCmdBeginDebugUtilsLabelEXT");
    load(instance, end, "vkCmdEndDebugUtilsLabelEXT");
    load(instance, insert, "vkCmdInsertDebugUtilsLabelEXT");
    load(instance, queue_begin, "vkQueueBeginDebugUtilsLabelEXT");
    load(instance, queue_end, "vkQueueEndDebugUtilsLabelEXT");
    load(instance, create_messenger, "vkCreateDebugUtilsMessengerEXT");
    load(instance, destroy_messenger, "vkDestroyDebugUtilsMessengerEXT");
    load(instance, submit_message, "vkSubmitDebugUtilsMessageEXT");
    load(instance, set_name, "vkSetDebugUtilsObjectNameEXT");
  }
  template <class Function>
  static void load(VkInstance instance, Function& function, const char* name) {
    function = reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
    if (!function) headless::check(VK_ERROR_EXTENSION_NOT_PRESENT, name);
  }
  PFN_vkCmdBeginDebugUtilsLabelEXT begin;
  PFN_vkCmdEndDebugUtilsLabelEXT end;
  PFN_vkCmdInsertDebugUtilsLabelEXT insert;
  PFN_vkQueueBeginDebugUtilsLabelEXT queue_begin;
  PFN_vkQueueEndDebugUtilsLabelEXT queue_end;
  PFN_vkCreateDebugUtilsMessengerEXT create_messenger;
  PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger;
  PFN_vkSubmitDebugUtilsMessageEXT submit_message;
  PFN_vkSetDebugUtilsObjectNameEXT set_name;
};

// The commands of VK_EXT_debug_marker, if they are asked for.
struct MarkerCommands {
  explicit MarkerCommands(VkDevice device) {
    if (!markers) return;
    load(device, begin, "vkCmdDebugMarkerBeginEXT");
    load(device, end, "vkCmdDebugMarkerEndEXT");
    load(device, insert, "vkCmdDebugMarkerInsertEXT");
    load(device, set_name, "vkDebugMarkerSetObjectNameEXT");
  }
  template <class Function>
  static void load(VkDevice device, Function& function, const char* name) {
    function = reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
    if (!function) headless::check(VK_ERROR_EXTENSION_NOT_PRESENT, name);
  }
  PFN_vkCmdDebugMarkerBeginEXT begin = nullptr;
  PFN_vkCmdDebugMarkerEndEXT end = nullptr;
  PFN_vkCmdDebugMarkerInsertEXT insert = nullptr;
  PFN_vkDebugMarkerSetObjectNameEXT set_name = nullptr;
};

VkDebugMarkerMarkerInfoEXT marker(const char* text) {
  VkDebugMarkerMarkerInfoEXT marker{VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT};
  marker.pMarkerName = text;
  return marker;
}

VkDebugUtilsLabelEXT label(const char* text) {
  VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  label.pLabelName = text;
  return label;
}

VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::printf("heard: %s\n", data->pMessage);
  return VK_FALSE;
}

void submit_messages(const headless::Context& context, const Commands& call) {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = hear;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  HEADLESS_CHECK(call.create_messenger(context.instance(), &info, nullptr, &messenger));
  const auto submit = [&](const char* text, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                          VkDebugUtilsMessageTypeFlagsEXT types) {
    VkDebugUtilsMessengerCallbackDataEXT data{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT};
    data.pMessage = text;
    call.submit_message(context.instance(), severity, types, &data);
  };
  submit("slow", VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT);
  submit("of another severity", VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT);
  submit("of another type", VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT);
  call.destroy_messenger(context.instance(), messenger, nullptr);
  submit("too late", VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT);
}

// The target of draws, and its pipeline.
struct Target {
  Target(const headless::Context& context_, const Commands& call) : context(context_) {
    pass = full_screen::make_pass(context.device());
    pipeline = full_screen::make_pipeline(context, pass, kSide, exit_colors_frag, sizeof exit_colors_frag,
                                          nullptr, [&](const full_screen::Pipeline& made) {
                                            set_name(call, VK_OBJECT_TYPE_SHADER_MODULE,
                                                     VK_DEBUG_REPORT_OBJECT_TYPE_SHADER_MODULE_EXT,
                                                     reinterpret_cast<uint64_t>(made.fragment), "pane.frag");
                                          });
    // Its vertex program has no other name.
    set_name(call, VK_OBJECT_TYPE_PIPELINE, VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT,
             reinterpret_cast<uint64_t>(pipeline.pipeline), "panes");
    image = context.make_image(full_screen::kFormat, kSide, kSide, 1,
                               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    set_name(call, VK_OBJECT_TYPE_IMAGE, VK_DEBUG_REPORT_OBJECT_TYPE_IMAGE_EXT,
             reinterpret_cast<uint64_t>(image.image), "the only name=target");
    const uint16_t corners[] = {0, 1, 2, 3};
    indices = context.make_buffer(corners, sizeof corners, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    set_name(call, VK_OBJECT_TYPE_BUFFER, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT,
             reinterpret_cast<uint64_t>(indices.buffer), "the corners' name=numbers");
    VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    info.renderPass = pass;
    info.attachmentCount = 1, info.pAttachments = &image.view;
    info.width = kSide, info.height = kSide, info.layers = 1;
    HEADLESS_CHECK(vkCreateFramebuffer(context.device(), &info, nullptr, &framebuffer));
  }
  ~Target() {
    vkDestroyFramebuffer(context.device(), framebuffer, nullptr);
    pipeline.destroy(context.device());
    vkDestroyRenderPass(context.device(), pass, nullptr);
    context.destroy(image);
    context.destroy(indices);
  }

  // By the extension that is asked for.
  void set_name(const Commands& call, VkObjectType type, VkDebugReportObjectTypeEXT old_type, uint64_t object,
                const char* text) const {
    VkDebugUtilsObjectNameInfoEXT name{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    name.objectType = type, name.objectHandle = object, name.pObjectName = text;
    VkDebugMarkerObjectNameInfoEXT old{VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT};
    old.objectType = old_type, old.object = object, old.pObjectName = text;
    if (markers) HEADLESS_CHECK(MarkerCommands(context.device()).set_name(context.device(), &old));
    else if (!plain) HEADLESS_CHECK(call.set_name(context.device(), &name));
  }

  void begin(VkCommandBuffer commands, VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE) const {
    const VkClearValue clear{};
    VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    info.renderPass = pass, info.framebuffer = framebuffer;
    info.renderArea = {{0, 0}, {kSide, kSide}};
    info.clearValueCount = 1, info.pClearValues = &clear;
    vkCmdBeginRenderPass(commands, &info, contents);
  }
  void draw(VkCommandBuffer commands, uint32_t instances) const {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
    vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(commands, 4, instances, 0, 0, 0);
  }
  void draw_pass(VkCommandBuffer commands, uint32_t instances) const {
    begin(commands);
    draw(commands, instances);
    vkCmdEndRenderPass(commands);
  }

  const headless::Context& context;
  VkRenderPass pass = VK_NULL_HANDLE;
  full_screen::Pipeline pipeline;
  headless::Image image;
  headless::Buffer indices;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

class Program {
 public:
  explicit Program(const headless::Context& context)
      : context_(context), call_(context.instance()), marker_(context.device()), target_(context, call_) {}

  void run() {
    submit_messages(context_, call_);
    const VkCommandBuffer shadows = record([&](VkCommandBuffer c) { record_shadows(c); });
    const VkCommandBuffer opaque = record_opaque();
    const VkCommandBuffer main_pass = record([&](VkCommandBuffer c) {
      begin(c, "main pass");
      target_.begin(c, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(c, 1, &opaque);
      vkCmdEndRenderPass(c);
      target_.draw_pass(c, 5);
    });
    const VkCommandBuffer rest = record([&](VkCommandBuffer c) {
      target_.draw_pass(c, 6);
      end(c);
    });
    const VkCommandBuffer odd = record([&](VkCommandBuffer c) {
      begin(c, "\xff<b>\x1b[31m\n");
      target_.draw_pass(c, 7);
      for (int i = 0; i < 3; i++) end(c);
      target_.draw_pass(c, 8);
    });
    submit({record([&](VkCommandBuffer c) { target_.draw_pass(c, 1); })});
    const VkDebugUtilsLabelEXT frame = label("frame");
    if (!plain) call_.queue_begin(context_.queue(), &frame);
    submit({shadows, main_pass});
    submit({rest});
    if (!plain) call_.queue_end(context_.queue());
    submit({shadows, odd});
    submit({record([&](VkCommandBuffer c) { begin(c, "again"); }), shadows,
            record([&](VkCommandBuffer c) { end(c); }), shadows});
    HEADLESS_CHECK(vkDeviceWaitIdle(context_.device()));
  }

 private:
  void begin(VkCommandBuffer commands, const char* text) {
    const VkDebugUtilsLabelEXT info = label(text);
    const VkDebugMarkerMarkerInfoEXT old = marker(text);
    if (markers) marker_.begin(commands, &old);
    else if (!plain) call_.begin(commands, &info);
  }
  void end(VkCommandBuffer commands) {
    if (markers) marker_.end(commands);
    else if (!plain) call_.end(commands);
  }
  void insert(VkCommandBuffer commands, const char* text) {
    const VkDebugUtilsLabelEXT info = label(text);
    const VkDebugMarkerMarkerInfoEXT old = marker(text);
    if (markers) marker_.insert(commands, &old);
    else if (!plain) call_.insert(commands, &info);
  }

  void record_shadows(VkCommandBuffer commands) {
    begin(commands, "shadow pass");
    target_.begin(commands);
    target_.draw(commands, 2);
    insert(commands, "lamp");
    target_.draw(commands, 3);
    vkCmdEndRenderPass(commands);
    end(commands);
  }

  template <class Body>
  VkCommandBuffer record(Body&& body) {
    const VkCommandBuffer commands = allocate(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    HEADLESS_CHECK(vkBeginCommandBuffer(commands, &info));
    body(commands);
    HEADLESS_CHECK(vkEndCommandBuffer(commands));
    return commands;
  }

  VkCommandBuffer record_opaque() {
    const VkCommandBuffer commands = allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    inherited.renderPass = target_.pass;
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                        VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherited};
    HEADLESS_CHECK(vkBeginCommandBuffer(commands, &info));
    char text[] = "opaque";
    begin(commands, text);
    std::memset(text, '?', sizeof text - 1);  // the label was kept
    target_.draw(commands, 4);
    end(commands);
    HEADLESS_CHECK(vkEndCommandBuffer(commands));
    return commands;
  }

  VkCommandBuffer allocate(VkCommandBufferLevel level) const {
    const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr,
                                           context_.pool(), level, 1};
    VkCommandBuffer commands = nullptr;
    HEADLESS_CHECK(vkAllocateCommandBuffers(context_.device(), &info, &commands));
    return commands;
  }

  void submit(const std::vector<VkCommandBuffer>& commands) {
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = static_cast<uint32_t>(commands.size());
    info.pCommandBuffers = commands.data();
    HEADLESS_CHECK(vkQueueSubmit(context_.queue(), 1, &info, VK_NULL_HANDLE));
  }

  const headless::Context& context_;
  const Commands call_;
  const MarkerCommands marker_;
  const Target target_;
};

}  // namespace

int main(int count, char** arguments) {
  plain = count > 1 && std::string_view(arguments[1]) == "plain";
  markers = count > 1 && std::string_view(arguments[1]) == "markers";
  const std::vector<const char*> extensions(markers ? 1 : 0, VK_EXT_DEBUG_MARKER_EXTENSION_NAME);
  const headless::Context context({VK_EXT_DEBUG_UTILS_EXTENSION_NAME}, {}, VK_API_VERSION_1_0, nullptr,
                                  extensions);
  Program(context).run();
  return 0;
}
