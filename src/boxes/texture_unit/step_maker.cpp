#include "boxes/texture_unit/step_maker.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/few_bits.h"
#include "boxes/texture_unit/decoded_lines.h"
#include "func/texture/quad_lanes.h"

namespace cutaway::boxes {

StepMaker::StepMaker(const TextureUnitSpec& spec)
    : spec_(spec), line_(spec.line_bytes), grain_(spec.grain()) {
  const uint32_t fetched = (1u << spec.fetch_bytes / spec.grain()) - 1;
  for (uint32_t at = 0; at < std::min(spec.line_bytes, kMostLineBytes); at += kLeastFetch)
    grains_at_[at / kLeastFetch] =
        static_cast<uint16_t>(fetched << at / spec.fetch_bytes * spec.fetch_bytes / spec.grain());
}

void StepMaker::make(TextureWork& work, uint32_t number, TextureStep& step) {
  step.work = number;
  step.by_quad = !work.is_load && find_texels(work);
  step.reads = step.lines = step.pinned = 0;
  if (const uint32_t of_each = fill_from_lines(work, step)) return work.take_of_all(of_each);
  if (!fill(work, spec_.step_samples, step)) fill(work, 1, step);
  for (uint32_t i = 0; i < step.reads; i++) work.next[step.read[i].lane]++;
  work.find_next_sample();
}

// Finds the texels of the samples that the step may take. True if it finds those of all lanes together. Lanes
// of a plan by quad have equally many samples.
bool StepMaker::find_texels(const TextureWork& work) {
  texels_.first = work.sample;
  bool by_quad = work.plan.by_quad && !work.expansion;
  for (uint32_t n = 0; by_quad && n < spec_.step_samples; n++) {
    const uint32_t lane = static_cast<uint32_t>(std::countr_zero(work.waiting));
    if (work.sample + n < work.samples[lane])
      by_quad = func::quad_footprints(*work.view, *work.sampler, work.plan, work.sample + n, texels_.quad[n]);
  }
  if (by_quad) return true;
  for (uint32_t n = 0; n < spec_.step_samples; n++) {
    uint32_t lanes = work.waiting;
    for (uint32_t lane = 0; n && lane < func::kQuadLanes; lane++)
      if (work.sample + n >= work.samples[lane]) lanes &= ~(1u << lane);
    if (!lanes) break;
    func::texture_footprints(*work.view, *work.sampler, work.plan, lanes, work.sample + n, texels_.lane[n]);
  }
  return false;
}

// Returns false, without change of the step, if it has no room for the sample's lines. The first sample
// always fits.
inline bool StepMaker::add_sample(const TextureWork& work, uint32_t lane, uint32_t k,
                                  TextureStep& step) const {
  Read& read = step.read[step.reads];
  read.lane = static_cast<uint8_t>(lane);
  read.k = static_cast<uint8_t>(k);
  if (!step.by_quad) return add_any_sample(work, read, step);
  const func::QuadFootprint& quad = texels_.quad_of(read);
  read.shape = quad.shape[lane];
  const arch::Address first = quad.address(lane, 0), start = line_.floor(first);
  func::Int4 offset;
  std::memcpy(&offset, quad.offset[lane], sizeof offset);
  offset += static_cast<int32_t>(static_cast<uint32_t>(first - start) - quad.offset[lane][0]);
  if (!func::all_of((func::Int4)(offset >= 0) &
                    (func::Int4)(offset < static_cast<int32_t>(spec_.line_bytes))))
    return add_from_lines(read, step);
  // Mostly all texels are in one line.
  if (step.find_line(start) == spec_.step_lines) return false;
  const uint32_t line = step.add_line(start);
  uint32_t grains = 0;
  for (int i = 0; i < 4; i++) grains |= grains_at_[static_cast<uint32_t>(offset[i]) / kLeastFetch];
  step.line[line].grains |= static_cast<uint16_t>(grains);
  step.line[line].readers++;
  read.line.fill(static_cast<uint8_t>(line));
  const __m128i halves = _mm_packs_epi32((__m128i)offset, (__m128i)offset);
  std::memcpy(read.offset.data(), &halves, sizeof read.offset);
  step.reads++;
  return true;
}

// Adds the next `samples` of the lanes that wait for the next one: of as many lanes as a step has fragments,
// and with one sample each of as many as its lines allow. Returns false if lines do not suffice for several
// samples each.
bool StepMaker::fill(const TextureWork& work, uint32_t samples, TextureStep& step) const {
  step.reads = step.lines = step.pinned = 0;
  uint32_t fragments = 0;
  for (uint32_t left = work.waiting; left && fragments < spec_.step_fragments; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t end = std::min<uint32_t>(work.sample + samples, work.samples[lane]);
    for (uint32_t k = work.sample; k < end; k++)
      if (!add_sample(work, lane, k, step)) return samples == 1;
    fragments++;
  }
  return true;
}

// Fills the most frequent step: the whole quad, with all texels of a sample in one line. Returns the samples
// of each lane; 0, without change, if it is another.
uint32_t StepMaker::fill_from_lines(const TextureWork& work, TextureStep& step) const {
  if (!step.by_quad || work.waiting != 15 || spec_.step_fragments < func::kQuadLanes) return 0;
  const uint32_t count = std::min<uint32_t>(spec_.step_samples, work.samples[0] - work.sample);
  OneLine of[TextureUnitSpec::kMostStepSamples];
  for (uint32_t n = 0; n < count; n++)
    if (!in_one_line(texels_.quad[n], of[n])) return 0;
  uint8_t line[TextureUnitSpec::kMostStepSamples];
  for (uint32_t n = 0; n < count; n++) {
    line[n] = static_cast<uint8_t>(step.add_line(of[n].start));
    step.line[line[n]].grains |= static_cast<uint16_t>(of[n].grains);
    step.line[line[n]].readers += func::kQuadLanes;
  }
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++)
    for (uint32_t n = 0; n < count; n++) {
      Read& read = step.read[step.reads++];
      read.lane = static_cast<uint8_t>(lane), read.k = static_cast<uint8_t>(work.sample + n);
      read.line.fill(line[n]);
      read.offset = of[n].offset[lane];
      read.shape = texels_.quad[n].shape[lane];
    }
  return count;
}

