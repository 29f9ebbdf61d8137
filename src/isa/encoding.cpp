#include "base/error.h"
#include "isa/instruction.h"
#include "isa/operands.h"
#include "isa/validate.h"

namespace cutaway::isa {
namespace {

// A bit field of the 128 bits; docs/isa.md "Encoding" has the same table.
struct Field {
  uint8_t word, first, bits;
};
constexpr Field kOpcode{0, 0, 8}, kDstFile{0, 8, 2}, kDstIndex{0, 10, 7}, kDstMask{0, 17, 4},
    kDstSaturate{0, 21, 1};
constexpr Field kResource{0, 22, 6}, kSlot{0, 22, 6}, kDim{0, 28, 4}, kSize{0, 28, 2};
constexpr Field kSampler{1, 22, 5}, kShadow{1, 27, 1}, kGather{1, 28, 2}, kCached{1, 30, 1};
constexpr Field kOffsetX{2, 22, 4}, kOffsetY{2, 26, 4}, kOffsetZ{3, 22, 4}, kAtomicOp{3, 26, 4};
constexpr Field kFence{0, 22, 2};
constexpr Field kWindowFirst{0, 22, 10}, kWindowMore{3, 0, 10};
constexpr Field kTargetLow{0, 22, 10}, kTargetHigh{1, 22, 6};
constexpr Field kOffset[3] = {kOffsetX, kOffsetY, kOffsetZ};

// Source n: word n + 1, bits 0 to 21.
constexpr Field src_file(uint32_t n) { return {static_cast<uint8_t>(n + 1), 0, 2}; }
constexpr Field src_index(uint32_t n) { return {static_cast<uint8_t>(n + 1), 2, 10}; }
constexpr Field src_swizzle(uint32_t n) { return {static_cast<uint8_t>(n + 1), 12, 8}; }
constexpr Field src_absolute(uint32_t n) { return {static_cast<uint8_t>(n + 1), 20, 1}; }
constexpr Field src_negate(uint32_t n) { return {static_cast<uint8_t>(n + 1), 21, 1}; }
constexpr Field src_half(uint32_t n) { return {static_cast<uint8_t>(n + 1), 30, 2}; }
constexpr Field kDstHalf{3, 26, 2};

constexpr File kSourceFiles[4] = {File::kNone, File::kTemporary, File::kInput, File::kConstant};

uint32_t file_code(File file) {
  switch (file) {
    case File::kNone:
      return 0;
    case File::kTemporary:
      return 1;
    case File::kInput:
    case File::kOutput:
      return 2;
    case File::kConstant:
      return 3;
  }
  return 0;
}

void put(EncodedInstruction& words, Field f, uint32_t value) {
  CUTAWAY_CHECK(value >> f.bits == 0, "value {} in a field of {} bits", value, f.bits);
  words[f.word] |= value << f.first;
}

// Reads a field and clears it, so that only reserved bits remain at the end.
uint32_t take(EncodedInstruction& words, Field f) {
  const uint32_t mask = (1u << f.bits) - 1;
  const uint32_t value = words[f.word] >> f.first & mask;
  words[f.word] &= ~(mask << f.first);
  return value;
}

int8_t sign_extend4(uint32_t v) { return static_cast<int8_t>(static_cast<int32_t>(v ^ 8) - 8); }

void put_access(EncodedInstruction& words, const Instruction& i) {
  if (has_resource(i.op)) put(words, kResource, i.access.resource);
  if (has_dim(i.op)) put(words, kDim, static_cast<uint32_t>(i.access.dim));
  if (has_sampler(i.op)) put(words, kSampler, i.access.sampler);
  if (may_compare(i.op)) put(words, kShadow, i.access.shadow);
  if (i.op == Opcode::kTxg) put(words, kGather, i.access.gather);
  if (has_offset(i.op))
    for (int n = 0; n < 3; ++n) put(words, kOffset[n], static_cast<uint32_t>(i.access.offset[n]) & 15);
  if (is_atomic(i.op)) put(words, kAtomicOp, static_cast<uint32_t>(i.access.atomic));
  if (has_slot(i.op)) put(words, kSlot, i.access.slot);
  if (has_size(i.op)) put(words, kSize, static_cast<uint32_t>(i.access.size));
  if (may_be_cached(i.op)) put(words, kCached, i.access.cached);
  if (is_barrier(i.op)) put(words, kFence, i.access.fence);
  if (has_window(i.op)) {
    put(words, kWindowFirst, i.access.window.first);
    put(words, kWindowMore, i.access.window.count - 1u);
  }
}

void take_access(EncodedInstruction& words, Instruction& i) {
  if (has_resource(i.op)) i.access.resource = static_cast<uint8_t>(take(words, kResource));
  if (has_dim(i.op)) i.access.dim = static_cast<TextureDim>(take(words, kDim));
  if (has_sampler(i.op)) i.access.sampler = static_cast<uint8_t>(take(words, kSampler));
  if (may_compare(i.op)) i.access.shadow = take(words, kShadow);
  if (i.op == Opcode::kTxg) i.access.gather = static_cast<uint8_t>(take(words, kGather));
  if (has_offset(i.op))
    for (int n = 0; n < 3; ++n) i.access.offset[n] = sign_extend4(take(words, kOffset[n]));
  if (is_atomic(i.op)) i.access.atomic = static_cast<AtomicOp>(take(words, kAtomicOp));
  if (has_slot(i.op)) i.access.slot = static_cast<uint8_t>(take(words, kSlot));
  if (has_size(i.op)) i.access.size = static_cast<StoreSize>(take(words, kSize));
  if (may_be_cached(i.op)) i.access.cached = take(words, kCached);
  if (is_barrier(i.op)) i.access.fence = static_cast<uint8_t>(take(words, kFence));
  if (has_window(i.op)) {
    i.access.window.first = static_cast<uint16_t>(take(words, kWindowFirst));
    i.access.window.count = static_cast<uint16_t>(take(words, kWindowMore) + 1);
  }
}

}  // namespace

EncodedInstruction encode(const Instruction& i) {
  std::string error;
  CUTAWAY_CHECK(valid(i, error), "cannot encode {}: {}", info(i.op).mnemonic, error);
  EncodedInstruction words{};
  put(words, kOpcode, static_cast<uint32_t>(i.op));
  if (has_result(i.op)) {
    put(words, kDstFile, file_code(i.dst.file));
    put(words, kDstIndex, i.dst.index);
    put(words, kDstSaturate, i.dst.saturate);
    if (may_write_halves(i.op)) put(words, kDstHalf, static_cast<uint32_t>(i.dst.half));
  }
  if (has_mask(i.op)) put(words, kDstMask, i.dst.mask);
  for (uint32_t n = 0; n < source_count(i); ++n) {
    put(words, src_file(n), file_code(i.src[n].file));
    put(words, src_index(n), i.src[n].index);
    put(words, src_swizzle(n), i.src[n].swizzle);
    put(words, src_absolute(n), i.src[n].absolute);
    put(words, src_negate(n), i.src[n].negate);
    if (may_read_halves(i.op, n)) put(words, src_half(n), static_cast<uint32_t>(i.src[n].half));
  }
  put_access(words, i);
  if (has_target(i.op)) {
    put(words, kTargetLow, i.target & 0x3ff);
    put(words, kTargetHigh, i.target >> 10);
  }
  return words;
}

bool decode(const EncodedInstruction& encoded, Instruction& i, std::string& error) {
  EncodedInstruction words = encoded;
  i = {};
  const uint32_t op = take(words, kOpcode);
  if (op >= kOpcodes) {
    error = fmt::format("operation {} does not exist (0 to {})", op, kOpcodes - 1);
    return false;
  }
  i.op = static_cast<Opcode>(op);
  if (has_result(i.op)) {
    const uint32_t file = take(words, kDstFile);
    if (file == 3) {
      error = fmt::format("{}: destination file 3 does not exist", info(i.op).mnemonic);
      return false;
    }
    i.dst.file = file == 0 ? File::kNone : file == 1 ? File::kTemporary : File::kOutput;
    i.dst.index = static_cast<uint8_t>(take(words, kDstIndex));
    i.dst.saturate = take(words, kDstSaturate);
    if (may_write_halves(i.op)) i.dst.half = static_cast<Half>(take(words, kDstHalf));
  }
  if (has_mask(i.op)) i.dst.mask = static_cast<uint8_t>(take(words, kDstMask));
  take_access(words, i);
  // A register offset exists if its source exists.
  if (may_have_register_offset(i)) i.src[1].file = kSourceFiles[words[2] & 3];
  for (uint32_t n = 0; n < source_count(i); ++n) {
    i.src[n].file = kSourceFiles[take(words, src_file(n))];
    i.src[n].index = static_cast<uint16_t>(take(words, src_index(n)));
    i.src[n].swizzle = static_cast<uint8_t>(take(words, src_swizzle(n)));
    i.src[n].absolute = take(words, src_absolute(n));
    i.src[n].negate = take(words, src_negate(n));
    if (may_read_halves(i.op, n)) i.src[n].half = static_cast<Half>(take(words, src_half(n)));
  }
  if (has_target(i.op)) {
    const uint32_t low = take(words, kTargetLow);
    i.target = static_cast<uint16_t>(low | take(words, kTargetHigh) << 10);
  }
  for (uint32_t word = 0; word < words.size(); ++word) {
    if (words[word] == 0) continue;
    error = fmt::format("{}: reserved bits 0x{:08x} of word {} are not zero", info(i.op).mnemonic,
                        words[word], word);
    return false;
  }
  return valid(i, error);
}

}  // namespace cutaway::isa
