#include "func/rop/wide_blend.h"

namespace cutaway::func {

bool can_blend_wide(const TargetState& target) {
  const bool unorm8 = target.layout == TexelLayout::kRgba8Unorm || target.layout == TexelLayout::kBgra8Unorm;
  return (unorm8 || target.layout == TexelLayout::kRgba16Float) && target.enabled && target.full_mask &&
         !target.logic && !target.alpha_to_one && !(target.blend && target.dual_source);
}

decltype(&blend_wide) blend_wide_function(AluPath path) {
  if (path == AluPath::kBest) path = best_path();
  return path == AluPath::kAvx2 ? avx2::blend_wide_function() : portable::blend_wide_function();
}

bool blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                uint32_t* element) {
  static const auto function = blend_wide_function(AluPath::kBest);
  return function(target, source, lanes, element);
}

}  // namespace cutaway::func
