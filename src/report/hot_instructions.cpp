#include "report/hot_instructions.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/error.h"
#include "base/text.h"
#include "report/evidence.h"

namespace cutaway::report {
namespace {

using Instruction = RunReader::Instruction;

constexpr size_t kNamed = 3;           // most instructions to name
constexpr double kWorthNaming = 0.05;  // share of all waits

// By index of Instruction::waited.
constexpr const char* kFor[Instruction::kWaits] = {"for branches",
                                                   "for results of instructions before",
                                                   "while other groups issued",
                                                   "to send quads to texture",
                                                   "for answers of texture",
                                                   "for the ends of the pipelines",
                                                   "for room at the output"};

uint64_t waits(const Instruction& instruction) {
  return std::accumulate(instruction.waited.begin(), instruction.waited.end(), uint64_t{0});
}

// The SPIR-V line that an instruction comes from, with its position; "" if unknown.
std::string source_of(const RunReader::Program& program, uint32_t instruction,
                      const Disassembler& disassemble) {
  if (!disassemble || program.spirv.empty() || instruction >= program.source_of.size()) return "";
  const int64_t place = program.source_of[instruction];
  if (place < 0) return "";
  try {
    const std::vector<std::string> lines = disassemble(program.spirv);
    if (static_cast<size_t>(place) >= lines.size()) return "";
    const std::string& line = lines[static_cast<size_t>(place)];
    return fmt::format("; SPIR-V {}: {}", place, one_line(line.substr(line.find_first_not_of(" "))));
  } catch (const UserError&) { return ""; }
}

// The reason for which groups waited most, as an index of Instruction::waited.
size_t longest_wait(const Instruction& instruction) {
  return static_cast<size_t>(std::max_element(instruction.waited.begin(), instruction.waited.end()) -
                             instruction.waited.begin());
}

std::string sentence(RunReader& run, const Instruction& instruction, uint64_t all,
                     const Disassembler& disassemble) {
  const size_t most = longest_wait(instruction);
  const auto program = run.program(instruction.program, instruction.context);
  std::string text = std::to_string(instruction.instruction), source, name;
  if (program && instruction.instruction < program->instructions.size()) {
    text = one_line(program->instructions[instruction.instruction]);
    source = source_of(*program, instruction.instruction, disassemble);
  }
  if (program && !program->name.empty()) name = fmt::format(" '{}',", one_line(program->name));
  // A group at a barrier waits for the last group of its workgroup.
  const bool barrier = text.ends_with(" BAR");
  std::string stage = instruction.stage;
  std::replace(stage.begin(), stage.end(), '_', ' ');
  return fmt::format("{} of the waits at instruction {}, of {} program{} 0x{:x}, {} of these {}{}",
                     percent(waits(instruction), all), text, stage, name, instruction.program,
                     percent(instruction.waited[most], waits(instruction)),
                     barrier ? "for the others of its workgroup" : kFor[most], source);
}

}  // namespace

std::vector<Finding> hot_instructions(RunReader& run, std::vector<Instruction> instructions,
                                      const std::string& kind, const std::string& stage,
                                      const Disassembler& disassemble) {
  std::erase_if(instructions, [&](const Instruction& i) { return i.stage != stage; });
  std::array<uint64_t, Instruction::kWaits> by_reason{};
  for (const Instruction& i : instructions)
    for (size_t w = 0; w < i.waited.size(); w++) by_reason[w] += i.waited[w];
  const uint64_t all = std::accumulate(by_reason.begin(), by_reason.end(), uint64_t{0});
  if (!all) return {};
  std::vector<size_t> reasons(by_reason.size());
  std::iota(reasons.begin(), reasons.end(), 0);
  std::stable_sort(reasons.begin(), reasons.end(),
                   [&](size_t a, size_t b) { return by_reason[a] > by_reason[b]; });
  std::string text;
  for (size_t i = 0; i < 3 && by_reason[reasons[i]] >= 0.01 * static_cast<double>(all); i++)
    text += fmt::format("{}{} {}", i ? ", " : "groups waited ", kFor[reasons[i]],
                        percent(by_reason[reasons[i]], all));
  std::vector<Finding> findings = {{text, wait_levers(run, kind, reasons[0])}};
  std::stable_sort(instructions.begin(), instructions.end(),
                   [](const auto& a, const auto& b) { return waits(a) > waits(b); });
  for (const Instruction& i : instructions) {
    if (findings.size() > kNamed || static_cast<double>(waits(i)) < kWorthNaming * static_cast<double>(all))
      break;
    findings.push_back({sentence(run, i, all, disassemble), wait_levers(run, kind, longest_wait(i))});
  }
  if (findings.size() == 1) findings[0].sentence += "; no instruction stands out";
  return findings;
}

}  // namespace cutaway::report
