// Rules that ranges of single parameters cannot say: multiples, and parameters that must fit together.
#include <bit>

#include "machine/config.h"

namespace cutaway::machine {
namespace {

// Refuses what does not fit together, and tells of each value where it comes from.
class Rules {
 public:
  explicit Rules(const Config& config) : config_(config) {}

  void check() const;

 private:
  // "parameter (2, --set)"
  std::string told(const std::string& parameter, unsigned value) const {
    const std::string where = place(parameter);
    return fmt::format("{} ({}{}{})", parameter, value, where.empty() ? "" : ", ", where);
  }
  // "parameter (--set)"
  std::string told(const std::string& parameter) const {
    const std::string where = place(parameter);
    return where.empty() ? parameter : fmt::format("{} ({})", parameter, where);
  }
  // Nothing for a configuration that was not loaded.
  std::string place(const std::string& parameter) const {
    const auto found = config_.statements.find(parameter);
    return found == config_.statements.end() ? "" : found->second.where;
  }
  template <class Value>
  void require(bool holds, const std::string& parameter, Value value, const std::string& expected) const {
    if (holds) return;
    const std::string where = place(parameter);
    user_error("{}{}{}: {} does not fit; expected {}", where, where.empty() ? "" : ": ", parameter, value,
               expected);
  }
  template <class Spec>
  void check_cache(const std::string& unit, const Spec& spec) const;
  void check_map(const std::string& unit, const std::string& owners, unsigned units, unsigned tile,
                 const std::vector<unsigned>& map) const;
  void check_stages() const;
  void check_primitive_stages() const;
  void check_class(const ShaderClass& shader) const;
  void check_maps() const;
  void check_caches() const;
  void check_front_end() const;
  void check_memory(const boxes::MemoryControllerSpec& memory) const;
  void check_compression() const;
  void check_translation() const;
  void check_contexts() const;
  void check_interpolator() const;

