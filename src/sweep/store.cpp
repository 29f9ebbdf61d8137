#include "sweep/store.h"

#include "base/error.h"
#include "base/hash.h"
#include "replay/frame_message.h"
#include "sweep/figures.h"
#include "sweep/schema.h"

namespace cutaway::sweep {
namespace {

using database::Statement;
using database::Transaction;

void check(database::Database& database) {
  const std::string path = database.path().string();
  if (database.value("PRAGMA application_id") != kApplicationId)
    user_error("{}: not the database of a sweep; move it away, or give another --out", path);
  if (database.value("PRAGMA user_version") != schema_version())
    user_error("{}: made by another version of cutaway; move it away, or give another --out", path);
  if (const std::string damage = database.damage(); !damage.empty())
    user_error(
        "{}: the file is damaged ({}); move it away and start the sweep again, or save what it holds with "
        "sqlite3 {} .recover",
        path, damage, path);
}

void make_tables(database::Database& database) {
  Transaction transaction(database);
  database.execute(schema());
  Statement insert = database.prepare("INSERT INTO figure VALUES (?, ?, ?)");
  for (const Figure& figure : figures())
    insert.run(std::string_view(figure.name), std::string_view(figure.unit),
               std::string_view(figure.meaning));
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, schema_version()));
  transaction.commit();
}

// Creates the view with one row per point of the plan that has a result: its parameters and figures.
void make_view(database::Database& database, const Plan& plan) {
  std::string columns = "p.number, p.hash AS point, p.capture, p.frame, p.gpu";
  for (const std::string& path : plan.varied)
    columns += fmt::format(", (SELECT value FROM setting WHERE point = p.id AND path = '{}') AS {}", path,
                           sql_name(path));
  for (const Figure& figure : figures()) columns += fmt::format(", r.{}", figure.name);
  for (const auto& [what, name] : {std::pair("unit", "held_up_by"), {"share", "held_up_share"}})
    columns += fmt::format(", {} AS {}", largest_cause(what), name);
  columns += ", r.memory_hash, r.statistics_hash";
  database.execute(
      fmt::format("DROP VIEW IF EXISTS sweep; CREATE VIEW sweep AS SELECT {} FROM point p JOIN "
                  "result r ON r.point = p.id WHERE p.number IS NOT NULL ORDER BY p.number",
                  columns));
}

}  // namespace

std::string largest_cause(std::string_view column) {
  return fmt::format("(SELECT {} FROM cause WHERE point = p.id ORDER BY share DESC, unit LIMIT 1)", column);
}

std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

Store::Store(const std::filesystem::path& path, database::Access access) : database_(path, access) {
  const bool fresh = database_.value("SELECT count(*) FROM sqlite_master") == 0;
  if (fresh && access == database::Access::kCreate) make_tables(database_);
  check(database_);
}

void Store::write_plan(const Plan& plan) {
  Transaction transaction(database_);
  database_.execute("UPDATE point SET number = NULL");
  Statement machine = database_.prepare("INSERT INTO machine VALUES (?, ?) ON CONFLICT DO NOTHING");
  for (const auto& [hash, text] : plan.machines) machine.run(hash, text);
  Statement insert = database_.prepare(
      "INSERT INTO point (hash, number, capture, capture_hash, frame, gpu, machine, warmup, verify, program) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET number = excluded.number, "
      "capture = excluded.capture, gpu = excluded.gpu");
  Statement forget = database_.prepare("DELETE FROM setting WHERE point = ?");
  Statement set = database_.prepare("INSERT INTO setting VALUES (?, ?, ?)");
  int64_t number = 0;
  for (const Point& point : plan.points) {
    insert.run(point.hash, ++number, point.capture.name, point.capture.hash, point.frame, point.gpu_name,
               point.machine, point.warmup, point.verify ? 1 : 0, program_hash());
    const int64_t id = point_id(point.hash);
    forget.run(id);
    for (const auto& [path, value] : point.settings) set.run(id, path, value);
  }
  make_view(database_, plan);
  transaction.commit();
}

std::set<std::string> Store::finished() const {
  std::set<std::string> hashes;
  Statement rows =
      database_.prepare("SELECT hash FROM point JOIN result ON point = id WHERE number IS NOT NULL");
  while (rows.step()) hashes.insert(rows.text(0));
  return hashes;
}

uint64_t Store::set_aside() const {
  return static_cast<uint64_t>(
      database_.value("SELECT count(*) FROM point JOIN result ON point = id WHERE number IS NULL")
          .value_or(0));
}

int64_t Store::point_id(const std::string& hash) const {
  Statement row = database_.prepare("SELECT id FROM point WHERE hash = ?");
  row.bind(0, hash);
  CUTAWAY_CHECK(row.step(), "no point {}", hash);
  return row.integer(0);
}

bool Store::knows(const std::string& hash) const {
  Statement row = database_.prepare("SELECT 1 FROM point WHERE hash = ?");
  return row.bind(0, hash).step();
}

bool Store::add(const std::string& hash, const Outcome& outcome) {
  Transaction transaction(database_);
  const int64_t point = point_id(hash);
  Statement there = database_.prepare("SELECT 1 FROM result WHERE point = ?");
  if (there.bind(0, point).step()) {
    // An attempt other than the known one would be reported; there must be none.
    Attempt again = outcome.attempt;
    again.outcome = "repeated";
    add_attempt(point, again, nullptr);
    transaction.commit();
    return false;
  }
  if (outcome.attempt.outcome == "finished") {
    const run_record::FrameFigures frame = replay::decode_frame(outcome.frame).figures;
    add_attempt(point, outcome.attempt, &frame);
    add_result(point, frame);
    Statement cause = database_.prepare("INSERT INTO cause VALUES (?, ?, ?)");
    for (const auto& [unit, share] : outcome.causes) cause.run(point, unit, share);
  } else {
    add_attempt(point, outcome.attempt, nullptr);
  }
  transaction.commit();
  return true;
}

