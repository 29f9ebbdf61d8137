#include "engine/wire.h"

namespace cutaway::engine {

void WireBase::misuse(const Port& port, const char* what, Cycle now) const {
  internal_error(
      __FILE__, __LINE__, "port",
      fmt::format("{}: {} in cycle {} without a message or room for one", port.full_name(), what, now));
}

}  // namespace cutaway::engine
