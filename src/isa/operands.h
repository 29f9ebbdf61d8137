#pragma once

#include <cstdint>

#include "isa/instruction.h"
#include "isa/opcode.h"

// Operands that each operation reads and writes: the table behind the validator, the disassembler and the
// interpreter.
namespace cutaway::isa {

// Effect of a source's modifiers.
enum class OperandType : uint8_t {
  kFloat,    // absolute clears the sign bit, negate inverts it; other bits pass
  kInteger,  // absolute and negate are two's complement, wrapping
  kLogic,    // negate inverts all bits; no absolute
  kDouble,   // two words; negate inverts the sign bit of the high one; no absolute
};

constexpr bool in_range(Opcode op, Opcode first, Opcode last) { return op >= first && op <= last; }

// Arithmetic on 64-bit floats; then the operations that read them and those that produce them.
constexpr bool is_double(Opcode op) { return in_range(op, Opcode::kDadd, Opcode::kD2u); }
constexpr bool gives_double(Opcode op) { return in_range(op, Opcode::kDadd, Opcode::kU2d); }
constexpr bool reads_doubles(Opcode op) { return is_double(op) && !in_range(op, Opcode::kF2d, Opcode::kU2d); }

constexpr OperandType source_type(Opcode op, uint32_t source) {
  using enum Opcode;
  if (reads_doubles(op)) return OperandType::kDouble;
  switch (op) {
    case kAnd:
    case kOr:
    case kXor:
    case kNot:
    case kIf:
    case kBreak:
    case kContinue:
    case kKill:
    case kQuadVote:
      return OperandType::kLogic;
    case kSel:
      return source == 0 ? OperandType::kLogic : OperandType::kFloat;
    case kF2i:
    case kF2u:
    case kPackHalf:
      return OperandType::kFloat;
    case kQuadRead:
    case kLdc:
      return source == 0 ? OperandType::kFloat : OperandType::kInteger;
    case kStb:
    case kSti:
    case kSts:
    case kStw:
      return source == 0 ? OperandType::kInteger : OperandType::kFloat;
    default:
      break;
  }
  const bool integer = in_range(op, kIlt, kIne) || in_range(op, kIadd, kUnpackHalf) ||
                       in_range(op, kUdiv, kIrem) || op == kI2d || op == kU2d || op == kTxf || op == kTxq ||
                       (info(op).op_class == OpClass::kMemory && op != kPull);
  return integer ? OperandType::kInteger : OperandType::kFloat;
}

// Stores write src1's words in the mask and have no destination register.
constexpr bool is_store(Opcode op) {
  return op == Opcode::kStb || op == Opcode::kSti || op == Opcode::kSts || op == Opcode::kStw;
}

// A geometry program emits a vertex, or ends a strip.
constexpr bool is_emission(Opcode op) { return op == Opcode::kEmit || op == Opcode::kCut; }

// The operation has a destination register (possibly none: the result is dropped).
constexpr bool has_result(Opcode op) {
  return info(op).op_class != OpClass::kFlow && !is_store(op) && !is_emission(op);
}

// The write mask has an effect: results and stores.
constexpr bool has_mask(Opcode op) { return info(op).op_class != OpClass::kFlow && !is_emission(op); }

// _SAT is allowed: the result is a float, or may be one (texels, moves).
constexpr bool may_saturate(Opcode op) {
  using enum Opcode;
  if (op == kSel || op == kI2f || op == kU2f || op == kUnpackHalf || op == kNrm || op == kFog) return true;
  return op <= kDdyCoarse ? op != kNop : in_range(op, kRcp, kCos) || in_range(op, kTex, kTxg);
}

// Reads a constant register by index: has Access::window.
constexpr bool has_window(Opcode op) { return op == Opcode::kLdc; }

// A source may be a half of a temporary: floats that the ALUs or the texture unit read.
constexpr bool may_read_halves(Opcode op, uint32_t source) {
  const OpClass c = info(op).op_class;
  return c != OpClass::kMemory && c != OpClass::kFlow && !is_double(op) && !has_window(op) &&
         source_type(op, source) == OperandType::kFloat;
}
// A result may be written to a half of a temporary if it is, or may be, a float.
constexpr bool may_write_halves(Opcode op) { return may_saturate(op); }

constexpr bool has_target(Opcode op) {
  using enum Opcode;
  return op == kIf || op == kElse || op == kLoop || op == kBreak || op == kContinue || op == kEndLoop ||
         op == kCall;
}

// Scratch memory of the thread.
constexpr bool is_scratch(Opcode op) { return op == Opcode::kLds || op == Opcode::kSts; }
// Memory of the workgroup.
constexpr bool is_workgroup(Opcode op) { return in_range(op, Opcode::kLdw, Opcode::kAtomicWorkgroup); }
// Vertices of a primitive, as inputs or outputs of a program.
constexpr bool is_vertex(Opcode op) { return in_range(op, Opcode::kLdv, Opcode::kCut); }
// A fragment program evaluates an interpolant on demand.
constexpr bool is_pull(Opcode op) { return op == Opcode::kPull; }
constexpr bool is_on_chip(Opcode op) {
  return is_scratch(op) || is_workgroup(op) || is_vertex(op) || is_pull(op);
}
constexpr bool is_atomic(Opcode op) {
  return op == Opcode::kAtomic || op == Opcode::kAtomicWorkgroup || op == Opcode::kAtomicImage;
}
// Writes memory that other threads see.
constexpr bool writes_memory(Opcode op) {
  return op == Opcode::kStb || op == Opcode::kSti || op == Opcode::kAtomic || op == Opcode::kAtomicImage;
}

constexpr bool is_barrier(Opcode op) { return op == Opcode::kBarrier || op == Opcode::kMemoryBarrier; }

// Fields of Access that an operation has. Barriers have `fence`.
constexpr bool may_be_cached(Opcode op) { return op == Opcode::kLdb || op == Opcode::kLdi; }
constexpr bool has_resource(Opcode op) {
  const OpClass c = info(op).op_class;
  return (c == OpClass::kTexture || c == OpClass::kMemory) && !is_on_chip(op);
}
// Has Access::slot; below, the number of slots.
constexpr bool has_slot(Opcode op) { return is_vertex(op) || is_pull(op); }
constexpr uint32_t slots(Opcode op) {
  if (is_pull(op)) return arch::kInterpolants;
  return op == Opcode::kLdv ? arch::kVertexInputs : arch::kStreams;
}
// Has Access::size.
constexpr bool has_size(Opcode op) { return op == Opcode::kStb; }
constexpr bool has_sampler(Opcode op) {
  using enum Opcode;
  return in_range(op, kTex, kTxd) || op == kTxg || op == kTxqlod;
}
constexpr bool reads_texels(Opcode op) { return in_range(op, Opcode::kTex, Opcode::kTxg); }
constexpr bool has_dim(Opcode op) {
  return info(op).op_class == OpClass::kTexture || op == Opcode::kLdi || op == Opcode::kSti ||
         op == Opcode::kAtomicImage;
}
constexpr bool may_compare(Opcode op) {
  return in_range(op, Opcode::kTex, Opcode::kTxd) || op == Opcode::kTxg;
}
constexpr bool has_offset(Opcode op) { return in_range(op, Opcode::kTex, Opcode::kTxg); }

constexpr bool is_cube(TextureDim dim) { return dim == TextureDim::kCube || dim == TextureDim::kCubeArray; }

// A gather may have texel offsets in a register: src1.xy, signed integers.
constexpr bool may_have_register_offset(const Instruction& i) {
  return i.op == Opcode::kTxg && !is_cube(i.access.dim);
}

// Number of sources that an instruction reads. Depth comparison with a cube array needs a fifth coordinate:
// src1.y.
constexpr uint32_t source_count(const Instruction& i) {
  const uint32_t n = info(i.op).sources;
  if (may_have_register_offset(i)) return i.src[1].file == File::kNone ? 1 : 2;
  return n < 2 && may_compare(i.op) && i.access.shadow && i.access.dim == TextureDim::kCubeArray ? 2 : n;
}

// Operations that read values of other lanes of the quad. They must stay where the same lanes are active.
constexpr bool is_of_quad(Opcode op) { return op == Opcode::kQuadRead || op == Opcode::kQuadVote; }

// Operations whose result is a single value, computed from component x of each source and written to every
// component of the mask.
constexpr bool is_scalar(Opcode op) { return info(op).op_class == OpClass::kScalar && !is_double(op); }

// Components of a source that an instruction reads: bit 0 x … bit 3 w, before the swizzle.
uint8_t components_read(const Instruction& instruction, uint32_t source);

}  // namespace cutaway::isa
