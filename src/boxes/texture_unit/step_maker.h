#pragma once

#include <array>
#include <cstdint>

#include "base/divisor.h"
#include "boxes/texture_unit/sample_lines.h"
#include "boxes/texture_unit/texture_step.h"
#include "boxes/texture_unit/texture_work.h"
#include "func/texture/quad_footprint.h"

namespace cutaway::boxes {

// Divides the samples of texture instructions into steps, and finds the cache lines that each step reads.
class StepMaker {
 public:
  explicit StepMaker(const TextureUnitSpec& spec);

  // Makes the next step of `work`, with one sample per fragment if the lines of several do not fit. `number`
  // is the sequence number of the work.
  void make(TextureWork& work, uint32_t number, TextureStep& step);

 private:
  using Read = TextureStep::Read;
  // The texels of the lanes' next samples, from sample `first` on: of all together, or of each.
  struct Texels {
    uint32_t first = 0;
    func::QuadFootprint quad[TextureUnitSpec::kMostStepSamples];
    func::Footprint lane[TextureUnitSpec::kMostStepSamples][func::kQuadLanes];

    const func::QuadFootprint& quad_of(const Read& read) const { return quad[read.k - first]; }
    const func::Footprint& of(const Read& read) const { return lane[read.k - first][read.lane]; }
  };

  bool find_texels(const TextureWork& work);
  bool fill(const TextureWork& work, uint32_t samples, TextureStep& step) const;
  uint8_t fill_whole(const TextureWork& work, TextureStep& step) const;
  bool put_lines(const SampleLines& lines, TextureStep& step) const;
  bool add_lines(SampleLines lines[], uint32_t count, TextureStep& step) const;
  bool add_line(const SampleLines::Line& line, TextureStep& step, uint8_t& number) const;
  bool add_sample(const TextureWork& work, uint32_t lane, uint32_t k, TextureStep& step) const;
  bool add_of_quad(Read& read, TextureStep& step) const;
  bool add_any_sample(const TextureWork& work, Read& read, TextureStep& step) const;
  uint32_t touch_sample(const TextureWork& work, Read& read, TextureStep& step) const;
  uint32_t touch_texels(const func::Footprint& footprint, Read& read, TextureStep& step) const;
  uint32_t touch_elements(const func::Footprint& footprint, uint32_t bytes, uint32_t expansion, Read& read,
                          TextureStep& step) const;
  uint32_t touch(arch::Address address, uint32_t bytes, uint32_t fetch, TextureStep& step) const;

  TextureUnitSpec spec_;
  LineUnits line_;
  Divisor grain_;  // bytes of a grain
  Texels texels_;  // of the step that is made
};

}  // namespace cutaway::boxes
