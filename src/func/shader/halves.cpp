#include "func/shader/halves.h"

#include "func/format/numeric.h"
#include "func/shader/micro_program.h"

namespace cutaway::func {
namespace {

constexpr uint32_t kSources = 3;

// Conversions as in UP2H and PK2H: NaNs are canonical.
uint32_t float_of_half(uint32_t half) { return (half & 0x7fff) > 0x7c00 ? 0x7fc00000 : half_to_bits(half); }
uint32_t half_of(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000 ? 0x7e00 : bits_to_half(bits); }

uint32_t shift_of(isa::Half half) { return half == isa::Half::kHigh ? 16 : 0; }

}  // namespace

void read_halves(isa::Half half, uint32_t count, uint32_t* words) {
  const uint32_t shift = shift_of(half);
  for (uint32_t lane = 0; lane < count; ++lane) words[lane] = float_of_half(words[lane] >> shift & 0xffff);
}

void write_halves(const MicroOp& op, uint32_t count, uint64_t lanes, const uint32_t* values, uint32_t* out) {
  const uint32_t shift = shift_of(op.dst_half), kept = 0xffff0000 >> shift;
  for (uint32_t lane = 0; lane < count; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    const uint32_t value = op.saturate ? saturated(values[lane]) : values[lane];
    out[lane] = (out[lane] & kept) | half_of(value) << shift;
  }
}

void execute_with_halves(const MicroOp& op, const Registers& registers, uint32_t width,
                         const uint32_t* mask) {
  // Sources are in r0 to r2 of this storage and the result in r3.
  uint32_t words[(kSources + 1) * 4 * kMaxWidth];
  MicroOp inner = op;
  for (uint32_t n = 0; n < kSources; ++n) {
    if (op.src[n].file == isa::File::kNone) continue;
    read_source(op, n, registers, width, words + register_word(width, n, 0, 0));
    inner.src[n] = {.file = isa::File::kTemporary, .read = op.src[n].read};
    for (uint32_t c = 0; c < 4; ++c) inner.src[n].component[c] = static_cast<uint16_t>(n * 4 + c);
  }
  inner.dst_file = isa::File::kTemporary;
  inner.dst = kSources;
  inner.dst_half = isa::Half::kNone;
  Registers own = registers;
  own.temporary = words;
  op.of_words(inner, own, width, nullptr);
  uint64_t lanes = ~uint64_t{0};
  if (mask) {
    lanes = 0;
    for (uint32_t lane = 0; lane < width; ++lane) lanes |= static_cast<uint64_t>(mask[lane] & 1) << lane;
  }
  write_result(op, registers, width, lanes, words + register_word(width, kSources, 0, 0));
}

}  // namespace cutaway::func
