#include "report/fragment_reader.h"

#include "base/error.h"
#include "base/text.h"

namespace cutaway::report {
namespace {

using database::Database;
using database::Statement;
using database::Type;

constexpr uint32_t kMostTargets = 8;          // color targets of a pass
constexpr uint64_t kLargest = 1u << 15;       // pixels per side
constexpr uint64_t kMostCycles = 1ull << 53;  // a browser's numbers are exact up to here

[[noreturn]] void damaged(const Database& database, const std::string& what) {
  user_error("{}: the log of fragments is damaged: {}; simulate the frames again",
             one_line(database.path().string()), what);
}

// Reads bounded numbers from a row.
class Row {
 public:
  Row(const Database& database, const Statement& row) : database_(database), row_(row) {}
  uint64_t number(int column, uint64_t most) const {
    if (row_.type(column) != Type::kInteger || row_.integer(column) < 0 || row_.number(column) > most)
      damaged(database_, fmt::format("\"{}\" is no number that fits", row_.column_name(column)));
    return row_.number(column);
  }
  uint32_t small(int column, uint64_t most) const { return static_cast<uint32_t>(number(column, most)); }

 private:
  const Database& database_;
  const Statement& row_;
};

void read_targets(Database& database, uint64_t frame, run_record::FragmentRecord& log) {
  Statement rows = database.prepare(
      "SELECT pass, target + 1, surface, address, format, width, height, samples, color "
      "FROM fragment_target WHERE frame = ? ORDER BY pass, target");
  rows.bind(0, frame);
  while (rows.step()) {
    const Row row(database, rows);
    if (rows.type(4) != Type::kText) damaged(database, "a format is no text");
    log.targets.push_back({.pass = row.small(0, ~0u),
                           .target = static_cast<int32_t>(row.small(1, kMostTargets)) - 1,
                           .surface = row.small(2, ~0u),
                           .color = row.small(8, 1) != 0,
                           .width = row.small(5, kLargest),
                           .height = row.small(6, kLargest),
                           .samples = row.small(7, 64),
                           .address = rows.number(3),
                           .format = rows.text(4)});
  }
}

void read_parts(Database& database, uint64_t frame, run_record::FragmentRecord& log) {
  Statement rows = database.prepare(
      "SELECT part, first_cycle, last_cycle, events, data FROM fragment_log WHERE frame = ? ORDER BY part");
  rows.bind(0, frame);
  uint64_t events = 0;
  while (rows.step()) {
    const Row row(database, rows);
    const auto bytes = rows.blob(4);
    log.parts.push_back({.first_cycle = row.number(1, kMostCycles),
                         .last_cycle = row.number(2, kMostCycles),
                         .events = row.small(3, run_record::kFragmentPartEvents),
                         .data = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    if (row.number(0, ~0u) != log.parts.size() - 1) damaged(database, "a part is missing");
    events += log.parts.back().events;
  }
  if (events != log.events) damaged(database, "its parts do not hold what it says");
}

}  // namespace

std::optional<run_record::FragmentRecord> read_fragment_log(Database& database, uint64_t frame) {
  Statement rows = database.prepare("SELECT events, coalesce(ends, 0) FROM fragment_frame WHERE frame = ?");
  rows.bind(0, frame);
  if (!rows.step()) return std::nullopt;
  const Row row(database, rows);
  run_record::FragmentRecord log;
  log.events = row.number(0, kMostCycles), log.end = row.number(1, kMostCycles);
  read_targets(database, frame, log);
  read_parts(database, frame, log);
  return log;
}

void read_fragment_part(const Database& database, const run_record::FragmentPart& part, uint64_t works,
                        std::vector<run_record::FragmentEvent>& events) {
  const size_t first = events.size();
  try {
    run_record::unpack_fragments(part, events);
  } catch (const UserError& error) { damaged(database, error.what()); }
  for (size_t i = first; i < events.size(); i++)
    if (events[i].work >= works || events[i].target >= kMostTargets)
      damaged(database, "it names work or a target that there is not");
}

}  // namespace cutaway::report
