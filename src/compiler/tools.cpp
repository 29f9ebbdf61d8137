#include "compiler/tools.h"

#include <algorithm>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>

#include "compiler/module.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

// The rules of the Vulkan version that introduced this SPIR-V version.
spv_target_env environment(uint32_t version) {
  if (version <= 0x10000) return SPV_ENV_VULKAN_1_0;
  if (version <= 0x10300) return SPV_ENV_VULKAN_1_1;
  if (version <= 0x10400) return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
  if (version <= 0x10500) return SPV_ENV_VULKAN_1_2;
  return SPV_ENV_VULKAN_1_3;
}

std::string first_line(const char* message) {
  std::string text = message ? message : "";
  return text.substr(0, text.find('\n'));
}

// The given word of the disassembly of a single instruction, or the value if it cannot be disassembled.
std::string enumerant(std::vector<uint32_t> instruction, uint32_t value, size_t operand) {
  std::vector<uint32_t> binary = {spv::MagicNumber, 0x10600, 0, 100, 0};
  instruction[0] |= static_cast<uint32_t>(instruction.size()) << 16;
  binary.insert(binary.end(), instruction.begin(), instruction.end());
  std::string text;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](auto...) {});
  if (!tools.Disassemble(binary, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER)) return std::to_string(value);
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return operand < parts.size() ? parts[operand] : std::to_string(value);
}

// Moves outputs that share a location apart, all but the first of each location.
std::vector<uint32_t> with_outputs_apart(std::span<const uint32_t> spirv) {
  constexpr uint32_t kFree = 128, kApart = 64;  // kFree: beyond all legal locations; kApart: more locations
                                                // than an output takes
  std::vector<uint32_t> words(spirv.begin(), spirv.end());
  std::unordered_map<uint32_t, size_t> location_of;  // of a variable: position of its location decoration in
                                                     // the module
  std::unordered_map<uint32_t, uint32_t> outputs_at;
  uint32_t moved = 0;
  for (size_t at = 5, size = 0; at < words.size() && (size = words[at] >> 16) != 0; at += size) {
    const uint32_t op = words[at] & 0xffff;
    if (op == spv::OpDecorate && size == 4 && words[at + 2] == spv::DecorationLocation)
      location_of[words[at + 1]] = at + 3;
    if (op != spv::OpVariable || words[at + 3] != spv::StorageClassOutput) continue;
    const auto found = location_of.find(words[at + 2]);
    if (found == location_of.end()) continue;
    uint32_t& location = words[found->second];
    if (outputs_at[location]++) location = kFree + kApart * moved++;
  }
  return words;
}

// True for stages with vertex outputs, which the rasteriser, transform feedback or another stage may read, or
// nothing.
bool gives_vertices(std::span<const uint32_t> spirv) {
  for (size_t at = 5, size = 0; at + 1 < spirv.size() && (size = spirv[at] >> 16) != 0; at += size) {
    if ((spirv[at] & 0xffff) != spv::OpEntryPoint) continue;
    const uint32_t model = spirv[at + 1];
    if (model != spv::ExecutionModelVertex && model != spv::ExecutionModelTessellationEvaluation &&
        model != spv::ExecutionModelGeometry)
      return false;
  }
  return true;
}

}  // namespace

std::string op_name(uint32_t op) { return std::string("Op") + spvOpcodeString(op); }
std::string capability_name(uint32_t value) { return enumerant({spv::OpCapability, value}, value, 1); }
std::string decoration_name(uint32_t value) { return enumerant({spv::OpDecorate, 1, value}, value, 2); }
std::string builtin_name(uint32_t value) {
  return enumerant({spv::OpDecorate, 1, spv::DecorationBuiltIn, value}, value, 3);
}
std::string storage_name(uint32_t value) { return enumerant({spv::OpTypePointer, 1, value, 2}, value, 3); }

std::string glsl_name(uint32_t value) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](auto...) {});
  // The disassembler requires the exact number of operands.
  for (uint32_t operands = 0; operands < 4; ++operands) {
    std::vector<uint32_t> binary = {spv::MagicNumber, 0x10600, 0, 100, 0};
    for (uint32_t word : {6u << 16 | spv::OpExtInstImport, 1u, 0x4c534c47u, 0x6474732eu, 0x3035342eu, 0u})
      binary.push_back(word);
    for (uint32_t word : {(5 + operands) << 16 | spv::OpExtInst, 2u, 3u, 1u, value}) binary.push_back(word);
    for (uint32_t i = 0; i < operands; ++i) binary.push_back(4);
    std::string text;
    if (!tools.Disassemble(binary, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER)) continue;
    const size_t start = text.rfind("OpExtInst %2 %1 ") + 16;
    return "GLSL.std.450 " + text.substr(start, text.find_first_of(" \n", start) - start);
  }
  return "GLSL.std.450 instruction " + std::to_string(value);
}

