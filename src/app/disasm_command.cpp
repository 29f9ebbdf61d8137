#include <algorithm>
#include <cstring>
#include <sstream>

#include "app/commands.h"
#include "app/open_capture.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "compiler/compiler.h"
#include "sweep/run_recording.h"

namespace cutaway::app {
namespace {

// The driver's programs for clears, blits and resolves have no SPIR-V annotation.
bool of_driver(const report::ProgramText& program) { return program.spirv.empty(); }

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

void print(uint64_t id, const report::ProgramText& program, bool whole_source) {
  const std::vector<std::string> code = split_lines(program.instructions);
  std::vector<std::string> source;
  std::string language;
  if (!of_driver(program)) {
    std::vector<uint32_t> words(program.spirv.size() / sizeof(uint32_t));
    std::memcpy(words.data(), program.spirv.data(), words.size() * sizeof(uint32_t));
    source = compiler::source_lines(words);
    language = compiler::source_language(words);
  }
  tell("program {:#x}{}: {}{}\n", id, program.name.empty() ? "" : fmt::format(", '{}'", program.name),
       counted(code.size(), "instruction"),
       of_driver(program) ? ", the driver's own"
       : language.empty() ? ""
                          : ", of " + language);
  size_t width = 0;
  for (const std::string& line : code) width = std::max(width, line.size());

  std::istringstream numbers(program.source_of);
  size_t before = ~size_t{0};
  for (const std::string& line : code) {
    size_t number = ~size_t{0};
    numbers >> number;
    // Prints the SPIR-V once for consecutive instructions that come from it.
    if (number < source.size() && number != before)
      tell("{:<{}}   {:>4}  {}\n", line, width, number, trimmed(source[number]));
    else tell("{}\n", line);
    before = number;
  }
  if (!whole_source) return;
  tell("\n");
  for (size_t i = 0; i < source.size(); i++) tell("{:>6}  {}\n", i, source[i]);
}

}  // namespace

int disassemble(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const capture::Reader reader = open_capture(arguments.file);
  const report::Annotations found = sweep::annotations_of(reader);
  if (!arguments.program_id) {
    if (found.programs.empty()) tell("{} keeps no shader programs\n", arguments.file);
    for (const bool drivers : {false, true})
      for (const auto& [id, program] : found.programs) {
        if (of_driver(program) != drivers) continue;
        end_if_interrupted();
        print(id, program, arguments.whole_source), tell("\n");
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
