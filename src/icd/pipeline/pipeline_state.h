#pragma once

#include <vector>

#include "arch/registers.h"
#include "icd/stream/extended_state.h"
#include "icd/vulkan.h"
#include "isa/program.h"

// Translates Vulkan's pipeline state to registers. Pure functions of values, without driver objects.
namespace cutaway::icd {

// Properties of a pipeline's subpass.
struct SubpassShape {
  uint32_t color_count = 0;             // references, used or not
  uint32_t color_used = 0;              // bit i: reference i names an attachment
  bool depth = false, stencil = false;  // the aspects of the depth-stencil attachment
};

struct PipelineState {
  arch::Registers registers{};        // without surfaces, buffer addresses and dynamic state
  uint64_t dynamic = 0;               // DynamicBits
  ExtendedState extended;             // the pipeline's values; registers follow from them
  std::vector<VkViewport> viewports;  // kept if they count and their registers depend on dynamic state
};

// Translates everything except the shader stages. ApiError: unsupported by the machine, or forbidden by
// Vulkan.
PipelineState translate_pipeline(const VkGraphicsPipelineCreateInfo& info, const SubpassShape& subpass);

// Registers of one stage that depend only on its program.
arch::ShaderRegisters shader_registers(const isa::Program& program);

// The programs of a graphics pipeline; null: the stage is absent.
struct StagePrograms {
  const isa::Program* vertex = nullptr;        // never null
  const isa::Program* tess_control = nullptr;  // both or neither
  const isa::Program* tess_evaluation = nullptr;
  const isa::Program* geometry = nullptr;
  const isa::Program* fragment = nullptr;

  // The last stage before the rasteriser.
  const isa::Program& last() const { return geometry ? *geometry : before_geometry(); }
  const isa::Program& before_geometry() const { return tess_evaluation ? *tess_evaluation : *vertex; }
};

// Sets the registers of the stages and of the interfaces between them; program addresses stay zero. ApiError:
// the fragment program reads too many interpolants.
void link_stages(const StagePrograms& programs, arch::Registers& registers);

// Set of locations that the next stage reads: bit l for location l (Program::inputs).
uint64_t locations_read(const isa::Program& program);

// The stipple register; factor 0 disables it.
uint32_t line_stipple(uint32_t factor, uint16_t pattern);
// Sets a viewport for the clip volume given by raster.depth_clip.
void set_viewport(const VkViewport& viewport, uint32_t index, arch::Registers& registers);
void set_scissor(const VkRect2D& scissor, uint32_t index, arch::Registers& registers);

// Lets depths of a float format lie anywhere (everywhere), or in the viewports' ranges, also outside [0, 1].
void set_wide_depth(arch::Registers& registers, bool everywhere);

// Chooses depth.mode and depth.hierarchical_z from the other registers, once dynamic state and attachments
// are set. reads_depth: the fragment program may read the depth-stencil attachment as it was before the
// fragment.
void choose_depth_mode(arch::Registers& registers, bool reads_depth = false);

}  // namespace cutaway::icd
