#pragma once

#include <cstdint>

// Ids of MARKER packets that name no annotation. The draws between the two are the driver's own work
// (clears, blits, resolves), not a program's: a machine counts them apart, and nothing else changes. A
// submission begins without.
namespace cutaway::arch {

constexpr uint32_t kDriverWorkBegins = 0xffffffff;
constexpr uint32_t kDriverWorkEnds = 0xfffffffe;

}  // namespace cutaway::arch
