// Extracts a module's information about its source: names, semantics, lines.
#include <charconv>
#include <map>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>

#include "compiler/compiler.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kHeader = 5;  // words

struct Instruction {
  uint32_t op;
  std::span<uint32_t> words;  // including the first word
  uint32_t word(size_t i) const { return i < words.size() ? words[i] : 0; }
};

std::vector<Instruction> instructions_of(std::span<uint32_t> module) {
  std::vector<Instruction> all;
  for (size_t at = kHeader; at < module.size();) {
    const uint32_t count = module[at] >> 16;
    if (count == 0 || at + count > module.size()) invalid("not a SPIR-V module");
    all.push_back({module[at] & 0xffff, module.subspan(at, count)});
    at += count;
  }
  return all;
}

// The word at which an instruction's text begins; 0: it has no text, or never more than one line.
size_t text_begins(uint32_t op) {
  switch (op) {
    case spv::OpSourceContinued:
    case spv::OpSourceExtension:
    case spv::OpModuleProcessed:
      return 1;
    case spv::OpString:
    case spv::OpName:
      return 2;
    case spv::OpMemberName:
      return 3;
    case spv::OpSource:
      return 4;
    default:
      return 0;
  }
}

std::string text_at(const Instruction& instruction, size_t first) {
  std::string text;
  for (size_t i = first; i < instruction.words.size(); i++)
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(instruction.words[i] >> shift & 0xff);
      if (c == 0) return text;
      text += c;
    }
  return text;
}

// Blanks line breaks within names and sources, which would split an instruction's text.
void blank_line_breaks(Instruction& instruction) {
  const size_t first = text_begins(instruction.op);
  if (first == 0) return;
  for (size_t i = first; i < instruction.words.size(); i++)
    for (int shift = 0; shift < 32; shift += 8) {
      const uint32_t c = instruction.words[i] >> shift & 0xff;
      if (c == '\n' || c == '\r') instruction.words[i] ^= (c ^ ' ') << shift;
    }
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

// Lines by number. `#line`, which compilers insert before their input, sets the number of the next line.
std::map<uint32_t, std::string> numbered(const std::string& text) {
  constexpr std::string_view kLine = "#line ";
  std::map<uint32_t, std::string> lines;
  uint32_t number = 1;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = trimmed(text.substr(at, end - at));
    uint32_t set = 0;
    if (line.starts_with(kLine) &&
        std::from_chars(line.data() + kLine.size(), line.data() + line.size(), set).ec == std::errc())
      number = set;
    else lines[number++] = line;
    at = end + 1;
  }
  return lines;
}

class Source {
 public:
  explicit Source(const std::vector<Instruction>& instructions) {
    std::string text;
    for (const Instruction& instruction : instructions) {
      if (instruction.op == spv::OpString) file_[instruction.word(1)] = text_at(instruction, 2);
      if (instruction.op == spv::OpSource) text_of_ = instruction.word(3);
      if (instruction.op == spv::OpSource) text = text_at(instruction, 4);
      if (instruction.op == spv::OpSourceContinued) text += text_at(instruction, 1);
      if (instruction.op == spv::OpDecorateString && instruction.word(2) == spv::DecorationUserSemantic)
        semantic_[instruction.word(1)] = text_at(instruction, 3);
      if (instruction.op == spv::OpFunction) break;
    }
    lines_ = numbered(text);
  }

  // The comment for the next instruction; may be empty.
  std::string comment(const Instruction& instruction) {
    follow(instruction);
    std::string text;
    if (const auto semantic = semantic_.find(variable_of(instruction)); semantic != semantic_.end())
      text = semantic->second;
    if (line_ == 0 || instruction.op == spv::OpLine) return text;
    const std::string& path = file_[of_file_];
    text +=
        fmt::format("{}{}:{}", text.empty() ? "" : ", ", path.substr(path.find_last_of("/\\") + 1), line_);
    if (const auto line = lines_.find(line_); of_file_ == text_of_ && line != lines_.end())
      text += ": " + line->second;
    return text;
  }

 private:
  // A line applies to the following instructions, until the next line, or the end of its block or function.
  void follow(const Instruction& instruction) {
    switch (instruction.op) {
      case spv::OpLine:
        of_file_ = instruction.word(1), line_ = instruction.word(2);
        return;
      case spv::OpNoLine:
      case spv::OpLabel:
      case spv::OpFunctionEnd:
        line_ = 0;
        return;
      default:
        return;
    }
  }

  static uint32_t variable_of(const Instruction& instruction) {
    switch (instruction.op) {
      case spv::OpVariable:
        return instruction.word(2);
      case spv::OpLoad:
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        return instruction.word(3);
      case spv::OpStore:
        return instruction.word(1);
      default:
        return 0;
    }
  }

  std::map<uint32_t, std::string> file_, semantic_, lines_;  // by id; by number
  uint32_t text_of_ = 0, of_file_ = 0, line_ = 0;
};

}  // namespace

std::vector<std::string> source_lines(std::span<const uint32_t> spirv) {
  std::vector<uint32_t> module(spirv.begin(), spirv.end());
  std::vector<Instruction> instructions = instructions_of(module);
  Source source(instructions);
  for (Instruction& instruction : instructions) blank_line_breaks(instruction);
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string text;
  if (!tools.Disassemble(module.data(), module.size(), &text,
                         SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES))
    invalid("not a SPIR-V module");
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  for (size_t i = 0; i < std::min(lines.size(), instructions.size()); i++)
    if (const std::string comment = source.comment(instructions[i]); !comment.empty())
      lines[i] += " ; " + comment;
  return lines;
}

std::string source_language(std::span<const uint32_t> spirv) {
  std::vector<uint32_t> module(spirv.begin(), spirv.end());
  for (const Instruction& instruction : instructions_of(module)) {
    if (instruction.op == spv::OpFunction) break;
    if (instruction.op != spv::OpSource) continue;
    constexpr std::pair<uint32_t, const char*> kLanguages[] = {{spv::SourceLanguageESSL, "ESSL"},
                                                               {spv::SourceLanguageGLSL, "GLSL"},
                                                               {spv::SourceLanguageHLSL, "HLSL"}};
    for (const auto& [value, name] : kLanguages)
      if (instruction.word(1) == value) return fmt::format("{} {}", name, instruction.word(2));
  }
  return "";
}

}  // namespace cutaway::compiler
