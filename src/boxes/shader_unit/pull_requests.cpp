#include "boxes/shader_unit/pull_requests.h"

#include <cstring>

namespace cutaway::boxes {

messages::PoolRef<messages::PullJob> make_pull_request(const Group& group, uint32_t load, uint32_t quad,
                                                       messages::Pool<messages::PullJob>& jobs) {
  const isa::Instruction& instruction = group.next_instruction();
  const messages::QuadMessage& fragments = group.fragments.quads->quad[quad].quad;
  messages::PoolRef<messages::PullJob> ref = jobs.allocate();
  messages::PullJob& job = *ref;
  job.primitive = fragments.primitive;
  job.state = group.state;
  job.origin = group.origin;
  job.origin.primitive = fragments.origin.primitive;
  job.x = fragments.x, job.y = fragments.y, job.sample = fragments.sample;
  job.interpolant = instruction.access.slot, job.mask = instruction.dst.mask;
  uint32_t source[4][4];
  func::read_source_quad(group.next_op(), 0, group.view, group.width, quad, source);
  std::memcpy(job.offset, source, sizeof job.offset);
  job.lane_mask = group.threads.active() >> 4 * quad & 15;
  job.group = RequestName{group.index, load}.number(), job.quad = quad;
  return ref;
}

}  // namespace cutaway::boxes
