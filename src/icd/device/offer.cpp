#include "icd/device/offer.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "icd/api_error.h"

namespace cutaway::icd {
namespace {

// Sets members from "name=value;name=value". What is wrong is reported and changes nothing.
template <class S>
void set_members(S& members, const char* variable, const char* owner, std::string_view text) {
  FieldTable table;
  table.add(owner, members);
  while (!text.empty()) {
    const std::string_view member = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(member.size() + 1, text.size()));
    try {
      table.set(variable, fmt::format("{}.{}", owner, member));
    } catch (const UserError& error) { report_once(error.what()); }
  }
}

}  // namespace

bool Offer::has(VkPrimitiveTopology topology) const {
  if (topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN) return true;
  if (topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY) return geometry;
  return topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST && tessellation;
}

bool Offer::has(VkShaderStageFlagBits stage) const {
  if (stage == VK_SHADER_STAGE_GEOMETRY_BIT) return geometry;
  if (stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT ||
      stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
    return tessellation;
  return true;
}

Offer offer_without(std::string_view names) {
  Offer offer;
  const std::pair<std::string_view, bool*> parts[] = {
      {"geometry", &offer.geometry},           {"tessellation", &offer.tessellation},
      {"vertex_stores", &offer.vertex_stores}, {"fragment_stores", &offer.fragment_stores},
      {"pull_interpolation", &offer.pull},     {"doubles", &offer.doubles},
      {"compute_queue", &offer.compute_queue}, {"sparse", &offer.sparse}};
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    bool known = false;
    for (const auto& [part, offered] : parts)
      if (name == part) *offered = false, known = true;
    if (!known)
      report_once(fmt::format("CUTAWAY_WITHOUT: nothing that can be left out is called \"{}\"", name));
  }
  return offer;
}

arch::FormatUses formats_offered(std::string_view text) {
  arch::FormatUses uses;
  set_members(uses, "CUTAWAY_FORMATS", "formats", text);
  return uses;
}

arch::ImageSizes images_offered(std::string_view text) {
  arch::ImageSizes sizes;
  set_members(sizes, "CUTAWAY_IMAGES", "images", text);
  return sizes;
}

arch::ProgramLimits programs_offered(std::string_view text) {
  arch::ProgramLimits limits;
  set_members(limits, "CUTAWAY_PROGRAMS", "programs", text);
  return limits;
}

arch::LoadGathering loads_gathered(std::string_view text) {
  arch::LoadGathering loads;
  set_members(loads, "CUTAWAY_LOADS", "loads", text);
  return loads;
}

void read_memory(std::string_view text, Offer& offer) {
  const bool textures = text == "system,textures";
  if (textures || text == "system") offer.system_memory = true, offer.textures_in_system = textures;
  else if (!text.empty())
    report_once(fmt::format("CUTAWAY_MEMORY: \"{}\" is not system or system,textures", text));
}

uint32_t version_offered(std::string_view text) {
  constexpr std::pair<std::string_view, uint32_t> kVersions[] = {{"1.0", VK_API_VERSION_1_0},
                                                                 {"1.1", VK_API_VERSION_1_1},
                                                                 {"1.2", VK_API_VERSION_1_2},
                                                                 {"1.3", VK_API_VERSION_1_3}};
  for (const auto& [name, version] : kVersions)
    if (text == name) return version;
  if (!text.empty()) report_once(fmt::format("CUTAWAY_VULKAN: \"{}\" is not 1.0, 1.1, 1.2 or 1.3", text));
  return kApiVersion;
}

const Offer& offer() {
  static const Offer offered = [] {
    const char *names = std::getenv("CUTAWAY_WITHOUT"), *formats = std::getenv("CUTAWAY_FORMATS"),
               *halves = std::getenv("CUTAWAY_HALVES"), *fog = std::getenv("CUTAWAY_FOG"),
               *version = std::getenv("CUTAWAY_VULKAN"), *images = std::getenv("CUTAWAY_IMAGES"),
               *programs = std::getenv("CUTAWAY_PROGRAMS"), *loads = std::getenv("CUTAWAY_LOADS"),
               *memory = std::getenv("CUTAWAY_MEMORY");
    Offer offer = offer_without(names ? names : "");
    offer.formats = formats_offered(formats ? formats : "");
    offer.halves = halves && std::string_view(halves) == "1";
    offer.fog = fog && std::string_view(fog) == "1";
    offer.images = images_offered(images ? images : "");
    offer.programs = programs_offered(programs ? programs : "");
    offer.loads = loads_gathered(loads ? loads : "");
    read_memory(memory ? memory : "", offer);
    offer.version = version_offered(version ? version : "");
    return offer;
  }();
  return offered;
}

}  // namespace cutaway::icd
