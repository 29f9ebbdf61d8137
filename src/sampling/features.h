#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capture/reader.h"

namespace cutaway::sampling {

// A quantity of every frame, as the emulator counts it.
struct Feature {
  std::string name;              // "vertices_shaded", "fragments_shaded of program 3"
  std::string total;             // features with the same name here are parts of one quantity
  std::vector<double> by_frame;  // in order of the frames
};

// The characteristics of consecutive frames of a capture.
struct FeatureTable {
  uint64_t first_frame = 1, frames = 0;
  std::vector<Feature> features;  // only those that are not zero everywhere
  double seconds = 0;             // host time of the emulator
};

// Runs the frames on the emulator: all its counters, the fragments, texture samples and instructions of each
// program, passes and the bytes of their targets. threads: see emulator::Options. on_frame: called before
// each frame. UserErrors of the reader and the emulator.
FeatureTable characterise(const capture::Reader& reader, uint64_t first, uint64_t last, uint32_t threads,
                          const std::function<void(uint64_t frame)>& on_frame = {});

// A frame as a point of a space in which distances are shares of work: each feature is divided by the mean of
// its quantity over all frames, so that 0.1 is a tenth of the vertices, or of the fragments.
using FramePoint = std::vector<double>;
std::vector<FramePoint> points_of(const FeatureTable& table);

// A deviation of a coordinate below this is no difference: 0.1 % of the quantity's mean.
constexpr double kLeastDeviation = 1e-3;

// The coordinates that differ between the points, with their standard deviations.
struct Varying {
  std::vector<FramePoint> points;
  std::vector<double> deviations;  // by coordinate
};
Varying varying(const std::vector<FramePoint>& points);

}  // namespace cutaway::sampling
