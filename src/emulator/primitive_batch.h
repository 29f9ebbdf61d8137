#pragma once

#include <memory>
#include <vector>

#include "command_stream/fragment_plan.h"
#include "emulator/state.h"
#include "emulator/texture_copies.h"
#include "func/raster/interpolate.h"
#include "func/raster/primitive.h"

namespace cutaway::emulator {

// State shared by all fragments of a draw.
struct FragmentDraw : command_stream::FragmentPlan {
  const State* state = nullptr;
  bool shades = false, discards_all = false;
  arch::DepthMode mode = arch::DepthMode::kEarly;
  bool early_reject = false, count_early = false, counting = false;
  struct Target {
    uint32_t output = 0;  // fragment output
    func::TargetState state;
    func::TargetView view;
    bool wide = false;  // uses func::blend_wide, on sectors
  };
  std::vector<Target> targets;      // targets that fragments are written to
  uint32_t flags = 0;               // of the fragment program
  TextureCopies* copies = nullptr;  // null if the draw may write to its textures

  bool tests_early() const { return depth.active() && (mode == arch::DepthMode::kEarly || early_reject); }

  // An input component that the program reads from an interpolant; other inputs read as zero.
  struct Component {
    uint8_t input, component, source;
    arch::Interpolation mode;
    uint8_t location;
  };
  std::vector<Component> components, zeros;
  std::vector<Component> pulled;  // components of interpolants that the program pulls at run time
  bool linear = false;            // some component is linear in window space
};

constexpr int32_t kRegion = 64;  // pixels per side of a region, drawn by one worker at a time
constexpr uint32_t kRegionsAcross = 256;

// Primitives of a draw after setup, in order, and the screen regions that each may touch.
struct PrimitiveBatch {
  static constexpr uint32_t kMost = 1024;
  static constexpr uint64_t kMostEntries = 1 << 22;

  std::vector<func::Primitive> primitives;
  std::vector<uint32_t> values;  // of each primitive's components, including pulled ones, at its three
                                 // vertices
  std::vector<std::vector<uint32_t>> region =
      std::vector<std::vector<uint32_t>>(kRegionsAcross * kRegionsAcross);
  std::vector<uint32_t> touched;  // regions with primitives, in the order of their first primitive
  uint64_t entries = 0;           // over all regions

  const uint32_t* values_of(uint32_t primitive, const FragmentDraw& draw) const {
    return values.data() + size_t{primitive} * (draw.components.size() + draw.pulled.size()) * 3;
  }
  void add(uint32_t x, uint32_t y, uint32_t primitive) {  // adds a primitive to the region of a pixel
    const uint32_t number = y / kRegion * kRegionsAcross + x / kRegion;
    if (region[number].empty()) touched.push_back(number);
    region[number].push_back(primitive);
    entries++;
  }
  void clear() {
    for (const uint32_t number : touched) region[number].clear();
    primitives.clear(), values.clear(), touched.clear();
    entries = 0;
  }
};

}  // namespace cutaway::emulator
