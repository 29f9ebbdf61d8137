#pragma once

#include "boxes/shader_unit/group_table.h"
#include "boxes/shader_unit/quad_requests.h"
#include "engine/wire.h"

// The ports of quad requests, texture_out and texture_in, pulls_out and pulls_in: requests leave a shader
// unit and answers come in.
namespace cutaway::boxes {

// Sends the next request, which make(group, quad) builds, if it is due and the wire has room. One per cycle.
// Returns whether one was sent.
template <class Message, class Make>
bool send_request(engine::Cycle now, QuadRequests& requests, GroupTable& groups, engine::Out<Message>& out,
                  const Make& make) {
  if (!requests.due(now) || !out.ready(now)) return false;
  Group& group = groups[requests.group()];
  out.send(now, {make(group, requests.quad())});
  if (requests.sent()) group.time.send(now);
  return true;
}

// Takes the answer for a quad, which is there, and writes it to the registers of its group. Returns whether
// it was the group's last, behind which the group stands at its next instruction. One per cycle.
template <class Message>
bool take_answer(engine::Cycle now, QuadRequests& requests, Group& group, engine::In<Message>& in) {
  const auto& job = *in.peek(now)->job;
  func::write_result_quad(group.next_op(), group.view, group.width, job.quad, job.lane_mask, job.result);
  const bool last = requests.answered(job.group, job.quad);
  in.drop(now);
  if (!last) return false;
  group.time.answer(now);
  group.threads.advance();
  return true;
}

}  // namespace cutaway::boxes