  const Config& config_;
};

template <class Spec>
void Rules::check_cache(const std::string& unit, const Spec& spec) const {
  require(spec.line_bytes % 64 == 0, unit + ".line_bytes", spec.line_bytes, "a multiple of 64");
  require(spec.cache_lines % spec.cache_ways == 0, unit + ".cache_lines", spec.cache_lines,
          "a multiple of " + told(unit + ".cache_ways", spec.cache_ways));
}

// A map of tiles whose tile and map are parameters of `unit`, for so many units.
void Rules::check_map(const std::string& unit, const std::string& owners, unsigned units, unsigned tile,
                      const std::vector<unsigned>& map) const {
  require(std::has_single_bit(tile), unit + ".tile", tile, "8, 16, 32, 64 or 128");
  for (unsigned shift : map) require(shift < units, unit + ".map", shift, "less than " + owners);
}

// Each stage is run by one class; those but vertex and fragment by none if the chip lacks them.
void Rules::check_stages() const {
  for (const auto& [stage, name] : kStageNames) {
    const ShaderClass* runs = nullptr;
    for (const ShaderClass& shader : config_.shaders) {
      if (!shader.runs(stage)) continue;
      if (runs)
        user_error("{} and {}: both have {}; expected one class for a stage", told(runs->name + ".stages"),
                   told(shader.name + ".stages"), name);
      runs = &shader;
    }
    if (runs || (stage != arch::Stage::kVertex && stage != arch::Stage::kFragment)) continue;
    std::string classes;
    for (const ShaderClass& shader : config_.shaders)
      classes += fmt::format("{}{} with {}", classes.empty() ? "" : ", ", told(shader.name + ".stages"),
                             told(shader.name + ".units", shader.topology.units));
    user_error("{}: no shader class runs {} programs; expected one that has units, and it among its stages",
               classes, name);
  }
}

// Groups of these stages come to the units by the ways of vertices; their primitives hold vertices.
void Rules::check_primitive_stages() const {
  for (const auto& [stage, name] : kStageNames) {
    if (stage == arch::Stage::kVertex || stage == arch::Stage::kFragment || stage == arch::Stage::kCompute)
      continue;
    const ShaderClass* shader = config_.class_of(stage);
    if (!shader) continue;
    const std::string stages = told(shader->name + ".stages");
    if (!shader->runs(arch::Stage::kVertex))
      user_error("{}: {} programs run where vertex programs do; expected both in one class", stages, name);
    if (shader->runs(arch::Stage::kTessControl) != shader->runs(arch::Stage::kTessEvaluation))
      user_error("{}: expected tess-control and tess-evaluation, or neither", stages);
    constexpr unsigned kVertices = 2 * arch::kPatchVertices;  // of a primitive that waits, and the next one
    require(config_.streamer.vertices >= kVertices, "streamer.vertices", config_.streamer.vertices,
            fmt::format("at least {}, since {} has {}", kVertices, stages, name));
    if (stage == arch::Stage::kTessControl)
      require(
          shader->unit.group_lanes >= arch::kPatchVertices, shader->name + ".group_lanes",
          shader->unit.group_lanes,
          fmt::format("32 or 64, since {} has {}: the invocations of a patch share a group", stages, name));
  }
  require(config_.tessellation.slots > config_.tessellation.post_cache, "tessellation.slots",
          config_.tessellation.slots,
          "more than " + told("tessellation.post_cache", config_.tessellation.post_cache));
}

void Rules::check_class(const ShaderClass& shader) const {
  const ShaderClassSpec& topology = shader.topology;
  if (!shader.runs(arch::Stage::kVertex) && !shader.runs(arch::Stage::kFragment) &&
      !shader.runs(arch::Stage::kCompute))
    user_error(
        "{} and {} do not fit together: nothing feeds these units, since none of vertex, fragment and "
        "compute "
        "is among their stages; expected one of them, or no units",
        told(shader.name + ".stages"), told(shader.name + ".units", topology.units));
  for (const auto& [stage, name] : kStageNames) {
    if (!topology.stores.has(stage)) continue;
    if (!topology.stages.has(stage))
      user_error(
          "{} and {} do not fit together: {} programs store, but run elsewhere; expected stages of both",
          told(shader.name + ".stores"), told(shader.name + ".stages"), name);
    if (!config_.storage_cache.slices)
      user_error("{} needs {} to be 1 or more: what programs store goes through the storage cache",
                 told(shader.name + ".stores"), told("storage_cache.slices", config_.storage_cache.slices));
  }
  require(shader.unit.l1_lines % shader.unit.l1_ways == 0, shader.name + ".l1_lines", shader.unit.l1_lines,
          "a multiple of " + told(shader.name + ".l1_ways", shader.unit.l1_ways));
  const auto divides = [&](unsigned sharers, const char* parameter) {
    require(topology.units % sharers == 0, shader.name + parameter, sharers,
            "a divisor of " + told(shader.name + ".units", topology.units));
  };
  divides(topology.units_per_cluster, ".units_per_cluster");
  divides(topology.units_per_texture, ".units_per_texture");
  const unsigned quads = shader.unit.texture_quads;
  require(std::has_single_bit(quads), shader.name + ".texture_quads", quads, "1, 2 or 4");
  require(config_.texture.queue >= quads, "texture.queue", config_.texture.queue,
          "at least " + told(shader.name + ".texture_quads", quads) + ": a request has room as a whole");
  const unsigned lanes = shader.unit.group_lanes;
  const bool fragments = shader.runs(arch::Stage::kFragment), compute = shader.runs(arch::Stage::kCompute);
  require(std::has_single_bit(lanes) && (lanes >= 4 || !(fragments || compute)), shader.name + ".group_lanes",
          lanes,
          fragments ? "4, 8, 16, 32 or 64: fragments come in quads"
          : compute ? "4, 8, 16, 32 or 64: subgroups of compute programs are quads"
                    : "1, 2, 4, 8, 16, 32 or 64");
  require(lanes % shader.unit.simd_lanes == 0, shader.name + ".simd_lanes", shader.unit.simd_lanes,
          "a divisor of " + told(shader.name + ".group_lanes", lanes));
  const unsigned threads = shader.unit.threads;
  constexpr unsigned kMostGroups = 1024;
  const unsigned vertices = shader.unit.vertex_lanes;
  require(!vertices || (std::has_single_bit(vertices) && vertices <= lanes), shader.name + ".vertex_lanes",
          vertices, "0, or a power of 2 up to " + told(shader.name + ".group_lanes", lanes));
  require(!vertices || threads / vertices <= kMostGroups, shader.name + ".vertex_lanes", vertices,
          fmt::format("0, or as many that {} make {} groups at most", told(shader.name + ".threads", threads),
                      kMostGroups));
  if (threads % lanes != 0 || threads / lanes > kMostGroups)
    user_error(
        "{0} and {1} do not fit together: at {2} threads a group {3}.threads is a multiple of {2}, at most "
        "{4} ({5} groups); set both",
        told(shader.name + ".threads", threads), told(shader.name + ".group_lanes", lanes), lanes,
        shader.name, kMostGroups * lanes, kMostGroups);
}

// Parameters of banked memory fit together whether the memory is banked or not.
void Rules::check_memory(const boxes::MemoryControllerSpec& memory) const {
  require(memory.interleave % 64 == 0, "memory.interleave", memory.interleave, "a multiple of 64");
  require(std::has_single_bit(memory.access_bytes), "memory.access_bytes", memory.access_bytes, "32 or 64");
  require(std::has_single_bit(memory.banks), "memory.banks", memory.banks, "a power of 2");
  require(std::has_single_bit(memory.row_bytes), "memory.row_bytes", memory.row_bytes, "a power of 2");
  require(memory.t_ras >= memory.t_rcd, "memory.t_ras", memory.t_ras,
          "at least " + told("memory.t_rcd", memory.t_rcd));
  const unsigned refresh = memory.t_ras + memory.t_wr + memory.t_rp + memory.t_rfc;
  require(!memory.t_refi || memory.t_refi >= 2 * refresh, "memory.t_refi", memory.t_refi,
          fmt::format("0, or at least {}: twice {}, {}, {} and {} together", 2 * refresh,
                      told("memory.t_ras", memory.t_ras), told("memory.t_wr", memory.t_wr),
                      told("memory.t_rp", memory.t_rp), told("memory.t_rfc", memory.t_rfc)));
}

void Rules::check_maps() const {
  const auto& generation = config_.fragment_generation;
  check_map("fragment_generation", told("fragment_generation.units", generation.units), generation.units,
            generation.tile, generation.map);
  const unsigned pixels = generation.pixels_per_cycle;
  require(!pixels || (std::has_single_bit(pixels) && pixels >= 4), "fragment_generation.pixels_per_cycle",
          pixels, "0, 4, 8, 16 or 32");
  require(std::has_single_bit(generation.block), "fragment_generation.block", generation.block,
          "a power of 2");
  const ShaderClassSpec& fragments = config_.runs(arch::Stage::kFragment).topology;
  const unsigned clusters = fragments.units / fragments.units_per_cluster;
  check_map("work_distributor", fmt::format("the clusters that run fragments ({})", clusters), clusters,
            config_.work_distributor.tile, config_.work_distributor.map);
  const auto& rop = config_.rop;
  check_map("rop", told("rop.units", rop.units), rop.units, rop.tile, rop.map);
  const unsigned channels = rop.units * rop.channels_each;
  require(!channels || config_.memory.channels == channels, "memory.channels", config_.memory.channels,
          told("rop.units", rop.units) + " times " + told("rop.channels_each", rop.channels_each));
}

void Rules::check_caches() const {
  check_cache("z_stencil", config_.z_stencil);
  check_cache("color_write", config_.color_write);
  const auto& texture = config_.texture;
  check_cache("texture", texture);
  const auto check_fetch = [&](const char* name, unsigned bytes) {
    require(std::has_single_bit(bytes) && bytes >= config_.memory.access_bytes, name, bytes,
            "32 or 64, and at least " + told("memory.access_bytes", config_.memory.access_bytes));
  };
  check_fetch("texture.fetch_bytes", texture.fetch_bytes);
  check_fetch("texture.load_bytes", texture.load_bytes);
  require(texture.decode == boxes::TextureDecode::kOnRead ||
              (texture.line_bytes >= 128 && std::has_single_bit(texture.line_bytes)),
          "texture.line_bytes", texture.line_bytes,
          "128, 256 or 512, since texture.decode is \"fill\": a line has room for a decoded block");
  require(texture.step_lines <= texture.cache_ways, "texture.step_lines", texture.step_lines,
          "at most " + told("texture.cache_ways", texture.cache_ways) +
              ": the lines of a step may all be of one set");
  check_cache("texture_cache", config_.texture_cache);
  require(config_.texture_cache.interleave % 64 == 0, "texture_cache.interleave",
          config_.texture_cache.interleave, "a multiple of 64");
  unsigned texture_units = 0;
  for (const ShaderClass& shader : config_.shaders)
    texture_units += shader.topology.units / shader.topology.units_per_texture;
  require(!config_.texture_cache.is_private || config_.texture_cache.slices == texture_units,
          "texture_cache.slices", config_.texture_cache.slices,
          fmt::format("{}, one for each texture unit, since texture_cache.private is true", texture_units));
  const boxes::StorageCacheSpec& storage = config_.storage_cache;
  check_cache("storage_cache", storage);
  require(std::has_single_bit(storage.line_bytes), "storage_cache.line_bytes", storage.line_bytes,
          "64, 128 or 256");
  require(storage.interleave % storage.line_bytes == 0, "storage_cache.interleave", storage.interleave,
          "a multiple of " + told("storage_cache.line_bytes", storage.line_bytes));
}

void Rules::check_front_end() const {
  require(config_.geometry.batch % 2 == 0, "geometry.batch", config_.geometry.batch,
          "an even number: triangle strips keep their winding");
  const auto& streamer = config_.streamer;
  require(streamer.cache_lines % 4 == 0, "streamer.cache_lines", streamer.cache_lines,
          "a multiple of 4: the cache is 4-way");
  require(streamer.line_bytes % 64 == 0, "streamer.line_bytes", streamer.line_bytes, "a multiple of 64");
  require(64 % streamer.fill_bytes == 0, "streamer.fill_bytes", streamer.fill_bytes, "a divisor of 64");
  require(streamer.slots > streamer.post_cache, "streamer.slots", streamer.slots,
          "more than " + told("streamer.post_cache", streamer.post_cache));
  require(config_.stream_out.bytes_per_cycle % 4 == 0, "stream_out.bytes_per_cycle",
          config_.stream_out.bytes_per_cycle, "a multiple of 4");
}

void Rules::check_compression() const {
  const bool blocks = config_.z_stencil.line_bytes == 256 && config_.memory.interleave % 256 == 0;
  if (!config_.z_stencil.compression || blocks) return;
  user_error(
      "{} needs {} to be 256 and {} to be a multiple of 256: a block is compressed as a whole; set them, or "
      "z_stencil.compression=false",
      told("z_stencil.compression", true), told("z_stencil.line_bytes", config_.z_stencil.line_bytes),
      told("memory.interleave", config_.memory.interleave));
}

void Rules::check_translation() const {
  const auto& translation = config_.translation;
  require(translation.entries % translation.ways == 0, "translation.entries", translation.entries,
          "a multiple of " + told("translation.ways", translation.ways));
  require(translation.l2_entries % translation.l2_ways == 0, "translation.l2_entries", translation.l2_entries,
          "a multiple of " + told("translation.l2_ways", translation.l2_ways));
}

// Programs that share the GPU hand over one submission each, at once.
void Rules::check_contexts() const {
  const boxes::CommandProcessorSpec& spec = config_.command_processor;
  if (spec.compute_queue)
    require(config_.class_of(arch::Stage::kCompute) != nullptr, "command_processor.compute_queue", "true",
            "false, since no shader unit runs compute programs");
  if (spec.contexts == 1) return;
  const std::string told_contexts = told("command_processor.contexts", spec.contexts);
  require(!spec.compute_queue, "command_processor.compute_queue", "true", "false, since " + told_contexts);
  require(spec.submissions == 1, "command_processor.submissions", spec.submissions,
          "1, since " + told_contexts);
}

void Rules::check_interpolator() const {
  const auto& interpolator = config_.interpolator;
  require(interpolator.max_latency >= interpolator.base_latency, "interpolator.max_latency",
          interpolator.max_latency,
          "at least " + told("interpolator.base_latency", interpolator.base_latency));
  require(interpolator.pulls <= config_.rop.units, "interpolator.pulls", interpolator.pulls,
          "at most " + told("rop.units", config_.rop.units) + ": requests share the evaluators of quads");
  if (interpolator.order == boxes::QuadOrder::kRasterised && config_.fragment_generation.units > 1 &&
      !interpolator.window)
    user_error("{} and {} do not fit together without {}: each rasteriser has an order of its own",
               told("interpolator.order") + " = rasterised",
               told("fragment_generation.units", config_.fragment_generation.units),
               told("interpolator.window"));
}

void Rules::check() const {
  check_stages();
  for (const ShaderClass& shader : config_.shaders)
    if (shader.topology.units) check_class(shader);
  check_primitive_stages();
  check_maps();
  check_caches();
  check_front_end();
  check_memory(config_.memory);
  check_compression();
  check_translation();
  check_contexts();
  const double hz = config_.dac.refresh_hz;
  require(hz == 0 || hz >= 1, "dac.refresh_hz", hz, "0, or at least 1");
  check_interpolator();
}

}  // namespace

void check_rules(const Config& config) { Rules(config).check(); }

}  // namespace cutaway::machine
