#include "boxes/texture_unit/texture_unit.h"

#include <algorithm>
#include <cstring>

namespace cutaway::boxes {

using engine::Cycle;
using structures::Cache;

TextureUnit::TextureUnit(std::string path, const TextureUnitSpec& spec, const structures::Interleave& slices,
                         uint32_t number)
    : Box(std::move(path)),
      memory_out(slices.units),
      memory_in(slices.units),
      spec_(spec),
      slices_(slices),
      line_(spec.line_bytes),
      grain_(spec.grain()),
      cache_({.lines = spec.cache_lines,
              .ways = spec.cache_ways,
              .line_bytes = spec.line_bytes,
              .write_backs = 8,
              .misses = spec.cache_mshrs,
              .grain = spec.grain(),
              .replacement = spec.cache_replacement}),
      banks_(spec.cache_banks),
      number_(number),
      noted_(kNoted),
      jobs_(spec.queue),
      steps_(spec.step_queue) {}

void TextureUnit::list_ports(engine::PortList& list) {
  list("jobs_in", jobs_in, "a texture instruction or buffer load of a quad");
  list("jobs_out", jobs_out, "its result");
  if (slices_.units == 1) {
    list("memory_out", memory_out[0], "reads of the cache, to memory or to each slice of the texture cache");
    list("memory_in", memory_in[0], "replies");
  } else {
    list("memory_out", memory_out, "reads of the cache, to memory or to each slice of the texture cache");
    list("memory_in", memory_in, "replies");
  }
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
}

std::vector<std::string_view> TextureUnit::costs_nothing() const {
  return {"Computing addresses and the level of detail", "Decoding formats, sRGB and compressed blocks",
          "Reading the texels of a step: it reads them together, at any positions in its lines",
          "Reading and writing the tags and lines of the cache, apart from the cycle of the look-up"};
}

Cycle TextureUnit::tick(Cycle now) {
  if (!jobs_.empty()) works_for(jobs_.front().job->origin.work);
  bool progress = reply(now);
  for (unsigned i = 0; i < spec_.steps_per_cycle && filter(now); i++) progress = true;
  progress |= take_reply(now);
  progress |= send_request(now);
  banks_.begin_cycle();
  for (unsigned i = 0; i < spec_.steps_per_cycle && look_up(); i++) progress = true;
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

// Sends one request, to the slice that owns its address.
bool TextureUnit::send_request(Cycle now) {
  if (!cache_.has_request()) return false;
  return structures::send_request(now, cache_, memory_out[slices_.unit_of(cache_.request().address)]);
}

// Takes one reply, from the slices in turn.
bool TextureUnit::take_reply(Cycle now) {
  for (unsigned i = 0; i < slices_.units; i++) {
    const unsigned slice = (reply_turn_ + i) % slices_.units;
    if (!structures::take_reply(now, cache_, memory_in[slice])) continue;
    reply_turn_ = (slice + 1) % slices_.units;
    return true;
  }
  return false;
}

// The source of the oldest step's first missing grain; if its set has no free line, the source of the line
// that it needs.
const engine::Port& TextureUnit::waits_for() const {
  if (slices_.units == 1) return memory_in[0];
  const Step& step = steps_.front();
  for (uint8_t i = 0; i < step.pinned; i++)
    for (uint32_t g = 0; g < spec_.line_bytes / spec_.grain(); g++)
      if ((step.grains[i] >> g & 1) && !cache_.settled(step.line[i], 1u << g))
        return memory_in[slices_.unit_of(step.address[i] + g * spec_.grain())];
  return memory_in[slices_.unit_of(step.address[step.pinned])];
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
  Job& job = jobs_.push_stale();
  job.job = jobs_in.take(now).job;
  count_for(job.job->origin.work, counters.quads, 1);
  plan(now, job);
  return true;
}

void TextureUnit::plan(Cycle now, Job& job) {
  const messages::TextureJob& asked = *job.job;
  const auto& stage = asked.state->stage[asked.stage];
  job.is_load = asked.instruction.op == isa::Opcode::kLdb;
  job.next = {};
  job.samples_left = 0;
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
  job.looked_up = next_sample(job) == kNone;
  job.ready = now + spec_.filter_latency;
}

uint32_t TextureUnit::samples_of(const Job& job, uint32_t lane) {
  return job.is_load ? job.load.words[lane] != 0 : job.plan.lane[lane].samples;
}

// The lowest sample number that a lane still waits for; kNone: all are looked up.
uint32_t TextureUnit::next_sample(const Job& job) {
  uint32_t k = kNone;
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++)
    if (job.next[lane] < samples_of(job, lane)) k = std::min<uint32_t>(k, job.next[lane]);
  return k;
}

// ---- Look-up ----

// Looks one step up. Jobs are looked up in order.
bool TextureUnit::look_up() {
  if (banks_.conflict()) return false;
  if (waits_) {
    Step& newest = steps_.back();
    const uint8_t pinned = newest.pinned;
    if (!pin(newest, *jobs_[newest.job - first_job_].job)) return newest.pinned > pinned;
    waits_ = false;
    return true;
  }
  while (looking_up_ < jobs_.size() && jobs_[looking_up_].looked_up) looking_up_++;
  if (looking_up_ == jobs_.size() || steps_.full()) return false;
  Job& job = jobs_[looking_up_];
  Step& step = steps_.push_stale();
  make_step(job, first_job_ + looking_up_, step);
  count_for(job.job->origin.work, counters.bilinear_samples, step.reads);
  count_for(job.job->origin.work, counters.steps, 1);
  waits_ = !pin(step, *job.job);
  return true;
}

// Makes a step, with only one sample per fragment if the lines of several do not fit.
void TextureUnit::make_step(Job& job, uint32_t number, Step& step) const {
  step.job = number;
  if (!fill_step(job, spec_.step_samples, step)) fill_step(job, 1, step);
  for (uint8_t i = 0; i < step.reads; i++) job.next[step.read[i].lane]++;
  job.looked_up = next_sample(job) == kNone;
}

// Adds the next `samples` of lanes that wait for the same sample number: as many lanes as a step has
// fragments, and with one sample each as many as its lines allow. Returns false if lines do not suffice for
// several samples each.
bool TextureUnit::fill_step(const Job& job, uint32_t samples, Step& step) const {
  step.reads = step.lines = step.pinned = 0;
  const uint32_t k = next_sample(job);
  uint32_t fragments = 0;
  for (uint32_t lane = 0; lane < func::kQuadLanes && fragments < spec_.step_fragments; lane++) {
    const uint32_t end = std::min(k + samples, samples_of(job, lane));
    if (job.next[lane] != k || k >= end) continue;
    for (uint32_t n = k; n < end; n++)
      if (!add_sample(job, lane, n, step)) return samples == 1;
    fragments++;
  }
  return true;
}

// Returns false if the step has no room for the sample's lines.
bool TextureUnit::add_sample(const Job& job, uint32_t lane, uint32_t k, Step& step) const {
  Read& read = step.read[step.reads];
  read.lane = static_cast<uint8_t>(lane);
  read.k = static_cast<uint8_t>(k);
  ReadLines lines;
  lines_of_sample(job, read, lines);
  if (!add_lines(lines, read, step)) return false;
  step.reads++;
  return true;
}

// Adds the grains of some bytes, in whole units of `fetch` bytes, to a sample's lines. Returns the number of
// the line that they begin in.
inline uint8_t TextureUnit::touch(arch::Address address, uint32_t bytes, uint32_t fetch,
                                  ReadLines& of) const {
  uint8_t i = 0;
  while (i < of.lines && address - of.address[i] >= spec_.line_bytes) i++;
  if (i == of.lines) {
    CUTAWAY_CHECK(of.lines < of.address.size());
    of.address[i] = line_.floor(address), of.grains[i] = 0;
    of.lines++;
  }
  const auto offset = static_cast<uint32_t>(address - of.address[i]);
  const uint32_t here = std::min(bytes, spec_.line_bytes - offset);
  const auto first = grain_.quotient(offset & ~(fetch - 1)),
             last = grain_.quotient((offset + here - 1) | (fetch - 1));
  of.grains[i] |= static_cast<uint16_t>((2u << last) - (1u << first));
  if (here < bytes) [[unlikely]]
    touch_next(of.address[i] + spec_.line_bytes, bytes - here, fetch, of);
  return i;
}

// The same of bytes that go on in the line after.
void TextureUnit::touch_next(arch::Address address, uint32_t bytes, uint32_t fetch, ReadLines& of) const {
  touch(address, bytes, fetch, of);
}

void TextureUnit::lines_of_sample(const Job& job, Read& read, ReadLines& of) const {
  read.line = {};
  if (job.is_load) {
    touch(job.load.address[read.lane], job.load.words[read.lane] * 4u, spec_.load_bytes, of);
    return;
  }
  const func::TextureView& texture = view(job);
  read.footprint = func::texture_footprint(texture, sampler(job), job.plan, read.lane, read.k);
  const func::Footprint& footprint = read.footprint;
  for (uint32_t i = 0; i < footprint.texels; i++) {
    if (!footprint.in_memory(i)) continue;
    read.line[i] = touch(footprint.address(i), texture.texel_bytes, spec_.fetch_bytes, of);
    read.offset[i] = static_cast<uint16_t>(footprint.address(i) - of.address[read.line[i]]);
  }
}

// Adds a sample's lines to those of the step, and numbers its texels' lines by these. Returns false, without
// change of the step, if it has no room for them. The first sample always fits.
bool TextureUnit::add_lines(const ReadLines& from, Read& read, Step& step) const {
  std::array<uint8_t, 4> place{};
  uint8_t lines = step.lines;
  for (uint32_t i = 0; i < from.lines; i++) {
    uint8_t at = 0;
    while (at < step.lines && step.address[at] != from.address[i]) at++;
    place[i] = at < step.lines ? at : lines++;
  }
  if (lines > spec_.step_lines) return false;
  for (uint32_t i = 0; i < from.lines; i++) {
    const uint8_t at = place[i];
    const bool known = at < step.lines;
    step.address[at] = from.address[i];
    step.grains[at] = static_cast<uint16_t>((known ? step.grains[at] : 0) | from.grains[i]);
    step.readers[at] = static_cast<uint8_t>((known ? step.readers[at] : 0) + 1);
  }
  step.lines = lines;
  for (uint8_t& line : read.line) line = place[line];
  return true;
}

// A line counts once for each sample that reads it.
bool TextureUnit::pin(Step& step, const messages::TextureJob& job) {
  while (step.pinned < step.lines) {
    const uint8_t i = step.pinned;
    const uint32_t set = banks_.any() ? cache_.set_of(step.address[i]) : 0;
    if (!banks_.free(set)) {
      count_for(job.origin.work, counters.bank_conflicts, 1);
      return false;
    }
    const Cache::Outcome outcome = cache_.access(step.address[i], step.grains[i], job.origin, step.line[i]);
    if (outcome == Cache::Outcome::kStall) return false;
    banks_.take(set);
    const bool miss = outcome == Cache::Outcome::kMiss;
    if (miss) count_for(job.origin.work, counters.cache_misses, 1);
    count_for(job.origin.work, counters.cache_hits, step.readers[i] - miss);
    if (outcome == Cache::Outcome::kHitUnderWay)
      count_for(job.origin.work, counters.cache_merged, step.readers[i]);
    if (miss && job.state->tiles && job.stage == arch::Stage::kFragment)
      job.state->tiles->at(job.x, job.y).texture_misses++;
    if (job.state->touched_lines) note_line(step.address[i], job);
    step.pinned++;
  }
  return true;
}

void TextureUnit::note_line(arch::Address address, const messages::TextureJob& job) {
  Noted& noted = noted_[line_.quotient(address) % kNoted];
  if (noted.address == address && noted.work == job.origin.work) return;
  noted = {address, job.origin.work};
  job.state->touched_lines->touch(job.origin.work, number_, address, spec_.line_bytes);
}

// ---- Filter ----

bool TextureUnit::there(const Step& step) const {
  if (step.pinned < step.lines) return false;
  for (uint8_t i = 0; i < step.lines; i++)
    if (!cache_.settled(step.line[i], step.grains[i])) return false;
  return true;
}

const std::byte* TextureUnit::bytes_at(const Step& step, arch::Address address) const {
  const arch::Address start = line_.floor(address);
  uint8_t i = 0;
  while (step.address[i] != start) i++;
  return cache_.data(step.line[i]) + (address - start);
}

bool TextureUnit::filter(Cycle now) {
  if (steps_.empty() || !there(steps_.front())) return false;
  const Step& step = steps_.front();
  Job& job = jobs_[step.job - first_job_];
  for (uint8_t i = 0; i < step.reads; i++) finish_sample(job, step, step.read[i]);
  for (uint8_t i = 0; i < step.lines; i++) cache_.unpin(step.line[i]);
  job.samples_left -= step.reads;
  if (job.samples_left == 0) job.ready = now + spec_.filter_latency;
  steps_.drop();
  return true;
}

void TextureUnit::finish_sample(Job& job, const Step& step, const Read& read) {
  const uint32_t lane = read.lane;
  if (job.is_load) {
    // The words may be in two lines.
    std::byte words[16];
    for (uint32_t i = 0; i < job.load.words[lane]; i++)
      std::memcpy(words + 4 * i, bytes_at(step, job.load.address[lane] + 4 * i), 4);
    func::finish_buffer_load(job.load, lane, words, job.result);
    return;
  }
  const func::Footprint& footprint = read.footprint;
  const std::byte* texel[4] = {};
  std::byte words[func::kMaxTexelBytes];
  const uint32_t bytes = view(job).texel_bytes;
  for (uint32_t i = 0; i < footprint.texels; i++) {
    if (!footprint.in_memory(i)) continue;
    counters.texels++;
    texel[i] = cache_.data(step.line[read.line[i]]) + read.offset[i];
    if (read.offset[i] + bytes <= spec_.line_bytes) continue;
    // Buffer texels of three words may be in two lines.
    for (uint32_t at = 0; at < bytes; at++) words[at] = *bytes_at(step, footprint.address(i) + at);
    texel[i] = words;
  }
  func::filter_sample(view(job), sampler(job), job.plan, lane, read.k, footprint, texel,
                      job.accumulators[lane]);
}

bool TextureUnit::reply(Cycle now) {
  if (jobs_.empty()) return false;
  Job& oldest = jobs_.front();
  if (!oldest.looked_up || oldest.samples_left || oldest.ready > now || !jobs_out.ready(now)) return false;
  if (!oldest.is_load) func::finish_texture(view(oldest), oldest.plan, oldest.accumulators, oldest.result);
  std::memcpy(oldest.job->result, oldest.result.value, sizeof oldest.job->result);
  jobs_out.send(now, {std::move(oldest.job)});
  jobs_.drop_stale();
  first_job_++;
  if (looking_up_) looking_up_--;
  return true;
}

bool TextureUnit::control(Cycle now) {
  CUTAWAY_CHECK(!control_in.peek(now) || (jobs_.empty()), "{}: an order while quads are under way", path());
  return structures::obey_control(now, cache_, control_in, control_out);
}

std::string TextureUnit::why_busy() const {
  return jobs_.empty() ? ""
                       : fmt::format("{} quads, {} steps, {} memory accesses", jobs_.size(), steps_.size(),
                                     cache_.outstanding());
}

}  // namespace cutaway::boxes
