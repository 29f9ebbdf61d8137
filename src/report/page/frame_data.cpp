#include "report/page/frame_data.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "report/evidence.h"
#include "report/explanation.h"
#include "report/page/columns.h"
#include "report/page/shared_data.h"
#include "report/page/unit_weights.h"
#include "report/roll_up.h"
#include "report/unit_words.h"
#include "run_record/frame_record.h"

namespace cutaway::report {
namespace {

using database::Database;
using database::Statement;
using nlohmann::json;

constexpr size_t kMostValues = 64'000'000;  // values over time in a page's frame

class FrameReader {
 public:
  FrameReader(Database& database, RunReader& run, int64_t frame, const CountedColumns& counters,
              const MachineParts& parts, const Disassembler& disassemble, const KeepLegal& keep_legal)
      : database_(database),
        run_(run),
        frame_(frame),
        counters_(counters),
        parts_(parts),
        disassemble_(disassemble),
        keep_legal_(keep_legal) {}

  json read() {
    json data = json::object();
    data["frame"] = frame_;
    data["totals"] = columns({{"cycles"},
                              {"draw_cycles"},
                              {"copy_cycles"},
                              {"cache_cycles"},
                              {"display_cycles"},
                              {"command_cycles"},
                              {"bytes_read"},
                              {"bytes_written"},
                              {"memory_hash", Cell::kText},
                              {"statistics_hash", Cell::kText}},
                             "frame");
    data["counters"] = columns({{"counter"}, {"value"}}, "frame_counter", "counter");
    for (const json& counter : data["counters"]["counter"]) number(counter.get<int64_t>(), counter_count());
    data["states"] = states();
    data["work"] = work();
    data["passes"] = passes();
    data["turns"] = turns_data(database_, frame_);
    data["switches"] = switches_data(database_, frame_);
    data["roll_up"] = roll_up();
    check_references(data);
    data["work_counters"] = work_counters(data["work"]["work"].size());
    data["intervals"] = columns({{"interval"}, {"began"}, {"ended"}}, "interval", "interval");
    check_numbered(database_, data["intervals"]["interval"], "intervals");
    const size_t intervals = data["intervals"]["interval"].size();
    data["interval_counters"] = interval_counters(intervals);
    data["interval_wires"] = interval_wires(intervals);
    data["holdups"] = holdups(data["work"]["work"].size(), intervals);
    data["instructions"] = instructions(data["work"]);
    data["tiles"] = tiles();
    data["weights"] = unit_weights(parts_, counters_, data["counters"]);
    return data;
  }

 private:
  json columns(const std::vector<ColumnSpec>& specs, const std::string& table, const char* order = nullptr) {
    return read_columns(
        database_, specs,
        fmt::format("FROM {} WHERE frame = ?{}", table, order ? fmt::format(" ORDER BY {}", order) : ""),
        frame_);
  }
  size_t counter_count() const { return counters_.units.size(); }
  // Reads an index into another table, which has `rows`.
  size_t number(int64_t value, size_t rows) const {
    if (value < 0 || static_cast<size_t>(value) >= rows)
      damaged(database_, fmt::format("frame {} names a row {} where there are {}", frame_, value, rows));
    return static_cast<size_t>(value);
  }

  json states() {
    std::vector<ColumnSpec> specs = {{"state"},
                                     {"width"},
                                     {"height"},
                                     {"samples"},
                                     {"topology", Cell::kText},
                                     {"targets", Cell::kJson},
                                     {"textures", Cell::kJson},
                                     {"buffers", Cell::kJson},
                                     {"settings", Cell::kJson}};
    // Addresses may exceed the integers that a browser's numbers represent exactly.
    std::vector<std::string> names, texts;
    for (const char* stage : run_record::kProgramStages) {
      names.push_back(fmt::format("{}_program", stage));
      texts.push_back(program_name(names.back()));
    }
    for (size_t i = 0; i < names.size(); i++)
      specs.push_back({names[i].c_str(), Cell::kText, false, texts[i].c_str()});
    json table = columns(specs, "state", "state");
    check_numbered(database_, table["state"], "states");
    return table;
  }

  json work() {
    json table = columns({{"work"},
                          {"kind", Cell::kText},
                          {"packet", Cell::kText},
                          {"submission"},
                          {"draw", Cell::kInteger, true},
                          {"of_driver"},
                          {"label", Cell::kText, true},
                          {"pass"},
                          {"state", Cell::kInteger, true},
                          {"vertices", Cell::kInteger, true},
                          {"instances", Cell::kInteger, true},
                          {"began"},
                          {"ended"},
                          {"marginal_cycles"},
                          {"occupied_cycles"},
                          {"texture_footprint"},
                          {"texture_cache_footprint"},
                          {"context"}},
                         "work", "work");
    check_numbered(database_, table["work"], "pieces of work");
    return table;
  }

