#include "boxes/texture_unit/texture_unit.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/prefetch.h"
#include "boxes/texture_unit/payload.h"

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
      maker_(spec),
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
      works_(spec.queue),
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

// Hundreds of steps and instructions wait, so that they have left the host's nearest caches when their turn
// comes. They are fetched some steps before: first the step, then what it refers to, then what that does.
void TextureUnit::prefetch_steps() const {
  if (steps_.size() < 4) return;
  __builtin_prefetch(&steps_[3]);
  const TextureStep& later = steps_[2];
  prefetch_on_host(later.quad[0]);
  const TextureWork& work = works_[later.work - first_work_];
  __builtin_prefetch(&work);
  __builtin_prefetch(&work.plan);
  const TextureStep& next = steps_[1];
  for (uint32_t i = 0; i < next.pinned; i++) cache_.prefetch(next.line[i].in_cache);
  const auto& job = works_[next.work - first_work_].job;
  job.prefetch();
  __builtin_prefetch(&job->result);
}

Cycle TextureUnit::tick(Cycle now) {
  if (!works_.empty()) works_for(works_.front().origin);
  bool progress = has_result(now) && reply(now);
  for (unsigned i = 0; i < spec_.steps_per_cycle && can_filter(); i++) filter(now), progress = true;
  if (slices_.units > 1 || memory_in[0].peek(now)) progress |= take_reply(now);
  progress |= send_request(now);
  banks_.begin_cycle();
  for (unsigned i = 0; i < spec_.steps_per_cycle && can_look_up() && look_up(); i++) progress = true;
  if (control_in.peek(now)) progress |= control(now);
  else if (jobs_in.peek(now)) progress |= take(now);
  return progress ? busy(now) : account(now);
}

Cycle TextureUnit::account(Cycle now) {
  const Cycle input = input_free_ > now && jobs_in.peek(now) ? input_free_ : engine::kAsleep;
  if (works_.empty()) return input == engine::kAsleep ? idle(now) : busy(now, input);
  Cycle leaves = output_free_;
  for (uint32_t n = 0; n < works_.front().request_quads; n++) {
    if (!works_[n].filtered()) return starved(now, waits_for(), input);
    leaves = std::max(leaves, works_[n].ready);
  }
  return leaves > now ? busy(now, std::min(leaves, input)) : blocked(now, jobs_out, input);
}

// ---- Memory, or the slices before it ----

// Sends one request, to the slice that owns its address.
bool TextureUnit::send_request(Cycle now) {
  if (!cache_.has_request()) return false;
  if (!decodes())
    return structures::send_request(now, cache_, memory_out[slices_.unit_of(cache_.request().address)]);
  const messages::MemoryRequest request = source_request(cache_.request());
  auto& out = memory_out[slices_.unit_of(request.address)];
  if (!out.ready(now)) return false;
  out.send(now, request);
  cache_.pop_request();
  return true;
}

// Takes one reply, from the slices in turn.
bool TextureUnit::take_reply(Cycle now) {
  if (!memory_in.any_filled()) return false;
  const unsigned slice = structures::port_in_turn(now, memory_in, reply_turn_).port;
  auto& in = memory_in[slice];
  if (decodes()) {
    if (!in.peek(now)) return false;
    fill_line(*in.peek(now));
    in.drop(now);
  } else if (!structures::take_reply(now, cache_, in)) {
    return false;
  }
  reply_turn_ = slice + 1 == slices_.units ? 0 : slice + 1;
  lacks_ = false;
  return true;
}

// Fills a sector of a line that holds decoded texels.
void TextureUnit::fill_line(const messages::MemoryReply& reply) {
  const uint32_t tag = tag_in_cache(reply.tag), sectors = spec_.line_bytes / messages::kSectorBytes;
  const arch::Address place = cache_.address_of(tag / sectors) + tag % sectors * messages::kSectorBytes;
  cache_.reply(decoded_reply(reply, place, spec_.grain()));
}