// True if all texels of a quad's sample are in one line: finds where.
bool StepMaker::in_one_line(const func::QuadFootprint& quad, OneLine& line) const {
  line.start = line_.floor(quad.address(0, 0));
  const auto from_start = static_cast<int32_t>(static_cast<uint32_t>(quad.base - line.start));
  const auto bytes = static_cast<int32_t>(spec_.line_bytes);
  func::Int4 at[func::kQuadLanes], inside = ~func::Int4{};
  std::memcpy(at, quad.offset, sizeof at);
  for (func::Int4& of_lane : at) {
    of_lane += from_start;
    inside &= (func::Int4)(of_lane >= 0) & (func::Int4)(of_lane < bytes);
  }
  if (!func::all_of(inside)) return false;
  const __m128i halves[2] = {_mm_packs_epi32((__m128i)at[0], (__m128i)at[1]),
                             _mm_packs_epi32((__m128i)at[2], (__m128i)at[3])};
  std::memcpy(line.offset.data(), halves, sizeof halves);
  // The units of `fetch_bytes` of all 16 texels, a byte each.
  const __m128i shift = _mm_cvtsi32_si128(std::countr_zero(spec_.fetch_bytes));
  const __m128i units = _mm_packus_epi16(_mm_srl_epi16(halves[0], shift), _mm_srl_epi16(halves[1], shift));
  line.grains = 0;
  for (uint32_t begin = 0, unit = 0; begin < spec_.line_bytes; begin += spec_.fetch_bytes, unit++)
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(units, _mm_set1_epi8(static_cast<char>(unit)))))
      line.grains |= grains_at_[begin / kLeastFetch];
  return true;
}

// The same of a quad's sample whose texels are in several lines.
bool StepMaker::add_from_lines(Read& read, TextureStep& step) const {
  const func::QuadFootprint& quad = texels_.quad_of(read);
  const uint8_t lines = step.lines;
  arch::Address start = 0;
  uint32_t line = 0, grains[4];
  for (uint32_t i = 0; i < 4; i++) {
    const arch::Address address = quad.address(read.lane, i);
    if (i == 0 || address - start >= spec_.line_bytes) {
      start = line_.floor(address);
      line = step.add_line(start);
    }
    const auto offset = static_cast<uint32_t>(address - start);
    grains[i] = grains_at_[offset / kLeastFetch];
    read.line[i] = static_cast<uint8_t>(line);
    read.offset[i] = static_cast<uint16_t>(offset);
  }
  if (step.lines > spec_.step_lines) {
    step.lines = lines;
    return false;
  }
  uint32_t touched = 0;
  for (uint32_t i = 0; i < 4; i++) {
    step.line[read.line[i]].grains |= static_cast<uint16_t>(grains[i]);
    touched |= 1u << read.line[i];
  }
  for (; touched; touched &= touched - 1) step.line[std::countr_zero(touched)].readers++;
  step.reads++;
  return true;
}

