#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "report/page/draw_view_data.h"

namespace cutaway::app {

// Pictures, meshes and textures of the draws of runs, from their captures, which the emulator executes up to
// the frame. capture: path of the capture, if it has moved; empty: where the run found it. A capture that is
// missing or cannot be executed gives a remark. most_bytes: of a page; 0: none are made.
report::PictureSource draw_pictures(const std::string& capture, size_t most_bytes);

}  // namespace cutaway::app
