#include "compiler/translate/interpolation.h"

#include <algorithm>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>

#include "arch/sample_location.h"

namespace cutaway::compiler {

bool Interpolation::is_one(uint32_t op) {
  return op == GLSLstd450InterpolateAtCentroid || op == GLSLstd450InterpolateAtSample ||
         op == GLSLstd450InterpolateAtOffset;
}

// x and y of a sample from the pixel's centre, in pixels.
Lanes Interpolation::sample_place(const Lanes& index) {
  const auto place = [&](uint32_t sample) {
    const arch::SamplePoint point = arch::standard_sample(request_.samples, sample);
    return Lanes{literal_float(static_cast<float>(point.x - 8) / 16),
                 literal_float(static_cast<float>(point.y - 8) / 16)};
  };
  Lanes result = place(0);
  for (uint32_t s = 1; s < request_.samples; ++s)
    result = select(b.op2(Opcode::kIeq, index, {literal(s)}), place(s), result);
  return result;
}

// The place to evaluate at, from the pixel's centre, in pixels.
Lanes Interpolation::place_of(const Word& word, uint32_t op) {
  const Lanes operand = get(arg(word, 3));
  return op == GLSLstd450InterpolateAtOffset ? operand : sample_place(b.bits(operand));
}

// Pulls each register that the pointer may reach; dead code elimination removes the unused ones.
Lanes Interpolation::pull(const Word& word, uint32_t op, const Pointer& pointer) {
  Lanes lanes = inputs_.lanes(pointer.variable);
  const Lanes place = place_of(word, op);
  std::unordered_map<uint32_t, uint32_t> pulls;  // by location
  for (Ref& ref : lanes) {
    if (ref.kind != RefKind::kInput || ref.index >= arch::kInterpolants)
      unsupported(word, "needs an input that is no built-in");
    if (inputs_.varying(ref.index).mode == arch::Interpolation::kFlat) continue;
    const auto [found, added] = pulls.try_emplace(ref.index);
    if (added) {
      Inst inst{.op = Opcode::kPull, .width = 4, .sources = 1};
      inst.src[0].width = 2;
      std::copy_n(place.begin(), 2, inst.src[0].ref.begin());
      inst.access.slot = static_cast<uint8_t>(ref.index);
      found->second = b.append(inst);
    }
    ref = b.ref(found->second, ref.lane);
  }
  return memory_.load_from(lanes, pointer);
}

// At the centroid: uses a separate interpolant. Elsewhere: the program pulls the interpolant at run time. On
// chips without PULL it is moved from the place of shading by derivatives. They are exact, except for
// rounding, for quantities linear over the window: the value over w, and 1/w.
Lanes Interpolation::translate(const Word& word) {
  const uint32_t op = arg(word, 1);
  const Value& from = value(arg(word, 2));
  if (!from.pointer || from.pointer->storage != spv::StorageClassInput)
    invalid(word, "needs a pointer to an input");
  const Pointer p = *from.pointer;
  if (request_.pull && op != GLSLstd450InterpolateAtCentroid) return pull(word, op, p);
  const auto at =
      op == GLSLstd450InterpolateAtCentroid ? arch::SampleLocation::kCentroid : arch::SampleLocation::kCenter;
  const Lanes declared = inputs_.lanes(p.variable);
  Lanes elsewhere;
  for (Ref ref : declared) {
    if (ref.kind != RefKind::kInput || ref.index >= arch::kInterpolants)
      unsupported(word, "needs an input that is no built-in");
    isa::Varying varying = inputs_.varying(ref.index);
    varying.at = at;
    ref.index += kInputElsewhere * (static_cast<uint32_t>(at) + 1);
    interface.inputs[ref.index] = varying;
    elsewhere.push_back(ref);
  }
  // An index may differ between the lanes of a quad: derivatives are taken of every element before one is
  // selected.
  if (at == arch::SampleLocation::kCenter) {
    const size_t first = p.steps.empty() ? p.offset : 0;
    const size_t count = p.steps.empty() ? m_.type(p.type).components : elsewhere.size();
    if (first + count > elsewhere.size()) invalid(word, "reads beyond an input");
    move_inputs(word, op, std::span(elsewhere).subspan(first, count));
  }
  return memory_.load_from(elsewhere, p);
}

// Moves inputs from the place of shading to another place in the pixel. Takes derivatives where all lanes of
// the quad are active, because the shader may move an input where some are not.
void Interpolation::move_inputs(const Word& word, uint32_t op, std::span<Ref> inputs) {
  const Lanes offset = b.bits(place_of(word, op));
  const auto coordinate = [](uint8_t lane) {
    return Ref{.kind = RefKind::kInput, .lane = lane, .index = arch::kInputFragCoord};
  };
  const Lanes place = b.op1(Opcode::kFrc, {coordinate(0), coordinate(1)});
  const Lanes delta = sub(b.op2(Opcode::kAdd, offset, constant_lanes(0.5f, 2)), place);
  const auto moved = [&](const Lanes& v) {
    const auto [dx, dy] =
        b.in_entry([&] { return std::pair(b.op1(Opcode::kDdx, v), b.op1(Opcode::kDdy, v)); });
    const Lanes along = mad(dx, Builder::splat(component(delta, 0), v.size()), v);
    return mad(dy, Builder::splat(component(delta, 1), v.size()), along);
  };
  const auto move = [&](arch::Interpolation mode, auto&& move_lanes) {
    std::vector<Ref*> which;
    Lanes lanes;
    for (Ref& ref : inputs)
      if (ref.kind == RefKind::kInput && inputs_.varying(ref.index).mode == mode) {
        which.push_back(&ref);
        lanes.push_back(ref);
      }
    if (lanes.empty()) return;
    const Lanes result = move_lanes(lanes);
    for (size_t i = 0; i < which.size(); ++i) *which[i] = result[i];
  };
  move(arch::Interpolation::kLinear, moved);
  move(arch::Interpolation::kPerspective, [&](const Lanes& lanes) {
    const Lanes inverse_w = {coordinate(3)};
    const Lanes over_w = b.in_entry([&] { return mul(lanes, Builder::splat(inverse_w[0], lanes.size())); });
    return mul(moved(over_w), Builder::splat(b.scalar(Opcode::kRcp, moved(inverse_w))[0], lanes.size()));
  });
}

}  // namespace cutaway::compiler
