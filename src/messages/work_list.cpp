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
  pass_ends_ |= !works_.empty() && works_.back().context != work.context;
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

void WorkList::stop(engine::Cycle now) {
  const size_t before = windows_ ? windows_->rows() : 0;
  if (windows_) windows_->finish();
  if (windows_ && windows_->rows() == 0) return;  // nothing has been
  const bool is_row = windows_ && windows_->rows() > before;
  bool any = false;
  for (Work& work : works_) {
    if (work.ended) continue;
    work.ended = any = true;
    work.end = now;
    work.row = windows_ ? static_cast<uint32_t>(windows_->rows() - 1) : 0;
  }
  if (is_row && !any) {
    Work rest;
    if (!turns_.record().turns.empty()) {
      const run_record::TurnRecord& last = turns_.record().turns.back();
      rest.origin.submission = static_cast<uint32_t>(last.submission);
      rest.context = last.context;
    }
    begin(rest, now);
    works_.back().ended = true;
    works_.back().end = now;
    works_.back().row = static_cast<uint32_t>(before);
  }
  turns_.stop(now);
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

void WorkList::note_state(DrawState& state, arch::ContextId context) {
  if (states_.empty() || pass_ends_ || states_.back().context != context ||
      !same_targets(states_.back().registers, state.registers))
    passes_.push_back(
        std::make_unique<TileCounts>(state.registers.raster.width, state.registers.raster.height));
  pass_ends_ = false;
  touched_lines_.begin_space(context);
  state.tiles = passes_.back().get();
  state.log = log_;
  WorkState& noted = states_.emplace_back();
  noted.registers = state.registers;
  noted.context = context;
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
  pass_ends_ = false;
  touched_lines_.clear(first_);
  turns_ = {};
}

}  // namespace cutaway::messages