// The source of the oldest step's first missing grain; if its set has no free line, the source of the line
// that it needs.
const engine::Port& TextureUnit::waits_for() const {
  if (slices_.units == 1) return memory_in[0];
  const TextureStep& step = steps_.front();
  for (uint32_t i = 0; i < step.pinned; i++)
    for (uint32_t g = 0; g < spec_.line_bytes / spec_.grain(); g++)
      if ((step.line[i].grains >> g & 1) && !cache_.settled(step.line[i].in_cache, 1u << g))
        return memory_in[slices_.unit_of(source_of(step.line[i].address + g * spec_.grain()))];
  return memory_in[slices_.unit_of(source_of(step.line[step.pinned].address))];
}

// ---- Texture instructions ----

// Takes a request, with all of its quads.
bool TextureUnit::take(Cycle now) {
  const uint32_t quads = jobs_in.peek(now)->job->request_quads;
  if (works_.capacity() - works_.size() < quads || input_free_ > now) return false;
  const TextureWork* work = nullptr;
  for (uint32_t n = 0; n < quads; n++) work = &take_quad(now);
  input_free_ = now + 1;
  if (spec_.request_words)
    input_free_ = now + transfer(*work, request_words(work->job->instruction), spec_.request_words,
                                 counters.request_cycles);
  if (const messages::TextureMessage* next = jobs_in.peek(now)) prefetch_on_host(*next->job);
  return true;
}

TextureWork& TextureUnit::take_quad(Cycle now) {
  TextureWork& work = works_.push_stale();
  work.begin(jobs_in.take(now).job, decodes());
  count_for(work.origin, counters.quads, 1);
  work.ready = now + spec_.filter_latency;
  if (!work.samples_left && !work.is_load) finish_texels(work);
  return work;
}

// ---- Look-up ----

// Looks one step up. Jobs are looked up in order.
bool TextureUnit::look_up() {
  if (banks_.conflict()) return false;
  if (waits_) {
    TextureStep& newest = steps_.back();
    const uint32_t pinned = newest.pinned;
    waits_ = !pin(newest, works_[newest.work - first_work_]);
    if (newest.pinned == pinned) return false;
    if (steps_.size() == 1) lacks_ = false;
    return true;
  }
  while (looking_up_ < works_.size() && works_[looking_up_].looked_up) looking_up_++;
  if (looking_up_ == works_.size() || steps_.full()) return false;
  TextureWork& work = works_[looking_up_];
  TextureStep& step = steps_.push_stale();
  maker_.make(work, first_work_ + looking_up_, step);
  if (work.looked_up) {
    looking_up_++;
    if (looking_up_ + 1 < works_.size()) prefetch_on_host(works_[looking_up_ + 1]);
  }
  count_for(work.origin, counters.bilinear_samples, step.reads);
  count_for(work.origin, counters.steps, 1);
  waits_ = !pin(step, work);
  return true;
}

// A line counts once for each sample that reads it.
bool TextureUnit::pin(TextureStep& step, const TextureWork& work) {
  const messages::TextureJob& job = *work.job;
  while (step.pinned < step.lines) {
    TextureStep::Line& line = step.line[step.pinned];
    const uint32_t set = banks_.any() ? cache_.set_of(line.address) : 0;
    if (!banks_.free(set)) {
      count_for(work.origin, counters.bank_conflicts, 1);
      return false;
    }
    const Cache::Outcome outcome = cache_.access(line.address, line.grains, job.origin, line.in_cache);
    if (outcome == Cache::Outcome::kStall) return false;
    banks_.take(set);
    const bool miss = outcome == Cache::Outcome::kMiss;
    if (miss) count_for(work.origin, counters.cache_misses, 1);
    count_for(work.origin, counters.cache_hits, line.readers - miss);
    if (outcome == Cache::Outcome::kHitUnderWay) count_for(work.origin, counters.cache_merged, line.readers);
    if (miss && job.state->tiles && job.stage == arch::Stage::kFragment)
      job.state->tiles->at(job.x, job.y).texture_misses++;
    if (work.notes_lines) note_line(line.address, job);
    step.pinned++;
  }
  return true;
}

