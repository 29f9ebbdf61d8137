#pragma once

#include <string>
#include <vector>

#include "compiler/testing/run_shader.h"

// For tests: programs with variable pointers, and a machine with their buffers.
namespace cutaway::compiler {

// A compute program with buffers %A, %B, %C (an array of four) and %Out, each an array of words, %R an array
// of 12-byte elements, and workgroup memory %S and %T of eight words each. %i is the lane; %odd is true for
// odd lanes.
inline std::string module_of(const std::string& body, const std::string& functions = "",
                             const std::string& globals = "", const std::string& names = "") {
  return R"(
OpCapability Shader
OpCapability VariablePointers
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index %A %B %C %Out %R %S %T )" +
         names + R"(
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %word_ptr ArrayStride 4
OpDecorate %records ArrayStride 12
OpDecorate %record_ptr ArrayStride 12
OpMemberDecorate %record 0 Offset 0
OpMemberDecorate %record 1 Offset 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %record_block Block
OpMemberDecorate %record_block 0 Offset 0
OpDecorate %A DescriptorSet 0
OpDecorate %A Binding 0
OpDecorate %B DescriptorSet 0
OpDecorate %B Binding 1
OpDecorate %C DescriptorSet 0
OpDecorate %C Binding 2
OpDecorate %Out DescriptorSet 0
OpDecorate %Out Binding 3
OpDecorate %R DescriptorSet 0
OpDecorate %R Binding 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%3 = OpConstant %uint 3
%4 = OpConstant %uint 4
%5 = OpConstant %uint 5
%8 = OpConstant %uint 8
%minus1 = OpConstant %int -1
%uvec2 = OpTypeVector %uint 2
%record = OpTypeStruct %uint %uvec2
%words = OpTypeRuntimeArray %uint
%records = OpTypeRuntimeArray %record
%eight = OpTypeArray %uint %8
%block = OpTypeStruct %words
%record_block = OpTypeStruct %records
%blocks = OpTypeArray %block %4
%block_ptr = OpTypePointer StorageBuffer %block
%blocks_ptr = OpTypePointer StorageBuffer %blocks
%record_block_ptr = OpTypePointer StorageBuffer %record_block
%word_ptr = OpTypePointer StorageBuffer %uint
%record_ptr = OpTypePointer StorageBuffer %record
%shared_ptr = OpTypePointer Workgroup %uint
%eight_ptr = OpTypePointer Workgroup %eight
%input_ptr = OpTypePointer Input %uint
%null = OpConstantNull %word_ptr
%index = OpVariable %input_ptr Input
%A = OpVariable %block_ptr StorageBuffer
%B = OpVariable %block_ptr StorageBuffer
%C = OpVariable %blocks_ptr StorageBuffer
%Out = OpVariable %block_ptr StorageBuffer
%R = OpVariable %record_block_ptr StorageBuffer
%S = OpVariable %eight_ptr Workgroup
%T = OpVariable %eight_ptr Workgroup
)" + globals +
         R"(
%main = OpFunction %void None %fn
%entry = OpLabel
)" + (body.starts_with("%local") ? body.substr(0, body.find("\n\n")) : "") +
         R"(
%i = OpLoad %uint %index
%low = OpBitwiseAnd %uint %i %1
%odd = OpIEqual %bool %low %1
%out = OpAccessChain %word_ptr %Out %0 %i
%a = OpAccessChain %word_ptr %A %0 %i
%b = OpAccessChain %word_ptr %B %0 %i
)" + (body.starts_with("%local") ? body.substr(body.find("\n\n")) : body) +
         "\nOpReturn\nOpFunctionEnd\n" + functions;
}

struct PointerMachine : Execution {
  PointerMachine() {
    set_lanes(arch::kInputLocalId, {});
    for (uint32_t lane = 0; lane < 4; ++lane) inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
    buffers[{0, 0, 0}] = {10, 11, 12, 13, 14, 0};
    buffers[{0, 1, 0}] = {20, 21, 22, 23, 0, 25};
    for (uint32_t i = 0; i < 4; ++i)
      buffers[{0, 2, i}] = {30 + 10 * i, 31 + 10 * i, 32 + 10 * i, 33 + 10 * i};
    buffers[{0, 3, 0}].assign(8, 99);
    buffers[{0, 4, 0}].assign(24, 0);
  }
  isa::Program run(const std::string& text) {
    const std::vector<uint32_t> spirv = assemble_spirv(text);
    const isa::Program program = compile({.stage = arch::Stage::kCompute, .spirv = spirv, .entry = "main"});
    (*this)(program);
    return program;
  }
  std::vector<uint32_t> first(uint32_t binding, size_t count = 4) {
    const std::vector<uint32_t>& all = buffers.at({0, binding, 0});
    return {all.begin(), all.begin() + static_cast<ptrdiff_t>(count)};
  }
};

}  // namespace cutaway::compiler
