#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

#include "app/commands.h"
#include "app/open_capture.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "compiler/compiler.h"

namespace cutaway::app {
namespace {

// What the driver annotates for a program, under one number: its text, the SPIR-V that it comes from, and of
// each instruction the SPIR-V instruction.
struct Program {
  std::string text, lines;
  std::vector<uint32_t> spirv;

  bool of_driver() const { return spirv.empty(); }  // of its clears, blits and resolves
};

struct Programs final : arch::CommandSink {
  std::map<uint64_t, Program> programs;

  void map(arch::ContextId, arch::Address, uint64_t) override {}
  void unmap(arch::ContextId, arch::Address, uint64_t) override {}
  void write(arch::ContextId, arch::Address, std::span<const std::byte>) override {}
  void submit(const arch::Submission&) override {}
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> bytes) override {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (kind == "program") programs[id] = {.text = text, .lines = "", .spirv = {}};
    if (kind == "lines") programs[id].lines = text;
    if (kind == "spirv") {
      programs[id].spirv.resize(bytes.size() / sizeof(uint32_t));
      std::memcpy(programs[id].spirv.data(), bytes.data(), programs[id].spirv.size() * sizeof(uint32_t));
    }
  }
};

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(one_line(line));
  return lines;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first);
}

void print(uint64_t id, const Program& program, bool whole_source) {
  const std::vector<std::string> code = split_lines(program.text);
  fmt::print("program {:#x}: {}{}\n", id, counted(code.size(), "instruction"),
             program.of_driver() ? ", the driver's own" : "");
  std::vector<std::string> source;
  if (!program.spirv.empty()) source = compiler::source_lines(program.spirv);
  size_t width = 0;
  for (const std::string& line : code) width = std::max(width, line.size());

  std::istringstream numbers(program.lines);
  size_t before = ~size_t{0};
  for (const std::string& line : code) {
    size_t number = ~size_t{0};
    numbers >> number;
    // The SPIR-V is shown once where several instructions in a row come from it.
    if (number < source.size() && number != before)
      fmt::print("{:<{}}   {:>4}  {}\n", line, width, number, trimmed(source[number]));
    else fmt::print("{}\n", line);
    before = number;
  }
  if (!whole_source) return;
  fmt::print("\n");
  for (size_t i = 0; i < source.size(); i++) fmt::print("{:>6}  {}\n", i, source[i]);
}

}  // namespace

int disassemble(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const capture::Reader reader = open_capture(arguments.file);
  Programs found;
  reader.annotations(found);
  if (!arguments.program_id) {
    if (found.programs.empty()) fmt::print("{} keeps no shader programs\n", arguments.file);
    for (const bool of_driver : {false, true})
      for (const auto& [id, program] : found.programs) {
        if (program.of_driver() != of_driver) continue;
        end_if_interrupted();
        print(id, program, arguments.whole_source), fmt::print("\n");
      }
    return kOk;
  }
  const auto program = found.programs.find(*arguments.program_id);
  if (program == found.programs.end())
    user_error("--program {:#x}: {} holds no such program; without --program all {} are shown",
               *arguments.program_id, arguments.file, found.programs.size());
  print(program->first, program->second, arguments.whole_source);
  return kOk;
}

}  // namespace cutaway::app
