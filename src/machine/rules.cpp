// What ranges of single parameters cannot say: multiples, and parameters that must fit together.
#include <bit>

#include "machine/config.h"

namespace cutaway::machine {
namespace {

void require(bool holds, std::string_view parameter, unsigned value, const std::string& expected) {
  if (!holds) user_error("{}: {} does not fit; expected {}", parameter, value, expected);
}

template <class Spec>
void check_cache(const std::string& unit, const Spec& spec) {
  require(spec.line_bytes % 64 == 0, unit + ".line_bytes", spec.line_bytes, "a multiple of 64");
  require(spec.cache_lines % spec.cache_ways == 0, unit + ".cache_lines", spec.cache_lines,
          fmt::format("a multiple of {}.cache_ways ({})", unit, spec.cache_ways));
}

// A map of tiles whose tile and map are parameters of `unit`, for so many units.
void check_map(const std::string& unit, const std::string& owners, unsigned units, unsigned tile,
               const std::vector<unsigned>& map) {
  require(std::has_single_bit(tile), unit + ".tile", tile, "8, 16, 32, 64 or 128");
  for (unsigned shift : map)
    require(shift < units, unit + ".map", shift, fmt::format("less than {} ({})", owners, units));
}

// Each stage that is clocked is run by one class.
void check_stages(const Config& config) {
  for (const arch::Stage stage : {arch::Stage::kVertex, arch::Stage::kFragment}) {
    const ShaderClass* runs = nullptr;
    const char* name = kStageNames[static_cast<size_t>(stage)].name;
    for (const ShaderClass& shader : config.shaders) {
      if (!shader.runs(stage)) continue;
      if (runs)
        user_error("{}.stages and {}.stages: both have {}; expected one class for a stage", runs->name,
                   shader.name, name);
      runs = &shader;
    }
    if (runs) continue;
    std::string classes;
    for (const ShaderClass& shader : config.shaders)
      classes += fmt::format("{0}{1}.stages with {1}.units = {2}", classes.empty() ? "" : ", ", shader.name,
                             shader.topology.units);
    user_error("{}: no shader class runs {} programs; expected one that has units, and it among its stages",
               classes, name);
  }
}

void check_class(const ShaderClass& shader) {
  const ShaderClassSpec& topology = shader.topology;
  const auto divides = [&](unsigned sharers, const char* parameter) {
    require(topology.units % sharers == 0, shader.name + parameter, sharers,
            fmt::format("a divisor of {}.units ({})", shader.name, topology.units));
  };
  divides(topology.units_per_cluster, ".units_per_cluster");
  divides(topology.units_per_texture, ".units_per_texture");
  const unsigned lanes = shader.unit.group_lanes;
  const bool fragments = shader.runs(arch::Stage::kFragment);
  require(std::has_single_bit(lanes) && (lanes >= 4 || !fragments), shader.name + ".group_lanes", lanes,
          fragments ? "4, 8, 16, 32 or 64: fragments come in quads" : "1, 2, 4, 8, 16, 32 or 64");
  require(lanes % shader.unit.simd_lanes == 0, shader.name + ".simd_lanes", shader.unit.simd_lanes,
          fmt::format("a divisor of {}.group_lanes ({})", shader.name, lanes));
  const unsigned threads = shader.unit.threads;
  constexpr unsigned kMostGroups = 1024;
  if (threads % lanes != 0 || threads / lanes > kMostGroups)
    user_error(
        "{0}.threads = {1} and {0}.group_lanes = {2} do not fit together: at {2} threads a group {0}.threads "
        "is a multiple of {2}, at most {3} ({4} groups); set both",
        shader.name, threads, lanes, kMostGroups * lanes, kMostGroups);
}

}  // namespace

void check_rules(const Config& config) {
  check_stages(config);
  for (const ShaderClass& shader : config.shaders)
    if (shader.topology.units) check_class(shader);
  check_map("fragment_generation", "fragment_generation.units", config.fragment_generation.units,
            config.fragment_generation.tile, config.fragment_generation.map);
  const ShaderClassSpec& fragments = config.runs(arch::Stage::kFragment).topology;
  check_map("work_distributor", "the clusters that run fragments",
            fragments.units / fragments.units_per_cluster, config.work_distributor.tile,
            config.work_distributor.map);
  check_map("rop", "rop.units", config.rop.units, config.rop.tile, config.rop.map);
  const unsigned channels = config.rop.units * config.rop.channels_each;
  require(
      !channels || config.memory.channels == channels, "memory.channels", config.memory.channels,
      fmt::format("rop.units ({}) times rop.channels_each ({})", config.rop.units, config.rop.channels_each));
  check_cache("z_stencil", config.z_stencil);
  check_cache("color_write", config.color_write);
  check_cache("texture", config.texture);
  check_cache("texture_cache", config.texture_cache);
  require(config.texture_cache.interleave % 64 == 0, "texture_cache.interleave",
          config.texture_cache.interleave, "a multiple of 64");
  require(config.streamer.cache_lines % 4 == 0, "streamer.cache_lines", config.streamer.cache_lines,
          "a multiple of 4: the cache is 4-way");
  require(config.streamer.slots > config.streamer.post_cache, "streamer.slots", config.streamer.slots,
          fmt::format("more than streamer.post_cache ({})", config.streamer.post_cache));
  require(config.memory.interleave % 64 == 0, "memory.interleave", config.memory.interleave,
          "a multiple of 64");
  require(config.hierarchical_z.size % 8 == 0, "hierarchical_z.size", config.hierarchical_z.size,
          "a multiple of 8");
  require(config.interpolator.max_latency >= config.interpolator.base_latency, "interpolator.max_latency",
          config.interpolator.max_latency,
          fmt::format("at least interpolator.base_latency ({})", config.interpolator.base_latency));
}

}  // namespace cutaway::machine
