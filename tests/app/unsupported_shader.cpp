// A program whose fragment shader computes with doubles, which Cutaway does not offer: for tests of how the
// command tells that.
#include <cstdint>

#include "double_precision.frag.h"
#include "full_screen.h"

int main() {
  const headless::Context context;
  full_screen::make_pipeline(context, full_screen::make_pass(context.device()), 64, double_precision_frag,
                             sizeof double_precision_frag, nullptr);
  return 0;
}
