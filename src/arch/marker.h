#pragma once

#include <cstdint>

// Ids of MARKER packets that name no annotation. Draws between the two are the driver's own work (clears,
// blits, resolves), not a program's. A machine counts them separately; nothing else changes. A submission
// begins outside them.
namespace cutaway::arch {

constexpr uint32_t kDriverWorkBegins = 0xffffffff;
constexpr uint32_t kDriverWorkEnds = 0xfffffffe;

}  // namespace cutaway::arch
