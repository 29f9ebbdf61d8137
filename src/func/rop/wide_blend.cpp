#include "func/rop/wide_blend.h"

namespace cutaway::func {

bool can_blend_wide(const TargetState& target) {
  const bool unorm8 = target.layout == TexelLayout::kRgba8Unorm || target.layout == TexelLayout::kBgra8Unorm;
  return (unorm8 || target.layout == TexelLayout::kRgba16Float) && target.enabled && target.full_mask &&
         !target.logic && !target.alpha_to_one && !(target.blend && target.dual_source);
}

decltype(&blend_wide) blend_wide_function(AluPath path) {
  return of_path(path, portable::blend_wide_function, avx2::blend_wide_function,
                 avx512::blend_wide_function)();
}

bool blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                uint32_t* element) {
  static const auto function = blend_wide_function(AluPath::kBest);
  return function(target, source, lanes, element);
}

}  // namespace cutaway::func
