#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "compiler/testing/run_shader.h"

// For tests: statements of a compute program, run for each element of two arrays.
namespace cutaway::compiler {

inline Execution workgroup() {
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
  return run;
}

template <class T>
std::vector<uint32_t> words_of(const std::vector<T>& values) {
  std::vector<uint32_t> words((values.size() * sizeof(T) + 3) / 4);
  std::memcpy(words.data(), values.data(), values.size() * sizeof(T));
  return words;
}

template <class T>
std::vector<T> values_of(const std::vector<uint32_t>& words) {
  std::vector<T> values(words.size() * 4 / sizeof(T));
  std::memcpy(values.data(), words.data(), values.size() * sizeof(T));
  return values;
}

// Runs `statements` for each pair x, y of two arrays; they write `results` values r[0] … for each pair.
template <class T, class Result = T>
std::vector<Result> run_on(const std::string& type, const std::string& result_type,
                           const std::string& statements, uint32_t results, const std::vector<T>& x,
                           const std::vector<T>& y) {
  const isa::Program program = compile_glsl(arch::Stage::kCompute, R"(#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_16bit_storage : require
    #extension GL_EXT_shader_8bit_storage : require
    layout(local_size_x = 4) in;
    layout(std430, set=0, binding=0) readonly buffer X { )" + type +
                                                                       R"( xs[]; };
    layout(std430, set=0, binding=1) readonly buffer Y { )" + type +
                                                                       R"( ys[]; };
    layout(std430, set=0, binding=2) buffer R { )" + result_type +
                                                                       R"( rs[]; };
    void main() {
      for (uint i = gl_LocalInvocationIndex; i < )" + std::to_string(x.size()) +
                                                                       R"(; i += 4) {
        )" + type + R"( x = xs[i], y = ys[i];
        )" + result_type + " r[" + std::to_string(results) +
                                                                       R"(];
        )" + statements + R"(
        for (uint k = 0; k < )" + std::to_string(results) + R"(; k++) rs[i * )" +
                                                                       std::to_string(results) +
                                                                       R"( + k] = r[k];
      }
    })");
  Execution run = workgroup();
  run.buffers[{0, 0, 0}] = words_of(x);
  run.buffers[{0, 1, 0}] = words_of(y);
  run.buffers[{0, 2, 0}] = std::vector<uint32_t>((x.size() * results * sizeof(Result) + 3) / 4, 0xabababab);
  run(program);
  return values_of<Result>(run.buffers[{0, 2, 0}]);
}

}  // namespace cutaway::compiler
