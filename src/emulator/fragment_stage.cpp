#include "emulator/fragment_stage.h"

#include <algorithm>
#include <cstring>

#include "command_stream/legal.h"
#include "func/raster/clip.h"
#include "func/raster/coverage.h"
#include "func/raster/quad_weights.h"
#include "func/raster/samples.h"
#include "func/raster/setup.h"
#include "func/rop/exported_fragment.h"
#include "func/rop/wide_blend.h"

namespace cutaway::emulator {
FragmentStage::FragmentStage(arch::Memory& memory, Meter& meter, command_stream::Work& work,
                             Statistics& statistics, WorkerTeam& team, PrimitiveBatch& batch,
                             TextureCopies& copies)
    : memory_(memory),
      meter_(meter),
      work_(work),
      statistics_(statistics),
      team_(team),
      copies_(copies),
      batch_(batch) {
  draw_.targets.reserve(arch::kColorTargets);
  workers_.push_back(std::make_unique<RegionStage>(memory_));
}

void FragmentStage::begin(const State& state, QueryCounters& counters) {
  counters_ = &counters;
  stipple_.begin_draw();
  const arch::Registers& registers = state.registers;
  FragmentDraw& d = draw_;
  d.state = &state;
  d.shades = state.fragment().program != nullptr;
  d.flags = d.shades ? registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags : 0;
  d.plan(registers);
  layer_ = 0;
  d.discards_all =
      registers.raster.rasterizer_discard || !(registers.raster.sample_mask & ((1u << d.samples) - 1));
  d.counting = registers.query.samples_passed;
  d.count_early = func::counts_early(registers);
  d.mode = static_cast<arch::DepthMode>(registers.depth.mode);
  d.early_reject =
      d.mode == arch::DepthMode::kEarlyTestLateWrite && command_stream::early_reject_is_safe(registers);
  d.targets.clear();
  for (uint32_t i = 0; i < arch::kColorTargets && d.shades; i++)
    if (d.target[i].enabled)
      d.targets.push_back(
          {i, d.target[i], d.target_view[i], d.target_view[i].tiled && func::can_blend_wide(d.target[i])});
  choose_components();
  const bool ordered = depends_on_order();
  one_worker_ = static_cast<bool>(on_pixel) || ordered;
  d.copies = ordered ? nullptr : &copies_;
  workers_[0]->on_pixel = on_pixel;
  batch_.clear();
}

void FragmentStage::choose_components() {
  draw_.components.clear(), draw_.zeros.clear(), draw_.pulled.clear();
  draw_.linear = false;
  if (!draw_.shades) return;
  const Program& program = *draw_.state->fragment().program;
  const auto& out = draw_.state->registers.vertex_out;
  for (uint8_t i = 0; i < arch::kInterpolants; i++)
    for (uint8_t c = 0; c < 4; c++) {
      const bool read = program.inputs[i] >> c & 1;
      if (i >= out.interpolants) {
        if (read) draw_.zeros.push_back({i, c, 0, arch::Interpolation::kFlat, 0});
        continue;
      }
      const arch::Interpolant& from = out.interpolant[i];
      const FragmentDraw::Component component = {i, c, static_cast<uint8_t>(from.source),
                                                 static_cast<arch::Interpolation>(from.mode),
                                                 static_cast<uint8_t>(from.location)};
      if (program.pulled[i] >> c & 1) draw_.pulled.push_back(component);
      if (!read) continue;
      draw_.components.push_back(component);
      draw_.linear |= component.mode == arch::Interpolation::kLinear;
    }
}

// True for a draw whose program reads its own targets, or writes memory itself.
bool FragmentStage::depends_on_order() const {
  if (!draw_.shades) return false;
  const auto overlaps = [](const arch::Surface& a, const arch::Surface& b) {
    const uint64_t first = a.address, second = b.address;
    return first < second + arch::surface_span(b) && second < first + arch::surface_span(a);
  };
  const StageState& stage = draw_.state->fragment();
  const arch::Registers& registers = draw_.state->registers;
  if (stage.program->writes_memory) return true;
  for (const uint32_t resource : stage.program->resources) {
    if (!stage.resources[resource].valid) continue;
    const arch::Surface& read = stage.resources[resource].surface;
    if (draw_.depth.active() && overlaps(read, registers.depth.surface)) return true;
    for (const FragmentDraw::Target& target : draw_.targets)
      if (overlaps(read, registers.color.target[target.output].surface)) return true;
  }
  return false;
}

void FragmentStage::draw(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3]) {
  statistics_.primitives_in++;
  const bool statistics = draw_.state->registers.query.statistics;
  if (draw_.state->registers.raster.rasterizer_discard) return;
  choose_layer(command_stream::primitive_layer(draw_.state->registers, *vertex[0]));
  if (statistics) (*counters_)[Statistic::kClippingInvocations]++;
  bool rasterized = false;
  const uint32_t parts = func::setup_parts(draw_.state->registers, assembled.vertices);
  for (uint32_t part = 0; part < parts; part++) {
    meter_.step(1);
    const func::SetupResult result = set_up(assembled, vertex, part, batch_.primitives.emplace_back());
    if (result == func::SetupResult::kAccepted)
      if (const char* error = work_.primitive(batch_.primitives.back())) throw Stop{error};
    if (result != func::SetupResult::kAccepted || draw_.discards_all) batch_.primitives.pop_back();
    if (func::rejects_all_parts(result)) break;
    if (result != func::SetupResult::kAccepted) continue;
    rasterized = true;
    if (!draw_.discards_all) add(assembled, vertex);
  }
  if (statistics) (*counters_)[Statistic::kClippingPrimitives] += rasterized;
  statistics_.primitives_rasterized += rasterized;
  statistics_.primitives_culled += !rasterized;
}

