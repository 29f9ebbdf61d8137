#include "replay/state_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arch/format.h"
#include "base/json_text.h"

namespace cutaway::replay {
namespace {

using Json = nlohmann::ordered_json;

template <size_t N>
const char* word(const char* const (&words)[N], uint32_t value) {
  return value < N ? words[value] : "?";
}

const char* topology_word(uint32_t topology) {
  static constexpr const char* kWords[] = {"point list",
                                           "line list",
                                           "line strip",
                                           "triangle list",
                                           "triangle strip",
                                           "triangle fan",
                                           "lines with adjacency",
                                           "line strip with adjacency",
                                           "triangles with adjacency",
                                           "triangle strip with adjacency",
                                           "patch list"};
  return word(kWords, topology);
}

const char* compare_word(uint32_t compare) {
  static constexpr const char* kWords[] = {
      "never", "less", "equal", "less or equal", "greater", "not equal", "greater or equal", "always"};
  return word(kWords, compare);
}

const char* stencil_word(uint32_t operation) {
  static constexpr const char* kWords[] = {"keep",
                                           "zero",
                                           "replace",
                                           "increment, clamp",
                                           "decrement, clamp",
                                           "invert",
                                           "increment, wrap",
                                           "decrement, wrap"};
  return word(kWords, operation);
}

const char* cull_word(uint32_t mode) {
  static constexpr const char* kWords[] = {"none", "front", "back", "front and back"};
  return word(kWords, mode);
}

const char* stage_word(arch::Stage stage) {
  static constexpr const char* kWords[] = {
      "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
  return word(kWords, static_cast<uint32_t>(stage));
}

Json surface_json(const arch::Surface& surface) {
  Json json = {{"address", fmt::format("{:#x}", surface.address)},
               {"format", arch::format_info(surface.format).name},
               {"width", surface.width},
               {"height", surface.height}};
  if (surface.depth > 1) json["depth"] = surface.depth;
  if (surface.levels > 1) json["levels"] = surface.levels;
  if (surface.layers > 1) json["layers"] = surface.layers;
  if (surface.samples() > 1) json["samples"] = surface.samples();
  return json;
}

bool present(const arch::Surface& surface) { return surface.format != 0; }

Json targets_json(const arch::Registers& registers) {
  Json json = {{"color", Json::array()}, {"depth", nullptr}};
  for (const arch::ColorTarget& target : registers.color.target)
    if (present(target.surface)) json["color"].push_back(surface_json(target.surface));
  if (present(registers.depth.surface)) json["depth"] = surface_json(registers.depth.surface);
  return json;
}

Json settings_json(const arch::Registers& registers) {
  const auto& depth = registers.depth;
  Json json = {{"cull", cull_word(registers.raster.cull_mode)},
               {"depth_test", depth.depth_test ? compare_word(depth.depth_compare) : "off"},
               {"depth_write", depth.depth_test && depth.depth_write},
               {"hierarchical_z", depth.hierarchical_z != 0}};
  if (depth.stencil_test)
    for (const auto& [name, face] : {std::pair("front", &depth.front), std::pair("back", &depth.back)})
      json["stencil"][name] = {{"compare", compare_word(face->compare)},
                               {"fail", stencil_word(face->fail)},
                               {"depth_fail", stencil_word(face->depth_fail)},
                               {"pass", stencil_word(face->pass)}};
  Json blend = Json::array();
  for (const arch::ColorTarget& target : registers.color.target)
    if (present(target.surface)) blend.push_back(target.blend != 0);
  json["blend"] = std::move(blend);
  return json;
}

}  // namespace

run_record::StateRecord state_record(const messages::WorkState& state) {
  const arch::Registers& r = state.registers;
  Json textures = Json::array();
  for (const auto& texture : state.textures) {
    Json json = {{"stage", stage_word(texture.stage)}, {"binding", texture.binding}};
    json.update(surface_json(texture.surface));
    textures.push_back(std::move(json));
  }
  static_assert(run_record::kProgramStages.size() == arch::kStages);
  std::array<uint64_t, arch::kStages> program{};
  for (uint32_t i = 0; i < arch::kStages; i++)
    if (state.program[static_cast<arch::Stage>(i)]) program[i] = r.shader[i].program;
  return {.width = r.raster.width,
          .height = r.raster.height,
          .samples = std::max(1u, r.raster.samples),
          .topology = topology_word(r.assembly.topology),
          .targets = json_text(targets_json(r)),
          .textures = json_text(textures),
          .settings = json_text(settings_json(r)),
          .pass = state.pass,
          .program = program};
}

}  // namespace cutaway::replay
