#include "replay/fragment_recording.h"

#include <algorithm>

#include "arch/format.h"
#include "func/format/display_color.h"
#include "replay/same_surface.h"

namespace cutaway::replay {
namespace {

// Numbers the surfaces of a frame.
class TargetList {
 public:
  explicit TargetList(std::vector<run_record::TargetRecord>& records) : records_(records) {}

  void add_pass(uint32_t pass, const arch::Registers& registers) {
    const size_t before = records_.size();
    for (uint32_t i = 0; i < arch::kColorTargets; i++)
      if (registers.color.target[i].surface.format)
        add(pass, static_cast<int32_t>(i), registers.color.target[i].surface);
    if (records_.size() == before && registers.depth.surface.format) add(pass, -1, registers.depth.surface);
  }

 private:
  void add(uint32_t pass, int32_t target, const arch::Surface& surface) {
    const auto known = std::find_if(surfaces_.begin(), surfaces_.end(),
                                    [&](const auto& s) { return same_surface(s, surface); });
    const auto number = static_cast<uint32_t>(known - surfaces_.begin());
    if (known == surfaces_.end()) surfaces_.push_back(surface);
    const arch::FormatInfo& format = arch::format_info(surface.format);
    const auto level = [&](uint32_t size) { return std::max(1u, size >> surface.base_level); };
    records_.push_back({.pass = pass,
                        .target = target,
                        .surface = number,
                        .color = target >= 0 && func::has_display_color(format),
                        .width = level(surface.width),
                        .height = level(surface.height),
                        .samples = surface.samples(),
                        .address = surface.address,
                        .format = std::string(format.name)});
  }

  std::vector<run_record::TargetRecord>& records_;
  std::vector<arch::Surface> surfaces_;
};

}  // namespace

run_record::FragmentRecord take_fragments(machine::Recording& recording, engine::Cycle first) {
  run_record::FragmentRecord record;
  messages::FragmentLog& log = *recording.fragments;
  const std::span<run_record::FragmentEvent> events = log.sorted();
  for (run_record::FragmentEvent& event : events) event.cycle -= first, event.work -= recording.works.first();
  record.parts = run_record::pack_fragments(events);
  record.events = events.size();
  if (log.end()) record.end = log.end() - first;
  TargetList targets(record.targets);
  uint32_t passes = 0;
  for (const messages::WorkState& state : recording.works.states())
    if (state.pass == passes) targets.add_pass(passes++, state.registers);
  log.clear();
  return record;
}

}  // namespace cutaway::replay
