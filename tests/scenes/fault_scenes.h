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

// The scene with the n-th packet of an opcode in its submissions made a NOP of the same length.
Scene without_packet(const Scene& scene, arch::Opcode removed, uint32_t n);

}  // namespace cutaway::scenes
