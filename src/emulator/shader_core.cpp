#include "emulator/shader_core.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <emmintrin.h>

#include "emulator/tile_masks.h"
#include "isa/operands.h"

namespace cutaway::emulator {

// Loop instructions between two checks for an interrupt of the process.
constexpr uint64_t kSlice = 1 << 16;

namespace {

// By vectors: the compiler's memset of so few bytes is a slow string instruction.
void zero(uint32_t (&components)[4][kLanes]) {
  uint32_t* word = &components[0][0];
  for (uint32_t n = 0; n < 4 * kLanes; n += 4)
    _mm_store_si128(reinterpret_cast<__m128i*>(word + n), _mm_setzero_si128());
}

}  // namespace

ShaderCore::ShaderCore(arch::Memory& memory, Meter& meter, Statistics& statistics)
    : memory_(memory),
      meter_(meter),
      statistics_(statistics),
      registers_(std::make_unique<RegisterFile>()),
      sampler_(memory) {
  view_.input = &registers_->input[0][0][0];
  view_.temporary = &registers_->temporary[0][0][0];
  view_.output = &registers_->output[0][0][0];
}

uint64_t ShaderCore::run(const StageState& stage, uint64_t lanes, uint64_t helpers) {
  start(stage, lanes, helpers);
  while (!resume(stage)) {}
  return group_.survivors();
}

void ShaderCore::start(const StageState& stage, uint64_t lanes, uint64_t helpers,
                       uint64_t instruction_limit) {
  stop_if_interrupted();
  texel_ties_ = anisotropic_ = 0;
  const Program& program = *stage.program;
  for (const uint32_t i : program.zeroed_temporaries) zero(registers_->temporary[i]);
  const uint64_t zeroed = program.zeroed_outputs | (written_ & ~program.outputs);
  for (uint64_t rest = zeroed; rest; rest &= rest - 1) {
    const auto i = static_cast<uint32_t>(std::countr_zero(rest));
    zero(registers_->output[i]);
  }
  written_ = program.outputs;

  view_.constant = &stage.constants[0][0];
  view_.scratch_words = program.scratch_bytes / 4;
  const size_t scratch = size_t{view_.scratch_words} * kLanes;
  if (scratch_.size() < scratch) scratch_.resize(scratch);
  std::fill_n(scratch_.begin(), scratch, 0);
  view_.scratch = scratch_.data();
  limit_ = std::min(instruction_limit, meter_.left() / kLanes + 1);
  compiled_ = program.compiled->start_group(program.micro);
  group_.start(kLanes, lanes, helpers, std::min(limit_, kSlice));
}

bool ShaderCore::resume(const StageState& stage) {
  const Program& program = *stage.program;
  for (;;) {
    switch (func::run(program.micro, group_, view_, compiled_)) {
      case func::Need::kStep:
        continue;
      case func::Need::kTexture:
        stop_if_interrupted();
        texture(stage, view_);
        group_.advance();
        continue;
      case func::Need::kMemory: {
        stop_if_interrupted();
        const isa::Opcode op = program.micro[group_.pc()].op;
        if (op == isa::Opcode::kLdb) load(stage, view_);
        else if (isa::is_pull(op)) pull_interpolant(stage, view_);
        else if (!isa::is_barrier(op)) memory_access(stage, view_);
        group_.advance();
        if (op == isa::Opcode::kBarrier) return false;
        continue;
      }
      case func::Need::kDone:
        meter_.step(group_.executed() * kLanes);
        return true;
      case func::Need::kRunaway:
        if (group_.executed() >= limit_) throw Stop{"a shader program does not end"};
        stop_if_interrupted();
        group_.go_on(std::min(limit_, group_.executed() + kSlice));
        continue;
    }
  }
}

namespace {

// Change of a coordinate across the quad, |∂/∂x| + |∂/∂y|, from its active lanes.
double change(const std::array<float, func::kQuadLanes>& coordinate, uint32_t lanes) {
  const auto step = [&](uint32_t to) {
    return (lanes & 1) && (lanes >> to & 1) ? std::abs(double{coordinate[to]} - coordinate[0]) : 0;
  };
  return step(1) + step(2);
}

// Lanes whose nearest texel changes if a coordinate moves by 1/256 texel, or a vertex by 1/256 pixel.
uint32_t lanes_at_texel_edges(const func::TextureView& view, const func::TexturePlan& plan) {
  if (plan.kind != func::TexturePlan::Kind::kFiltered) return 0;
  std::array<float, func::kQuadLanes> u, v;
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++) {
    u[lane] = std::bit_cast<float>(plan.lane[lane].u);
    v[lane] = std::bit_cast<float>(plan.lane[lane].v);
  }
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++) {
    const func::LanePlan& access = plan.lane[lane];
    if (!access.samples || access.linear) continue;
    const arch::LevelLayout& level = view.level[access.level];
    const auto near_edge = [&](const std::array<float, func::kQuadLanes>& coordinate, uint32_t size) {
      const double scale = plan.texel_coordinates ? 1 : size;
      const double texel = coordinate[lane] * scale,
                   reach = (1 + change(coordinate, plan.lane_mask) * scale) / 256;
      return std::floor(texel - reach) != std::floor(texel + reach);
    };
    if (near_edge(u, level.width) || (plan.dimensions > 1 && near_edge(v, level.height))) lanes |= 1u << lane;
  }
  return lanes;
}

}  // namespace

