#include "emulator/group_sampler.h"

#include <bit>
#include <cstring>

#include "emulator/tile_masks.h"
#include "isa/operands.h"

namespace cutaway::emulator {

static_assert(func::kWideLanes == kLanes);

namespace {

// Quads whose lanes of `need` are all in `have`: one bit per quad.
uint32_t whole_quads(uint32_t need, uint32_t have) {
  uint32_t missing = need & ~have;
  missing |= missing >> 1, missing |= missing >> 2;
  uint32_t some = need | need >> 1;
  some |= some >> 2;
  return some & ~missing & 0x11111111;
}

bool reads(const func::MicroOp& op, uint32_t sources, isa::File file, uint32_t reg) {
  for (uint32_t n = 0; n < sources; n++)
    for (const uint16_t component : op.src[n].component)
      if (op.src[n].file == file && component / 4 == reg) return true;
  return false;
}

}  // namespace

void GroupSampler::begin(const StageState& stage, const func::Registers& registers, TextureCopies* copies) {
  const Program& program = *stage.program;
  for (const Texture& texture : textures_)
    if (texture.counter) *texture.counter += texture.samples;
  textures_.clear();
  for (const uint32_t pc : program.textures) {
    const isa::Instruction& instruction = program.micro.instruction(pc);
    const func::TextureView& view = stage.resources[instruction.access.resource];
    Texture& made = textures_.emplace_back();
    made.texture = func::make_wide_texture(view, stage.samplers[instruction.access.sampler],
                                           instruction.access, instruction.op);
    made.sources = isa::source_count(instruction);
    set_operands(program.micro[pc], registers, made);
    if (made.texture.possible) made.window = memory_.window(made.texture.address, made.texture.bytes);
    if (!copies || !made.window || !func::can_copy(made.texture)) continue;
    TextureCopies::Found found = copies->find(memory_, view, made.texture);
    made.copy = std::move(found.copy), made.counter = std::move(found.samples);
  }
}

// Finds operands that lie in registers as they are, and the result.
void GroupSampler::set_operands(const func::MicroOp& op, const func::Registers& registers, Texture& made) {
  for (uint32_t n = 0; n < made.sources; n++) {
    const func::MicroSource& source = op.src[n];
    const bool to_read =
        source.modified || source.half != isa::Half::kNone || source.file == isa::File::kConstant;
    made.to_read |= uint32_t{to_read} << n;
    const uint32_t* file = source.file == isa::File::kInput ? registers.input : registers.temporary;
    for (uint32_t c = 0; c < 4; c++)
      made.operands.source[n][c] = to_read ? source_[n][c] : file + source.component[c] * kLanes;
  }
  if (op.dst_file == isa::File::kNone || op.dst_mask != 15 || op.saturate || op.dst_half != isa::Half::kNone)
    return;
  uint32_t* const file = op.dst_file == isa::File::kTemporary ? registers.temporary : registers.output;
  made.whole = reinterpret_cast<Component*>(file + func::register_word(kLanes, op.dst, 0, 0));
  made.apart = !reads(op, made.sources, op.dst_file, op.dst);
}

GroupSampler::Done GroupSampler::sample(const StageState& stage, uint32_t pc,
                                        const func::Registers& registers, uint32_t active, bool every_lane,
                                        Component* room) {
  const Program& program = *stage.program;
  Texture& from = textures_[program.texture_number[pc]];
  if (!from.window) return {0, room};
  const func::MicroOp& op = program.micro[pc];
  for (uint32_t n = 0; from.to_read >> n; n++)
    if (from.to_read >> n & 1) func::read_source(op, n, registers, kLanes, &source_[n][0][0]);
  const uint32_t lanes = whole_quads(active, ~0u) * 15;
  Component* const whole = every_lane ? from.whole : nullptr;
  if (from.copy && from.texture.window.possible) {
    Component* const result = whole ? whole : room;
    if (wide_.window(from.texture, from.copy->rows(), from.operands, from.level, plan_, result)) {
      from.samples += uint64_t{kLanes} * plan_.levels;
      return {lanes, result};
    }
  }
  Component* const result = whole && from.apart ? whole : room;
  return {sample_planned(stage, pc, from, active, result), result};
}

// Samples by a plan of levels and probes. Returns the lanes that were done.
uint32_t GroupSampler::sample_planned(const StageState& stage, uint32_t pc, Texture& from, uint32_t active,
                                      Component* result) {
  const func::TextureView& view = stage.resources[stage.program->micro.instruction(pc).access.resource];
  wide_.plan(from.texture, from.operands, plan_);
  const uint32_t lanes = whole_quads(active, ~0u) * 15;
  plan_.planned &= lanes;
  from.samples += uint64_t{kLanes} * plan_.levels * plan_.most_probes;
  if (from.copy) {
    wide_.copy(from.texture, from.copy->rows(), lanes, plan_, result);
    return whole_quads(active, plan_.planned) * 15;
  }
  if (func::is_bilinear(from.texture, plan_)) {
    if (!wide_.bilinear(from.texture, from.pages(), lanes, plan_, result)) return 0;
    return whole_quads(active, plan_.planned) * 15;
  }
  for (uint32_t level = 0; level < plan_.levels; level++)
    for (uint32_t probe = 0; probe < plan_.most_probes; probe++) {
      wide_.footprint(from.texture, level, probe, plan_, footprint_);
      const uint32_t quads = whole_quads(active, plan_.planned) & footprint_.quads;
      if (!quads) continue;
      if (!fetch(from, view, quads)) return 0;
      wide_.filter(from.texture, plan_, level, probe, footprint_, texels_, accumulator_);
    }
  wide_.finish(from.texture, accumulator_, result);
  return whole_quads(active, plan_.planned) * 15;
}

uint32_t GroupSampler::samples_of(uint32_t lanes) const {
  if (plan_.most_probes == 1) return pixels_of(lanes) + pixels_of(lanes & plan_.second);
  uint32_t samples = 0;
  for (uint32_t lane = 0; lane < kLanes; lane++)
    if (lanes >> lane & 1) samples += plan_.samples_of(lane);
  return samples;
}

// Fetches the texels of the footprint. Returns false if one is not mapped.
bool GroupSampler::fetch(const Texture& from, const func::TextureView& view, uint32_t quads) {
  if (const uint32_t words = func::copied_words(from.texture.texel))
    return wide_.fetch(from.pages(), words, plan_.texels, quads, footprint_, texels_);
  if (from.texture.texel == func::WideTexel::kBytes)
    return fetch_texels<func::WideTexel::kBytes>(from, view, quads);
  return fetch_texels<func::WideTexel::kDecoded>(from, view, quads);
}

template <func::WideTexel kind>
bool GroupSampler::fetch_texels(const Texture& from, const func::TextureView& view, uint32_t quads) {
  const arch::Memory::Window window = *from.window;
  const uint64_t start = from.texture.address % arch::kPageBytes;
  for (uint32_t rest = quads; rest; rest &= rest - 1) {
    // Most texels lie in the same page as the quad's first.
    const auto first = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t place = start + footprint_.offset[0][first], page = place & ~(arch::kPageBytes - 1);
    const std::byte* bytes = window.at(footprint_.offset[0][first]);
    if (!bytes) return false;
    bytes -= place - page;
    for (uint32_t i = 0; i < plan_.texels; i++)
      for (uint32_t lane = first; lane < first + 4; lane++) {
        const uint32_t offset = footprint_.offset[i][lane];
        const uint64_t there = start + offset - page;
        const std::byte* element = there < arch::kPageBytes ? bytes + there : window.at(offset);
        if (!element) return false;
        func::fetch_wide<kind>(view, element, footprint_.in_block[i][lane], i, lane, texels_);
      }
  }
  return true;
}

}  // namespace cutaway::emulator
