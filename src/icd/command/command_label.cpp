#include "icd/command/command_buffer.h"
#include "icd/debug/label.h"

// Debug labels.
namespace cutaway::icd {

void CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* info) {
  now_or_deferred(commands, [label = label_of(info)](VkCommandBuffer to) {
    CommandBuffer& buffer = *object(to);
    buffer.record([&] { buffer.labels().begin(label, buffer.stream().writer()); });
  });
}

void CmdEndDebugUtilsLabelEXT(VkCommandBuffer commands) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] { buffer.labels().end(buffer.stream().writer()); });
}

void CmdInsertDebugUtilsLabelEXT(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* info) {
  now_or_deferred(commands, [label = label_of(info)](VkCommandBuffer to) {
    CommandBuffer& buffer = *object(to);
    buffer.record([&] { buffer.labels().insert(label, buffer.stream().writer()); });
  });
}

}  // namespace cutaway::icd
