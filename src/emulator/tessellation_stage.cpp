#include "emulator/tessellation_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cutaway::emulator {

TessellationStage::TessellationStage(arch::Memory& memory, Meter& meter, Statistics& statistics)
    : meter_(meter), control_(memory, meter, statistics), evaluation_(memory, meter, statistics) {}

void TessellationStage::begin(const State& state, QueryCounters& counters, const VertexStage::Sink& sink,
                              const VertexStage::PrimitiveSink& to_program) {
  state_ = &state, counters_ = &counters, sink_ = &sink, to_program_ = &to_program;
  patches_ = 0;
  const arch::TessellationRegisters& tess = state.registers.tessellation;
  most_patches_ = kLanes / tess.output_vertices;
  shape_ = {static_cast<arch::TessDomain>(tess.domain), static_cast<arch::TessSpacing>(tess.spacing),
            tess.clockwise != 0, tess.point_mode != 0};
  control_.begin(state.tess_control());
  control_.vertices.registers = tess.inputs.count;
  control_.vertices.count = tess.patch_vertices;
  evaluation_.begin(state.tess_evaluation());
  // Without memory every access is out of bounds.
  control_.patch_words = evaluation_.patch_words = tess.patch_bytes / 4;
  if (outputs_ != state.tess_evaluation().program->outputs) {
    outputs_ = state.tess_evaluation().program->outputs;
    point_.clear();  // outputs that the program does not write are zero
  }
}

void TessellationStage::add(const func::InputPrimitive& primitive, const ShadedVertex* const vertex[]) {
  const arch::TessellationRegisters& tess = state_->registers.tessellation;
  Patch& patch = patch_[patches_++];
  patch.id = primitive.id;
  patch.memory.assign(tess.patch_bytes / 4, 0);
  patch.vertices.clear();
  for (uint32_t v = 0; v < primitive.vertices; v++)
    for (uint32_t i = 0; i < tess.inputs.count; i++)
      for (uint32_t c = 0; c < 4; c++)
        patch.vertices.push_back(
            tess.inputs.source[i] < arch::kShaderOutputs ? vertex[v]->output[tess.inputs.source[i]][c] : 0);
  if (patches_ == most_patches_) flush();
}

void TessellationStage::flush() {
  if (!patches_) return;
  run_control();
  for (uint32_t i = 0; i < patches_; i++) divide(patch_[i]);
  patches_ = 0;
}

// The invocations of a patch are consecutive lanes of one group, so that a barrier holds them all.
void TessellationStage::run_control() {
  const arch::TessellationRegisters& tess = state_->registers.tessellation;
  const uint32_t lanes = patches_ * tess.output_vertices;
  for (uint32_t lane = 0; lane < kLanes; lane++) {
    Patch& patch = patch_[std::min(lane / tess.output_vertices, patches_ - 1)];
    control_.vertices.words[lane] = patch.vertices.data();
    control_.patch[lane] = patch.memory.data();
    control_.input(arch::kInputPrimitive, 0)[lane] = patch.id;
    control_.input(arch::kInputPrimitive, 1)[lane] = lane % tess.output_vertices;
    control_.input(arch::kInputPrimitive, 2)[lane] = tess.patch_vertices;
    control_.input(arch::kInputPrimitive, 3)[lane] = 0;
  }
  control_.run(state_->tess_control(), static_cast<uint32_t>((uint64_t{1} << lanes) - 1), 0);
  if (state_->registers.query.statistics) (*counters_)[Statistic::kTessControlPatches] += patches_;
}

void TessellationStage::divide(Patch& patch) {
  const auto word = [&](uint32_t byte) {
    return byte / 4 < patch.memory.size() ? std::bit_cast<float>(patch.memory[byte / 4]) : 0.0f;
  };
  func::TessFactors factors;
  for (uint32_t i = 0; i < 4; i++) factors.outer[i] = word(arch::kPatchOuter + 4 * i);
  for (uint32_t i = 0; i < 2; i++) factors.inner[i] = word(arch::kPatchInner + 4 * i);
  meter_.step(1);
  if (!func::tessellate(shape_, factors, tessellation_)) return;
  meter_.step(tessellation_.points.size() + tessellation_.indices.size());
  evaluate(patch);
  give(patch);
}

