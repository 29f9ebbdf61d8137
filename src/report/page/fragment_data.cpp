#include "report/page/fragment_data.h"

#include <fmt/format.h>

#include "report/fragment_reader.h"
#include "report/page/base64.h"
#include "report/page/columns.h"
#include "report/run_file.h"

namespace cutaway::report {
namespace {

using nlohmann::json;

// Names of the kinds of fragment events.
json kinds() {
  json names = json::array();
  for (uint32_t kind = 0; kind < run_record::FragmentEvent::kKinds; kind++)
    names.push_back(run_record::fragment_event_name(static_cast<run_record::FragmentEvent::Kind>(kind)));
  return names;
}

json targets_of(const database::Database& database, const run_record::FragmentRecord& log, size_t passes) {
  json rows = json::array();
  for (const run_record::TargetRecord& t : log.targets) {
    if (t.pass >= passes) damaged(database, "a target names a pass that there is not");
    rows.push_back({{"pass", t.pass},
                    {"target", t.target},
                    {"surface", t.surface},
                    {"address", fmt::format("{:#x}", t.address)},
                    {"format", t.format},
                    {"width", t.width},
                    {"height", t.height},
                    {"samples", t.samples},
                    {"color", t.color}});
  }
  return rows;
}

json parts_of(const database::Database& database, const run_record::FragmentRecord& log, uint64_t works,
              std::vector<std::string>& lines) {
  json parts = json::array();
  std::vector<run_record::FragmentEvent> events;
  uint64_t before = 0;
  for (const run_record::FragmentPart& part : log.parts) {
    // The page uses parts without checks, so they are checked here.
    events.clear();
    read_fragment_part(database, part, works, events);
    if (part.first_cycle < before) damaged(database, "the log of fragments goes back in time");
    before = part.last_cycle;
    lines.push_back(base64(part.data));
    parts.push_back({{"first_cycle", part.first_cycle}, {"events", part.events}, {"line", lines.size()}});
  }
  return parts;
}

}  // namespace

void add_fragments(const std::filesystem::path& run, json& data, std::vector<std::string>& lines) {
  database::Database database(files_of_run(run).database, database::Access::kRead);
  for (json& frame : data["frames"]) {
    const auto log = read_fragment_log(database, frame["frame"].get<uint64_t>());
    frame["fragments"] = nullptr;
    if (!log) continue;
    frame["fragments"] = {{"events", log->events},
                          {"ends", log->end ? json(log->end) : json(nullptr)},
                          {"kinds", kinds()},
                          {"targets", targets_of(database, *log, frame["passes"]["pass"].size())},
                          {"parts", parts_of(database, *log, frame["work"]["work"].size(), lines)}};
  }
}

}  // namespace cutaway::report
