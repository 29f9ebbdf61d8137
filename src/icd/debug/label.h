#pragma once

#include <cstring>
#include <string>

#include "icd/debug/label_tree.h"
#include "icd/vulkan.h"

namespace cutaway::icd {

// A program's name for something, truncated to the stored length.
inline std::string bounded_text(const char* text) {
  return text ? std::string(text, strnlen(text, LabelTree::kLabelBytes + 1)) : std::string();
}
inline std::string label_of(const VkDebugUtilsLabelEXT* info) { return bounded_text(info->pLabelName); }

}  // namespace cutaway::icd
