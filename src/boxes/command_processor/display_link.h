#pragma once

#include <span>

#include "boxes/command_processor/command_parts.h"
#include "boxes/command_processor/packet_result.h"

namespace cutaway::boxes {

class CommandProcessor;

// Hands pictures over to the DAC: those that PRESENT and display() give, at once or when there is room for
// them.
class DisplayLink {
 public:
  DisplayLink(CommandProcessor& box, CommandParts& parts) : box_(box), parts_(parts) {}

  // Tells the DAC of a surface of the bound context, or holds it if another context may use the GPU
  // meanwhile.
  PacketResult present(engine::Cycle now, std::span<const uint32_t> packet);
  // Hands over what waits for that. True: there was a picture.
  bool step(engine::Cycle now);

 private:
  bool list_scan_out(engine::Cycle now);
  void show(engine::Cycle now, const HeldPresents::Held& picture);
  bool show_held(engine::Cycle now);

  CommandProcessor& box_;
  CommandParts& parts_;
};

}  // namespace cutaway::boxes