// Only primitives of one layer are drawn together, so that they share no pixel with another layer.
void FragmentStage::choose_layer(uint32_t layer) {
  if (layer == layer_) return;
  flush();
  layer_ = layer;
  draw_.choose_layer(draw_.state->registers, layer);
  for (FragmentDraw::Target& target : draw_.targets) target.view = draw_.target_view[target.output];
}

// Adds the last of the batch's primitives to its regions.
void FragmentStage::add(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3]) {
  for (const auto* components : {&draw_.components, &draw_.pulled})
    for (const FragmentDraw::Component& c : *components)
      for (uint32_t v = 0; v < 3; v++)
        batch_.values.push_back(v < assembled.vertices ? vertex[v]->output[c.source][c.component] : 0);
  sort(static_cast<uint32_t>(batch_.primitives.size() - 1));
  if (batch_.primitives.size() == PrimitiveBatch::kMost || batch_.entries >= PrimitiveBatch::kMostEntries)
    flush();
}

func::SetupResult FragmentStage::set_up(const func::AssembledPrimitive& assembled,
                                        const ShadedVertex* const vertex[3], uint32_t part,
                                        func::Primitive& primitive) {
  const arch::Registers& registers = draw_.state->registers;
  const command_stream::PrimitiveGeometry geometry(registers, assembled, vertex, part,
                                                   stipple_.phase(assembled.vertices, part, assembled.strip));
  const func::SetupResult result = func::setup(registers, geometry.input(), primitive);
  stipple_.advance(primitive);
  statistics_.primitives_clipped += result == func::SetupResult::kAccepted && part == 0 &&
                                    func::needs_clipping(registers, geometry.input());
  return result;
}

// Adds a primitive to the regions that it may touch.
void FragmentStage::sort(uint32_t number) {
  const func::Primitive& primitive = batch_.primitives[number];
  for (int32_t y = primitive.y0 & -kRegion; y < primitive.y1; y += kRegion)
    for (int32_t x = primitive.x0 & -kRegion; x < primitive.x1; x += kRegion) {
      meter_.step(1);
      if (func::tile_overlaps(primitive, x, y, kRegion))
        batch_.add(static_cast<uint32_t>(x), static_cast<uint32_t>(y), number);
    }
}

void FragmentStage::end() { flush(); }

void FragmentStage::flush() {
  if (batch_.touched.empty()) return batch_.clear();
  const uint64_t left = meter_.left();
  const auto prepare = [this, left](uint32_t worker) {
    if (worker == workers_.size()) workers_.push_back(std::make_unique<RegionStage>(memory_));
    workers_[worker]->begin(draw_, batch_, left);
  };
  const auto draw = [this](uint32_t worker, uint32_t place) { return workers_[worker]->draw(place); };
  const uint32_t workers = team_.run({.items = static_cast<uint32_t>(batch_.touched.size()),
                                      .alone = one_worker_,
                                      .prepare = prepare,
                                      .work = draw});

  uint64_t steps = 0;
  const RegionStage* stopped = nullptr;
  for (uint32_t i = 0; i < workers; i++) {
    const RegionStage& stage = *workers_[i];
    statistics_ += stage.statistics();
    *counters_ += stage.counters();
    steps += stage.steps();
    if (stage.stopped() && (!stopped || stage.stopped_at() < stopped->stopped_at())) stopped = &stage;
  }
  batch_.clear();
  if (stopped) throw Stop{stopped->stop_text()};
  meter_.step(steps);
}

}  // namespace cutaway::emulator
