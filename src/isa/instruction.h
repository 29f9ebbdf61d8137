#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/registers.h"
#include "isa/opcode.h"

namespace cutaway::isa {

// Register files. Every register has four 32-bit components without a type.
enum class File : uint8_t {
  kNone,
  kTemporary,  // r0..r127
  kInput,      // i0..i34: see arch/registers.h
  kOutput,     // o0..o39: write only
  kConstant,   // c0..c1023
};

// Two bits per component, x lowest; 0xe4 is xyzw.
constexpr uint8_t kSwizzleXyzw = 0xe4;
constexpr uint8_t swizzle(uint8_t x, uint8_t y, uint8_t z, uint8_t w) {
  return static_cast<uint8_t>(x | y << 2 | z << 4 | w << 6);
}
constexpr uint8_t swizzle_component(uint8_t swizzle, uint32_t component) {
  return swizzle >> (2 * component) & 3;
}

// The part of each component of a temporary that an operand uses: all 32 bits, or a 16-bit float in one half
// (NV4-4). h6 is the low half of r3, h7 the high half.
enum class Half : uint8_t { kNone, kLow, kHigh };

struct Source {
  File file = File::kNone;
  Half half = Half::kNone;
  uint16_t index = 0;
  uint8_t swizzle = kSwizzleXyzw;
  bool negate = false, absolute = false;  // absolute is applied before negate
  bool operator==(const Source&) const = default;
};

struct Destination {
  File file = File::kNone;  // temporary, output, or none
  Half half = Half::kNone;  // the result is saturated, then rounded to 16 bits
  uint8_t index = 0;
  uint8_t mask = 0xf;     // bit 0 x … bit 3 w
  bool saturate = false;  // floats: clamp to [0, 1], NaN to 0
  bool operator==(const Destination&) const = default;
};

enum class TextureDim : uint8_t {
  k1D,
  k2D,
  k3D,
  kCube,
  k1DArray,
  k2DArray,
  kCubeArray,
  kBuffer,
  k2DMultisample,
  k2DMultisampleArray
};
constexpr uint32_t kTextureDims = 10;

// The new value that ATOM and its variants store over the old word; a = src1.x and b = src2.x.
enum class AtomicOp : uint8_t {
  kAdd,
  kImin,
  kUmin,
  kImax,
  kUmax,
  kAnd,
  kOr,
  kXor,
  kExchange,         // a
  kCompareExchange,  // a if the old word equals b
};
constexpr uint32_t kAtomicOps = 10;

// The part of src1.x that a store writes: bits 0 to 15, or 0 to 7, or whole words (docs/isa.md "Memory").
enum class StoreSize : uint8_t { kWords, kHalf, kByte };
constexpr uint32_t kStoreSizes = 3;

// Accesses that a barrier waits for, besides other groups (DX-12): those to workgroup memory, or those to
// buffers and images, after which loads see the stores of others.
enum Fence : uint8_t { kFenceShared = 1, kFenceDevice = 2 };

// Constant registers [first, first + count).
struct ConstantWindow {
  uint16_t first = 0, count = 0;
  bool operator==(const ConstantWindow&) const = default;
  bool contains(uint32_t index) const { return index - first < count; }
};

// Operands of texture and memory instructions besides registers.
struct Access {
  uint8_t resource = 0;  // slot of the stage's resource table
  uint8_t sampler = 0;   // slot of the stage's sampler table
  TextureDim dim = TextureDim::k2D;
  bool shadow = false;             // compares with the depth reference
  uint8_t gather = 0;              // component of TXG
  std::array<int8_t, 3> offset{};  // texels, -8..7
  AtomicOp atomic = AtomicOp::kAdd;
  uint8_t slot = 0;  // LDV: register of the vertex; EMIT, CUT: stream; PULL: interpolant
  StoreSize size = StoreSize::kWords;
  bool cached = false;    // LDB, LDI: the first-level cache may serve the load although others have stored
                          // since
  uint8_t fence = 0;      // BAR, MEMBAR: Fence bits
  ConstantWindow window;  // LDC: registers that it may read
  bool operator==(const Access&) const = default;
};

// One instruction, decoded. In memory it takes 128 bits: docs/isa.md "Encoding".
struct Instruction {
  Opcode op = Opcode::kNop;
  Destination dst;
  std::array<Source, 3> src;
  Access access;        // texture and memory classes, barriers, LDC
  uint16_t target = 0;  // flow class
  bool operator==(const Instruction&) const = default;
};

constexpr uint32_t kInstructionBytes = 16;
using EncodedInstruction = std::array<uint32_t, 4>;

// InternalError if the instruction is not valid() (validate.h). Fields of `access` that the operation does
// not have are not encoded.
EncodedInstruction encode(const Instruction& instruction);

// Programs come from memory and are untrusted. Returns false, with one line in `error`, if the encoding
// contains an unknown operation, a register outside its file or a reserved bit.
bool decode(const EncodedInstruction& words, Instruction& instruction, std::string& error);

// Decodes and checks a whole program: every instruction, the nesting of flow instructions and their targets,
// an END at the end, at most arch::kInstructions, registers within `temporaries`. Returns false with one line
// in `error`.
bool decode_program(const std::vector<EncodedInstruction>& words, uint32_t temporaries,
                    std::vector<Instruction>& program, std::string& error);

// Convert between instructions and text such as "MAD_SAT r1.xyz, i0, -c4.x, |r2|": docs/isa.md "Assembly".
// The assembler throws UserErrors with line and column, and fills in targets that the text omits (flow.h does
// the same for code generators).
std::string disassemble(const Instruction& instruction);
std::string disassemble(const std::vector<Instruction>& program);  // with numbers and indentation
std::vector<Instruction> assemble(std::string_view text);

}  // namespace cutaway::isa
