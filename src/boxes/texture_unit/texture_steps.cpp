#include <algorithm>
#include <bit>

#include "boxes/texture_unit/texture_unit.h"
#include "func/texture/quad_footprint.h"

// Makes the steps of texture instructions: which samples they take, and the lines that these read.
namespace cutaway::boxes {

// Makes a step, with only one sample per fragment if the lines of several do not fit.
void TextureUnit::make_step(Job& job, uint32_t number, Step& step) const {
  step.job = number;
  step.sample = job.sample;
  if (!job.is_load) find_texels(job, step);
  if (!fill_step(job, spec_.step_samples, step)) fill_step(job, 1, step);
  for (uint32_t i = 0; i < step.reads; i++) job.next[step.read[i].lane]++;
  find_next_sample(job);
}

// Finds the texels of the samples that the step may take.
void TextureUnit::find_texels(const Job& job, Step& step) const {
  for (uint32_t n = 0; n < spec_.step_samples; n++) {
    uint32_t lanes = job.waiting;
    for (uint32_t lane = 0; n && lane < func::kQuadLanes; lane++)
      if (job.sample + n >= job.samples[lane]) lanes &= ~(1u << lane);
    if (!lanes) return;
    func::texture_footprints(view(job), sampler(job), job.plan, lanes, job.sample + n, step.footprint[n]);
  }
}

// Adds the next `samples` of the lanes that wait for the next one: of as many lanes as a step has fragments,
// and with one sample each of as many as its lines allow. Returns false if lines do not suffice for several
// samples each.
bool TextureUnit::fill_step(const Job& job, uint32_t samples, Step& step) const {
  step.reads = step.lines.count = step.pinned = 0;
  uint32_t fragments = 0;
  for (uint32_t left = job.waiting; left && fragments < spec_.step_fragments; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t end = std::min<uint32_t>(job.sample + samples, job.samples[lane]);
    for (uint32_t k = job.sample; k < end; k++)
      if (!add_sample(job, lane, k, step)) return samples == 1;
    fragments++;
  }
  return true;
}

// Returns false, without change of the step, if it has no room for the sample's lines. The first sample
// always fits.
bool TextureUnit::add_sample(const Job& job, uint32_t lane, uint32_t k, Step& step) const {
  const bool may_not_fit = step.lines.count + 4 > spec_.step_lines;
  Lines before;
  if (may_not_fit) before = step.lines;
  Read& read = step.read[step.reads];
  read.lane = static_cast<uint8_t>(lane);
  read.k = static_cast<uint8_t>(k);
  uint32_t touched = 0;  // lines of the step, bit each
  if (job.is_load) {
    touched = touch(job.load.address[lane], job.load.words[lane] * 4u, spec_.load_bytes, step);
  } else {
    const uint32_t bytes = view(job).texel_bytes;
    const func::Footprint& footprint = step.footprint_of(read);
    touched = std::has_single_bit(bytes) ? touch_texels(footprint, read, step)
                                         : touch_elements(footprint, bytes, read, step);
  }
  if (may_not_fit && step.lines.count > spec_.step_lines) {
    step.lines = before;
    return false;
  }
  for (; touched; touched &= touched - 1) step.lines.readers[std::countr_zero(touched)]++;
  step.reads++;
  return true;
}

// The step's line that begins at `start`, a new one if it has none.
inline uint32_t TextureUnit::line_of(arch::Address start, Step& step) {
  uint32_t line = 0;
  while (line < step.lines.count && step.address[line] != start) line++;
  if (line < step.lines.count) return line;
  step.address[line] = start;
  step.lines.grains[line] = step.lines.readers[line] = 0;
  step.lines.count++;
  return line;
}

// Adds the lines and grains of a sample's texels. Returns the lines, a bit each. Texels are powers of two
// bytes, so that each lies in one unit of `fetch_bytes`.
uint32_t TextureUnit::touch_texels(const func::Footprint& footprint, Read& read, Step& step) const {
  const Divisor grain = grain_;
  const uint32_t in_unit = spec_.fetch_bytes - 1, unit_grains = fetch_grains_;
  const auto grains_at = [&](uint64_t offset) { return unit_grains << grain.quotient(offset & ~in_unit); };
  if (footprint.texels == 4 && !footprint.border) {
    const arch::Address start = line_.floor(footprint.address(0));
    uint64_t offset[4], most = 0;
    for (uint32_t i = 0; i < 4; i++) offset[i] = footprint.address(i) - start, most |= offset[i];
    if (most < spec_.line_bytes) {  // mostly all are in one line
      const uint32_t line = line_of(start, step);
      const uint32_t grains =
          grains_at(offset[0]) | grains_at(offset[1]) | grains_at(offset[2]) | grains_at(offset[3]);
      step.lines.grains[line] |= static_cast<uint16_t>(grains);
      read.line.fill(static_cast<uint8_t>(line));
      for (uint32_t i = 0; i < 4; i++) read.offset[i] = static_cast<uint16_t>(offset[i]);
      return 1u << line;
    }
  }
  uint32_t touched = 0, line = 0;
  arch::Address start = 0;
  for (uint32_t i = 0; i < footprint.texels; i++) {
    if (!footprint.in_memory(i)) continue;
    const arch::Address address = footprint.address(i);
    if (!touched || address - start >= spec_.line_bytes) {
      start = line_.floor(address);
      line = line_of(start, step);
      touched |= 1u << line;
    }
    const uint64_t offset = address - start;
    step.lines.grains[line] |= static_cast<uint16_t>(grains_at(offset));
    read.line[i] = static_cast<uint8_t>(line);
    read.offset[i] = static_cast<uint16_t>(offset);
  }
  return touched;
}

// The same of texels of any number of bytes.
uint32_t TextureUnit::touch_elements(const func::Footprint& footprint, uint32_t bytes, Read& read,
                                     Step& step) const {
  uint32_t touched = 0;
  for (uint32_t i = 0; i < footprint.texels; i++) {
    if (!footprint.in_memory(i)) continue;
    const arch::Address address = footprint.address(i), start = line_.floor(address);
    read.line[i] = static_cast<uint8_t>(line_of(start, step));
    read.offset[i] = static_cast<uint16_t>(address - start);
    touched |= touch(address, bytes, spec_.fetch_bytes, step);
  }
  return touched;
}

// Adds the lines and grains of some bytes, in whole units of `fetch` bytes. Returns the lines, a bit each.
uint32_t TextureUnit::touch(arch::Address address, uint32_t bytes, uint32_t fetch, Step& step) const {
  uint32_t touched = 0;
  while (bytes) {
    const arch::Address start = line_.floor(address);
    const uint32_t line = line_of(start, step);
    const auto offset = static_cast<uint32_t>(address - start);
    const uint32_t here = std::min(bytes, spec_.line_bytes - offset);
    const auto first = grain_.quotient(offset & ~(fetch - 1)),
               last = grain_.quotient((offset + here - 1) | (fetch - 1));
    step.lines.grains[line] |= static_cast<uint16_t>((2u << last) - (1u << first));
    touched |= 1u << line;
    address += here, bytes -= here;
  }
  return touched;
}

}  // namespace cutaway::boxes
