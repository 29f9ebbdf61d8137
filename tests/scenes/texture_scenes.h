#pragma once

#include "scenes/builder.h"

namespace cutaway::scenes {

Scene anisotropic_textures();  // several ratios, explicit derivatives, a cube, a line
Scene gathers();               // components, offsets, borders, comparisons, cube arrays
Scene block_textures();        // BC1 to BC7 with mipmaps
Scene packed_textures();       // four bits a channel, in each of the four orders
Scene stencil_textures();      // both aspects of each format with stencil
Scene texel_buffers();         // elements of three words, reads beyond the end
Scene volume_slices();         // draws to slices of a 3D texture, which is then sampled

}  // namespace cutaway::scenes
