#include "boxes/texture_unit/step_maker.h"

#include <algorithm>
#include <bit>

#include "base/few_bits.h"
#include "boxes/texture_unit/decoded_lines.h"

namespace cutaway::boxes {

StepMaker::StepMaker(const TextureUnitSpec& spec) : spec_(spec), line_(spec), grain_(spec.grain()) {}

void StepMaker::make(TextureWork& work, uint32_t number, TextureStep& step) {
  step.work = number;
  step.by_quad = !work.is_load && find_texels(work);
  step.reads = step.lines = step.pinned = 0;
  step.quads = fill_whole(work, step);
  if (step.quads) return work.take_of_all(step.quads);
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
  return step.by_quad ? add_of_quad(read, step) : add_any_sample(work, read, step);
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

// Fills the most frequent step, that of a whole quad. Returns the samples of each lane; 0 if the step is
// another, or has no room for their lines.
uint8_t StepMaker::fill_whole(const TextureWork& work, TextureStep& step) const {
  constexpr uint32_t kMost = TextureUnitSpec::kMostStepSamples;
  if (!step.by_quad || work.waiting != 15 || spec_.step_fragments < func::kQuadLanes) return 0;
  const auto count =
      static_cast<uint8_t>(std::min<uint32_t>(spec_.step_samples, work.samples[0] - work.sample));
  SampleLines lines[kMost];
  for (uint32_t n = 0; n < count; n++) lines[n].find(line_, texels_.quad[n], 15);
  if (!(count == 1 ? put_lines(lines[0], step) : add_lines(lines, count, step))) return 0;
  for (uint32_t n = 0; n < count; n++) {
    TextureStep::QuadRead& quad = step.quad[n];
    quad.offset = lines[n].offset();
    quad.line = lines[n].line_of();
    quad.shape = texels_.quad[n].shape;
    quad.k = static_cast<uint8_t>(work.sample + n);
  }
  step.reads = static_cast<uint8_t>(count * func::kQuadLanes);
  return count;
}

// Gives an empty step the lines of a sample. Returns false if there are too many.
bool StepMaker::put_lines(const SampleLines& lines, TextureStep& step) const {
  if (lines.count() > spec_.step_lines) return false;
  for (uint32_t i = 0; i < lines.count(); i++)
    step.line[i] = {
        .address = lines[i].start, .in_cache = 0, .grains = lines[i].grains, .readers = lines[i].lanes()};
  step.lines = static_cast<uint8_t>(lines.count());
  return true;
}

// Gives it the lines of several samples of a whole quad, and the samples the step's numbers of their lines.
bool StepMaker::add_lines(SampleLines lines[], uint32_t count, TextureStep& step) const {
  uint8_t number[TextureUnitSpec::kMostStepSamples][TextureStep::kMaxLines];
  uint32_t next[TextureUnitSpec::kMostStepSamples] = {};
  // Samples of a lane touch their lines one after the other, then those of the next lane.
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++)
    for (uint32_t n = 0; n < count; n++)
      for (uint32_t& i = next[n]; i < lines[n].count() && lines[n][i].first_lane() == lane; i++)
        if (!add_line(lines[n][i], step, number[n][i])) return false;
  for (uint32_t n = 0; n < count; n++) lines[n].renumber(number[n]);
  return true;
}

// Adds the texels of a line of a sample. Returns false, without change, if the step has no room for it.
bool StepMaker::add_line(const SampleLines::Line& line, TextureStep& step, uint8_t& number) const {
  if (step.find_line(line.start) == spec_.step_lines) return false;
  number = static_cast<uint8_t>(step.add_line(line.start));
  step.line[number].grains |= line.grains;
  step.line[number].readers += line.lanes();
  return true;
}

// Adds one lane's sample of a quad.
bool StepMaker::add_of_quad(Read& read, TextureStep& step) const {
  const func::QuadFootprint& quad = texels_.quad_of(read);
  SampleLines lines;
  lines.find(line_, quad, 1u << read.lane);
  uint32_t more = 0;
  for (uint32_t i = 0; i < lines.count(); i++) more += step.find_line(lines[i].start) == step.lines;
  if (step.lines + more > spec_.step_lines) return false;
  uint8_t number[4];
  for (uint32_t i = 0; i < lines.count(); i++) add_line(lines[i], step, number[i]);
  lines.renumber(number);
  read.shape = quad.shape.of_lane(read.lane);
  std::copy_n(&lines.line_of()[4 * read.lane], 4, read.line.begin());
  std::copy_n(&lines.offset()[4 * read.lane], 4, read.offset.begin());
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
    step.line[line].grains |= line_.grains_at(offset);
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
