#pragma once

#include "arch/registers.h"
#include "icd/vulkan.h"
#include "isa/program.h"

// Translation of Vulkan's pipeline state to registers. Pure functions of values: they know no driver object.
namespace cutaway::icd {

// What a pipeline must know of its subpass.
struct SubpassShape {
  uint32_t color_count = 0;             // references, used or not
  uint32_t color_used = 0;              // bit i: reference i names an attachment
  bool depth = false, stencil = false;  // the aspects of the depth-stencil attachment
};

struct PipelineState {
  arch::Registers registers{};  // without surfaces, buffer addresses and dynamic state
  uint32_t dynamic = 0;         // DynamicBits
};

// Everything but the shader stages. ApiError: what the machine cannot do, or Vulkan forbids.
PipelineState translate_pipeline(const VkGraphicsPipelineCreateInfo& info, const SubpassShape& subpass);

// Registers of one stage that follow from its program alone.
arch::ShaderRegisters shader_registers(const isa::Program& program);

// The programs of a graphics pipeline; null: it has none of that stage.
struct StagePrograms {
  const isa::Program* vertex = nullptr;        // always there
  const isa::Program* tess_control = nullptr;  // both or none
  const isa::Program* tess_evaluation = nullptr;
  const isa::Program* geometry = nullptr;
  const isa::Program* fragment = nullptr;

  // The last one before the rasteriser.
  const isa::Program& last() const { return geometry ? *geometry : before_geometry(); }
  const isa::Program& before_geometry() const { return tess_evaluation ? *tess_evaluation : *vertex; }
};

// Registers of the stages and of the interfaces between them; the addresses of the programs stay zero.
// ApiError: the fragment program reads more interpolants than there are.
void link_stages(const StagePrograms& programs, arch::Registers& registers);

// Locations that the next stage reads: bit l for location l (Program::inputs).
uint64_t locations_read(const isa::Program& program);

// The register of a stipple; a factor of 0 is none.
uint32_t line_stipple(uint32_t factor, uint16_t pattern);
// By what raster.depth_clip says of the clip volume.
void set_viewport(const VkViewport& viewport, uint32_t index, arch::Registers& registers);
void set_scissor(const VkRect2D& scissor, uint32_t index, arch::Registers& registers);

// Chooses depth.mode and depth.hierarchical_z from the rest of the registers, when dynamic state and
// attachments are in place. reads_depth: the fragment program may read the depth-stencil attachment, as it
// was before the fragment.
void choose_depth_mode(arch::Registers& registers, bool reads_depth = false);

}  // namespace cutaway::icd
