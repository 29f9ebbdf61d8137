#include "parts/draw_state.h"

#include <algorithm>

namespace cutaway::parts {

namespace {

bool has_effects(const arch::Registers& registers) {
  constexpr uint32_t kEffects = arch::kShaderKills | arch::kShaderWritesDepth |
                                arch::kShaderWritesSampleMask | arch::kShaderWritesStencil |
                                arch::kShaderWritesMemory;
  return registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags & kEffects;
}

}  // namespace

void DrawState::prepare() {
  plan(registers);
  const bool writes_color =
      std::any_of(target.begin(), target.end(), [](const func::TargetState& t) { return t.enabled; });
  const bool tested_late =
      depth.active() && static_cast<arch::DepthMode>(registers.depth.mode) != arch::DepthMode::kEarly;
  ends_before_shading = !writes_color && !tested_late && !registers.raster.alpha_to_coverage &&
                        !(shades_fragments() && has_effects(registers));
}

void DrawState::assign(const DrawState& from) {
  registers = from.registers;
  of_driver = from.of_driver;
  auto to = stage.begin();
  for (const StageState& state : from.stage) {
    if (to->version != state.version) *to = state;
    ++to;
  }
}

}  // namespace cutaway::parts
