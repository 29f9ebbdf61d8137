#pragma once

#include <cstdint>
#include <xbyak/xbyak.h>

// The registers of compiled runs of shader instructions, and the constants that they use.
namespace cutaway::func::jit {

using Assembler = Xbyak::CodeGenerator;
using Xbyak::Zmm;

// Vector registers 0 to 28 hold words and intermediate values; the last three hold constants.
constexpr int kCachedRegisters = 29;
constexpr int kZeroRegister = 29, kOneRegister = 30, kNanRegister = 31;

inline const Zmm kZero(kZeroRegister), kOne(kOneRegister), kNan(kNanRegister);

// Masks: of a comparison, of NaNs, and of the lanes that execute.
inline const Xbyak::Opmask kCondition(1), kNanLanes(2), kLaneMask(7);

// An instruction clears the lanes that its mask excludes.
inline const Xbyak::EvexModifierZero kZeroing;

// Addresses of the current 16 lanes in each file, of the constants, and of kPool; the lanes that execute.
inline const Xbyak::Reg64 kRegistersArgument(Xbyak::Operand::RDI), kLanesArgument(Xbyak::Operand::RSI),
    kInputs(Xbyak::Operand::RAX), kTemporaries(Xbyak::Operand::RCX), kOutputs(Xbyak::Operand::RDX),
    kConstants(Xbyak::Operand::R8), kPoolAddress(Xbyak::Operand::R10);
inline const Xbyak::Reg32 kSteps(Xbyak::Operand::R9D);

// Words that instructions broadcast.
struct Pool {
  uint32_t one = 0x3f800000, nan = 0x7fc00000, minus_one = 0xbf800000, sign = 0x80000000,
           magnitude = 0x7fffffff, infinity = 0x7f800000, ones = 0xffffffff, shift_mask = 31,
           two_to_31 = 0x4f000000;
};
inline constexpr Pool kPool;

}  // namespace cutaway::func::jit
