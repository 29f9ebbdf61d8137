#pragma once

#include "boxes/shader_unit/group.h"

// Instructions of programs that work on primitives and patches, carried out in the active lanes of a group.
namespace cutaway::boxes {

// LDV: a register of a vertex of each thread's primitive. A vertex that the primitive does not have, and a
// register that the vertex does not have, are zero.
void load_vertex(Group& group);

// EMIT or CUT: each thread gives out its outputs as a vertex, or ends its strip. Returns the number of
// vertices that were emitted; those beyond the most that the program may emit are dropped.
uint32_t emit(Group& group);

// LDW, STW and atomics of the memory of each thread's patch.
void access_patch(Group& group);

}  // namespace cutaway::boxes
