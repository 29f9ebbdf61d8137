#pragma once

#include <fmt/format.h>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "icd/vulkan.h"

// What the driver answers when it cannot do what it is asked.
namespace cutaway::icd {

// A command that cannot be carried out. An empty text prints nothing.
struct ApiError {
  VkResult result = VK_ERROR_UNKNOWN;
  std::string text = {};
};

// For what Vulkan permits and this driver does not do: name it, as "a buffer
// view of format 5"; it stands in docs/conformance.md.
template <class... Args>
[[noreturn]] void unsupported(fmt::format_string<Args...> format, Args&&... args) {
  throw ApiError{VK_ERROR_FEATURE_NOT_PRESENT, fmt::format(format, std::forward<Args>(args)...) +
                                                   " is not supported: see docs/conformance.md"};
}

// For what Vulkan forbids ("Valid Usage") and the driver cannot go on with: name it, as "vertex binding 20 of
// 16". Most of what is forbidden nobody notices: that is the validation layer's task.
template <class... Args>
[[noreturn]] void invalid_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw ApiError{VK_ERROR_UNKNOWN, fmt::format(format, std::forward<Args>(args)...) +
                                       " is not valid usage of Vulkan: the validation layer tells more"};
}

void report(const std::string& line);       // to the command that started the program, or to stderr
void report_once(const std::string& line);  // the first time only
VkResult result_of_current_exception();     // inside a catch block; reports its text

// Runs an entry point's body; exceptions become results. The body returns VkResult or nothing.
template <class Body>
VkResult guard(Body&& body) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return VK_SUCCESS;
    } else {
      return body();
    }
  } catch (...) { return result_of_current_exception(); }
}

}  // namespace cutaway::icd
