#pragma once

#include <string>

#include "command_stream/clocked.h"
#include "machine/config.h"

namespace cutaway::app {

// The features that a chip with these abilities lacks and the driver can omit, in the form of CUTAWAY_WITHOUT
// (docs/driver.md). Empty: none.
std::string without(const command_stream::Abilities& abilities);
// The formats that it supports, in the form of CUTAWAY_FORMATS. Empty: all.
std::string formats(const command_stream::Abilities& abilities);
// The sizes of images that it supports, in the form of CUTAWAY_IMAGES. Empty: all.
std::string images(const command_stream::Abilities& abilities);
// The limits of its programs, in the form of CUTAWAY_PROGRAMS. Empty: the contract's.
std::string programs(const command_stream::Abilities& abilities);
// How the compiler orders loads for the units of its fragment programs, in the form of CUTAWAY_LOADS. Empty:
// as programs have them.
std::string loads(const machine::Config& gpu);
// The memory that it reaches, in the form of CUTAWAY_MEMORY; system_textures: textures lie in system memory.
// Empty: video memory alone.
std::string memory(const machine::Config& gpu, bool system_textures);

}  // namespace cutaway::app
