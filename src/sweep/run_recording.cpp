#include "sweep/run_recording.h"

#include <cstdio>

#include "arch/ignoring_sink.h"
#include "base/error.h"
#include "base/text.h"
#include "replay/named_surface.h"

namespace cutaway::sweep {
namespace {

// Collects annotations and ignores everything else.
struct Collector final : arch::IgnoringSink {
  report::Annotations found;
  struct Surface {
    std::tuple<uint64_t, uint32_t, uint32_t> place;
    std::string name;
  };
  std::map<uint64_t, Surface> surfaces;  // by id: the last annotation
  struct Buffer {
    std::pair<uint64_t, uint64_t> range;
    std::string name;
  };
  std::map<uint64_t, Buffer> buffers;

  void surface(uint64_t id, const std::string& text) {
    if (const auto surface = replay::parse_surface(text))
      surfaces[id] = {{surface->address, surface->width, surface->height}, one_line(surface->name)};
  }
  // Parses the driver's "address=0x... bytes=... name=..." (Buffer::annotate).
  void buffer(uint64_t id, const std::string& text) {
    unsigned long long address = 0, bytes = 0;
    if (std::sscanf(text.c_str(), "address=%llx bytes=%llu", &address, &bytes) != 2) return;
    const size_t name = text.find(" name=");
    buffers[id] = {{address, address + bytes}, name == text.npos ? "" : one_line(text.substr(name + 6))};
  }
  void name_buffers() {
    for (auto& [id, buffer] : buffers) {
      const auto [place, fresh] = found.buffers.try_emplace(buffer.range, buffer.name);
      if (!fresh && place->second != buffer.name) place->second.clear();
    }
  }
  // A capture does not say during which time a surface was at its address: if two have different names,
  // neither is used.
  void name_surfaces() {
    for (auto& [id, surface] : surfaces) {
      const auto [place, fresh] = found.surfaces.try_emplace(surface.place, surface.name);
      if (!fresh && place->second != surface.name) place->second.clear();
    }
    std::erase_if(found.surfaces, [](const auto& surface) { return surface.second.empty(); });
  }

  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> bytes) override {
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (kind == "program") found.programs[id] = {.instructions = std::move(text)};
    if (kind == "name") found.programs[id].name = one_line(text);
    if (kind == "spirv") found.programs[id].spirv = std::move(text);
    if (kind == "lines") found.programs[id].source_of = std::move(text);
    if (kind == "surface") surface(id, text);
    if (kind == "buffer") buffer(id, text);
    if (kind == "label") found.labels[id] = one_line(text);
  }
};

}  // namespace

report::Annotations annotations_of(const capture::Reader& reader) {
  Collector collector;
  reader.annotations(collector);
  collector.name_surfaces();
  collector.name_buffers();
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

std::vector<std::pair<std::string, std::string>> changed(
    const std::vector<report::ParameterText>& parameters) {
  std::vector<std::pair<std::string, std::string>> changed;
  for (const report::ParameterText& parameter : parameters)
    if (parameter.differs) changed.emplace_back(parameter.path, parameter.value);
  return changed;
}

}  // namespace cutaway::sweep
