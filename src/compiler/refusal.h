#pragma once

#include "base/error.h"

// Why a shader is refused. What neither of the two explains is a defect of the compiler: an InternalError.
namespace cutaway::compiler {

// The module breaks a rule of SPIR-V or of Vulkan.
class InvalidShader : public UserError {
 public:
  using UserError::UserError;
};

// The module keeps the rules but needs what this compiler or GPU does not have, or more than there is of it.
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
