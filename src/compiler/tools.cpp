#include "compiler/tools.h"

#include <algorithm>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>

#include "compiler/instruction_stream.h"
#include "compiler/module.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

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

namespace {

bool is_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID ||
         type == SPV_OPERAND_TYPE_RESULT_ID || type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID ||
         type == SPV_OPERAND_TYPE_SCOPE_ID;
}

// Gives the ids of a module new numbers as they are read.
struct Reader {
  Admitted& module;
  bool renumber = false;
  uint32_t index = 0;        // of the instruction
  size_t at = kHeaderWords;  // its first word
  std::unordered_map<uint32_t, uint32_t> number = {};
  std::string error = {};

  spv_result_t read(const spv_parsed_instruction_t& instruction) {
    for (uint32_t i = 0; renumber && i < instruction.num_operands; ++i) {
      const spv_parsed_operand_t& operand = instruction.operands[i];
      if (!is_id(operand.type)) continue;
      uint32_t& id = module.words[at + operand.offset];
      if (id >= module.words[3]) {
        error =
            fmt::format("{}: id {} is not below the bound {}", place_of(module, index), id, module.words[3]);
        return SPV_ERROR_INVALID_ID;
      }
      id = number.try_emplace(id, static_cast<uint32_t>(number.size()) + 1).first->second;
    }
    at += instruction.num_words;
    ++index;
    return SPV_SUCCESS;
  }
};

}  // namespace

void read_operands(Admitted& module) {
  const std::vector<uint32_t> words = module.words;
  Reader reader{.module = module, .renumber = words[3] > words.size()};
  if (!reader.renumber && words[3] > kMaxIds)
    unsupported("its bound of {} ids is more than {}", words[3], kMaxIds);
  const auto read = [](void* reader_of, const spv_parsed_instruction_t* instruction) {
    return static_cast<Reader*>(reader_of)->read(*instruction);
  };
  spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
  context.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* text) {
    if (reader.error.empty())
      reader.error = fmt::format("{}: {}", place_of(module, reader.index), text ? text : "");
  });
  if (spvBinaryParse(context.CContext(), &reader, words.data(), words.size(), nullptr, read, nullptr) !=
      SPV_SUCCESS)
    invalid("{}", reader.error.empty() ? "its instructions cannot be read" : reader.error);
  if (reader.renumber) module.words[3] = static_cast<uint32_t>(reader.number.size()) + 1;
  if (module.words[3] > kMaxIds) unsupported("its bound of {} ids is more than {}", module.words[3], kMaxIds);
}

}  // namespace cutaway::compiler
