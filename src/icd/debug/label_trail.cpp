#include "icd/debug/label_trail.h"

namespace cutaway::icd {

void LabelTrail::add(Kind kind, std::string_view label, arch::CommandWriter& writer) {
  const size_t words = writer.commands().size();
  const bool last = !markers_.empty() && markers_.back().part == part_ && markers_.back().word + 1 == words;
  if (!last) {
    writer.packet(arch::Opcode::kMarker, uint32_t{0});
    markers_.push_back({part_, words + 1});
  }
  steps_.push_back({kind, markers_.size() - 1, std::string(label.substr(0, LabelTree::kLabelBytes + 1))});
}

void LabelTrail::end_commands(arch::CommandWriter& writer) {
  if (!steps_.empty() && steps_.back().kind == Kind::kInsert) add(Kind::kEndOfInserted, {}, writer);
}

LabelTrail::Resolved LabelTrail::resolve(LabelTree& tree, LabelPlace around) const {
  Resolved result;
  result.ids.resize(markers_.size());
  result.parts.resize(part_ + 1);
  LabelPlace& place = result.after = around;
  size_t part = 0;
  result.parts[0].first = tree.marker(place.shown);
  const auto go_to = [&](size_t next) {
    const uint32_t shown = tree.marker(place.shown);
    for (; part < next; part++) result.parts[part].last = result.parts[part + 1].first = shown;
  };
  for (const Step& step : steps_) {
    go_to(markers_[step.marker].part);
    if (step.kind == Kind::kBegin) place.stack = tree.push(place.stack, step.label);
    if (step.kind == Kind::kEnd) place.stack = tree.pop(place.stack);
    place.shown = step.kind == Kind::kInsert ? tree.push(place.stack, step.label) : place.stack;
    result.ids[step.marker] = tree.marker(place.shown);
  }
  go_to(part_);
  result.parts[part_].last = tree.marker(place.shown);
  return result;
}

}  // namespace cutaway::icd
