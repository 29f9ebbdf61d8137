#pragma once

#include <string>

#include "arch/surface.h"
#include "capture/reader.h"

namespace cutaway::replay {

// A surface that a program has given a name (vkSetDebugUtilsObjectNameEXT, glObjectLabel).
struct NamedSurface {
  arch::Address address = 0;
  uint64_t bytes = 0;
  uint32_t width = 0, height = 0;  // texels
  bool tiled = false;
  uint32_t levels = 0, layers = 0;
};

// UserError: the capture has no surface of this name, or several.
NamedSurface find_surface(const capture::Reader& reader, const std::string& path, const std::string& name);

}  // namespace cutaway::replay
