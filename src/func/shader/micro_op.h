#pragma once

#include <cstdint>

#include "isa/instruction.h"
#include "isa/opcode.h"

// A predecoded instruction: operands are resolved and the function that computes it is chosen.
namespace cutaway::func {

constexpr uint32_t kMaxWidth = 64;  // lanes of a group; a group has 4, 8, 16, 32 or 64

// The width of a group with `lanes` threads. A group of 1 or 2 threads is stored as a quad whose other lanes
// never run.
constexpr uint32_t register_width(uint32_t lanes) { return lanes < 4 ? 4 : lanes; }

// The registers of one group of `width` lanes: [register][component][lane] words, the lane fastest. Constants
// are the same for all lanes: [register][component]. The caller owns the storage; a program accesses only the
// temporaries, inputs and outputs that it names.
struct Registers {
  const uint32_t* input = nullptr;
  uint32_t* temporary = nullptr;
  uint32_t* output = nullptr;
  const uint32_t* constant = nullptr;
  uint32_t* scratch = nullptr;  // scratch memory, [word][lane]: scratch_words per lane
  uint32_t scratch_words = 0;
};

// Index of a register's word in such an array.
constexpr uint32_t register_word(uint32_t width, uint32_t index, uint32_t component, uint32_t lane) {
  return (index * 4 + component) * width + lane;
}

// value = ((bits & ~clear) ^ flip) + add, after the two's complement absolute value if integer_absolute.
struct MicroSource {
  uint16_t component[4] = {};  // index × 4 + component, after the swizzle
  uint32_t clear = 0, flip = 0, add = 0;
  isa::File file = isa::File::kNone;
  isa::Half half = isa::Half::kNone;
  bool modified = false, integer_absolute = false;
  uint8_t read = 0;  // one bit per `component` that the instruction needs; texture operands are always read
                     // completely
};

struct MicroOp;

// Executes an ALU instruction in the lanes whose word in `mask` is all ones; null mask: in all lanes.
using AluFunction = void (*)(const MicroOp& op, const Registers& registers, uint32_t width,
                             const uint32_t* mask);

struct MicroOp {
  AluFunction execute = nullptr;   // ALU classes, LDC, LDS and STS
  AluFunction of_words = nullptr;  // for an ALU instruction with halves: the same operation on whole words
  isa::Opcode op = isa::Opcode::kNop;
  isa::OpClass op_class = isa::OpClass::kFlow;
  isa::File dst_file = isa::File::kNone;
  isa::Half dst_half = isa::Half::kNone;
  uint8_t dst_mask = 0;  // 0 if the result is dropped
  uint16_t dst = 0;      // register
  bool saturate = false;
  bool in_turn = false;        // sources are plain, and no component of the result is read for a later one
  uint16_t target = 0;         // flow
  uint16_t next = 0;           // LOOP: its NEXT
  isa::ConstantWindow window;  // LDC
  MicroSource src[3];
};

// The translation of the arithmetic that runs. All give the same bits.
enum class AluPath : uint8_t {
  kBest,  // last one that the processor has and the environment allows: CUTAWAY_PORTABLE=1, CUTAWAY_AVX2=1
  kPortable,  // SSE2
  kAvx2,      // with FMA
  kAvx512,    // with the F, BW, DQ and VL sets
};

// Functions by opcode for groups of `width` lanes, null for an opcode that is no ALU instruction.
// InternalError for a path that the processor does not have: check has_path() first.
const AluFunction* alu_functions(uint32_t width, AluPath path = AluPath::kBest);
bool has_path(AluPath path);
AluPath best_path();  // the meaning of kBest here

// The member of a family of equal functions or tables for a path, each from its own translation.
template <class T>
T of_path(AluPath path, T portable, T avx2, T avx512) {
  if (path == AluPath::kBest) path = best_path();
  return path == AluPath::kAvx512 ? avx512 : path == AluPath::kAvx2 ? avx2 : portable;
}

}  // namespace cutaway::func