void validate(std::span<const uint32_t> spirv) {
  if (spirv.size() < 5 || spirv[0] != spv::MagicNumber)
    invalid("not a SPIR-V module: expected the magic number {:#x} in a header of 5 words", spv::MagicNumber);
  // SPIRV-Tools, like this compiler, sizes tables by the id bound.
  if (spirv[3] > (1u << 20)) unsupported("its bound of {} ids is more than {}", spirv[3], 1u << 20);
  spvtools::SpirvTools tools(environment(spirv[1]));
  std::string message;
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t& at, const char* text) {
        if (level <= SPV_MSG_ERROR && message.empty())
          message = fmt::format("word {}: {}", at.index, first_line(text));
      });
  spvtools::ValidatorOptions options;
  // For Zink, and programs that use VK_KHR_uniform_buffer_standard_layout or VK_EXT_scalar_block_layout.
  options.SetScalarBlockLayout(true);
  options.SetRelaxBlockLayout(true);
  options.SetUniformBufferStandardLayout(true);
  if (tools.Validate(spirv.data(), spirv.size(), options)) return;
  // Capabilities that Zink 22.3 omits: it decorates with Sample, demotes fragments and reads ViewportIndex
  // without them.
  constexpr std::pair<const char*, uint32_t> kLeftOut[] = {
      {"SampleRateShading", spv::CapabilitySampleRateShading},
      {"DemoteToHelperInvocation", spv::CapabilityDemoteToHelperInvocation},
      {"MultiViewport", spv::CapabilityMultiViewport}};
  std::vector<uint32_t> words(spirv.begin(), spirv.end());
  for (const auto& [name, capability] : kLeftOut) {
    if (message.find(name) == std::string::npos) continue;
    words.insert(words.begin() + 5, {2u << 16 | spv::OpCapability, capability});
    message.clear();
    if (tools.Validate(words.data(), words.size(), options)) return;
  }
  // Zink gives outputs captured by OpenGL's transform feedback the location of another output. Only
  // translation shows whether a shared location is read.
  if (message.find("conflicting output location") != std::string::npos && gives_vertices(words)) {
    words = with_outputs_apart(words);
    if (tools.Validate(words.data(), words.size(), options)) return;
  }
  invalid("{}", message);
}

std::vector<uint32_t> with_dense_ids(std::span<const uint32_t> spirv) {
  std::vector<uint32_t> words(spirv.begin(), spirv.end());
  if (words.size() < 5 || words[0] != spv::MagicNumber || words[3] <= words.size()) return words;
  struct Ids {
    std::vector<uint32_t>& words;
    size_t at = 5;  // start of the current instruction
    std::unordered_map<uint32_t, uint32_t> number;
  } ids{words, 5, {}};
  const auto rename = [](void* data, const spv_parsed_instruction_t* instruction) {
    Ids& to = *static_cast<Ids*>(data);
    for (uint32_t i = 0; i < instruction->num_operands; ++i) {
      const spv_parsed_operand_t& operand = instruction->operands[i];
      switch (operand.type) {
        case SPV_OPERAND_TYPE_ID:
        case SPV_OPERAND_TYPE_TYPE_ID:
        case SPV_OPERAND_TYPE_RESULT_ID:
        case SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID:
        case SPV_OPERAND_TYPE_SCOPE_ID: {
          uint32_t& id = to.words[to.at + operand.offset];
          if (id >= to.words[3]) return SPV_ERROR_INVALID_ID;
          id = to.number.try_emplace(id, static_cast<uint32_t>(to.number.size()) + 1).first->second;
          break;
        }
        default:
          break;
      }
    }
    to.at += instruction->num_words;
    return SPV_SUCCESS;
  };
  spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
  context.SetMessageConsumer([](auto...) {});
  if (spvBinaryParse(context.CContext(), &ids, spirv.data(), spirv.size(), nullptr, rename, nullptr) !=
      SPV_SUCCESS)
    invalid("an instruction cannot be read, or an id is not below the bound {}", spirv[3]);
  words[3] = static_cast<uint32_t>(ids.number.size()) + 1;
  return words;
}

}  // namespace cutaway::compiler