void TextureUnit::note_line(arch::Address place, const messages::TextureJob& job) {
  const uint32_t expansion = decodes() ? DecodedPlace::expansion(place) : 0;
  const arch::Address address =
      expansion ? source_of(place) & ~arch::Address{messages::kSectorBytes - 1} : place;
  Noted& noted = noted_[line_.quotient(address) % kNoted];
  if (noted.address == address && noted.work == job.origin.work) return;
  noted = {address, job.origin.work};
  job.state->touched_lines->touch(job.origin.work, number_, address,
                                  std::max(messages::kSectorBytes, spec_.line_bytes >> expansion));
}

// ---- Filter ----

const std::byte* TextureUnit::bytes_at(const TextureStep& step, arch::Address address) const {
  const arch::Address start = line_.floor(address);
  uint32_t i = 0;
  while (step.line[i].address != start) i++;
  return cache_.data(step.line[i].in_cache) + (address - start);
}

void TextureUnit::filter(Cycle now) {
  const TextureStep& step = steps_.front();
  TextureWork& work = works_[step.work - first_work_];
  work.samples_left -= step.reads;
  if (work.is_load)
    for (uint32_t i = 0; i < step.reads; i++) finish_load(work, step, step.read[i]);
  else filter_texels(work, step);
  for (uint32_t i = 0; i < step.lines; i++) cache_.unpin(step.line[i].in_cache);
  if (work.samples_left == 0) work.ready = now + spec_.filter_latency;
  steps_.drop_stale();
  prefetch_steps();
}

// The words may be in two lines.
void TextureUnit::finish_load(const TextureWork& work, const TextureStep& step,
                              const TextureStep::Read& read) const {
  std::byte words[16];
  for (uint32_t i = 0; i < work.load.words[read.lane]; i++)
    std::memcpy(words + 4 * i, bytes_at(step, work.load.address[read.lane] + 4 * i), 4);
  func::finish_buffer_load(work.load, read.lane, words, work.job->result);
}

// Filters the texels of a step's samples, in their lines of the cache.
void TextureUnit::filter_texels(const TextureWork& work, const TextureStep& step) {
  const std::byte* line[TextureStep::kMaxLines];
  for (uint32_t i = 0; i < step.lines; i++) line[i] = cache_.data(step.line[i].in_cache);
  if (step.quads) filter_quads(work, step, line);
  else filter_each(work, step, line);
  if (work.samples_left == 0) finish_texels(work);
}

// Filters the samples of a whole quad.
void TextureUnit::filter_quads(const TextureWork& work, const TextureStep& step,
                               const std::byte* const line[]) {
  for (uint32_t n = 0; n < step.quads; n++) {
    const TextureStep::QuadRead& read = step.quad[n];
    func::filter_quad(*work.view, *work.sampler, work.plan,
                      {read.k, &read.shape, line, read.line.data(), read.offset.data()}, accumulators_);
  }
  counters.texels += 4 * step.reads;
}

// Filters any samples.
void TextureUnit::filter_each(const TextureWork& work, const TextureStep& step,
                              const std::byte* const line[]) {
  std::array<func::FetchedSample, TextureStep::kMaxReads> samples;
  std::byte split[TextureStep::kMaxReads][4 * func::kMaxTexelBytes];
  uint64_t texels = 0;
  for (uint32_t n = 0; n < step.reads; n++) {
    const TextureStep::Read& read = step.read[n];
    func::FetchedSample& sample = samples[n];
    sample.lane = read.lane, sample.k = read.k;
    sample.shape = &read.shape;
    if (step.by_quad) {
      for (uint32_t i = 0; i < 4; i++) sample.texel[i] = line[read.line[i]] + read.offset[i];
      texels += 4;
    } else if (work.expansion) {
      texels += gather_sources(work, read, line, sample, split[n]);
    } else {
      texels += find_bytes(work, step, read, line, sample, split[n]);
    }
  }
  counters.texels += texels;
  func::filter_samples(*work.view, *work.sampler, work.plan, {samples.data(), step.reads}, accumulators_);
}

