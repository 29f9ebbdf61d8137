#pragma once

#include "scenes/builder.h"

// Scenes in which a bug of the mechanism shows, and edits of command streams.
namespace cutaway::scenes {

// A texture is sampled, written by a fill, and sampled again: two draws.
Scene texture_written_between_draws();
// A surface is rendered to, sampled, copied from, and shown.
Scene rendered_then_read();
// Glass over glass; the lower panes take a long loop to shade.
Scene glass_panes();

// Threads of 24 workgroups take places in a list by an atomic, so that its order is that of their arrival: the
// last workgroups first, where all run at once. A clear stands before them.
Scene order_of_arrival();

// The scene with the n-th packet of an opcode in its submissions made a NOP of the same length.
Scene without_packet(const Scene& scene, arch::Opcode removed, uint32_t n);

}  // namespace cutaway::scenes
