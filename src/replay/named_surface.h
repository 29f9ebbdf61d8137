#pragma once

#include <optional>
#include <string>

#include "arch/surface.h"
#include "capture/reader.h"

namespace cutaway::replay {

// A surface as the driver describes it in a capture (icd::Image).
struct NamedSurface {
  arch::Address address = 0;
  uint64_t bytes = 0;
  uint32_t width = 0, height = 0;  // texels
  std::string format;              // name, as in arch::format_info()
  bool tiled = false;
  uint32_t levels = 0, layers = 0;
  std::string name;  // by vkSetDebugUtilsObjectNameEXT
};

// Parses the text of an annotation "surface". Nothing: it is no such text, or a number is out of range.
std::optional<NamedSurface> parse_surface(const std::string& text);

// UserError: the capture has no surface of this name, or several. file: for messages.
NamedSurface find_surface(const capture::Reader& reader, const std::string& file, const std::string& name);

}  // namespace cutaway::replay
