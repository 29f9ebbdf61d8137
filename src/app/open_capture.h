#pragma once

#include <optional>
#include <string>

#include "base/frames.h"
#include "capture/reader.h"

namespace cutaway::app {

// Opens a capture. A name ending in ".part" is an unfinished file of a killed writer: it is read up to its
// last whole frame. Verifies all checksums of the file if `check` is set or the file is at most 256 MB;
// otherwise only those of the parts used.
capture::Reader open_capture(const std::string& path, bool check = false);

// The requested frames, or all, with the end of an open range filled in. UserError: the capture does not
// contain them.
FrameRange frames_of(const capture::Reader& reader, const std::string& path,
                     const std::optional<FrameRange>& asked);

}  // namespace cutaway::app