void TessellationStage::evaluate(Patch& patch) {
  const auto points = static_cast<uint32_t>(tessellation_.points.size());
  if (point_.size() < points) {
    const size_t before = point_.size();
    point_.resize(points);
    std::memset(static_cast<void*>(point_.data() + before), 0, (points - before) * sizeof point_[0]);
  }
  const auto coordinate = [](uint32_t fixed) {
    return std::bit_cast<uint32_t>(static_cast<float>(fixed) / func::kDomainOne);
  };
  const bool triangles = shape_.domain == arch::TessDomain::kTriangles;
  std::fill_n(evaluation_.patch, kLanes, patch.memory.data());
  for (uint32_t first = 0; first < points; first += kLanes) {
    const uint32_t lanes = std::min(kLanes, points - first);
    for (uint32_t lane = 0; lane < lanes; lane++) {
      const func::DomainPoint at = tessellation_.points[first + lane];
      evaluation_.input(arch::kInputTessCoord, 0)[lane] = coordinate(at.u);
      evaluation_.input(arch::kInputTessCoord, 1)[lane] = coordinate(at.v);
      evaluation_.input(arch::kInputTessCoord, 2)[lane] =
          triangles ? coordinate(func::kDomainOne - at.u - at.v) : 0;
      evaluation_.input(arch::kInputTessCoord, 3)[lane] = 0;
      evaluation_.input(arch::kInputPrimitive, 0)[lane] = patch.id;
      evaluation_.input(arch::kInputPrimitive, 1)[lane] = 0;
      evaluation_.input(arch::kInputPrimitive, 2)[lane] = state_->registers.tessellation.output_vertices;
      evaluation_.input(arch::kInputPrimitive, 3)[lane] = 0;
    }
    evaluation_.run(state_->tess_evaluation(), static_cast<uint32_t>((uint64_t{1} << lanes) - 1), 0);
    for (uint32_t o = 0; o < arch::kShaderOutputs; o++) {
      if (!(outputs_ >> o & 1)) continue;
      for (uint32_t c = 0; c < 4; c++)
        for (uint32_t lane = 0; lane < lanes; lane++)
          point_[first + lane].output[o][c] = evaluation_.output(o, c)[lane];
    }
  }
  if (state_->registers.query.statistics) (*counters_)[Statistic::kTessEvaluationInvocations] += points;
}

// The first vertex of each primitive is the provoking one, or the last by the last-vertex convention.
void TessellationStage::give(const Patch& patch) {
  const uint32_t n = tessellation_.vertices;
  const bool last =
      state_->registers.assembly.provoking_vertex == static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  for (size_t i = 0; i < tessellation_.indices.size(); i += n) {
    func::InputPrimitive primitive;
    primitive.vertices = static_cast<uint8_t>(n);
    primitive.provoking = static_cast<uint8_t>(last ? n - 1 : 0);
    primitive.id = patch.id;
    primitive.strip = strip_++;
    const ShadedVertex* vertex[3] = {};
    for (uint32_t k = 0; k < n; k++) {
      primitive.vertex[k] = k;
      vertex[k] = &point_[tessellation_.indices[i + k]];
    }
    if (*to_program_) {
      (*to_program_)(primitive, vertex);
      continue;
    }
    const func::AssembledPrimitive assembled = func::without_adjacency(primitive);
    const ShadedVertex* ordered[3] = {};
    for (uint32_t k = 0; k < n; k++) ordered[k] = vertex[assembled.vertex[k]];
    (*sink_)(assembled, ordered);
  }
}

}  // namespace cutaway::emulator
