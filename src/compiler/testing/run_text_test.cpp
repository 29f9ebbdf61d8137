#include "compiler/testing/run_text.h"

#include <algorithm>

#include "compiler/testing/run_arrays.h"

namespace cutaway::compiler {
namespace {

std::string types(uint32_t constants) {
  std::string all;
  for (const std::string b : {"8", "16", "32", "64"})
    all += "%u" + b + " = OpTypeInt " + b + " 0\n%i" + b + " = OpTypeInt " + b + " 1\n";
  for (const std::string b : {"16", "32", "64"}) all += "%f" + b + " = OpTypeFloat " + b + "\n";
  for (const std::string scalar :
       {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "f32", "f64", "bool"})
    for (const std::string n : {"2", "3", "4"})
      all += "%" + scalar + "v" + n + " = OpTypeVector %" + scalar + " " + n + "\n";
  for (uint32_t i = 0; i <= constants; ++i)
    all += "%c" + std::to_string(i) + " = OpConstant %u32 " + std::to_string(i) + "\n";
  return all;
}

// Loads the words of the invocation, and makes pointers to its results.
std::string begin(uint32_t results) {
  std::string all =
      "%i = OpLoad %u32 %index\n%first_in = OpIMul %u32 %i %c4\n%first_out = OpIMul %u32 %i %c" +
      std::to_string(results) + "\n";
  const auto pointer = [&](const std::string& name, const std::string& buffer, const std::string& k) {
    all += "%at_" + name + k + " = OpIAdd %u32 %first_" + name + " %c" + k + "\n%" + name + k +
           " = OpAccessChain %word_ptr %" + buffer + " %c0 %at_" + name + k + "\n";
  };
  for (const std::string k : {"0", "1", "2", "3"}) {
    pointer("in", "In", k);
    all += "%x" + k + " = OpLoad %u32 %in" + k + "\n";
  }
  for (uint32_t k = 0; k < results; ++k) pointer("out", "Out", std::to_string(k));
  return all;
}

// The same of one scalar.
std::string stored_scalar(const std::string& type, const std::string& id, uint32_t& first) {
  const std::string name = "%stored" + std::to_string(first), bits = type.substr(1);
  const auto to = [&] { return "OpStore %out" + std::to_string(first++) + " "; };
  if (type == "bool") {
    const std::string all = name + " = OpSelect %u32 " + id + " %c1 %c0\n";
    return all + to() + name + "\n";
  }
  if (bits == "64") {
    std::string all = name + " = OpBitcast %u32v2 " + id + "\n";
    for (const std::string k : {"0", "1"}) {
      all += name + "_" + k + " = OpCompositeExtract %u32 " + name + " " + k + "\n";
      all += to() + name + "_" + k + "\n";
    }
    return all;
  }
  if (bits == "32") {
    if (type == "u32") return to() + id + "\n";
    const std::string all = name + " = OpBitcast %u32 " + id + "\n";
    return all + to() + name + "\n";
  }
  std::string all, plain = id;
  if (type[0] != 'u') {
    plain = name + "_u";
    all = plain + " = OpBitcast %u" + bits + " " + id + "\n";
  }
  all += name + " = OpUConvert %u32 " + plain + "\n";
  return all + to() + name + "\n";
}

}  // namespace

std::string stored(const std::string& type, const std::string& id, uint32_t& first) {
  const size_t v = type.find('v');
  if (v == std::string::npos) return stored_scalar(type, id, first);
  std::string all;
  const std::string scalar = type.substr(0, v), name = "%parts" + std::to_string(first) + "_";
  for (int k = 0; k < type[v + 1] - '0'; ++k) {
    const std::string part = name + std::to_string(k);
    all += part + " = OpCompositeExtract %" + scalar + " " + id + " " + std::to_string(k) + "\n";
    all += stored_scalar(scalar, part, first);
  }
  return all;
}

std::string TextModule::text() const {
  return "; Version: " + version + R"(
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
)" + capabilities +
         R"(
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel )" +
         memory_model + R"(
OpEntryPoint GLCompute %main "main" %index %In %Out )" +
         interface + R"(
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %In DescriptorSet 0
OpDecorate %In Binding 0
OpDecorate %Out DescriptorSet 0
OpDecorate %Out Binding 1
)" + decorations +
         R"(
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%bool = OpTypeBool
)" + types(std::max(8u, results)) +
         R"(
%words = OpTypeRuntimeArray %u32
%block = OpTypeStruct %words
%block_ptr = OpTypePointer StorageBuffer %block
%word_ptr = OpTypePointer StorageBuffer %u32
%input_ptr = OpTypePointer Input %u32
%index = OpVariable %input_ptr Input
%In = OpVariable %block_ptr StorageBuffer
%Out = OpVariable %block_ptr StorageBuffer
)" + globals +
         "\n%main = OpFunction %void None %main_type\n%entry = OpLabel\n" + variables + "\n" +
         begin(results) + body + "\nOpReturn\nOpFunctionEnd\n" + functions;
}

std::vector<uint32_t> TextModule::run(const isa::Program& program, const std::vector<uint32_t>& in) const {
  Execution execution = workgroup();
  execution.buffers[{0, 0, 0}] = in;
  execution.buffers[{0, 0, 0}].resize(16);
  execution.buffers[{0, 1, 0}].assign(4 * results, 0xabababab);
  execution(program);
  return execution.buffers[{0, 1, 0}];
}

std::vector<uint32_t> TextModule::run(const std::vector<uint32_t>& in) const {
  const std::vector<uint32_t> spirv = assemble_spirv(text());
  return run(compile({.stage = arch::Stage::kCompute, .spirv = spirv, .entry = "main"}), in);
}

}  // namespace cutaway::compiler
