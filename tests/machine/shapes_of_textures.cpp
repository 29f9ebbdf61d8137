// Shapes of texture units and their second level of caches.
#include "shape_lists.h"

namespace cutaway::records {

std::vector<Shape> texture_units() {
  return {
      // Ports of texture units that are narrower than most messages.
      {"payloads",
       {"texture.request_words=2", "texture.result_words=1", "shader.units=4", "shader.units_per_texture=2"},
       {"textured-triangle", "anisotropic-textures", "texel-buffers", "block-textures"}},
      // Two bilinear samples of a fragment at once, where there are lines enough.
      {"two-samples",
       {"texture.step_samples=2", "texture.step_lines=6", "texture.cache_ways=8"},
       {"many-triangles", "anisotropic-textures", "scattered-texels"}},
      {"two-samples-of-two",
       {"texture.step_samples=2", "texture.step_fragments=2", "texture.cache_lines=16",
        "texture.line_bytes=64", "texture.cache_banks=4"},
       {"anisotropic-textures"}},
      // Lines with decoded texels, which halves of sectors fill, behind a second level.
      {"decoded-lines",
       {"texture.decode=fill", "texture.line_bytes=128", "texture.cache_lines=16", "memory.access_bytes=32",
        "texture.fetch_bytes=32", "texture_cache.slices=2"},
       {"textured-triangle", "block-textures"}},
      // Requests of four quads, or as many as are alive, from two shader units.
      {"requests-of-quads",
       {"shader.texture_quads=4", "texture.steps_per_cycle=4", "texture.queue=6", "shader.units=4",
        "shader.units_per_texture=2"},
       {"many-triangles", "anisotropic-textures", "texel-buffers"}},
  };
}

std::vector<Shape> texture_slices() {
  return {
      // A second level of texture caches: a slice before two texture units, and three that are small before
      // four with small caches.
      {"one-slice", {"texture_cache.slices=1", "texture.cache_lines=16"}, kDense},
      {"three-slices",
       {"shader.units=4", "texture.cache_lines=8", "texture.line_bytes=64", "texture.step_fragments=2",
        "texture_cache.slices=3", "texture_cache.interleave=128", "texture_cache.cache_lines=16",
        "texture_cache.cache_ways=2", "texture_cache.latency=3", "texture_cache.queue=2",
        "texture_cache.pending=16", "memory.bytes_per_cycle=64"},
       kDense},
  };
}

}  // namespace cutaway::records
