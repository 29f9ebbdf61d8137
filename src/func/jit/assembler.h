#pragma once

#include <array>
#include <cstdint>
#include <xbyak/xbyak.h>

// The registers of compiled runs of shader instructions, and the constants that they use.
namespace cutaway::func::jit {

using Assembler = Xbyak::CodeGenerator;
using Vector = Xbyak::Xmm;  // a vector register, or its wider part: Ymm, Zmm

// Addresses of the current lanes in each file, of the constants, and of kPool; the lanes that execute, one
// bit each.
inline const Xbyak::Reg64 kRegistersArgument(Xbyak::Operand::RDI), kLanesArgument(Xbyak::Operand::RSI),
    kInputs(Xbyak::Operand::RAX), kTemporaries(Xbyak::Operand::RCX), kOutputs(Xbyak::Operand::RDX),
    kConstants(Xbyak::Operand::R8), kPoolAddress(Xbyak::Operand::R10);
inline const Xbyak::Reg32 kSteps(Xbyak::Operand::R9D);

// A word in every lane.
struct alignas(64) Everywhere {
  explicit constexpr Everywhere(uint32_t word) { lane.fill(word); }
  std::array<uint32_t, 16> lane{};
};

struct Pool {
  Everywhere zero{0}, one{0x3f800000}, minus_one{0xbf800000}, nan{0x7fc00000}, sign{0x80000000},
      magnitude{0x7fffffff}, ones{0xffffffff}, shift_mask{31}, low_half{0xffff}, two_to_16{0x47800000},
      two_to_31{0x4f000000};
  std::array<uint32_t, 8> lane_bit{1, 2, 4, 8, 16, 32, 64, 128};
};
inline constexpr Pool kPool;

// A constant as an operand in memory.
template <class Constant>
Xbyak::Address in_pool(const Assembler& out, const Constant Pool::*member) {
  const auto* first = reinterpret_cast<const char*>(&kPool);
  const auto* at = reinterpret_cast<const char*>(&(kPool.*member));
  return out.ptr[kPoolAddress + static_cast<size_t>(at - first)];
}

}  // namespace cutaway::func::jit
