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

// Takes the answer for a quad and writes it to the registers of its group. Returns the group, and whether the
// answer was its last, behind which the group stands at its next instruction; null if no answer is there. One
// per cycle.
struct QuadAnswer {
  Group* group = nullptr;
  bool last = false;
};
template <class Message>
QuadAnswer take_answer(engine::Cycle now, QuadRequests& requests, GroupTable& groups,
                       engine::In<Message>& in) {
  const Message* message = in.peek(now);
  if (!message) return {};
  const auto& job = *message->job;
  Group& group = groups[job.group];
  func::write_result_quad(group.next_op(), group.view, group.width, job.quad, job.lane_mask, job.result);
  const bool last = requests.answered(job.group, job.quad);
  in.drop(now);
  if (last) {
    group.time.answer(now);
    group.threads.advance();
  }
  return {&group, last};
}

}  // namespace cutaway::boxes
