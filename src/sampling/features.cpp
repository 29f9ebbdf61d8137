#include "sampling/features.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

#include "arch/format.h"
#include "replay/seeker.h"

namespace cutaway::sampling {
namespace {

// Adds up features frame by frame. A feature may appear first in any frame.
class Collector {
 public:
  explicit Collector(FeatureTable& table) : table_(table) {}

  void begin_frame(size_t index) {
    index_ = index;
    targets_.clear();
  }
  void add(const std::string& total, const std::string& name, uint64_t value) {
    if (!value) return;
    auto [at, fresh] = places_.try_emplace(name, table_.features.size());
    if (fresh) table_.features.push_back({name, total, std::vector<double>(table_.frames)});
    table_.features[at->second].by_frame[index_] += static_cast<double>(value);
  }

  void add_work(const emulator::EndedWork& work) {
    const auto stage = work.dispatch ? arch::Stage::kCompute : arch::Stage::kFragment;
    const std::string program = name_of_program(work.registers.shader[static_cast<size_t>(stage)].program);
    const auto add_part = [&](const char* name, uint64_t value) {
      add(fmt::format("{} by program", name), fmt::format("{} of {}", name, program), value);
    };
    add_part("fragments_shaded", work.statistics.fragments_shaded);
    add_part("bilinear_samples", work.statistics.bilinear_samples);
    add_part("fragment_instructions", work.statistics.fragment_instructions);
    add_part("compute_instructions", work.statistics.compute_instructions);
    if (!work.dispatch) add_targets(work.registers);
  }

 private:
  // Counts a pass where the targets differ from those of the draw before.
  void add_targets(const arch::Registers& registers) {
    std::vector<uint64_t> targets;
    uint64_t bytes = 0;
    const auto add_surface = [&](const arch::Surface& surface) {
      targets.push_back(surface.address);
      bytes += uint64_t{registers.raster.width} * registers.raster.height * surface.samples() *
               arch::format_info(surface.format).bytes;
    };
    for (const arch::ColorTarget& color : registers.color.target)
      if (color.write_mask) add_surface(color.surface);
    if (registers.depth.surface.format) add_surface(registers.depth.surface);
    if (targets == targets_) return;
    targets_ = std::move(targets);
    add("passes", "passes", 1), add("target_bytes", "target_bytes", bytes);
  }

  // Programs are told apart by their address, which a program keeps while it is loaded.
  std::string name_of_program(uint64_t address) {
    return fmt::format("program {}", programs_.try_emplace(address, programs_.size() + 1).first->second);
  }

  FeatureTable& table_;
  size_t index_ = 0;
  std::map<std::string, size_t> places_;  // by name
  std::map<uint64_t, size_t> programs_;   // numbers, by address
  std::vector<uint64_t> targets_;         // of the last draw
};

}  // namespace

FeatureTable characterise(const capture::Reader& reader, uint64_t first, uint64_t last, uint32_t threads,
                          const std::function<void(uint64_t frame)>& on_frame) {
  FeatureTable table{.first_frame = first, .frames = last - first + 1, .features = {}};
  Collector collector(table);
  bool within = false;  // the frames before the first only lead to it
  replay::Seeker seeker(reader, first,
                        {.threads = threads,
                         .on_work =
                             [&](const emulator::EndedWork& work) {
                               if (within) collector.add_work(work);
                             },
                         .on_frame = on_frame});
  within = true;
  for (size_t index = 0; index < table.frames; index++) {
    if (on_frame) on_frame(first + index);
    collector.begin_frame(index);
    const replay::EmulatedFrame frame = seeker.step();
    table.seconds += frame.seconds;
    frame.statistics.for_each(
        [&](const char* name, const char*, uint64_t value) { collector.add(name, name, value); });
  }
  return table;
}

std::vector<FramePoint> points_of(const FeatureTable& table) {
  std::map<std::string, double> sums;
  for (const Feature& feature : table.features)
    for (const double value : feature.by_frame) sums[feature.total] += value;
  std::vector<FramePoint> points(table.frames);
  for (const Feature& feature : table.features) {
    const double mean = sums.at(feature.total) / static_cast<double>(table.frames);
    for (size_t frame = 0; frame < table.frames; frame++)
      points[frame].push_back(feature.by_frame[frame] / mean);
  }
  return points;
}

Varying varying(const std::vector<FramePoint>& points) {
  Varying kept{.points = std::vector<FramePoint>(points.size()), .deviations = {}};
  if (points.empty()) return kept;
  const auto count = static_cast<double>(points.size());
  for (size_t j = 0; j < points.front().size(); j++) {
    double mean = 0, squares = 0;
    for (const FramePoint& point : points) mean += point[j] / count;
    for (const FramePoint& point : points) squares += (point[j] - mean) * (point[j] - mean) / count;
    if (std::sqrt(squares) < kLeastDeviation) continue;
    for (size_t i = 0; i < points.size(); i++) kept.points[i].push_back(points[i][j]);
    kept.deviations.push_back(std::sqrt(squares));
  }
  return kept;
}

}  // namespace cutaway::sampling