  json passes() {
    json table = columns({{"pass"},
                          {"first_work"},
                          {"last_work"},
                          {"draws"},
                          {"label", Cell::kText, true},
                          {"marginal_cycles"},
                          {"width", Cell::kInteger, true},
                          {"height", Cell::kInteger, true}},
                         "pass", "pass");
    check_numbered(database_, table["pass"], "passes");
    return table;
  }

  // The tree of labels, as `cutaway explain` has it. Empty: no work has a label.
  json roll_up() {
    const std::vector<RunReader::Work> work = run_.work(frame_number());
    const bool labelled =
        std::any_of(work.begin(), work.end(), [](const auto& w) { return !w.label.empty(); });
    json names = json::array(), depths = json::array(), cycles = json::array(), draws = json::array(),
         first_work = json::array();
    for (const RollUpRow& row : labelled ? by_label(work) : std::vector<RollUpRow>()) {
      names.push_back(row.name), depths.push_back(row.depth), cycles.push_back(row.cycles);
      draws.push_back(row.draws), first_work.push_back(row.first_work);
    }
    return {
        {"name", names}, {"depth", depths}, {"cycles", cycles}, {"draws", draws}, {"first_work", first_work}};
  }

  void check_references(const json& data) const {
    const json& work = data["work"];
    for (const json& pass : work["pass"]) number(pass.get<int64_t>(), data["passes"]["pass"].size());
    for (const json& state : work["state"])
      if (!state.is_null()) number(state.get<int64_t>(), data["states"]["state"].size());
  }

  // By counter: the pieces of work with a nonzero count, and the count.
  json work_counters(size_t works) {
    json table = json::array();
    Statement rows = database_.prepare(
        "SELECT counter, work, own, meanwhile FROM work_counter WHERE frame = ? ORDER BY counter, work");
    rows.bind(0, frame_);
    while (rows.step()) {
      const size_t counter = number(rows.integer(0), counter_count());
      if (table.empty() || table.back()["counter"] != counter)
        table.push_back({{"counter", counter},
                         {"work", json::array()},
                         {"own", json::array()},
                         {"meanwhile", json::array()}});
      json& series = table.back();
      series["work"].push_back(number(rows.integer(1), works));
      series["own"].push_back(rows.integer(2));
      series["meanwhile"].push_back(rows.integer(3));
    }
    return table;
  }

  // A series of zeros for one more column over time.
  json zeros(size_t series, size_t intervals) const {
    if ((series + 1) * intervals > kMostValues)
      user_error("{}: frame {} has too many intervals for a page; simulate it with a longer --interval",
                 one_line(database_.path().string()), frame_);
    return json(std::vector<int>(intervals));
  }

  json interval_counters(size_t intervals) {
    json table = json::array();
    Statement rows = database_.prepare(
        "SELECT counter, interval, value FROM interval_counter WHERE frame = ? ORDER BY counter, interval");
    rows.bind(0, frame_);
    while (rows.step()) {
      const size_t counter = number(rows.integer(0), counter_count());
      if (table.empty() || table.back()["counter"] != counter)
        table.push_back({{"counter", counter}, {"values", zeros(table.size(), intervals)}});
      table.back()["values"][number(rows.integer(1), intervals)] = rows.integer(2);
    }
    return table;
  }

  json interval_wires(size_t intervals) {
    json table = json::array();
    Statement rows = database_.prepare(
        "SELECT wire, interval, messages, filling FROM interval_wire WHERE frame = ? ORDER BY wire, "
        "interval");
    rows.bind(0, frame_);
    while (rows.step()) {
      const size_t wire = number(rows.integer(0), parts_.wires.size());
      if (table.empty() || table.back()["wire"] != wire)
        table.push_back({{"wire", wire},
                         {"messages", zeros(table.size(), intervals)},
                         {"filling", zeros(table.size(), intervals)}});
      const size_t interval = number(rows.integer(1), intervals);
      table.back()["messages"][interval] = rows.integer(2);
      // Three decimals exceed the precision of a probe every 64 cycles.
      table.back()["filling"][interval] = std::round(rows.real(3) * 1000) / 1000;
    }
    return table;
  }

  // The causes of the frame's time with their evidence, those of each piece of work, and the probes: by work
  // and unit, and as a series for each unit and stage.
  json holdups(size_t works, size_t intervals) {
    Explanation explanation = explain(run_, {.frame = frame_number()}, disassemble_);
    if (keep_legal_) keep_legal_(run_, explanation);
    json frame = json::array();
    for (const Explanation::Cause& cause : explanation.causes) {
      json evidence = json::array();
      for (const Finding& finding : cause.evidence) evidence.push_back(finding.sentence);
      frame.push_back({{"words", cause.words},
                       {"kind", cause.kind},
                       {"share", cause.share},
                       {"evidence", std::move(evidence)}});
    }
    return {{"frame", frame},
            {"remarks", explanation.remarks},
            {"tries", run_.is_shared() ? std::vector<std::string>() : what_ifs(explanation)},
            {"causes", causes(works)},
            {"work", unit_holdups(works)},
            {"intervals", interval_holdups(intervals)}};
  }

