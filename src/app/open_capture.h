#pragma once

#include <optional>
#include <string>

#include "base/frames.h"
#include "capture/reader.h"

namespace cutaway::app {

// Opens a capture. A name that ends in ".part" is what a writer left that was killed: it is read up to its
// last whole frame. All of the file is read and compared with its checksums where `check` asks for it or
// where that takes no time (256 MB); of larger ones what is used is.
capture::Reader open_capture(const std::string& path, bool check = false);

// The frames asked for, or all; the end of an open range filled in. UserError: they are not in the capture.
FrameRange frames_of(const capture::Reader& reader, const std::string& path,
                     const std::optional<FrameRange>& asked);

}  // namespace cutaway::app
