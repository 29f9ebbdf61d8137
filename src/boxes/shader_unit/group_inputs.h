#pragma once

#include "boxes/shader_unit/group.h"

// The registers with which a group starts. The messages of the group, its stage and its state are there.
namespace cutaway::boxes {

// The inputs of each stage. Registers that the program reads and that nothing feeds are zero.
void load_vertices(Group& group);    // of vertex and evaluation programs
void load_primitives(Group& group);  // of control and geometry programs
void load_quads(Group& group);
// first: the number of the group's first thread in its workgroup.
void load_ids(Group& group, const messages::Workgroup& workgroup, uint32_t first);

// The group begins its program in cycle `now` with these lanes, bit each, and helpers beside them for their
// quads' sake: clears the registers that the program may read before it writes them.
void start(engine::Cycle now, Group& group, uint64_t lanes, uint64_t helpers);

}  // namespace cutaway::boxes