// Gives the job of an instruction its result, behind its last sample.
void TextureUnit::finish_texels(const TextureWork& work) const {
  func::QuadResult result;
  func::finish_texture(*work.view, work.plan, accumulators_, result);
  std::memcpy(work.job->result, result.value, sizeof work.job->result);
}

// Finds the texels of any sample. Returns their number.
uint32_t TextureUnit::find_bytes(const TextureWork& work, const TextureStep& step,
                                 const TextureStep::Read& read, const std::byte* const line[],
                                 func::FetchedSample& sample, std::byte* split) const {
  const func::FootprintShape& shape = read.shape;
  const uint32_t bytes = work.view->texel_bytes;
  uint32_t texels = 0;
  for (uint32_t i = 0; i < shape.texels; i++) {
    if (!shape.in_memory(i)) continue;
    texels++;
    sample.texel[i] = line[read.line[i]] + read.offset[i];
    if (read.offset[i] + bytes <= spec_.line_bytes) continue;
    // Buffer texels of three words may be in two lines.
    const arch::Address address = step.line[read.line[i]].address + read.offset[i];
    for (uint32_t at = 0; at < bytes; at++) split[at] = *bytes_at(step, address + at);
    sample.texel[i] = split;
  }
  return texels;
}

// Collects what the texels of a sample are decoded from: of each, or of its block, up to 16 bytes. Returns
// their number.
uint32_t TextureUnit::gather_sources(const TextureWork& work, const TextureStep::Read& read,
                                     const std::byte* const line[], func::FetchedSample& sample,
                                     std::byte* to) const {
  const func::FootprintShape& shape = read.shape;
  const uint32_t in_grain = spec_.grain() >> work.expansion;
  uint32_t texels = 0;
  for (uint32_t i = 0; i < shape.texels; i++) {
    if (!shape.in_memory(i)) continue;
    sample.texel[i] = to + texels++ * func::kMaxTexelBytes;
    for (uint32_t at = 0; at < work.view->texel_bytes; at++) {
      const uint32_t source = (read.offset[i] >> work.expansion) + at;
      to[(texels - 1) * func::kMaxTexelBytes + at] =
          line[read.line[i]][source / in_grain * spec_.grain() + source % in_grain];
    }
  }
  return texels;
}

// Answers the oldest request, all of whose quads have been filtered.
bool TextureUnit::reply(Cycle now) {
  const TextureWork& oldest = works_.front();
  const uint32_t quads = oldest.job->request_quads;
  if (!jobs_out.ready(now, quads)) return false;
  if (spec_.result_words)
    output_free_ = now + transfer(oldest, result_words(oldest.job->instruction), spec_.result_words,
                                  counters.result_cycles);
  for (uint32_t n = 0; n < quads; n++) reply_quad(now);
  return true;
}

void TextureUnit::reply_quad(Cycle now) {
  TextureWork& oldest = works_.front();
  jobs_out.send(now, {std::move(oldest.job)});
  works_.drop_stale();
  first_work_++;
  if (looking_up_) looking_up_--;
}

// Returns the cycles in which the words of a message pass a port, and counts those after the first.
Cycle TextureUnit::transfer(const TextureWork& work, uint32_t words, uint32_t width, uint64_t& further) {
  const uint32_t cycles = (words + width - 1) / width;
  count_for(work.origin, further, cycles - 1);
  return cycles;
}

// An order waits for the quads under way, and quads that come wait for it: they may be of another queue.
bool TextureUnit::control(Cycle now) {
  return works_.empty() && structures::obey_control(now, cache_, control_in, control_out);
}

std::string TextureUnit::why_busy() const {
  return works_.empty() ? ""
                        : fmt::format("{} quads, {} steps, {} memory accesses", works_.size(), steps_.size(),
                                      cache_.outstanding());
}

}  // namespace cutaway::boxes
