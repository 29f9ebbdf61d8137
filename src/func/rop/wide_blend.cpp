#include "func/rop/wide_blend.h"

namespace cutaway::func {

bool can_blend_wide(const TargetState& target) {
  const bool unorm8 = target.layout == TexelLayout::kRgba8Unorm || target.layout == TexelLayout::kBgra8Unorm;
  return (unorm8 || target.layout == TexelLayout::kRgba16Float) && target.enabled && target.full_mask &&
         !target.logic && !target.alpha_to_one && !(target.blend && target.dual_source);
}

const WideBlend& wide_blend(AluPath path) {
  return of_path(path, portable::wide_blend, avx2::wide_blend, avx512::wide_blend)();
}

uint32_t blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                    uint32_t* element) {
  static const auto function = wide_blend(AluPath::kBest).wide;
  return function(target, source, lanes, element);
}

uint32_t blend_sectors(const TargetState& target, const uint32_t* const source[4], const SectorPlace* sectors,
                       uint32_t count) {
  static const auto function = wide_blend(AluPath::kBest).sectors;
  return function(target, source, sectors, count);
}

}  // namespace cutaway::func
