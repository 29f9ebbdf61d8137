#include "boxes/tessellation/domain_walk.h"

#include <bit>

#include "messages/draw_state.h"

namespace cutaway::boxes {
namespace {

// A factor from the memory of a patch; bytes behind its end read as 0.
float factor(const messages::Patch& patch, uint32_t byte) {
  return byte / 4 < patch.words.size() ? std::bit_cast<float>(patch.words[byte / 4]) : 0.0f;
}

func::TessFactors factors_of(const messages::Patch& patch) {
  func::TessFactors factors;
  for (uint32_t i = 0; i < 4; i++) factors.outer[i] = factor(patch, arch::kPatchOuter + 4 * i);
  for (uint32_t i = 0; i < 2; i++) factors.inner[i] = factor(patch, arch::kPatchInner + 4 * i);
  return factors;
}

uint32_t coordinate_bits(uint32_t fixed) {
  return std::bit_cast<uint32_t>(static_cast<float>(fixed) / func::kDomainOne);
}

}  // namespace

bool DomainWalk::begin(engine::Cycle now, const messages::PoolRef<messages::Patch>& patch,
                       const messages::DrawState* state, const messages::Origin& origin) {
  const arch::TessellationRegisters& registers = state->registers.tessellation;
  const func::TessellationShape shape = {static_cast<arch::TessDomain>(registers.domain),
                                         static_cast<arch::TessSpacing>(registers.spacing),
                                         registers.clockwise != 0, registers.point_mode != 0};
  state_ = state;
  origin_ = origin;
  origin_.primitive = patch->id;
  number_++;
  next_ = 0;
  triangles_ = shape.domain == arch::TessDomain::kTriangles;
  starts_ = now + patch_cycles_;
  if (!func::tessellate(shape, factors_of(*patch), domain_) || domain_.indices.empty()) return false;
  patch_ = patch;
  return true;
}

messages::Vec4 DomainWalk::coordinate() const {
  const func::DomainPoint at = domain_.points[point()];
  return {coordinate_bits(at.u), coordinate_bits(at.v),
          triangles_ ? coordinate_bits(func::kDomainOne - at.u - at.v) : 0, 0};
}

void DomainWalk::advance() {
  if (++next_ == domain_.indices.size()) patch_ = {};
}

}  // namespace cutaway::boxes
