#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/program.h"

// The compiler's intermediate representation: static single assignment over instructions with one to four
// result lanes. An operand names each lane that it reads separately, so bit casts, extracts, constructs and
// shuffles only rearrange references and cost no instruction.
namespace cutaway::compiler {

using isa::Opcode;

constexpr uint32_t kNone = ~0u;

enum class RefKind : uint8_t { kUndef, kLiteral, kValue, kInput, kUniform };

// One 32-bit component.
struct Ref {
  RefKind kind = RefKind::kUndef;
  uint8_t lane = 0;                       // of the value or register
  bool negate = false, absolute = false;  // of a float: absolute is applied first
  uint32_t index = 0;                     // literal: its bits; value: instruction; input, uniform: register
  bool operator==(const Ref&) const = default;
  auto operator<=>(const Ref&) const = default;
  bool is_literal() const { return kind == RefKind::kLiteral; }
  bool is_value() const { return kind == RefKind::kValue; }
  bool is_undef() const { return kind == RefKind::kUndef; }
  // True if two components can come from one source register: literals are packed as needed.
  bool same_register(const Ref& other) const {
    return kind == other.kind && (kind == RefKind::kLiteral || index == other.index);
  }
};

inline bool plain(const Ref& ref) { return !ref.negate && !ref.absolute; }
inline Ref literal(uint32_t bits) { return {.kind = RefKind::kLiteral, .index = bits}; }
Ref literal_float(float value);

struct Operand {
  std::array<Ref, 4> ref{};
  uint8_t width = 0;
  bool invert = false;  // integers: two's complement; in AND to NOT: bitwise inversion
  bool operator==(const Operand&) const = default;
  auto operator<=>(const Operand&) const = default;
};

struct Inst {
  Opcode op = Opcode::kNop;
  bool phi = false;
  bool saturate = false;
  bool dead = false;
  bool ordered = false;  // a load whose result may change between here and a later place
  bool half = false;     // floats for which 16 bits suffice: the result may be rounded
  uint8_t width = 0;     // result lanes
  uint8_t live = 0xf;    // lanes that are used
  uint8_t sources = 0;
  uint8_t output = 0xff;                          // writes this output register and has no other effect
  std::array<uint8_t, 4> channel = {0, 1, 2, 3};  // of the output register or the stored words, by lane
  std::array<Operand, 3> src;
  isa::Access access;
  uint16_t block_slots = 0;  // LDB from a uniform block, LDC: size of the block in vec4
  uint32_t block = 0;
  uint32_t line = 0;              // SPIR-V instruction of its origin
  uint32_t family = 0, slot = 0;  // phis: their variable, and its component
  std::vector<Operand> args;      // phis: by predecessor
};

// Calls visit(operand) for every operand that an instruction reads: its sources, or a phi's arguments.
template <class Instruction, class Visit>
void each_operand(Instruction& inst, Visit&& visit) {
  for (uint32_t s = 0; s < inst.sources; ++s) visit(inst.src[s]);
  for (auto& arg : inst.args) visit(arg);
}

// Calls visit(ref) for every component that an instruction reads.
template <class Instruction, class Visit>
void each_ref(Instruction& inst, Visit&& visit) {
  each_operand(inst, [&](auto& operand) {
    for (uint32_t i = 0; i < operand.width; ++i) visit(operand.ref[i]);
  });
}

struct Block {
  std::vector<uint32_t> phis;
  std::vector<uint32_t> insts;  // flow operations, except KIL, can only be last
  std::vector<uint32_t> preds, succs;
  uint32_t idom = kNone, dom_depth = 0;
  uint32_t dom_jump = kNone;  // a block further up in the dominator tree, so that dominates() takes few steps
  uint32_t loop_depth = 0;
  bool sealed = true;
};

// A uniform register: one vec4 of a constant range.
struct UniformSlot {
  isa::ConstantRange::Kind kind = isa::ConstantRange::Kind::kUniformBuffer;
  uint32_t set = 0, binding = 0, element = 0;
  uint32_t slot = 0;  // byte offset / 16
  auto operator<=>(const UniformSlot&) const = default;
};

struct Ir {
  std::vector<Inst> insts;
  std::vector<Block> blocks;  // in program order; 0 is the entry
  std::vector<UniformSlot> uniforms;
  std::map<UniformSlot, uint32_t> uniform_index;

  uint32_t uniform(const UniformSlot& slot);
};

// Calls visit(uniform) for each uniform of the block that an LDC may read.
template <class Visit>
void each_indexed_uniform(const Ir& ir, const Inst& inst, Visit&& visit) {
  UniformSlot slot = ir.uniforms[inst.src[0].ref[0].index];
  for (slot.slot = 0; slot.slot < inst.block_slots; ++slot.slot) visit(ir.uniform_index.at(slot));
}

// Relation between an operation's operands and its lanes.
enum class Shape : uint8_t {
  kLanes,       // lane i reads lane i of each operand
  kReplicated,  // one result from whole operands (dot products, scalar operations)
  kFixed        // lane i of the result is component i of the register (textures, loads)
};
Shape shape(Opcode op);
bool float_source(Opcode op, uint32_t source);  // true if the source's modifiers are those of floats
bool is_pure(const Inst& inst);                 // its result is its only effect
bool is_block_end(Opcode op);
bool dominates(const Ir& ir, uint32_t a, uint32_t b);  // blocks

std::string dump(const Ir& ir);  // for people

}  // namespace cutaway::compiler
