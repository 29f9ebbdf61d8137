#pragma once

#include <cstdint>
#include <string>
#include <vector>

// For tests: modules that are small or valid and yet ask a compiler for time, memory or depth.
namespace cutaway::compiler {

struct HostileModule {
  std::string name;
  std::vector<uint32_t> words;  // a compute program "main"
  bool is_compiled = false;     // else it is refused
};

std::vector<HostileModule> hostile_modules();

}  // namespace cutaway::compiler
