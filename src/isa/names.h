#pragma once

#include <string_view>

#include "isa/instruction.h"

// Words of the assembly language, shared by the assembler and the disassembler.
namespace cutaway::isa {

constexpr std::string_view kDimNames[] = {"1D",      "2D",        "3D",     "CUBE", "1DARRAY",
                                          "2DARRAY", "CUBEARRAY", "BUFFER", "2DMS", "2DMSARRAY"};
constexpr std::string_view kStoreSizeNames[] = {"", "HALF", "BYTE"};
constexpr std::string_view kComponentNames = "xyzw";
// Prefix of Access::slot's number: for registers of a vertex and interpolants; streams have none.
constexpr std::string_view slot_prefix(Opcode op) {
  return op == Opcode::kLdv ? "v" : op == Opcode::kPull ? "i" : "";
}
constexpr std::string_view kSaturateSuffix = "_SAT";
constexpr std::string_view kCachedName = "CACHED", kFenceSharedName = "SHARED", kFenceDeviceName = "DEVICE";
constexpr std::string_view kWindowName = "WINDOW";

}  // namespace cutaway::isa
