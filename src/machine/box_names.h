#pragma once

#include <string_view>

namespace cutaway::machine {

// A box "gpu.NAME" or "gpu.NAME0" is called as its table of parameters (Config::list), a shader unit as its
// class. These boxes have no table of their name.
inline constexpr std::string_view kBoxesWithoutTable[] = {"clipper", "memory_controller",
                                                          "primitive_assembly", "texture_arbiter"};

}  // namespace cutaway::machine
