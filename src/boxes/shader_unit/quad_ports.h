#pragma once

#include "boxes/shader_unit/group_table.h"
#include "boxes/shader_unit/quad_requests.h"
#include "engine/wire.h"

// The ports of quad requests, texture_out and texture_in, pulls_out and pulls_in: requests leave a shader
// unit and answers come in.
namespace cutaway::boxes {

// The last request of a load that the group goes on behind has left.
inline void note_sent(engine::Cycle now, Group& group, uint32_t load) {
  if (group.loads.awaited == load) group.time.send_load(now, group.threads.pc(), group.loads[load].pc);
}

// Sends the next request, which is due and which make(group, quad) builds, if the wire has room. One per
// cycle. Returns whether one was sent.
template <class Message, class Make>
bool send_request(engine::Cycle now, QuadRequests& requests, GroupTable& groups, engine::Out<Message>& out,
                  const Make& make) {
  if (!out.ready(now)) return false;
  Group& group = groups[requests.group()];
  const uint32_t load = requests.load();
  out.send(now, {make(group, requests.quad())});
  if (!requests.sent()) return true;
  if (!group.loads.none()) note_sent(now, group, load);
  else group.time.send(now);
  return true;
}

// Takes the answer for a quad, which is there, and writes it to the registers of its group. Returns whether
// it was the last of its instruction, behind which a group stands then that has stopped at it. One per cycle.
template <class Message>
bool take_answer(engine::Cycle now, QuadRequests& requests, Group& group, engine::In<Message>& in) {
  const auto& job = *in.peek(now)->job;
  const RequestName name = RequestName::of(job.group);
  const bool goes_on = !group.loads.none();
  const func::MicroOp& op = goes_on ? *group.loads[name.load].op : group.next_op();
  func::write_result_quad(op, group.view, group.width, job.quad, job.lane_mask, job.result);
  const bool last = requests.answered(name.group, name.load, job.quad);
  in.drop(now);
  if (!last || goes_on) return last;
  group.time.answer(now);
  group.threads.advance();
  return true;
}

}  // namespace cutaway::boxes
