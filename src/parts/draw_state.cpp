#include "parts/draw_state.h"

namespace cutaway::parts {

void DrawState::assign(const DrawState& from) {
  registers = from.registers;
  of_driver = from.of_driver;
  auto to = stage.begin();
  for (const StageState& state : from.stage) {
    if (to->version != state.version) *to = state;
    ++to;
  }
}

}  // namespace cutaway::parts
