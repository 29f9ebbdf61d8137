#include "command_stream/fragment_plan.h"

#include "func/raster/quad_weights.h"
#include "func/raster/samples.h"

namespace cutaway::command_stream {

void FragmentPlan::plan(const arch::Registers& registers) {
  samples = func::sample_count(registers);
  sample_shading = samples > 1 && registers.raster.sample_shading;
  locations = func::locations_used(registers);
  depth = func::make_depth_state(registers.depth);
  for (uint32_t i = 0; i < arch::kColorTargets; i++)
    target[i] = func::make_target_state(registers.color, i, registers.raster.alpha_to_one);
  choose_layer(registers, 0);
}

void FragmentPlan::choose_layer(const arch::Registers& registers, uint32_t layer) {
  const auto view = [&](arch::Surface surface) {
    surface.base_layer += layer;
    return func::make_target_view(surface);
  };
  if (depth.element_bytes) depth_view = view(registers.depth.surface);
  for (uint32_t i = 0; i < arch::kColorTargets; i++)
    if (target[i].enabled) target_view[i] = view(registers.color.target[i].surface);
}

}  // namespace cutaway::command_stream
