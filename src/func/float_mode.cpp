#include "func/float_mode.h"

#include <xmmintrin.h>

namespace cutaway::func {
namespace {

// MXCSR: flush to zero (15), denormals are zero (6), all exceptions masked (7 to 12),
// round to nearest (13, 14).
constexpr uint32_t kMode = 1u << 15 | 1u << 6 | 0x3fu << 7;
constexpr uint32_t kStickyFlags = 0x3f;

}  // namespace

FloatMode::FloatMode() : saved_(_mm_getcsr()) { _mm_setcsr(kMode); }

FloatMode::~FloatMode() { _mm_setcsr(saved_); }

bool FloatMode::active() { return (_mm_getcsr() & ~kStickyFlags) == kMode; }

}  // namespace cutaway::func
