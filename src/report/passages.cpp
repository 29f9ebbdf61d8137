#include "report/passages.h"

#include <algorithm>
#include <map>

namespace cutaway::report {

GroupStays group_stays(const run_record::Timeline& timeline) {
  GroupStays stays;
  stays.by_unit.resize(timeline.units.size());
  // Units that send shading results are shader units; others pass groups on.
  std::vector<bool> shades(timeline.units.size());
  const auto is_result = [](const run_record::Timeline::Wire& wire) {
    return wire.message == "ShadedQuad" || wire.message == "ShadedVertices";
  };
  for (const run_record::Timeline::Wire& wire : timeline.wires)
    if (wire.message == "VertexGroup" || wire.message == "FragmentGroup") shades[wire.receiver] = true;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> inside;  // maps (unit, thing) to an index in by_unit
  for (uint32_t i = 0; i < timeline.messages.size(); i++) {
    const run_record::Timeline::Message& message = timeline.messages[i];
    const run_record::Timeline::Wire& wire = timeline.wires[message.wire];
    const bool vertices = wire.message == "VertexGroup", fragments = wire.message == "FragmentGroup";
    if ((vertices || fragments) && shades[wire.receiver] && message.things &&
        message.taken != run_record::Timeline::kNever) {
      auto& groups = stays.by_unit[wire.receiver];
      for (uint32_t n = 0; n < message.things; n++)
        inside[{wire.receiver, timeline.carried[message.first_thing + n]}] =
            static_cast<uint32_t>(groups.size());
      groups.push_back(
          {message.taken, timeline.end, vertices ? kVertexGroup : kFragmentGroup, i, message.things});
    }
    if (!is_result(wire) || message.sent == run_record::Timeline::kNever) continue;
    for (uint32_t n = 0; n < message.things; n++) {
      const auto found = inside.find({wire.sender, timeline.carried[message.first_thing + n]});
      if (found == inside.end()) continue;
      GroupStay& stay = stays.by_unit[wire.sender][found->second];
      if (--stay.missing == 0) stay.end = message.sent;
      inside.erase(found);
    }
  }
  for (uint32_t unit = 0; unit < timeline.units.size(); unit++) {
    auto& groups = stays.by_unit[unit];
    const bool results = std::any_of(timeline.wires.begin(), timeline.wires.end(), [&](const auto& wire) {
      return wire.sender == unit && is_result(wire);
    });
    if (!results) groups.clear();
    std::erase_if(groups, [](const GroupStay& stay) { return stay.begin >= stay.end; });
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GroupStay& a, const GroupStay& b) { return a.begin < b.begin; });
  }
  return stays;
}

}  // namespace cutaway::report
