#pragma once

#include "icd/stream/command_stream.h"

namespace cutaway::icd {

// Clears one layer of one level of a linear surface without a draw, for a queue that draws nothing: a CLEAR
// of tiled memory of the driver's own, and copies of it. extent: of the level.
void clear_by_copies(CommandStream& stream, const arch::Surface& surface, const VkClearColorValue& value,
                     VkExtent3D extent);

}  // namespace cutaway::icd
