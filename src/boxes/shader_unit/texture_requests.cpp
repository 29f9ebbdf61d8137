#include "boxes/shader_unit/texture_requests.h"

#include <cstring>

#include "isa/operands.h"

namespace cutaway::boxes {

messages::PoolRef<messages::TextureJob> make_texture_request(const Group& group, uint32_t load, uint32_t quad,
                                                             messages::Pool<messages::TextureJob>& jobs) {
  messages::PoolRef<messages::TextureJob> ref = jobs.allocate();
  messages::TextureJob& job = *ref;
  job.instruction = group.next_instruction();
  job.state = group.state;
  job.origin = group.origin;
  job.stage = group.stage;
  job.lane_mask = group.threads.active() >> 4 * quad & 15;
  job.group = RequestName{group.index, load}.number();
  job.quad = quad;
  if (group.stage == arch::Stage::kFragment) {
    const messages::QuadMessage& fragments = group.fragments.quads->quad[quad].quad;
    job.primitive = fragments.origin.primitive;
    job.x = fragments.x, job.y = fragments.y, job.sample = fragments.sample;
    if (group.state->tiles) group.state->tiles->at(job.x, job.y).texture_requests++;
  }
  const func::MicroOp& op = group.next_op();
  const uint32_t sources = isa::source_count(job.instruction);
  for (uint32_t n = 0; n < sources; n++)
    func::read_source_quad(op, n, group.view, group.width, quad, job.src[n]);
  // A gather without offsets in a register adds zero.
  if (job.instruction.op == isa::Opcode::kTxg && sources < 2) std::memset(job.src[1], 0, sizeof job.src[1]);
  return ref;
}

}  // namespace cutaway::boxes
