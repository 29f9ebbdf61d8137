#include "icd/loader/dispatch.h"

#include <algorithm>

#include "icd/command/command_buffer_base.h"
#include "icd/object.h"

namespace cutaway::icd {

const EntryPoint* find_entry_point(std::string_view name) {
  const EntryPoint* end = kEntryPoints + kEntryPointCount;
  const EntryPoint* found =
      std::lower_bound(kEntryPoints, end, name,
                       [](const EntryPoint& entry, std::string_view key) { return entry.name < key; });
  return found != end && found->name == name ? found : nullptr;
}

VkResult refuse(const char* name) {
  return guard([&] { unsupported("{}", name); });
}

void refuse_command(VkCommandBuffer commands, const char* name) {
  // "Command Buffer Recording": errors during recording are returned by vkEndCommandBuffer.
  reinterpret_cast<CommandBufferBase*>(commands)->fail(refuse(name));
}

}  // namespace cutaway::icd
