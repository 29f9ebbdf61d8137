#pragma once

#include "base/error.h"

// The two reasons for rejecting a shader. Any other failure is a defect of the compiler: an InternalError.
namespace cutaway::compiler {

// The module violates a rule of SPIR-V or Vulkan.
class InvalidShader : public UserError {
 public:
  using UserError::UserError;
};

// The module is valid but needs a feature that this compiler or GPU lacks, or exceeds a limit.
class UnsupportedShader : public UserError {
 public:
  using UserError::UserError;
};

template <class... Args>
[[noreturn]] void invalid(fmt::format_string<Args...> format, Args&&... args) {
  throw InvalidShader("shader: invalid SPIR-V: " + fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void unsupported(fmt::format_string<Args...> format, Args&&... args) {
  throw UnsupportedShader("shader: " + fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace cutaway::compiler
