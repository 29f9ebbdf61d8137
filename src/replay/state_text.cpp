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

Json buffer_json(const char* use, uint64_t address, uint64_t bytes) {
  return {{"use", use}, {"address", fmt::format("{:#x}", address)}, {"bytes", bytes}};
}

bool is_raw(const messages::WorkState::Texture& texture) {
  return texture.surface.surface_type() == arch::SurfaceType::kRawBuffer;
}

// Buffers that are bound: of indices, of the vertices that attributes read, of captured vertices, and those
// that programs access by byte.
Json buffers_json(const messages::WorkState& state) {
  const auto& assembly = state.registers.assembly;
  Json json = Json::array();
  if (assembly.index_address && assembly.index_bytes)
    json.push_back(buffer_json("indices", assembly.index_address, assembly.index_bytes));
  uint32_t read = 0;  // bindings, one bit each
  for (const arch::VertexAttribute& attribute : assembly.attribute)
    if (attribute.format && attribute.binding < arch::kVertexBindings) read |= 1u << attribute.binding;
  for (uint32_t i = 0; i < arch::kVertexBindings; i++) {
    const arch::VertexBinding& binding = assembly.binding[i];
    if (!(read >> i & 1) || !binding.address) continue;
    json.push_back(buffer_json("vertices", binding.address, binding.bytes));
    json.back()["binding"] = i, json.back()["stride"] = binding.stride;
  }
  for (const arch::FeedbackBuffer& buffer : state.registers.feedback.buffer)
    if (state.registers.feedback.on && buffer.address)
      json.push_back(buffer_json("captured vertices", buffer.address, buffer.bytes));
  for (const auto& texture : state.textures) {
    if (!is_raw(texture) || !texture.surface.address) continue;
    json.push_back(buffer_json("program", texture.surface.address, texture.surface.width));
    json.back()["stage"] = stage_word(texture.stage), json.back()["binding"] = texture.binding;
  }
  return json;
}

}  // namespace

run_record::StateRecord state_record(const messages::WorkState& state) {
  const arch::Registers& r = state.registers;
  Json textures = Json::array();
  for (const auto& texture : state.textures) {
    if (is_raw(texture)) continue;
    Json json = {{"stage", stage_word(texture.stage)}, {"binding", texture.binding}};
    json.update(surface_json(texture.surface));
    textures.push_back(std::move(json));
  }
  static_assert(run_record::kProgramStages.size() == arch::kStages);
  std::array<uint64_t, arch::kStages> program{};
  for (uint32_t i = 0; i < arch::kStages; i++)
    if (state.program[static_cast<arch::Stage>(i)]) program[i] = r.shader[i].program;
  return {.context = state.context,
          .width = r.raster.width,
          .height = r.raster.height,
          .samples = std::max(1u, r.raster.samples),
          .topology = topology_word(r.assembly.topology),
          .targets = json_text(targets_json(r)),
          .textures = json_text(textures),
          .buffers = json_text(buffers_json(state)),
          .settings = json_text(settings_json(r)),
          .pass = state.pass,
          .program = program};
}

}  // namespace cutaway::replay
