#pragma once

#include "boxes/shader_unit/group.h"

namespace cutaway::boxes {

// The request of a quad for the interpolator: the next instruction of the group, a PULL, with its number
// among those under way. Its offsets are read now, as the sources of texture instructions are.
messages::PoolRef<messages::PullJob> make_pull_request(const Group& group, uint32_t load, uint32_t quad,
                                                       messages::Pool<messages::PullJob>& jobs);

}  // namespace cutaway::boxes
