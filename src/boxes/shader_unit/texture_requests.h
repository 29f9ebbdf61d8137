#pragma once

#include "boxes/shader_unit/group.h"

namespace cutaway::boxes {

// The request of a quad for the texture unit: the next instruction of the group, which reads a texture or a
// buffer. Its sources are read when the request leaves, since the registers of a group that waits stay as
// they are.
messages::PoolRef<messages::TextureJob> make_texture_request(const Group& group, uint32_t quad,
                                                             messages::Pool<messages::TextureJob>& jobs);

}  // namespace cutaway::boxes
