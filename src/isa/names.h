#pragma once

#include <string_view>

#include "isa/instruction.h"

// Words of the assembly language that both the assembler and the disassembler use.
namespace cutaway::isa {

constexpr std::string_view kDimNames[] = {"1D",      "2D",        "3D",     "CUBE", "1DARRAY",
                                          "2DARRAY", "CUBEARRAY", "BUFFER", "2DMS", "2DMSARRAY"};
constexpr std::string_view kStoreSizeNames[] = {"", "HALF", "BYTE"};
constexpr std::string_view kComponentNames = "xyzw";
constexpr std::string_view kSaturateSuffix = "_SAT";
constexpr std::string_view kCachedName = "CACHED", kFenceSharedName = "SHARED", kFenceDeviceName = "DEVICE";

}  // namespace cutaway::isa
