#pragma once

#include "emulator/emulator.h"
#include "emulator/primitive_batch.h"
#include "emulator/region_stage.h"
#include "emulator/vertex_stage.h"
#include "emulator/worker_team.h"
#include "func/raster/line.h"
#include "func/raster/setup.h"

namespace cutaway::emulator {

// Processes primitives in order: clipping, setup, coverage, interpolation, fragment program, tests and color
// targets. Primitives are collected and drawn region by region. Regions share no pixel, so any number of
// workers gives the same bits. Counters do not depend on it either: a group of the fragment program never
// holds quads of two regions.
class FragmentStage {
 public:
  // batch: storage that outlives the stage, because it is large.
  FragmentStage(arch::Memory& memory, Meter& meter, command_stream::Work& work, Statistics& statistics,
                WorkerTeam& team, PrimitiveBatch& batch, TextureCopies& copies);

  void begin(const State& state, QueryCounters& counters);
  void draw(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3]);
  void end();  // draws all pending primitives

  // Called for each written pixel with x, y, address, bytes, primitive and depth filled in. Then a single
  // worker draws.
  std::function<void(PixelWrite)> on_pixel;

 private:
  func::SetupResult set_up(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3],
                           uint32_t part, func::Primitive& primitive);
  void add(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3]);
  void choose_components();
  void choose_layer(uint32_t layer);
  bool depends_on_order() const;
  void sort(uint32_t primitive);
  void flush();

  arch::Memory& memory_;
  Meter& meter_;
  command_stream::Work& work_;
  Statistics& statistics_;
  WorkerTeam& team_;
  TextureCopies& copies_;
  std::vector<std::unique_ptr<RegionStage>> workers_;

  QueryCounters* counters_ = nullptr;
  func::StippleCounter stipple_;
  FragmentDraw draw_;
  PrimitiveBatch& batch_;
  uint32_t layer_ = 0;       // of the framebuffer, for the current batch
  bool one_worker_ = false;  // the draw's order of memory accesses matters
};

}  // namespace cutaway::emulator
