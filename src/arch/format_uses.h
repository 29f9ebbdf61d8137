#pragma once

#include "arch/format.h"
#include "base/field.h"

// Formats that a chip's units support. A unit that no document limits supports everything that the machine
// can do with any format (func/format/texel.h).
namespace cutaway::arch {

using FormatSet = EnumSet<Format, kFormats>;

constexpr EnumName<Format> kFormatNames[] = {
#define X(name, value) {Format::name, #name},
    CUTAWAY_FORMATS(X)
#undef X
};

struct FormatUses {
  FormatSet vertex_texture = all_of<kFormats>(kFormatNames);
  FormatSet fragment_texture = vertex_texture;
  FormatSet filter = vertex_texture;
  FormatSet target = vertex_texture;
  FormatSet blend = vertex_texture;
  bool operator==(const FormatUses&) const = default;

  template <class V>
  static void fields(V&& v) {
    using S = FormatUses;
    v("vertex_texture", &S::vertex_texture, kFormatNames, "formats",
      "textures that programs before the rasteriser read");
    v("fragment_texture", &S::fragment_texture, kFormatNames, "formats",
      "textures that fragment and compute programs read");
    v("filter", &S::filter, kFormatNames, "formats", "textures that are filtered");
    v("target", &S::target, kFormatNames, "formats", "color, depth and stencil targets that are drawn to");
    v("blend", &S::blend, kFormatNames, "formats", "color targets that are blended");
  }
};

}  // namespace cutaway::arch