// The same of any sample.
bool StepMaker::add_any_sample(const TextureWork& work, Read& read, TextureStep& step) const {
  const bool may_not_fit = step.lines + 4u > spec_.step_lines;
  const uint8_t lines = step.lines;
  std::array<TextureStep::Line, TextureStep::kMaxLines> before;
  if (may_not_fit) std::copy_n(step.line.begin(), lines, before.begin());
  uint32_t touched = touch_sample(work, read, step);
  if (may_not_fit && step.lines > spec_.step_lines) {
    std::copy_n(before.begin(), lines, step.line.begin());
    step.lines = lines;
    return false;
  }
  for (; touched; touched &= touched - 1) step.line[std::countr_zero(touched)].readers++;
  step.reads++;
  return true;
}

// Adds the lines and grains that a sample needs. Returns the lines, a bit each.
uint32_t StepMaker::touch_sample(const TextureWork& work, Read& read, TextureStep& step) const {
  if (work.is_load)
    return touch(work.load.address[read.lane], work.load.words[read.lane] * 4u, spec_.load_bytes, step);
  const uint32_t bytes = work.view->texel_bytes;
  const func::Footprint& footprint = texels_.of(read);
  read.shape = footprint;
  if (!work.expansion && one_bit(bytes)) return touch_texels(footprint, read, step);
  return touch_elements(footprint, bytes, work.expansion, read, step);
}

// Texels are powers of two bytes, so that each lies in one unit of `fetch_bytes`.
uint32_t StepMaker::touch_texels(const func::Footprint& footprint, Read& read, TextureStep& step) const {
  uint32_t touched = 0, line = 0;
  arch::Address start = 0;
  for (uint32_t i = 0; i < footprint.texels; i++) {
    if (!footprint.in_memory(i)) continue;
    const arch::Address address = footprint.address(i);
    if (!touched || address - start >= spec_.line_bytes) {
      start = line_.floor(address);
      line = step.add_line(start);
      touched |= 1u << line;
    }
    const uint64_t offset = address - start;
    step.line[line].grains |= grains_at_[offset / kLeastFetch];
    read.line[i] = static_cast<uint8_t>(line);
    read.offset[i] = static_cast<uint16_t>(offset);
  }
  return touched;
}

// The same of texels or blocks of any number of bytes, and of those that lines hold decoded.
uint32_t StepMaker::touch_elements(const func::Footprint& footprint, uint32_t bytes, uint32_t expansion,
                                   Read& read, TextureStep& step) const {
  uint32_t touched = 0;
  for (uint32_t i = 0; i < footprint.texels; i++) {
    if (!footprint.in_memory(i)) continue;
    const arch::Address address = footprint.address(i),
                        place = expansion ? DecodedPlace::of(address, expansion) : address,
                        start = line_.floor(place);
    read.line[i] = static_cast<uint8_t>(step.add_line(start));
    read.offset[i] = static_cast<uint16_t>(place - start);
    touched |= touch(place, bytes << expansion, spec_.fetch_bytes, step);
  }
  return touched;
}

// Adds the lines and grains of some bytes, in whole units of `fetch` bytes. Returns the lines, a bit each.
uint32_t StepMaker::touch(arch::Address address, uint32_t bytes, uint32_t fetch, TextureStep& step) const {
  uint32_t touched = 0;
  while (bytes) {
    const arch::Address start = line_.floor(address);
    const uint32_t line = step.add_line(start);
    const auto offset = static_cast<uint32_t>(address - start);
    const uint32_t here = std::min(bytes, spec_.line_bytes - offset);
    const auto first = grain_.quotient(offset & ~(fetch - 1)),
               last = grain_.quotient((offset + here - 1) | (fetch - 1));
    step.line[line].grains |= static_cast<uint16_t>((2u << last) - (1u << first));
    touched |= 1u << line;
    address += here, bytes -= here;
  }
  return touched;
}

}  // namespace cutaway::boxes
