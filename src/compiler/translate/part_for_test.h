#pragma once

#include <deque>
#include <gmock/gmock.h>
#include <spirv/unified1/spirv.hpp>
#include <utility>
#include <vector>

#include "compiler/translate/part.h"

// Parts of a translation alone, on instructions made by hand.
namespace cutaway::compiler::part_test {

enum Id : uint32_t {
  kVoid = 1,
  kBool,
  kFloat,
  kInt,
  kVec3,
  kFunctionPointer,
  kSet,
  kMain,
  kLabels = 20,
  kFree = 40
};

struct PartTest : testing::Test {
  PartTest() {
    module.types[kVoid] = {};
    module.types[kBool] = {.kind = TypeKind::kBool, .components = 1};
    module.types[kFloat] = {.kind = TypeKind::kFloat, .components = 1};
    module.types[kInt] = {.kind = TypeKind::kInt, .components = 1};
    module.types[kVec3] = {.kind = TypeKind::kVector, .element = kFloat, .count = 3, .components = 3};
    module.types[kFunctionPointer] = {
        .kind = TypeKind::kPointer, .element = kVec3, .storage = spv::StorageClassFunction};
  }

  Word word(uint32_t op, uint32_t type, uint32_t result, std::vector<uint32_t> words) {
    operands.push_back(std::move(words));
    return {.op = static_cast<uint16_t>(op), .type = type, .result = result, .words = operands.back()};
  }
  uint32_t value(uint32_t type, Lanes lanes) {
    t.values.define(next, type, std::move(lanes));
    return next++;
  }
  uint32_t number(float x) { return value(kFloat, {literal_float(x)}); }
  uint32_t input(uint32_t lanes) {
    Lanes all;
    for (uint32_t i = 0; i < lanes; ++i)
      all.push_back({.kind = RefKind::kInput, .lane = static_cast<uint8_t>(i), .index = 0});
    return value(lanes == 1 ? kFloat : kVec3, all);
  }
  static std::vector<uint32_t> literals(const Lanes& lanes) {
    std::vector<uint32_t> bits;
    for (const Ref& ref : lanes) bits.push_back(ref.is_literal() ? ref.index : 0xdeadbeef);
    return bits;
  }

  Module module;
  Request request;
  Translation t{request, module};
  std::deque<std::vector<uint32_t>> operands;
  uint32_t next = kFree;
};

inline uint32_t bits(float x) { return literal_float(x).index; }

}  // namespace cutaway::compiler::part_test
