#include "boxes/texture_unit/texture_unit.h"

#include <algorithm>
#include <cstring>

namespace cutaway::boxes {

using engine::Cycle;
using parts::Cache;
using parts::kSectorBytes;

TextureUnit::TextureUnit(std::string path, const TextureUnitSpec& spec, const parts::Interleave& slices,
                         uint32_t number)
    : Box(std::move(path)),
      memory_out(slices.units),
      memory_in(slices.units),
      spec_(spec),
      slices_(slices),
      line_(spec.line_bytes),
      cache_({spec.cache_lines, spec.cache_ways, spec.line_bytes, 8}),
      number_(number),
      noted_(kNoted),
      jobs_(spec.queue),
      samples_(spec.sample_queue) {}

void TextureUnit::list_ports(engine::PortList& list) {
  list("jobs_in", jobs_in);
  list("jobs_out", jobs_out);
  if (slices_.units == 1) {
    list("memory_out", memory_out[0]);
    list("memory_in", memory_in[0]);
  } else {
    list("memory_out", memory_out);
    list("memory_in", memory_in);
  }
  list("control_in", control_in);
  list("control_out", control_out);
}

Cycle TextureUnit::tick(Cycle now) {
  if (!jobs_.empty()) works_for(jobs_.front().job->origin.work);
  bool progress = reply(now);
  for (unsigned i = 0; i < spec_.samples_per_cycle && filter(now); i++) progress = true;
  progress |= take_reply(now);
  progress |= send_request(now);
  for (unsigned i = 0; i < spec_.samples_per_cycle && look_up(now); i++) progress = true;
  progress |= take(now);
  progress |= control(now);
  if (progress) return busy(now);
  if (jobs_.empty()) return idle(now);
  const Job& oldest = jobs_.front();
  if (oldest.looked_up && oldest.samples_left == 0)
    return oldest.ready > now ? busy(now, oldest.ready) : blocked(now, jobs_out);
  return starved(now, waits_for());
}

// ---- Memory, or the slices before it ----

// One request, to the slice that its address belongs to.
bool TextureUnit::send_request(Cycle now) {
  if (!cache_.has_request()) return false;
  return parts::send_request(now, cache_, memory_out[slices_.unit_of(cache_.request().address)]);
}

// One reply, of the slices in turn.
bool TextureUnit::take_reply(Cycle now) {
  for (unsigned i = 0; i < slices_.units; i++) {
    const unsigned slice = (reply_turn_ + i) % slices_.units;
    if (!parts::take_reply(now, cache_, memory_in[slice])) continue;
    reply_turn_ = (slice + 1) % slices_.units;
    return true;
  }
  return false;
}

// Where the oldest sample's first sector that is missing comes from; or, where its set has no line, the line
// that it wants.
const engine::Port& TextureUnit::waits_for() const {
  if (slices_.units == 1) return memory_in[0];
  const Sample& sample = samples_.front();
  for (uint8_t i = 0; i < sample.pinned; i++)
    for (uint32_t s = 0; s < spec_.line_bytes / kSectorBytes; s++)
      if ((sample.sectors[i] >> s & 1) && !cache_.settled(sample.line[i], 1u << s))
        return memory_in[slices_.unit_of(sample.address[i] + s * kSectorBytes)];
  return memory_in[slices_.unit_of(sample.address[sample.pinned])];
}

// ---- Planning ----

const func::TextureView& TextureUnit::view(const Job& job) const {
  const auto& stage = job.job->state->stage[job.job->stage];
  return stage.resources[job.job->instruction.access.resource % arch::kResources];
}

const arch::Sampler& TextureUnit::sampler(const Job& job) const {
  const auto& stage = job.job->state->stage[job.job->stage];
  return stage.samplers[job.job->instruction.access.sampler % arch::kSamplers];
}

bool TextureUnit::take(Cycle now) {
  if (jobs_.full() || !jobs_in.peek(now)) return false;
  Job& job = jobs_.push();
  job.job = jobs_in.take(now).job;
  count_for(job.job->origin.work, counters.quads, 1);
  plan(now, job);
  return true;
}

void TextureUnit::plan(Cycle now, Job& job) {
  const parts::TextureJob& asked = *job.job;
  const auto& stage = asked.state->stage[asked.stage];
  job.is_load = asked.instruction.op == isa::Opcode::kLdb;
  if (job.is_load) {
    job.load =
        func::plan_buffer_load(stage.resources[asked.instruction.access.resource % arch::kResources].surface,
                               asked.src[0][0], asked.instruction.dst.mask, asked.lane_mask);
    for (uint32_t lane = 0; lane < func::kQuadLanes; lane++) {
      func::finish_buffer_load({.mask = job.load.mask}, lane, nullptr, job.result);
      job.samples_left += job.load.words[lane] != 0;
    }
  } else {
    func::QuadOperands operands;
    std::memcpy(operands.source, asked.src, sizeof operands.source);
    func::plan_texture(view(job), sampler(job), asked.instruction.access, asked.instruction.op, operands,
                       asked.lane_mask, job.plan);
    job.samples_left = job.plan.samples();
  }
  skip_empty_lanes(job);
  job.ready = now + spec_.filter_latency;
}

// Moves on to the next lane that has a sample left to look up.
void TextureUnit::skip_empty_lanes(Job& job) const {
  const auto count = [&](uint32_t lane) -> uint32_t {
    return job.is_load ? job.load.words[lane] != 0 : job.plan.lane[lane].samples;
  };
  while (job.lane < func::kQuadLanes && job.k >= count(job.lane)) job.lane++, job.k = 0;
  job.looked_up = job.lane == func::kQuadLanes;
}

// ---- Look-up ----

// Looks one sample up. Jobs are looked up in order.
bool TextureUnit::look_up(Cycle) {
  if (waits_) {
    Sample& newest = samples_.back();
    if (!pin(newest, *jobs_[newest.job - first_job_].job)) return false;
    waits_ = false;
    return true;
  }
  while (looking_up_ < jobs_.size() && jobs_[looking_up_].looked_up) looking_up_++;
  if (looking_up_ == jobs_.size() || samples_.full()) return false;
  Job& job = jobs_[looking_up_];
  Sample& sample = samples_.push();
  make_sample(job, first_job_ + looking_up_, sample);
  job.k++;
  skip_empty_lanes(job);
  count_for(job.job->origin.work, counters.bilinear_samples, 1);
  waits_ = !pin(sample, *job.job);
  return true;
}

void TextureUnit::make_sample(const Job& job, uint32_t number, Sample& sample) const {
  sample.job = number;
  sample.lane = job.lane;
  sample.k = job.k;
  if (job.is_load) {
    const arch::Address first = job.load.address[job.lane];
    touch(sample, first, job.load.words[job.lane] * 4u);
    return;
  }
  const func::TextureView& texture = view(job);
  sample.footprint = func::texture_footprint(texture, sampler(job), job.plan, job.lane, job.k);
  for (uint32_t i = 0; i < sample.footprint.texels; i++)
    if (sample.footprint.in_memory(i)) touch(sample, sample.footprint.address(i), texture.texel_bytes);
}

void TextureUnit::touch(Sample& sample, arch::Address address, uint32_t bytes) const {
  for (arch::Address at = address / kSectorBytes * kSectorBytes; at < address + bytes; at += kSectorBytes) {
    const arch::Address start = line_.floor(at);
    uint8_t i = 0;
    while (i < sample.lines && sample.address[i] != start) i++;
    if (i == sample.lines) {
      CUTAWAY_CHECK(sample.lines < kMaxLines);
      sample.address[sample.lines++] = start;
    }
    sample.sectors[i] |= 1u << (at - start) / kSectorBytes;
  }
}

bool TextureUnit::pin(Sample& sample, const parts::TextureJob& job) {
  while (sample.pinned < sample.lines) {
    const uint8_t i = sample.pinned;
    const Cache::Outcome outcome =
        cache_.access(sample.address[i], sample.sectors[i], job.origin, sample.line[i]);
    if (outcome == Cache::Outcome::kStall) return false;
    const bool hit = outcome == Cache::Outcome::kHit;
    count_for(job.origin.work, hit ? counters.cache_hits : counters.cache_misses, 1);
    if (!hit && job.state->tiles && job.stage == arch::Stage::kFragment)
      job.state->tiles->at(job.x, job.y).texture_misses++;
    if (job.state->touched_lines) note_line(sample.address[i], job);
    sample.pinned++;
  }
  return true;
}

void TextureUnit::note_line(arch::Address address, const parts::TextureJob& job) {
  Noted& noted = noted_[line_.quotient(address) % kNoted];
  if (noted.address == address && noted.work == job.origin.work) return;
  noted = {address, job.origin.work};
  job.state->touched_lines->touch(job.origin.work, number_, address, spec_.line_bytes);
}

// ---- Filter ----

bool TextureUnit::there(const Sample& sample) const {
  if (sample.pinned < sample.lines) return false;
  for (uint8_t i = 0; i < sample.lines; i++)
    if (!cache_.settled(sample.line[i], sample.sectors[i])) return false;
  return true;
}

const std::byte* TextureUnit::bytes_at(const Sample& sample, arch::Address address) const {
  const arch::Address start = line_.floor(address);
  uint8_t i = 0;
  while (sample.address[i] != start) i++;
  return cache_.data(sample.line[i]) + (address - start);
}

bool TextureUnit::filter(Cycle now) {
  if (samples_.empty() || !there(samples_.front())) return false;
  const Sample& sample = samples_.front();
  Job& job = jobs_[sample.job - first_job_];
  finish_sample(job, sample);
  for (uint8_t i = 0; i < sample.lines; i++) cache_.unpin(sample.line[i]);
  if (--job.samples_left == 0) job.ready = now + spec_.filter_latency;
  samples_.drop();
  return true;
}

void TextureUnit::finish_sample(Job& job, const Sample& sample) {
  if (job.is_load) {
    // The words may lie in two lines.
    std::byte words[16];
    for (uint32_t i = 0; i < job.load.words[sample.lane]; i++)
      std::memcpy(words + 4 * i, bytes_at(sample, job.load.address[sample.lane] + 4 * i), 4);
    func::finish_buffer_load(job.load, sample.lane, words, job.result);
    return;
  }
  const std::byte* texel[4] = {};
  std::byte words[func::kMaxTexelBytes];
  const uint32_t bytes = view(job).texel_bytes;
  for (uint32_t i = 0; i < sample.footprint.texels; i++) {
    if (!sample.footprint.in_memory(i)) continue;
    const arch::Address address = sample.footprint.address(i);
    counters.texels++;
    if (line_.remainder(address) + bytes <= spec_.line_bytes) {
      texel[i] = bytes_at(sample, address);
      continue;
    }
    // Texels of three words, of buffers, may lie in two lines.
    for (uint32_t at = 0; at < bytes; at++) words[at] = *bytes_at(sample, address + at);
    texel[i] = words;
  }
  func::filter_sample(view(job), sampler(job), job.plan, sample.lane, sample.k, sample.footprint, texel,
                      job.accumulators[sample.lane]);
}

bool TextureUnit::reply(Cycle now) {
  if (jobs_.empty()) return false;
  Job& oldest = jobs_.front();
  if (!oldest.looked_up || oldest.samples_left || oldest.ready > now || !jobs_out.ready(now)) return false;
  if (!oldest.is_load) func::finish_texture(view(oldest), oldest.plan, oldest.accumulators, oldest.result);
  std::memcpy(oldest.job->result, oldest.result.value, sizeof oldest.job->result);
  jobs_out.send(now, {std::move(oldest.job)});
  jobs_.drop();
  first_job_++;
  if (looking_up_) looking_up_--;
  return true;
}

bool TextureUnit::control(Cycle now) {
  CUTAWAY_CHECK(!control_in.peek(now) || (jobs_.empty()), "{}: an order while quads are under way", path());
  return parts::obey_control(now, cache_, control_in, control_out);
}

std::string TextureUnit::why_busy() const {
  return jobs_.empty() ? ""
                       : fmt::format("{} quads, {} samples, {} memory accesses", jobs_.size(),
                                     samples_.size(), cache_.outstanding());
}

}  // namespace cutaway::boxes