  json causes(size_t works) {
    std::vector<uint32_t> work;
    std::vector<std::string> words;
    std::vector<double> share;
    for (uint32_t i = 0; i < works; i++)
      for (const Explanation::Cause& cause :
           causes_of(run_, {.frame = frame_number(), .first_work = i, .last_work = i})) {
        work.push_back(i), words.push_back(cause.words);
        share.push_back(std::round(cause.share * 1e4) / 1e4);
      }
    return {{"work", work}, {"words", words}, {"share", share}};
  }

  json unit_holdups(size_t works) {
    json by_work =
        read_columns(database_, {{"work"}, {"unit", Cell::kText}, {"sum(probes)"}},
                     "FROM work_holdup WHERE frame = ? GROUP BY work, unit ORDER BY work, unit", frame_);
    for (const json& work : by_work["work"]) number(work.get<int64_t>(), works);
    by_work["probes"] = by_work["sum(probes)"];
    by_work.erase("sum(probes)");
    return by_work;
  }

  json interval_holdups(size_t intervals) {
    const json rows = columns({{"interval"}, {"unit", Cell::kText}, {"stage", Cell::kText}, {"probes"}},
                              "interval_holdup", "unit, stage, interval");
    json series = json::array();
    for (size_t i = 0; i < rows["unit"].size(); i++) {
      const json &unit = rows["unit"][i], &stage = rows["stage"][i];
      if (series.empty() || series.back()["unit"] != unit || series.back()["stage"] != stage)
        series.push_back({{"unit", unit},
                          {"stage", stage},
                          {"words", words_of(class_of(unit.get<std::string>()), stage.get<std::string>())},
                          {"probes", zeros(series.size(), intervals)}});
      series.back()["probes"][number(rows["interval"][i].get<int64_t>(), intervals)] = rows["probes"][i];
    }
    return series;
  }

  // Activity of thread groups at instructions, by work; for programs that states name.
  json instructions(const json& work) {
    json table = columns({{"work"},
                          {"stage", Cell::kText},
                          {"instruction"},
                          {"issued"},
                          {"lanes"},
                          {"issue_cycles"},
                          {"waited_flow"},
                          {"waited_result"},
                          {"waited_issue"},
                          {"waited_send"},
                          {"waited_texture"},
                          {"waited_drain"},
                          {"waited_output"}},
                         "instruction", "work, stage, instruction");
    for (const json& row : table["work"])
      if (work["state"][number(row.get<int64_t>(), work["work"].size())].is_null())
        damaged(database_, fmt::format("frame {} has instructions of work that is no draw", frame_));
    return table;
  }

  // All available columns of tiles; null if nothing was drawn.
  json tiles() {
    std::vector<std::string> names;
    Statement info = database_.prepare("SELECT name FROM pragma_table_info('tile') WHERE name <> 'frame'");
    while (info.step()) names.push_back(info.text(0));
    std::vector<ColumnSpec> specs;
    std::vector<std::string> quoted;
    for (const std::string& name : names) {
      if (name.find('"') != std::string::npos) damaged(database_, "a column of tiles has no fit name");
      quoted.push_back('"' + name + '"');
    }
    for (size_t i = 0; i < names.size(); i++)
      specs.push_back({names[i].c_str(), Cell::kInteger, true, quoted[i].c_str()});
    for (const char* needed : {"pass", "x", "y"})
      if (std::find(names.begin(), names.end(), needed) == names.end())
        damaged(database_, fmt::format("tiles have no column {}", needed));
    json tiles = columns(specs, "tile", "pass, y, x");
    return tiles["pass"].empty() ? json(nullptr) : tiles;
  }

  uint64_t frame_number() const { return static_cast<uint64_t>(frame_); }

  Database& database_;
  RunReader& run_;
  const int64_t frame_;
  const CountedColumns& counters_;
  const MachineParts& parts_;
  const Disassembler& disassemble_;
  const KeepLegal& keep_legal_;
};

}  // namespace

json frame_data(Database& database, RunReader& run, int64_t frame, const CountedColumns& counters,
                const MachineParts& parts, const Disassembler& disassemble, const KeepLegal& keep_legal) {
  return FrameReader(database, run, frame, counters, parts, disassemble, keep_legal).read();
}

}  // namespace cutaway::report
