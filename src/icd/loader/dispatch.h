#pragma once

#include <cstddef>
#include <string_view>

#include "icd/vulkan.h"

namespace cutaway::icd {

// What a command is dispatched on: its first parameter.
enum class CommandLevel { kGlobal, kInstance, kPhysicalDevice, kDevice };

struct EntryPoint {
  const char* name;  // "vkCreateBuffer"
  PFN_vkVoidFunction function;
  CommandLevel level;
  const char* provider;  // "1.0" to "1.3" or an extension's name
};

// Generated; in rising order of names.
extern const EntryPoint kEntryPoints[];
extern const size_t kEntryPointCount;

const EntryPoint* find_entry_point(std::string_view name);  // nullptr: unknown

// What a command does for which the driver has no code: says which one on stderr (once per name).
VkResult refuse(const char* name);                                // gives VK_ERROR_FEATURE_NOT_PRESENT
void refuse_command(VkCommandBuffer commands, const char* name);  // vkEndCommandBuffer will fail

}  // namespace cutaway::icd
