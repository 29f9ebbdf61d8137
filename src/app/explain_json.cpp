#include "app/explain_json.h"

#include <algorithm>

namespace cutaway::app {
namespace {

using Json = nlohmann::ordered_json;
using report::Explanation;

// Lists the values of --try that a sentence of evidence offers.
Json tries_json(const report::Finding& finding) {
  Json tries = Json::array();
  for (const report::Lever& lever : finding.levers)
    if (!lever.helpful.empty()) tries.push_back(lever.parameter + "=" + lever.helpful);
  return tries;
}

}  // namespace

Json json_of(const Explanation& explanation) {
  Json causes = Json::array(), waits = Json::array();
  for (const auto& cause : explanation.causes) {
    Json sentences = Json::array(), tries = Json::array();
    for (const report::Finding& finding : cause.evidence) {
      sentences.push_back(finding.sentence);
      tries.push_back(tries_json(finding));
    }
    causes.push_back({{"kind", cause.kind},
                      {"stage", cause.stage},
                      {"words", cause.words},
                      {"share", cause.share},
                      {"evidence", std::move(sentences)},
                      {"tries", std::move(tries)}});
  }
  for (const auto& wait : explanation.waits)
    if (wait.share > 0) waits.push_back({{"who", wait.who}, {"whom", wait.whom}, {"share", wait.share}});
  Json json = {{"title", explanation.title},
               {"cycles", explanation.cycles},
               {"milliseconds", explanation.seconds * 1e3},
               {"share_of_frame", explanation.share_of_frame},
               {"held_up_by", std::move(causes)},
               {"remarks", explanation.remarks},
               {"waits", std::move(waits)}};
  for (const auto& wires : explanation.wires)
    json["wires"].push_back({{"from", wires.from},
                             {"to", wires.to},
                             {"wires", wires.count},
                             {"slots", wires.slots},
                             {"filling", wires.filling},
                             {"peak", wires.peak}});
  return json;
}

Json roll_up_json(const std::vector<report::RollUpRow>& rows, const Json& frame) {
  Json json = Json::array();
  const double whole = std::max(1.0, frame.at("cycles").get<double>());
  for (const report::RollUpRow& row : rows)
    json.push_back(
        {{"name", row.name},
         {"depth", row.depth},
         {"cycles", row.cycles},
         {"milliseconds", frame.at("milliseconds").get<double>() * static_cast<double>(row.cycles) / whole},
         {"share", static_cast<double>(row.cycles) / whole},
         {"draws", row.draws}});
  return json;
}

Json history_json(const report::PixelHistory& history) {
  Json passes = Json::array();
  for (const report::PixelHistory::Pass& pass : history.passes) {
    Json targets = Json::array(), events = Json::array();
    for (const run_record::TargetRecord& t : pass.targets)
      targets.push_back({{"target", t.target},
                         {"format", t.format},
                         {"width", t.width},
                         {"height", t.height},
                         {"samples", t.samples}});
    for (const report::PixelHistory::Entry& entry : pass.entries) {
      const run_record::FragmentEvent& event = entry.event;
      Json one = {{"cycle", event.cycle},
                  {"work", event.work},
                  {"what", run_record::fragment_event_name(event.kind)},
                  {"kind", static_cast<int>(event.kind)},
                  {"target", event.target},
                  {"sample", event.sample}};
      if (entry.color)
        one["rgba"] = {*entry.color & 255, *entry.color >> 8 & 255, *entry.color >> 16 & 255,
                       *entry.color >> 24};
      events.push_back(std::move(one));
    }
    passes.push_back({{"pass", pass.pass},
                      {"targets", std::move(targets)},
                      {"events", std::move(events)},
                      {"whole", !pass.cut}});
  }
  Json json = {{"frame", history.frame}, {"x", history.x}, {"y", history.y}, {"passes", std::move(passes)}};
  json["log_ends"] = history.end ? Json(history.end) : Json(nullptr);
  return json;
}

}  // namespace cutaway::app
