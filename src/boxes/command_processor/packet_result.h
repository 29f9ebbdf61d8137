#pragma once

#include <cstdint>

namespace cutaway::boxes {

// The outcome of a cycle in which a packet was tried. A packet that waits is tried again in the next cycle.
enum class PacketResult : uint8_t {
  kDone,            // carried out; a cache order that it gave may be under way
  kWait,            // for work under way, a reply, or room on a port: CommandProcessor::waits_for()
  kWaitForState,    // a draw or a dispatch: until the state bus has brought the units all that it needs
  kWaitForDisplay,  // until the picture that is being scanned out has left its memory
};

}  // namespace cutaway::boxes