void Store::add_lost(const std::string& hash, const Attempt& attempt) {
  Transaction transaction(database_);
  add_attempt(point_id(hash), attempt, nullptr);
  transaction.commit();
}

// An attempt that was considered lost may have ended after all.
void Store::add_attempt(int64_t point, const Attempt& attempt, const run_record::FrameFigures* frame) {
  Statement insert = database_.prepare(
      "INSERT INTO attempt (point, name, engine, host, process, began, ended, outcome, message, seconds, "
      "peak_memory) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET ended = "
      "excluded.ended, outcome = excluded.outcome, message = excluded.message, seconds = excluded.seconds, "
      "peak_memory = excluded.peak_memory WHERE outcome = 'lost' AND excluded.outcome <> 'lost'");
  insert.bind(0, point)
      .bind(1, attempt.name)
      .bind(2, attempt.engine)
      .bind(3, attempt.host)
      .bind(4, attempt.process);
  insert.bind(7, attempt.outcome).bind(8, attempt.message);
  if (attempt.start > 0) insert.bind(5, attempt.start);
  if (attempt.end > 0) insert.bind(6, attempt.end);
  if (frame) insert.bind(9, frame->seconds).bind(10, frame->peak_memory_bytes);
  insert.run();
}

int64_t Store::counter_id(std::string_view unit, std::string_view name) {
  database_.prepare("INSERT INTO counter (unit, name) VALUES (?, ?) ON CONFLICT DO NOTHING").run(unit, name);
  Statement row = database_.prepare("SELECT counter FROM counter WHERE unit = ? AND name = ?");
  row.bind(0, unit).bind(1, name).step();
  return row.integer(0);
}

bool Store::has_unexplained_counters() const {
  return database_.value("SELECT 1 FROM counter WHERE counts IS NULL LIMIT 1").has_value();
}

void Store::explain(const std::vector<Counter>& counters) {
  Transaction transaction(database_);
  Statement update =
      database_.prepare("UPDATE counter SET counts = ?, meaning = ? WHERE unit = ? AND name = ?");
  for (const Counter& counter : counters)
    update.run(counter.unit, counter.meaning, counter.path, counter.name);
  transaction.commit();
}

void Store::add_result(int64_t point, const run_record::FrameFigures& frame) {
  const report::FrameTotals totals = report::totals_of(frame);
  std::string places = "?, ";
  for (size_t i = 0; i < figures().size(); i++) places += "?, ";
  Statement result = database_.prepare(fmt::format("INSERT INTO result VALUES ({}?, ?)", places));
  int column = 0;
  result.bind(column++, point);
  for (const Figure& figure : figures()) result.bind(column++, figure.value(frame, totals));
  result.bind(column, hash_text(frame.memory_hash)).bind(column + 1, hash_text(frame.statistics_hash)).run();

  Statement counter = database_.prepare("INSERT INTO result_counter VALUES (?, ?, ?)");
  for (const run_record::CounterFigure& figure : frame.counters)
    counter.run(point, counter_id(figure.path, figure.name), figure.value);
  Statement unit = database_.prepare("INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?)");
  Statement wait = database_.prepare(
      "INSERT INTO wait VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET cycles = cycles + "
      "excluded.cycles");
  for (const run_record::UnitFigures& figures : frame.units) {
    unit.run(point, figures.path, figures.cycles, figures.busy, figures.starved, figures.blocked,
             figures.idle);
    for (const run_record::UnitFigures::Wait& waited : figures.waits)
      wait.run(point, figures.path, waited.port, waited.neighbour,
               std::string_view(waited.starved ? "starved" : "blocked"), waited.cycles);
  }
  Statement client = database_.prepare("INSERT INTO client VALUES (?, ?, ?, ?)");
  for (const run_record::ClientFigures& figures : frame.clients)
    client.run(point, figures.name, figures.read_bytes, figures.write_bytes);
}

std::string Store::results_hash() const {
  const char* queries[] = {
      "SELECT p.hash, r.* FROM result r JOIN point p ON p.id = r.point WHERE number IS NOT NULL ORDER BY "
      "p.hash",
      "SELECT p.hash, c.unit, c.name, v.value FROM result_counter v JOIN counter c ON c.counter = v.counter "
      "JOIN point p ON p.id = v.point WHERE number IS NOT NULL ORDER BY p.hash, c.unit, c.name",
      "SELECT p.hash, a.* FROM account a JOIN point p ON p.id = a.point WHERE number IS NOT NULL "
      "ORDER BY p.hash, a.unit",
      "SELECT p.hash, w.* FROM wait w JOIN point p ON p.id = w.point WHERE number IS NOT NULL "
      "ORDER BY p.hash, w.unit, w.port, w.neighbour, w.kind",
      "SELECT p.hash, c.* FROM client c JOIN point p ON p.id = c.point WHERE number IS NOT NULL "
      "ORDER BY p.hash, c.name",
      "SELECT p.hash, c.* FROM cause c JOIN point p ON p.id = c.point WHERE number IS NOT NULL "
      "ORDER BY p.hash, c.unit"};
  uint64_t hash = 0;
  for (const char* query : queries) {
    Statement rows = database_.prepare(query);
    while (rows.step()) {
      std::string row;
      for (int column = 0; column < rows.columns(); column++)
        if (rows.column_name(column) != "point") row += rows.text(column) + "\x1f";  // an id of this database
      hash = hash_bytes(row.data(), row.size(), hash);
    }
  }
  return hash_text(hash);
}

}  // namespace cutaway::sweep