void ShaderCore::texture(const StageState& stage, const func::Registers& registers) {
  const func::MicroOp& op = stage.program->micro[group_.pc()];
  const auto active = static_cast<uint32_t>(group_.active());
  GroupSampler::Done done{0, result_};
  if (!note_reads) done = sampler_.sample(stage, group_.pc(), registers, active, group_.all_on(), result_);
  const bool in_register = done.result != result_;
  const uint32_t rest = active & ~done.lanes;
  count_samples(active & done.lanes);
  if (rest == 0) {
    if (!in_register) func::write_result(op, registers, kLanes, written(), &result_[0][0]);
    return;
  }
  const isa::Instruction& instruction = stage.program->micro.instruction(group_.pc());
  const uint32_t sources = isa::source_count(instruction);
  for (uint32_t n = 0; n < sources; n++) func::read_source(op, n, registers, kLanes, &source_[n][0][0]);
  const func::TextureView& view = stage.resources[instruction.access.resource];
  const arch::Sampler& sampler = stage.samplers[instruction.access.sampler];
  const auto fetch = [this](arch::Address address, uint32_t bytes, std::byte* to) {
    memory_.read(address, to, bytes);
  };
  for (uint32_t quad = 0; quad < kGroupQuads; quad++) {
    const uint32_t mask = rest >> (4 * quad) & 15;
    if (!mask) continue;
    func::QuadOperands operands;
    // A gather without offsets in a register adds zero.
    if (instruction.op == isa::Opcode::kTxg) std::memset(operands[1], 0, sizeof operands[1]);
    for (uint32_t n = 0; n < sources; n++)
      for (uint32_t c = 0; c < 4; c++) std::memcpy(operands[n][c], &source_[n][c][4 * quad], 16);
    func::TexturePlan plan;
    func::QuadResult result;
    func::plan_texture(view, sampler, instruction.access, instruction.op, operands, mask, plan);
    func::run_texture(view, sampler, plan, fetch, result);
    if (note_reads) note(view, sampler, plan, 4 * quad);
    for (uint32_t c = 0; c < 4; c++) std::memcpy(&result_[c][4 * quad], result.value[c], 16);
    statistics_.texture_quads++;
    statistics_.bilinear_samples += plan.samples();
    meter_.step(plan.samples());
  }
  func::write_result(op, registers, kLanes, in_register ? rest : written(), &result_[0][0]);
}

void ShaderCore::note(const func::TextureView& view, const arch::Sampler& sampler,
                      const func::TexturePlan& plan, uint32_t lane) {
  texel_ties_ |= uint64_t{lanes_at_texel_edges(view, plan)} << lane;
  if (sampler.max_anisotropy > 1 && plan.kind == func::TexturePlan::Kind::kFiltered)
    anisotropic_ |= uint64_t{plan.lane_mask} << lane;
}

// Counts the samples of lanes that the group's sampler has done.
void ShaderCore::count_samples(uint32_t lanes) {
  const uint32_t samples = sampler_.samples_of(lanes);
  statistics_.texture_quads += number_of(quads_with(lanes));
  statistics_.bilinear_samples += samples;
  meter_.step(samples);
}

}  // namespace cutaway::emulator
