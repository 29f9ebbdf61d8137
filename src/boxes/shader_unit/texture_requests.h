#pragma once

#include "boxes/shader_unit/group.h"

namespace cutaway::boxes {

// The request of a quad for the texture unit: the next instruction of the group, which reads a texture or a
// buffer. Its sources are read when the request leaves, since the registers of a group that waits stay as
// they are.
parts::PoolRef<parts::TextureJob> make_texture_request(const Group& group, uint32_t quad,
                                                       parts::Pool<parts::TextureJob>& jobs);

}  // namespace cutaway::boxes
