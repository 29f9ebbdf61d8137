#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "isa/instruction.h"

namespace cutaway::isa {

// Label definitions and the CALLs that use them.
class Labels {
 public:
  void define(std::string_view name, size_t instruction, size_t line) {
    if (!places_.emplace(name, instruction).second)
      user_error("line {}, column 1: there is a '{}' already", line, name);
  }
  void call(std::string_view name, size_t instruction) { calls_.push_back({instruction, name}); }

  void resolve(std::vector<Instruction>& program, const std::vector<size_t>& lines) const {
    for (const auto& [instruction, name] : calls_) {
      const auto place = places_.find(name);
      if (place == places_.end())
        user_error("line {}, column 1: no instruction is called '{}'", lines[instruction], name);
      program[instruction].target = static_cast<uint16_t>(place->second);
    }
  }

 private:
  std::map<std::string_view, size_t> places_;
  std::vector<std::pair<size_t, std::string_view>> calls_;
};

}  // namespace cutaway::isa
