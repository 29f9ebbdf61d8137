#include "func/rop/depth_stencil.h"

#include <bit>

#include "func/format/numeric.h"
#include "func/format/texel.h"

namespace cutaway::func {
namespace {

using arch::Compare;
using arch::StencilFace;
using arch::StencilOp;

template <class T>
bool compares(Compare compare, T a, T b) {
  switch (compare) {
    case Compare::kNever:
      return false;
    case Compare::kLess:
      return a < b;
    case Compare::kEqual:
      return a == b;
    case Compare::kLessOrEqual:
      return a <= b;
    case Compare::kGreater:
      return a > b;
    case Compare::kNotEqual:
      return a != b;
    case Compare::kGreaterOrEqual:
      return a >= b;
    case Compare::kAlways:
      break;
  }
  return true;
}

uint32_t stencil_op(uint32_t op, uint32_t stored, uint32_t reference) {
  switch (static_cast<StencilOp>(op)) {
    case StencilOp::kKeep:
      return stored;
    case StencilOp::kZero:
      return 0;
    case StencilOp::kReplace:
      return reference & 255;
    case StencilOp::kIncrementClamp:
      return stored < 255 ? stored + 1 : 255;
    case StencilOp::kDecrementClamp:
      return stored > 0 ? stored - 1 : 0;
    case StencilOp::kInvert:
      return ~stored & 255;
    case StencilOp::kIncrementWrap:
      return (stored + 1) & 255;
    case StencilOp::kDecrementWrap:
      return (stored - 1) & 255;
  }
  return stored;
}

double depth_number(bool is_float, uint64_t mask, uint64_t element) {
  const uint64_t depth = element & mask;
  return is_float ? bits_float(static_cast<uint32_t>(depth))
                  : static_cast<double>(depth) / static_cast<double>(mask);
}

bool depth_passes(const DepthState& state, uint64_t z, uint64_t stored) {
  if (state.depth_float)
    return compares(state.compare, bits_float(static_cast<uint32_t>(z)),
                    bits_float(static_cast<uint32_t>(stored)));
  return compares(state.compare, z, stored);
}

struct LaneOutcome {
  bool pass, stencil_failed, write;
  uint64_t element;
};

LaneOutcome test_lane(const DepthState& state, const StencilFace& face, uint32_t reference, uint64_t z,
                      uint64_t stored) {
  const uint64_t depth = stored & state.depth_mask;
  if (state.bounds_test && state.depth_bits) {
    const double number = depth_number(state.depth_float, state.depth_mask, depth);
    if (!(number >= state.bounds_min && number <= state.bounds_max)) return {false, false, false, stored};
  }
  const auto stencil = static_cast<uint32_t>(stored >> state.stencil_offset & 255);
  const bool stencil_pass =
      !state.stencil_test || compares(static_cast<Compare>(face.compare), reference & face.read_mask & 255,
                                      stencil & face.read_mask & 255);
  const bool depth_pass = stencil_pass && depth_passes(state, z, depth);
  uint64_t element = stored;
  if (state.stencil_test) {
    const uint32_t op = !stencil_pass ? face.fail : !depth_pass ? face.depth_fail : face.pass;
    const uint32_t mask = face.write_mask & 255;
    const uint32_t updated = (stencil & ~mask) | (stencil_op(op, stencil, reference) & mask);
    element = (element & ~(uint64_t{255} << state.stencil_offset)) | uint64_t{updated}
                                                                         << state.stencil_offset;
  }
  const bool depth_written = depth_pass && state.depth_write;
  if (depth_written) element = (element & ~state.depth_mask) | z;
  return {depth_pass, !stencil_pass, depth_written || element != stored, element};
}

// Fast path: depth only, fixed point.
template <class Compares>
void depth_only(const DepthState& state, uint32_t lane_mask, const float z[4], const uint64_t stored[4],
                DepthResult& result, Compares&& passes) {
  for (uint32_t lane = 0; lane < 4; lane++) {
    const uint64_t quantised = float_to_unorm(z[lane], state.depth_bits);
    const bool pass = (lane_mask >> lane & 1) && passes(quantised, stored[lane] & state.depth_mask);
    const bool write = pass && state.depth_write;
    result.pass |= uint32_t{pass} << lane;
    result.write |= uint32_t{write} << lane;
    result.element[lane] = write ? (stored[lane] & ~state.depth_mask) | quantised : stored[lane];
  }
}

DepthState::Overwrite overwrite(const DepthState& state, const StencilFace& face) {
  if (state.reads_depth()) return {};
  uint64_t given = state.depth_write ? state.depth_mask : 0;
  if (state.stencil_test) {
    const auto op = static_cast<StencilOp>(face.pass);
    if (static_cast<Compare>(face.compare) != Compare::kAlways) return {};
    if (op != StencilOp::kReplace && op != StencilOp::kZero) return {};
    given |= uint64_t{face.write_mask & 255} << state.stencil_offset;
  }
  const int first = given ? std::countr_zero(given) : 0, bits = std::popcount(given);
  const bool whole_bytes = first % 8 == 0 && bits % 8 == 0 && given == low_mask(bits) << first;
  if (!whole_bytes) return {};
  return {static_cast<uint8_t>(first / 8), static_cast<uint8_t>(bits / 8)};
}

bool changes(uint32_t op) { return static_cast<StencilOp>(op) != StencilOp::kKeep; }

}  // namespace

uint64_t quantise_depth(const DepthState& state, float z) {
  return state.depth_float ? float_bits(z) : float_to_unorm(z, state.depth_bits ? state.depth_bits : 1);
}

double stored_depth(const arch::FormatInfo& format, uint64_t element) {
  return depth_number(format.depth_float, low_mask(format.depth.bits) << format.depth.offset, element);
}

bool stencil_passes(const arch::StencilFace& face, uint32_t stored) {
  return compares(static_cast<Compare>(face.compare), face.reference & face.read_mask & 255,
                  stored & face.read_mask & 255);
}

DepthState make_depth_state(const DepthRegisters& registers) {
  const arch::FormatInfo& format = arch::format_info(registers.surface.format);
  DepthState state;
  if (!can_depth_stencil(format)) return state;
  state.element_bytes = format.bytes;
  state.depth_float = format.depth_float;
  state.depth_bits = format.depth.bits;
  state.depth_mask = low_mask(format.depth.bits);
  state.stencil_offset = format.stencil.offset;
  if (format.has_depth()) {
    if (registers.depth_test) state.compare = static_cast<Compare>(registers.depth_compare & 7);
    state.depth_write = registers.depth_test && registers.depth_write;
    state.bounds_test = registers.bounds_test != 0;
    state.bounds_min = registers.bounds_min;
    state.bounds_max = registers.bounds_max;
  }
  state.stencil_test = registers.stencil_test && format.has_stencil();
  state.face[0] = registers.front;
  state.face[1] = registers.back;
  for (int i = 0; i < 2; i++) {
    const StencilFace& face = state.face[i];
    state.overwrites[i] = overwrite(state, face);
    if (!(face.write_mask & 255) || !state.stencil_test) continue;
    state.fails_with_side_effect[i] = changes(face.fail) || changes(face.depth_fail);
    state.stencil_writes[i] = state.fails_with_side_effect[i] || changes(face.pass);
  }
  return state;
}

DepthResult depth_stencil(const DepthState& state, bool front_facing, uint32_t lane_mask, const float z[4],
                          const uint64_t stored[4], DepthPhase phase, const uint32_t* stencil_reference) {
  DepthResult result;
  if (!state.element_bytes) {
    result.pass = lane_mask & 15;
    return result;
  }
  if (!state.stencil_test && !state.bounds_test && !state.depth_float && state.depth_bits) {
    const auto run = [&](auto passes) { depth_only(state, lane_mask, z, stored, result, passes); };
    switch (state.compare) {
      case Compare::kLess:
        run([](uint64_t a, uint64_t b) { return a < b; });
        break;
      case Compare::kLessOrEqual:
        run([](uint64_t a, uint64_t b) { return a <= b; });
        break;
      default:
        run([&](uint64_t a, uint64_t b) { return compares(state.compare, a, b); });
        break;
    }
  } else {
    const StencilFace& face = state.face[front_facing ? 0 : 1];
    for (uint32_t lane = 0; lane < 4; lane++) {
      result.element[lane] = stored[lane];
      if (!(lane_mask >> lane & 1)) continue;
      const uint32_t reference = stencil_reference ? stencil_reference[lane] : face.reference;
      const LaneOutcome outcome =
          test_lane(state, face, reference, quantise_depth(state, z[lane]), stored[lane]);
      // A failure that changes stencil takes effect only if the shader does not discard: the late test
      // decides.
      const bool later = phase == DepthPhase::kTest && outcome.write;
      if (outcome.pass || later) result.pass |= 1u << lane;
      if (outcome.stencil_failed) result.stencil_failed |= 1u << lane;
      if (outcome.write) result.write |= 1u << lane;
      result.element[lane] = outcome.element;
    }
  }
  if (state.overwrites[front_facing ? 0 : 1].bytes) result.write = lane_mask & 15;
  if (phase == DepthPhase::kTest) {
    result.write = 0;
    for (uint32_t lane = 0; lane < 4; lane++) result.element[lane] = stored[lane];
  }
  return result;
}

}  // namespace cutaway::func
