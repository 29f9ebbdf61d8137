#pragma once

#include "boxes/shader_unit/group.h"

namespace cutaway::boxes {

// The request of a quad for the interpolator: the next instruction of the group, a PULL. Its offsets are read
// when the request leaves, since the registers of a group that waits stay as they are.
parts::PoolRef<parts::PullJob> make_pull_request(const Group& group, uint32_t quad,
                                                 parts::Pool<parts::PullJob>& jobs);

}  // namespace cutaway::boxes
