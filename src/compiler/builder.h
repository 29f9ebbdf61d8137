#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/ir.h"

namespace cutaway::compiler {

// Size limits beyond which a program is rejected: untrusted SPIR-V can describe far more in a few bytes. With
// kMaxInsts the passes take a gigabyte and two minutes; a finished program has at most 65,536 instructions.
constexpr uint32_t kMaxInsts = 1 << 20;
constexpr uint32_t kMaxBlocks = 1 << 13;

// Appends instructions and structured control flow to an Ir. Folds simple identities and constants. Converts
// mutable variables ("slots", one component each) to static single assignment as they are read and written
// (Braun et al. 2013).
class Builder {
 public:
  Builder();

  Ir ir;
  uint32_t line = 0;          // given to new instructions
  bool exact_floats = false;  // x + 0 and 1 x are instructions

  // Instructions ------------------------------------------------------------------------------------------
  using Lanes = std::vector<Ref>;
  // Component-wise over any number of lanes: one instruction per four.
  Lanes op(Opcode op, const std::vector<Lanes>& sources);
  Lanes op1(Opcode o, const Lanes& a) { return op(o, {a}); }
  Lanes op2(Opcode o, const Lanes& a, const Lanes& b) { return op(o, {a, b}); }
  Lanes op3(Opcode o, const Lanes& a, const Lanes& b, const Lanes& c) { return op(o, {a, b, c}); }
  // Scalar class: an instruction per lane.
  Lanes scalar(Opcode op, const Lanes& a);
  Lanes scalar(Opcode op, const Lanes& a, const Lanes& b);
  Ref dot(const Lanes& a, const Lanes& b);
  // Appends an instruction unchanged.
  uint32_t append(Inst inst);
  // Returns the result of make(), which appends to the end of the first block, where all lanes are active.
  template <class Make>
  auto in_entry(Make&& make) {
    const uint32_t here = std::exchange(block_, 0);
    auto made = make();
    block_ = here;
    return made;
  }
  Ref ref(uint32_t inst, uint32_t lane) const {
    return {.kind = RefKind::kValue, .lane = static_cast<uint8_t>(lane), .index = inst};
  }
  static Lanes splat(const Ref& value, size_t lanes) { return Lanes(lanes, value); }
  static Lanes negate(const Lanes& a);    // floats
  static Lanes absolute(const Lanes& a);  // floats
  Lanes ineg(const Lanes& a);             // integers
  Lanes logical_not(const Lanes& a);
  Lanes saturate(const Lanes& a);
  // The same value with its float modifiers applied: needed when the bits are reinterpreted.
  Lanes bits(const Lanes& a);

  // Slots -------------------------------------------------------------------------------------------------
  uint32_t new_slots(uint32_t count, uint32_t family = 0);  // returns the first
  void write(uint32_t slot, const Ref& value);
  Ref read(uint32_t slot) { return read_in(slot, block_); }
  void write_in(uint32_t slot, uint32_t block, const Ref& value);

  // Control flow ------------------------------------------------------------------------------------------
  bool reachable() const { return block_ != kNone; }
  uint32_t block() const { return block_; }
  uint32_t nesting() const { return static_cast<uint32_t>(open_.size()); }
  void begin_if(const Ref& condition);
  void begin_else();
  void end_if();
  void begin_loop();
  void next();  // lanes that continued rejoin
  void end_loop();
  void leave(Opcode op, const Ref& condition);  // BRK or CONT
  void kill(const Ref& condition);

  // Replaces phis with a single value by that value. Call once, after the last read.
  void remove_trivial_phis();

 private:
  struct Construct {
    bool loop = false, has_else = false;
    uint32_t head = kNone;      // IF: the block that it ends; LOOP: its first block
    uint32_t then_end = kNone;  // last block of the first arm, if the arm ends
    std::vector<uint32_t> breaks, continues;
    bool in_next = false;
  };

  uint32_t new_block(const std::vector<uint32_t>& preds);
  void flow(Opcode op, const Ref* condition);
  Ref read_in(uint32_t slot, uint32_t block);
  bool stands_for(const Ref& only, const Inst& phi) const;
  Ref read_preds(uint32_t slot, uint32_t block);
  uint32_t add_phi(uint32_t slot, uint32_t block);
  void seal(uint32_t block);
  bool fold(Opcode op, const std::array<Ref, 3>& source, Ref& result) const;

  uint32_t block_ = 0;
  std::vector<Construct> open_;
  std::vector<std::unordered_map<uint32_t, Ref>> definitions_;          // by block: slot → value
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> incomplete_;  // by block: (slot, phi)
  std::vector<uint32_t> family_;                                        // by slot
};

// Folds an operation on literals as the machine computes it, for operations that need only IEEE 754 and
// integers. Returns false for other operations, or if the result is not an ordinary number.
bool fold_literals(Opcode op, const std::array<uint32_t, 3>& source, uint32_t& result);
// The same for operations on doubles: operands and result have 64 bits, or 32 if the operation's do.
bool fold_doubles(Opcode op, const std::array<uint64_t, 3>& source, uint64_t& result);
// Convert between the bits of a float and those of the nearest half.
uint32_t nearest_half(uint32_t bits);
uint32_t float_of_half(uint32_t half);
// OpQuantizeToF16 of a float's bits: the nearest half, zero where that would be a denormal.
uint32_t quantized_to_half(uint32_t bits);

}  // namespace cutaway::compiler
