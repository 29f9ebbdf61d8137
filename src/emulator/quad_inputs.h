#pragma once

#include <cstdint>

#include "emulator/center_inputs.h"
#include "emulator/primitive_batch.h"
#include "emulator/region_quad.h"
#include "emulator/shader_core.h"

namespace cutaway::emulator {

// Fills the input registers that a fragment program reads, for the quads of a group; and evaluates the
// interpolants that the program asks for while it runs.
class QuadInputs final : public Interpolants {
 public:
  // Both must outlive it.
  QuadInputs(ShaderCore& core, const QuadGroup& group) : core_(core), group_(group), centers_(core) {}

  // For quads of one batch. The draw has a fragment program.
  void begin(const FragmentDraw& draw, const PrimitiveBatch& batch);
  // The group is empty.
  void restart() { filled_ = 0; }
  // Fills the inputs of the quads that have joined the group since the last call. They are of one primitive.
  void fill();

  void pull(uint32_t quad, uint32_t interpolant, uint8_t mask, const uint32_t (&offset)[2][4],
            uint32_t (&out)[4][4]) override;

 private:
  void fill_at_centers(uint32_t first, uint32_t quads);
  void fill_at_samples(const RegionQuad& quad, uint32_t lane);
  void fill_special(const RegionQuad& quad, uint32_t lane, const float* inv_w, func::SampleOffset place);

  ShaderCore& core_;
  const QuadGroup& group_;
  CenterInputs centers_;
  const FragmentDraw* draw_ = nullptr;
  const PrimitiveBatch* batch_ = nullptr;
  bool special_ = false;  // the program reads inputs that are no interpolants
  uint32_t filled_ = 0;   // quads of the group
};

}  // namespace cutaway::emulator
