// A program whose fragment shader adds to 64 bits of a buffer in one atomic step, which Cutaway does not
// offer: for tests of how the command tells that.
#include <cstdint>

#include "full_screen.h"
#include "wide_atomics.frag.h"

int main() {
  const headless::Context context;
  full_screen::make_pipeline(context, full_screen::make_pass(context.device()), 64, wide_atomics_frag,
                             sizeof wide_atomics_frag, nullptr);
  return 0;
}
