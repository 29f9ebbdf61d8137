#include "engine/wire.h"

namespace cutaway::engine {

uint64_t WireBase::slot_cycles() const { return slot_cycles_ + filling() * receiver_->domain().now(); }

void WireBase::misuse(const Port& port, const char* what, Cycle now) const {
  internal_error(
      __FILE__, __LINE__, "port",
      fmt::format("{}: {} in cycle {} without a message or room for one", port.full_name(), what, now));
}

}  // namespace cutaway::engine
