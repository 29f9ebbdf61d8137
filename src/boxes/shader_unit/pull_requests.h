#pragma once

#include "boxes/shader_unit/group.h"

namespace cutaway::boxes {

// The request of a quad for the interpolator: the next instruction of the group, a PULL. Its offsets are read
// when the request leaves, since the registers of a group that waits stay as they are.
messages::PoolRef<messages::PullJob> make_pull_request(const Group& group, uint32_t quad,
                                                       messages::Pool<messages::PullJob>& jobs);

}  // namespace cutaway::boxes
