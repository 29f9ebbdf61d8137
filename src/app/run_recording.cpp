#include "app/run_recording.h"

#include "base/error.h"
#include "base/text.h"

namespace cutaway::app {
namespace {

// Collects annotations; everything else that a capture holds passes by.
struct Collector final : arch::CommandSink {
  report::Annotations found;

  void map(arch::ContextId, arch::Address, uint64_t) override {}
  void unmap(arch::ContextId, arch::Address, uint64_t) override {}
  void write(arch::ContextId, arch::Address, std::span<const std::byte>) override {}
  void submit(const arch::Submission&) override {}
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> bytes) override {
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (kind == "program") found.programs[id].instructions = std::move(text);
    if (kind == "spirv") found.programs[id].spirv = std::move(text);
    if (kind == "lines") found.programs[id].source_of = std::move(text);
    if (kind == "label") found.labels[id] = readable(text);
  }
};

}  // namespace

report::Annotations annotations_of(const capture::Reader& reader) {
  Collector collector;
  reader.annotations(collector);
  return std::move(collector.found);
}

std::vector<report::ParameterText> parameters_of(machine::Config config) {
  FieldTable table;
  config.list(table);
  std::vector<report::ParameterText> parameters;
  for (const auto& [path, statement] : config.statements)
    parameters.push_back({path, table.get(path), statement.source, statement.differs});
  return parameters;
}

}  // namespace cutaway::app
