#include "compiler/source_name.h"

#include <map>
#include <spirv/unified1/spirv.hpp>

#include "compiler/instruction_stream.h"

namespace cutaway::compiler {
namespace {

constexpr size_t kMost = 256;  // bytes of a name

std::string name_of(std::span<const uint32_t> words) {
  std::string text;
  for (const uint32_t word : words)
    for (int shift = 0; shift < 32 && text.size() < kMost; shift += 8) {
      const char c = static_cast<char>(word >> shift & 0xff);
      if (c == 0) return text;
      text += c;
    }
  return text;
}

}  // namespace

std::string source_name(std::span<const uint32_t> spirv, std::string_view entry) {
  std::map<uint32_t, std::span<const uint32_t>> strings;  // by id
  const auto file = [&strings](uint32_t id) {
    const auto found = strings.find(id);
    return found == strings.end() ? std::string() : name_of(found->second);
  };
  std::string line_file;
  for (size_t at = kHeaderWords; at < spirv.size();) {
    const uint32_t count = spirv[at] >> 16, op = spirv[at] & 0xffff;
    if (count == 0 || count > spirv.size() - at) break;
    const auto words = spirv.subspan(at, count);
    if (op == spv::OpString && count > 2) strings[words[1]] = words.subspan(2);
    if (op == spv::OpSource && count > 3)
      if (std::string name = file(words[3]); !name.empty()) return name;
    if (op == spv::OpLine && count > 1 && line_file.empty()) line_file = file(words[1]);
    at += count;
  }
  if (!line_file.empty()) return line_file;
  return entry == "main" ? std::string() : std::string(entry.substr(0, kMost));
}

}  // namespace cutaway::compiler
