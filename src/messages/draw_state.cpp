#include "messages/draw_state.h"

#include <algorithm>

namespace cutaway::messages {

namespace {

bool has_effects(const arch::Registers& registers) {
  constexpr uint32_t kEffects = arch::kShaderKills | arch::kShaderWritesDepth |
                                arch::kShaderWritesSampleMask | arch::kShaderWritesStencil |
                                arch::kShaderWritesMemory;
  return registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags & kEffects;
}

}  // namespace

namespace {

struct Range {
  arch::Address begin = 0, end = 0;
  bool meets(const Range& other) const { return begin < other.end && other.begin < end; }
};

Range range_of(const func::TextureView& view) {
  if (!view.valid && view.surface.surface_type() != arch::SurfaceType::kRawBuffer) return {};
  return {view.surface.address, view.surface.address + arch::surface_span(view.surface)};
}

}  // namespace

void DrawState::note_written() {
  std::array<Range, size_t{arch::kStages} * arch::kResources> ranges;
  size_t count = 0;
  for (const StageState& of : stage) {
    if (!of.program) continue;
    for (const uint32_t slot : of.program->stored) ranges[count++] = range_of(of.resources[slot]);
  }
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto number = static_cast<arch::Stage>(i);
    written[number] = 0;
    const StageState& of = stage[number];
    if (!of.program || !count) continue;
    for (const uint32_t slot : of.program->resources) {
      const Range range = range_of(of.resources[slot]);
      const bool met = std::any_of(ranges.begin(), ranges.begin() + static_cast<ptrdiff_t>(count),
                                   [&](const Range& r) { return r.meets(range); });
      written[number] |= uint64_t{met} << slot;
    }
  }
}

void DrawState::prepare() {
  auto compared = registers.depth;
  compared.depth_compare = static_cast<uint32_t>(arch::Compare::kAlways);
  accepted_depth = func::make_depth_state(compared);
  note_written();
  plan(registers);
  test_at(stated_depth_mode());
}

void DrawState::test_at(arch::DepthMode mode) {
  depth_mode = mode;
  const bool writes_color =
      std::any_of(target.begin(), target.end(), [](const func::TargetState& t) { return t.enabled; });
  ends_before_shading = !writes_color && !tested_late() && !registers.raster.alpha_to_coverage &&
                        !(shades_fragments() && has_effects(registers));
}

// A program that asks for early tests has its samples counted by them.
bool DrawState::tests_on_either_side() const {
  constexpr uint32_t kKills = arch::kShaderKills | arch::kShaderWritesSampleMask;
  constexpr uint32_t kOthers = arch::kShaderEarlyTests | arch::kShaderWritesDepth |
                               arch::kShaderWritesStencil | arch::kShaderWritesMemory;
  const uint32_t flags = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags;
  const bool kills = (flags & kKills) || registers.raster.alpha_to_coverage;
  return !(flags & kOthers) && !(kills && depth.may_write());
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

}  // namespace cutaway::messages
