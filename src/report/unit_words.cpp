#include "report/unit_words.h"

namespace cutaway::report {
namespace {

struct Words {
  const char *name, *words;
};
constexpr Words kUnits[] = {{"command_processor", "command processing"},
                            {"constant_loader", "loading of constants, descriptors and programs"},
                            {"copy_engine", "copies"},
                            {"streamer", "vertex fetch and commit"},
                            {"primitive_assembly", "primitive assembly"},
                            {"tessellation", "tessellation"},
                            {"geometry_shading", "groups and strips of geometry programs"},
                            {"stream_out", "transform feedback"},
                            {"clipper", "clipping"},
                            {"triangle_setup", "triangle setup"},
                            {"fragment_generation", "rasterisation"},
                            {"hierarchical_z", "hierarchical Z"},
                            {"z_stencil", "Z and stencil tests"},
                            {"interpolator", "interpolation"},
                            {"work_distributor", "work distribution"},
                            {"compute_distributor", "distribution of workgroups"},
                            {"group_fifo", "queues of thread groups"},
                            {"texture_arbiter", "texture arbiters"},
                            {"texture_cache", "the second level of texture caches"},
                            {"texture", "texture filtering"},
                            {"storage_cache", "the cache of stores and atomics"},
                            {"reorder_buffer", "restoring of order"},
                            {"color_write", "color writes"},
                            {"memory_controller", "memory"},
                            {"dac", "scan-out"},
                            {"shader", "shading"},
                            {"vertex_shader", "shading"},
                            {"", "nothing under way"}};
constexpr Words kStages[] = {{"vertex", "vertex shading"},
                             {"tessellation_control", "tessellation control shading"},
                             {"tessellation_evaluation", "tessellation evaluation shading"},
                             {"geometry", "geometry shading"},
                             {"fragment", "fragment shading"},
                             {"compute", "compute shading"}};

}  // namespace

std::string words_of(const std::string& kind, const std::string& stage) {
  for (const Words& words : kStages)
    if (stage == words.name) return words.words;
  for (const Words& words : kUnits)
    if (kind == words.name) return words.words;
  return kind;
}

}  // namespace cutaway::report
