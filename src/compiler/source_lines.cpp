// Extracts a module's information about its source: names, semantics, lines.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>

#include "compiler/admission.h"
#include "compiler/compiler.h"
#include "compiler/instruction_stream.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

struct Instruction {
  uint32_t op;
  std::span<uint32_t> words;  // including the first word
  uint32_t word(size_t i) const { return i < words.size() ? words[i] : 0; }
};

std::vector<Instruction> instructions_of(std::span<uint32_t> module) {
  std::vector<Instruction> all;
  for (size_t at = kHeaderWords; at < module.size();) {
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

// Languages in OpSource (SPIR-V 3.2), by number.
constexpr const char* kLanguages[] = {"Unknown", "ESSL",           "GLSL", "OpenCL_C", "OpenCL_CPP",
                                      "HLSL",    "CPP_for_OpenCL", "SYCL", "HERO_C",   "NZSL",
                                      "WGSL",    "Slang",          "Zig",  "Rust"};

std::string language_name(uint32_t number) {
  return number < std::size(kLanguages) ? kLanguages[number] : fmt::format("Language{}", number);
}

// True if the disassembler can give ids names in reasonable time: it looks for a free name from the first on,
// and the names of types contain those of their members.
bool may_have_names(const std::vector<Instruction>& instructions, std::span<const uint32_t> spirv) {
  constexpr uint32_t kMostAlike = 256;
  std::map<std::vector<uint32_t>, uint32_t> alike;
  for (const Instruction& instruction : instructions) {
    const bool name = instruction.op == spv::OpName;
    if (!name && (instruction.op < spv::OpTypeVoid || instruction.op > spv::OpSpecConstantOp)) continue;
    const bool typed = instruction.op >= spv::OpConstantTrue;  // the result comes second
    std::vector<uint32_t> key(instruction.words.begin(), instruction.words.end());
    key.erase(key.begin() + std::min<ptrdiff_t>(typed ? 2 : 1, static_cast<ptrdiff_t>(key.size()) - 1));
    if (++alike[key] > kMostAlike) return false;
  }
  try {
    admit(spirv);
  } catch (const UserError&) { return false; }
  return true;
}

// The text of a module, a line for each instruction.
class Disassembly {
 public:
  explicit Disassembly(std::vector<Instruction>& instructions) : instructions_(instructions) {}

  std::vector<std::string> run(std::span<const uint32_t> header, bool names) {
    constexpr uint32_t kMostUnknown = 64;
    uint32_t options = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER;
    if (names) options |= SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
    size_t failed = 0;  // the number of the instruction, from 1
    tools.SetMessageConsumer([&](auto, auto, const spv_position_t& at, auto) { failed = at.index; });
    while (unknown_.size() <= kMostUnknown) {
      std::string text;
      const std::vector<uint32_t> words = without_unknown(header);
      if (tools.Disassemble(words.data(), words.size(), &text, options)) return lines_of(text);
      if (failed == 0 || !unknown_.insert(failed - 1).second) break;
    }
    invalid("not a SPIR-V module");
  }

 private:
  // OpNop stands for instructions that the disassembler does not know.
  std::vector<uint32_t> without_unknown(std::span<const uint32_t> header) const {
    std::vector<uint32_t> words(header.begin(), header.end());
    for (size_t i = 0; i < instructions_.size(); ++i) {
      const Instruction& instruction = instructions_[i];
      const size_t at = words.size();
      if (unknown_.contains(i)) words.push_back(1u << spv::WordCountShift | spv::OpNop);
      else words.insert(words.end(), instruction.words.begin(), instruction.words.end());
      if (instruction.op == spv::OpSource && instruction.words.size() > 1) words[at + 1] = 0;
    }
    return words;
  }

  std::vector<std::string> lines_of(const std::string& text) const {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    for (size_t i = 0; i < std::min(lines.size(), instructions_.size()); ++i) {
      const Instruction& instruction = instructions_[i];
      if (unknown_.contains(i))
        lines[i] = fmt::format("OpUnknown({}, {}) {}", instruction.op, instruction.words.size(),
                               fmt::join(instruction.words.subspan(1), " "));
      const size_t language = lines[i].find("OpSource Unknown");
      if (instruction.op == spv::OpSource && language != std::string::npos)
        lines[i].replace(language + 9, 7, language_name(instruction.word(1)));
    }
    return lines;
  }

  const std::vector<Instruction>& instructions_;
  std::set<size_t> unknown_;
};

}  // namespace

std::vector<std::string> source_lines(std::span<const uint32_t> spirv) {
  std::vector<uint32_t> module(spirv.begin(), spirv.end());
  std::vector<Instruction> instructions = instructions_of(module);
  if (module.size() < kHeaderWords) invalid("not a SPIR-V module");
  Source source(instructions);
  for (Instruction& instruction : instructions) blank_line_breaks(instruction);
  std::vector<std::string> lines =
      Disassembly(instructions)
          .run(std::span(module).first(kHeaderWords), may_have_names(instructions, spirv));
  for (size_t i = 0; i < std::min(lines.size(), instructions.size()); i++)
    if (const std::string comment = source.comment(instructions[i]); !comment.empty())
      lines[i] += " ; " + comment;
  return lines;
}

std::string source_language(std::span<const uint32_t> spirv) {
  std::vector<uint32_t> module(spirv.begin(), spirv.end());
  for (const Instruction& instruction : instructions_of(module)) {
    if (instruction.op == spv::OpFunction) break;
    if (instruction.op == spv::OpSource && instruction.word(1) != spv::SourceLanguageUnknown)
      return fmt::format("{} {}", language_name(instruction.word(1)), instruction.word(2));
  }
  return "";
}

}  // namespace cutaway::compiler
