#pragma once

#include "boxes/shader_unit/group.h"

namespace cutaway::boxes {

// The request of a quad for the texture unit: the next instruction of the group, which reads a texture or a
// buffer, with its number among those under way. Its sources are read now: a group that waits for the answer
// makes the request when it leaves, one that goes on when the instruction issues.
messages::PoolRef<messages::TextureJob> make_texture_request(const Group& group, uint32_t load, uint32_t quad,
                                                             messages::Pool<messages::TextureJob>& jobs);

}  // namespace cutaway::boxes
