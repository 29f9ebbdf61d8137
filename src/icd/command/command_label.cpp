#include "icd/command/command_buffer.h"
#include "icd/debug/label.h"

// Debug labels: VK_EXT_debug_utils, and VK_EXT_debug_marker before it.
namespace cutaway::icd {
namespace {

void begin_label(VkCommandBuffer commands, std::string text) {
  now_or_deferred(commands, [label = std::move(text)](VkCommandBuffer to) {
    CommandBuffer& buffer = *object(to);
    buffer.record([&] { buffer.labels().begin(label, buffer.stream().writer()); });
  });
}

void end_label(VkCommandBuffer commands) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] { buffer.labels().end(buffer.stream().writer()); });
}

void insert_label(VkCommandBuffer commands, std::string text) {
  now_or_deferred(commands, [label = std::move(text)](VkCommandBuffer to) {
    CommandBuffer& buffer = *object(to);
    buffer.record([&] { buffer.labels().insert(label, buffer.stream().writer()); });
  });
}

}  // namespace

void CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* info) {
  begin_label(commands, label_of(info));
}
void CmdEndDebugUtilsLabelEXT(VkCommandBuffer commands) { end_label(commands); }
void CmdInsertDebugUtilsLabelEXT(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* info) {
  insert_label(commands, label_of(info));
}

void CmdDebugMarkerBeginEXT(VkCommandBuffer commands, const VkDebugMarkerMarkerInfoEXT* info) {
  begin_label(commands, bounded_text(info->pMarkerName));
}
void CmdDebugMarkerEndEXT(VkCommandBuffer commands) { end_label(commands); }
void CmdDebugMarkerInsertEXT(VkCommandBuffer commands, const VkDebugMarkerMarkerInfoEXT* info) {
  insert_label(commands, bounded_text(info->pMarkerName));
}

}  // namespace cutaway::icd
