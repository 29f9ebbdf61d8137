#include "boxes/shader_unit/memory_route.h"
#include "boxes/shader_unit/pull_requests.h"
#include "boxes/shader_unit/quad_ports.h"
#include "boxes/shader_unit/shader_unit.h"
#include "boxes/shader_unit/texture_requests.h"

// The instructions of a shader unit that other units carry out: texture instructions, requests for
// interpolants, and accesses of the storage cache. A group waits for each, or goes on behind its loads
// (shader.loads_under_way).
namespace cutaway::boxes {

using engine::Cycle;
using From = LoadsUnderWay::From;

// ---- Loads under way ----

// The requests of a load have been made, from what the registers hold now.
void ShaderUnit::go_on_behind_load(Cycle now, Group& group) {
  group.threads.advance();
  settle(now, issue_port_.free_at(), group);
}

void ShaderUnit::end_load(Cycle now, Group& group, uint32_t load) {
  if (!issue_port_.end_load(now, group, load)) return;
  if (group.program && !group.threads.done()) issue_port_.resume(now, group);
  else end(now, group);
}

// ---- Texture and pull requests, quad by quad ----

void ShaderUnit::begin_texture(Cycle now, Group& group) {
  counters.texture_instructions++;
  const Cycle leaves = issue_port_.last_lane() + spec_.texture_latency;
  const uint64_t active = group.threads.active();
  if (!spec_.loads_under_way) {
    groups_.block(group, GroupPhase::kTexture);
    return texture_requests_.ask(group.index, 0, active, leaves);
  }
  const uint32_t load = issue_port_.begin_load(group, From::kTexture);
  texture_requests_.ask(group.index, load, active, leaves);
  QuadRequests::for_quads(active, [&](uint32_t quad) {
    made_textures_.push(make_texture_request(group, load, quad, pools_.texture_jobs));
  });
  go_on_behind_load(now, group);
}

// Sends the next request: all of its quads, if the wire has room for them.
bool ShaderUnit::send_texture(Cycle now) {
  const uint32_t quads = texture_requests_.together(spec_.texture_quads);
  if (!texture_out.ready(now, quads)) return false;
  for (uint32_t n = 0; n < quads; n++)
    send_request(now, texture_requests_, groups_, texture_out, [&](const Group& group, uint32_t quad) {
      auto job = spec_.loads_under_way ? made_textures_.pop()
                                       : make_texture_request(group, 0, quad, pools_.texture_jobs);
      job->request_quads = quads;
      return job;
    });
  return true;
}

// Takes the answer to a request: all of its quads.
bool ShaderUnit::take_texture(Cycle now) {
  for (uint32_t left = texture_in.peek(now)->job->request_quads; left; left--) take_texture_quad(now);
  return true;
}

void ShaderUnit::take_texture_quad(Cycle now) {
  const RequestName name = RequestName::of(texture_in.peek(now)->job->group);
  Group& group = groups_[name.group];
  if (!take_answer(now, texture_requests_, group, texture_in)) return;
  works_for(group.origin.work);
  if (spec_.loads_under_way) end_load(now, group, name.load);
  else settle(now, issue_port_.complete_texture(now, group), group);
}

// The SIMD ALU computes the offsets, as it does the coordinates of textures.
void ShaderUnit::begin_pull(Cycle now, Group& group) {
  pull_counters.instructions++;
  const Cycle leaves = issue_port_.last_lane() + spec_.simd_latency;
  const uint64_t active = group.threads.active();
  if (!spec_.loads_under_way) {
    groups_.block(group, GroupPhase::kPull);
    return pull_requests_.ask(group.index, 0, active, leaves);
  }
  const uint32_t load = issue_port_.begin_load(group, From::kPull);
  pull_requests_.ask(group.index, load, active, leaves);
  QuadRequests::for_quads(active, [&](uint32_t quad) {
    made_pulls_.push(make_pull_request(group, load, quad, pools_.pull_jobs));
  });
  go_on_behind_load(now, group);
}

bool ShaderUnit::send_pull(Cycle now) {
  return send_request(now, pull_requests_, groups_, pulls_out, [&](const Group& group, uint32_t quad) {
    works_for(group.origin.work);
    pull_counters.requests++;
    if (spec_.loads_under_way) return made_pulls_.pop();
    return make_pull_request(group, 0, quad, pools_.pull_jobs);
  });
}

bool ShaderUnit::take_pull(Cycle now) {
  const RequestName name = RequestName::of(pulls_in.peek(now)->job->group);
  Group& group = groups_[name.group];
  if (!take_answer(now, pull_requests_, group, pulls_in)) return true;
  if (spec_.loads_under_way) end_load(now, group, name.load);
  else settle(now, now + 1, group);
  return true;
}

// ---- The storage cache ----

// A group waits until its stores have left, and for the results of its atomics.
void ShaderUnit::begin_storage(Cycle now, Group& group) {
  storage_counters.storage_instructions++;
  const Cycle leaves = issue_port_.last_lane() + spec_.texture_latency;
  if (!spec_.loads_under_way || !is_storage_load(group.next_op())) {
    groups_.block(group, GroupPhase::kStorage);
    return storage_port_.begin(group, storage_port_.blocking(), leaves);
  }
  const uint32_t load = issue_port_.begin_load(group, From::kStorage);
  storage_port_.begin(group, load, leaves);
  go_on_behind_load(now, group);
}

// One transaction per cycle, of the instruction that has waited longest.
bool ShaderUnit::send_storage(Cycle now) {
  Group& group = groups_[storage_port_.group()];
  const uint32_t load = storage_port_.load();
  if (!storage_port_.all_sent() && !send_transaction(now, group)) return false;
  if (!storage_port_.all_sent()) return true;
  if (load == storage_port_.blocking()) group.time.send(now);
  else note_sent(now, group, load);
  if (storage_port_.finish_sending()) complete_storage(now, group, load);
  return true;
}

bool ShaderUnit::send_transaction(Cycle now, const Group& group) {
  engine::Out<messages::StorageMessage>& out = storage_out[storage_port_.slice()];
  StoragePort::Sent sent = storage_port_.send(now, group.origin, out.ready(now));
  if (sent.way == StoragePort::Way::kStalled) return false;
  works_for(group.origin.work);
  if (sent.way == StoragePort::Way::kKept) return true;
  storage_counters.storage_requests++;
  out.send(now, {std::move(sent.job)});
  return true;
}

// One answer per cycle.
bool ShaderUnit::take_storage(Cycle now) {
  const uint32_t from = storage_port_.choose_answer(
      now, [&](uint32_t slice) { return storage_in[slice].peek(now) != nullptr; });
  if (from == StoragePort::kNone) return false;
  messages::PoolRef<messages::StorageJob> job;
  if (from == storage_port_.first_level()) {
    job = storage_port_.take_hit();
  } else {
    job = storage_in[from].take(now).job;
    storage_port_.receive(now, from, *job);
  }
  const RequestName name = RequestName::of(job->group);
  Group& group = groups_[name.group];
  works_for(group.origin.work);
  const StoragePort::Progress progress = storage_port_.answer(*job);
  if (progress == StoragePort::Progress::kStored) stores_done(now, group);
  if (progress == StoragePort::Progress::kComplete) complete_storage(now, group, name.load);
  return true;
}

void ShaderUnit::complete_storage(Cycle now, Group& group, uint32_t load) {
  if (load != storage_port_.blocking()) {
    const LoadsUnderWay::Load& of = group.loads[load];
    storage_port_.complete(group, load, *of.op, of.lanes);
    return end_load(now, group, load);
  }
  if (storage_port_.complete(group, load, group.next_op(), group.threads.active())) group.time.answer(now);
  group.threads.advance();
  settle(now, now + 1, group);
}

// The first level has nothing to write back: a flush tells that others are going to read, or that what they
// stored is going to be read.
bool ShaderUnit::obey_control(Cycle now) {
  if (!control_out.ready(now)) return false;
  storage_port_.forget();
  control_out.send(now, {control_in.take(now).kind});
  return true;
}

}  // namespace cutaway::boxes
