#include <map>

#include "app/commands.h"
#include "app/open_capture.h"
#include "base/error.h"

namespace cutaway::app {
namespace {

// Programs and their sources, which carry the same number.
struct Programs final : arch::CommandSink {
  struct Program {
    std::string text, source;
  };
  std::map<uint64_t, Program> programs;

  void map(arch::ContextId, arch::Address, uint64_t) override {}
  void unmap(arch::ContextId, arch::Address, uint64_t) override {}
  void write(arch::ContextId, arch::Address, std::span<const std::byte>) override {}
  void submit(const arch::Submission&) override {}
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> bytes) override {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (kind == "program") programs[id].text = text;
    if (kind == "spirv") programs[id].source = text;
  }
};

void print(uint64_t id, const Programs::Program& program) {
  fmt::print("program {}\n{}\n", id, program.text);
  if (program.source.empty()) fmt::print("  (made by the driver itself: it has no SPIR-V)\n");
  else fmt::print("  from the SPIR-V\n{}\n", program.source);
}

}  // namespace

int disassemble(const CommandArguments& arguments) {
  const capture::Reader reader = open_capture(arguments.file);
  Programs found;
  reader.annotations(found);
  if (!arguments.program_id) {
    for (const auto& [id, program] : found.programs) print(id, program), fmt::print("\n");
    return kOk;
  }
  const auto program = found.programs.find(*arguments.program_id);
  if (program == found.programs.end())
    user_error("--program {}: {} holds no such program; without --program all {} are shown",
               *arguments.program_id, arguments.file, found.programs.size());
  print(program->first, program->second);
  return kOk;
}

}  // namespace cutaway::app
