#include "emulator/group_sampler.h"

#include <bit>
#include <cstring>

#include "isa/operands.h"

namespace cutaway::emulator {

static_assert(func::kWideLanes == kLanes);

namespace {

// Quads of which every lane of `need` is in `have`: bit per quad.
uint32_t whole_quads(uint32_t need, uint32_t have) {
  uint32_t missing = need & ~have;
  missing |= missing >> 1, missing |= missing >> 2;
  uint32_t some = need | need >> 1;
  some |= some >> 2;
  return some & ~missing & 0x11111111;
}

}  // namespace

void GroupSampler::begin(const StageState& stage) {
  const Program& program = *stage.program;
  textures_.clear();
  for (const uint32_t pc : program.textures) {
    const isa::Instruction& instruction = program.micro.instruction(pc);
    Texture& made = textures_.emplace_back();
    made.texture = func::make_wide_texture(stage.resources[instruction.access.resource],
                                           stage.samplers[instruction.access.sampler], instruction.access,
                                           instruction.op);
    if (made.texture.possible) made.window = memory_.window(made.texture.address, made.texture.bytes);
  }
}

uint32_t GroupSampler::sample(const StageState& stage, uint32_t pc, const func::Registers& registers,
                              uint32_t active, uint32_t result[4][kLanes]) {
  const Program& program = *stage.program;
  const Texture& from = textures_[program.texture_number[pc]];
  if (!from.window) return 0;
  const func::MicroOp& op = program.micro[pc];
  const func::MicroSource& source = op.src[0];
  const uint32_t* coordinate[4];
  if (source.modified || source.file == isa::File::kConstant) {
    func::read_source(op, 0, registers, kLanes, &source_[0][0]);
    for (uint32_t c = 0; c < 4; c++) coordinate[c] = source_[c];
  } else {
    const uint32_t* file = source.file == isa::File::kInput ? registers.input : registers.temporary;
    for (uint32_t c = 0; c < 4; c++) coordinate[c] = file + source.component[c] * kLanes;
  }
  func::plan_wide(from.texture, coordinate[0], coordinate[1], coordinate[3], plan_);
  const uint32_t quads = whole_quads(active, plan_.planned);
  if (!quads) return 0;
  if (from.texture.unorm8) {
    if (!fetch_words(from, quads)) return 0;
    func::filter_wide_unorm8(from.texture, plan_, word_, result);
  } else {
    const func::TextureView& view = stage.resources[program.micro.instruction(pc).access.resource];
    if (!fetch_decoded(from, view, quads)) return 0;
    func::filter_wide(from.texture, plan_, decoded_, result);
  }
  return quads * 15;
}

// Calls visit(sample, texel, lane, bytes) for what the plan reads. False: something is not mapped.
template <class Visit>
bool GroupSampler::each_texel(const Texture& from, uint32_t quads, Visit&& visit) {
  const arch::Memory::Window window = *from.window;
  for (uint32_t s = 0; s < plan_.samples; s++)
    for (uint32_t rest = quads; rest; rest &= rest - 1) {
      const auto first = static_cast<uint32_t>(std::countr_zero(rest));
      for (uint32_t i = 0; i < plan_.texels; i++)
        for (uint32_t lane = first; lane < first + 4; lane++) {
          const std::byte* texel = window.at(plan_.offset[s][i][lane]);
          if (!texel) return false;
          visit(s, i, lane, texel);
        }
    }
  return true;
}

bool GroupSampler::fetch_words(const Texture& from, uint32_t quads) {
  return each_texel(from, quads, [this](uint32_t s, uint32_t i, uint32_t lane, const std::byte* texel) {
    std::memcpy(&word_[s][i][lane], texel, 4);
  });
}

bool GroupSampler::fetch_decoded(const Texture& from, const func::TextureView& view, uint32_t quads) {
  return each_texel(from, quads, [&](uint32_t s, uint32_t i, uint32_t lane, const std::byte* texel) {
    uint32_t value[4];
    func::decode_texel(*view.format, view.layout, texel, value);
    for (uint32_t c = 0; c < 4; c++) decoded_[s][i][c][lane] = value[c];
  });
}

}  // namespace cutaway::emulator
