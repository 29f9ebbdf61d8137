#include "func/shader/alu_double.h"

#include <bit>
#include <cmath>
#include <utility>
#include <xmmintrin.h>

#include "isa/operands.h"

// Arithmetic of 64-bit floats, by the host's instructions, one lane after the other. docs/isa.md states the
// semantics.
namespace cutaway::func {
namespace {

using isa::Opcode;

constexpr uint32_t kSign = 0x80000000;
constexpr uint64_t kNan = 0x7ff8000000000000;  // the canonical NaN
constexpr uint32_t kFloatNan = 0x7fc00000;
constexpr uint32_t kIeeeMode = 0x1f80;  // MXCSR: no flushing, nearest even, no traps

// A source's values: the words x and y; conversions to doubles read only x.
struct Words {
  uint64_t lane[kMaxWidth];
};

uint32_t word(const MicroSource& s, const Registers& registers, uint32_t width, uint32_t lane, uint32_t c) {
  if (s.file == isa::File::kConstant) return registers.constant[s.component[c]];
  const uint32_t* file = s.file == isa::File::kInput ? registers.input : registers.temporary;
  return file[s.component[c] * width + lane];
}

uint32_t with_modifiers(const MicroSource& s, uint32_t v) {
  if (s.integer_absolute && v & kSign) v = 0 - v;
  return ((v & ~s.clear) ^ s.flip) + s.add;
}

template <Opcode op>
void fetch(const MicroSource& s, const Registers& registers, uint32_t width, Words& words) {
  for (uint32_t lane = 0; lane < width; ++lane) {
    const uint32_t x = word(s, registers, width, lane, 0);
    if constexpr (isa::reads_doubles(op))
      words.lane[lane] = uint64_t{word(s, registers, width, lane, 1) ^ s.flip} << 32 | x;
    else words.lane[lane] = with_modifiers(s, x);
  }
}

uint64_t bits(double value) { return std::isnan(value) ? kNan : std::bit_cast<uint64_t>(value); }
uint64_t truth(bool value) { return value ? ~uint32_t{0} : 0; }

// Float denormals count as zeros, as in all float arithmetic.
double widened(uint32_t value) {
  if ((value & 0x7f800000) == 0) value &= kSign;
  return std::bit_cast<float>(value);
}

// Zero if the result is denormal: 2^-126 - 2^-150 is the least value that rounds to a normal number.
uint32_t narrowed(double value) {
  if (std::isnan(value)) return kFloatNan;
  const auto rounded = std::bit_cast<uint32_t>(static_cast<float>(value));
  return (rounded & 0x7f800000) == 0 ? rounded & kSign : rounded;
}

uint32_t to_signed(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p31) return 0x7fffffff;
  if (value < -0x1p31) return kSign;
  return static_cast<uint32_t>(static_cast<int32_t>(value));
}

uint32_t to_unsigned(double value) {
  if (!(value > 0)) return 0;
  return value >= 0x1p32 ? ~uint32_t{0} : static_cast<uint32_t>(static_cast<int64_t>(value));
}

// Computes one lane.
template <Opcode op>
uint64_t result(uint64_t x, uint64_t y, uint64_t z) {
  using enum Opcode;
  const auto a = std::bit_cast<double>(x), b = std::bit_cast<double>(y), c = std::bit_cast<double>(z);
  switch (op) {
    case kDadd:
      return bits(a + b);
    case kDmul:
      return bits(a * b);
    case kDfma:
      return bits(std::fma(a, b, c));
    case kDdiv:
      return bits(a / b);
    case kDsqrt:
      return bits(std::sqrt(a));
    case kDmin:
      return bits(a < b || std::isnan(b) ? a : b);
    case kDmax:
      return bits(a > b || std::isnan(b) ? a : b);
    case kDflr:
      return bits(std::floor(a));
    case kDceil:
      return bits(std::ceil(a));
    case kDtrunc:
      return bits(std::trunc(a));
    case kDrne:
      return bits(std::nearbyint(a));
    case kF2d:
      return bits(widened(static_cast<uint32_t>(x)));
    case kI2d:
      return bits(static_cast<int32_t>(x));
    case kU2d:
      return bits(static_cast<uint32_t>(x));
    case kDlt:
      return truth(a < b);
    case kDge:
      return truth(a >= b);
    case kDeq:
      return truth(a == b);
    case kDne:
      return truth(a != b);
    case kD2f:
      return narrowed(a);
    case kD2i:
      return to_signed(a);
    case kD2u:
      return to_unsigned(a);
    default:
      return 0;
  }
}

template <Opcode op>
[[gnu::noinline]] void compute(const Words (&source)[3], uint32_t width, Words& results) {
  constexpr uint32_t kSources = isa::info(op).sources;
  for (uint32_t lane = 0; lane < width; ++lane)
    results.lane[lane] = result<op>(source[0].lane[lane], kSources > 1 ? source[1].lane[lane] : 0,
                                    kSources > 2 ? source[2].lane[lane] : 0);
}

// Denormals are not flushed, unlike in FloatMode. All operands are in memory, so the compiler cannot move
// computations across the mode changes.
template <Opcode op>
void compute_in_mode(const Words (&source)[3], uint32_t width, Words& results) {
  const uint32_t saved = _mm_getcsr();
  _mm_setcsr(kIeeeMode);
  asm volatile("" : : "r"(&source), "r"(&results) : "memory");
  compute<op>(source, width, results);
  asm volatile("" : : "r"(&source), "r"(&results) : "memory");
  _mm_setcsr(saved);
}

template <Opcode op>
void execute(const MicroOp& m, const Registers& r, uint32_t width, const uint32_t* mask) {
  Words source[3], results;
  for (uint32_t n = 0; n < isa::info(op).sources; ++n) fetch<op>(m.src[n], r, width, source[n]);
  compute_in_mode<op>(source, width, results);
  uint32_t* out = (m.dst_file == isa::File::kTemporary ? r.temporary : r.output) + m.dst * 4 * width;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(m.dst_mask >> c & 1)) continue;
    const uint32_t shift = isa::gives_double(op) && c & 1 ? 32 : 0;
    for (uint32_t lane = 0; lane < width; ++lane)
      if (!mask || mask[lane]) out[c * width + lane] = static_cast<uint32_t>(results.lane[lane] >> shift);
  }
}

constexpr auto kFirst = static_cast<size_t>(Opcode::kDadd), kLast = static_cast<size_t>(Opcode::kD2u);

template <size_t... n>
AluFunction find(size_t wanted, std::index_sequence<n...>) {
  constexpr AluFunction kFunctions[] = {execute<static_cast<Opcode>(kFirst + n)>...};
  return kFunctions[wanted];
}

}  // namespace

AluFunction double_function(Opcode op) {
  return find(static_cast<size_t>(op) - kFirst, std::make_index_sequence<kLast - kFirst + 1>());
}

}  // namespace cutaway::func
