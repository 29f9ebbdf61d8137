#pragma once

#include <fmt/format.h>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "icd/vulkan.h"

// The driver's errors: answers to requests that it cannot fulfil.
namespace cutaway::icd {

// The error of a command that cannot be executed. An empty text prints nothing.
struct ApiError {
  VkResult result = VK_ERROR_UNKNOWN;
  std::string text = {};
};

// Throws the error for something that Vulkan permits but this driver does not support: name it, as "a buffer
// view of format 5"; docs/conformance.md lists it.
template <class... Args>
[[noreturn]] void unsupported(fmt::format_string<Args...> format, Args&&... args) {
  throw ApiError{VK_ERROR_FEATURE_NOT_PRESENT, fmt::format(format, std::forward<Args>(args)...) +
                                                   " is not supported: see docs/conformance.md"};
}

// Throws the error for something that Vulkan forbids ("Valid Usage") and that the driver cannot continue
// with: name it, as "vertex binding 20 of 16". Most invalid usage is not detected: that is the validation
// layer's task.
template <class... Args>
[[noreturn]] void invalid_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw ApiError{VK_ERROR_UNKNOWN, fmt::format(format, std::forward<Args>(args)...) +
                                       " is not valid usage of Vulkan: the validation layer tells more"};
}

void report(const std::string& line);       // reports to the command that started the program, or to stderr
void report_once(const std::string& line);  // reports the first occurrence only
VkResult result_of_current_exception();     // call inside a catch block; reports its text

// Runs an entry point's body and converts exceptions to results. The body returns VkResult or void.
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
