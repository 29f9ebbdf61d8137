#include "messages/work_list.h"

#include <cstring>
#include <iterator>

#include "base/error.h"

namespace cutaway::messages {

const char* name_of(Work::Kind kind) {
  switch (kind) {
    case Work::Kind::kDraw:
      return "draw";
    case Work::Kind::kDispatch:
      return "dispatch";
    case Work::Kind::kCopy:
      return "copy";
    case Work::Kind::kControl:
      return "control";
    case Work::Kind::kPresent:
      return "present";
    case Work::Kind::kScanOut:
      return "scan-out";
    case Work::Kind::kRest:
      return "rest";
  }
  return "?";
}

bool has_packet(Work::Kind kind) { return kind != Work::Kind::kRest && kind != Work::Kind::kScanOut; }

void WorkList::begin(Work work, engine::Cycle now) {
  work.origin.work = next();
  work.state = states_.empty() ? 0 : static_cast<uint32_t>(states_.size() - 1);
  work.began = now;
  works_.push_back(work);
}

void WorkList::end(uint32_t number, engine::Cycle now) {
  CUTAWAY_CHECK(number >= first_ && number < next() && !works_[number - first_].ended, "work {}", number);
  Work& work = works_[number - first_];
  work.ended = true;
  work.end = now;
  if (!windows_) return;
  work.row = static_cast<uint32_t>(windows_->rows());
  windows_->request();
}

void WorkList::prolong(uint32_t number, engine::Cycle now) {
  if (number >= first_ && number < next()) works_[number - first_].end = now;
}

namespace {

bool same_targets(const arch::Registers& a, const arch::Registers& b) {
  const auto same = [](const arch::Surface& x, const arch::Surface& y) {
    return std::memcmp(&x, &y, sizeof x) == 0;
  };
  for (size_t i = 0; i < std::size(a.color.target); i++)
    if (!same(a.color.target[i].surface, b.color.target[i].surface)) return false;
  return same(a.depth.surface, b.depth.surface);
}

}  // namespace

void WorkList::note_state(DrawState& state) {
  if (states_.empty() || !same_targets(states_.back().registers, state.registers))
    passes_.push_back(
        std::make_unique<TileCounts>(state.registers.raster.width, state.registers.raster.height));
  state.tiles = passes_.back().get();
  state.log = log_;
  WorkState& noted = states_.emplace_back();
  noted.registers = state.registers;
  noted.pass = static_cast<uint32_t>(passes_.size() - 1);
  command_stream::ByStage<uint32_t> instructions;
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const StageState& from = state.stage[stage];
    noted.program[stage] = from.program;
    if (!from.program) continue;
    instructions[stage] = from.program->micro.size();
    for (const uint32_t binding : from.program->resources)
      if (from.resources[binding].valid ||
          from.resources[binding].surface.surface_type() == arch::SurfaceType::kRawBuffer)
        noted.textures.push_back({stage, binding, from.resources[binding].surface});
  }
  noted.instructions = std::make_unique<InstructionCounts>(instructions);
  state.instructions = noted.instructions.get();
  state.touched_lines = &touched_lines_;
}

void WorkList::clear() {
  first_ = next();
  works_.clear();
  // A submission begins with a version of its own.
  states_.clear();
  passes_.clear();
  touched_lines_.clear(first_);
}

}  // namespace cutaway::messages
