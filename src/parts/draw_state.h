#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arch/registers.h"
#include "draw/by_stage.h"
#include "func/raster/quad_weights.h"
#include "func/rop/blend.h"
#include "func/rop/depth_stencil.h"
#include "func/rop/target_view.h"
#include "func/shader/micro_program.h"
#include "func/texture/texture_view.h"

namespace cutaway::parts {

// The constant registers of a stage: bits by register and component.
using ConstantBank = std::array<std::array<uint32_t, 4>, arch::kConstants>;

// On-chip state of one shader stage beside its registers.
struct StageState {
  uint64_t version = 0;  // another one for each change
  ConstantBank constants{};
  std::array<arch::Surface, arch::kResources> resources{};
  std::array<func::TextureView, arch::kResources> views{};  // of resources, layouts worked out
  std::array<arch::Sampler, arch::kSamplers> samplers{};
  std::shared_ptr<const func::MicroProgram> program;
  uint32_t temporaries = 0;    // live vec4 registers per thread
  uint32_t scratch_bytes = 0;  // of a thread
  uint64_t inputs_read = 0;    // input registers that the program names, bit each
};

// One version of all state that a draw reads. The command processor fills it before the draw starts and
// leaves it alone until the draw has ended.
struct DrawState {
  arch::Registers registers{};
  draw::ByStage<StageState> stage;
  bool of_driver = false;  // draws are the driver's own work, not a program's (arch/marker.h)

  // Worked out from the registers when the version is made.
  func::DepthState depth;
  func::TargetView depth_view;
  std::array<func::TargetState, arch::kColorTargets> target;
  std::array<func::TargetView, arch::kColorTargets> target_view;

  uint32_t samples = 1;         // per pixel
  bool sample_shading = false;  // each sample of a pixel is shaded by itself
  uint32_t locations = 0;       // func::locations_used

  uint32_t users = 0;  // draws under way with this version

  const StageState& vertex() const { return stage[arch::Stage::kVertex]; }
  const StageState& fragment() const { return stage[arch::Stage::kFragment]; }
  // Without a fragment program fragments are neither interpolated nor shaded: depth and stencil only.
  bool shades_fragments() const { return fragment().program != nullptr; }
  // Becomes `from`; of the stages, those that differ are copied.
  void assign(const DrawState& from);
  void prepare();
};

}  // namespace cutaway::parts
