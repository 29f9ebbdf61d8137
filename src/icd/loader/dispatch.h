#pragma once

#include <cstddef>
#include <string_view>

#include "icd/vulkan.h"

namespace cutaway::icd {

// The level at which a command is dispatched, given by its first parameter.
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

// Executes a command that the driver does not implement: reports its name on stderr (once per name).
VkResult refuse(const char* name);                                // returns VK_ERROR_FEATURE_NOT_PRESENT
void refuse_command(VkCommandBuffer commands, const char* name);  // vkEndCommandBuffer will fail

}  // namespace cutaway::icd
