#include "report/run_reader.h"

#include "base/error.h"
#include "report/run_schema.h"

namespace cutaway::report {

using database::Statement;

namespace {

std::filesystem::path file_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path))
    user_error("{}: there is no such run; `cutaway simulate FILE --out DIR` makes one", path.string());
  if (!std::filesystem::is_directory(path)) return path;
  const std::filesystem::path file = path / "run.sqlite";
  if (!std::filesystem::exists(file))
    user_error("{}: the folder holds no run.sqlite; `cutaway simulate FILE --out DIR` writes it",
               path.string());
  return file;
}

}  // namespace

RunReader::RunReader(const std::filesystem::path& path) : database_(file_of(path), database::Access::kRead) {
  if (!database_.value("SELECT count(*) FROM sqlite_master WHERE name = 'meta' AND type = 'table'")
           .value_or(0))
    user_error("{}: this is not the database of a run", database_.path().string());
  const std::string schema = fact("schema");
  if (schema != std::to_string(kRunSchema))
    user_error("{}: its schema is {}, this program reads {}; simulate again", database_.path().string(),
               schema.empty() ? "unknown" : schema, kRunSchema);
}

std::string RunReader::fact(std::string_view name) {
  Statement rows = database_.prepare("SELECT value FROM meta WHERE name = ?");
  rows.bind(0, name);
  return rows.step() ? rows.text(0) : "";
}

std::optional<std::string> RunReader::parameter(std::string_view path) {
  Statement rows = database_.prepare("SELECT value FROM parameter WHERE path = ?");
  rows.bind(0, path);
  if (!rows.step()) return std::nullopt;
  return rows.text(0);
}

std::vector<RunReader::Frame> RunReader::frames() {
  std::vector<Frame> frames;
  Statement rows =
      database_.prepare("SELECT frame, cycles, bytes_read, bytes_written FROM frame ORDER BY frame");
  while (rows.step()) frames.push_back({rows.number(0), rows.number(1), rows.number(2), rows.number(3)});
  return frames;
}

std::vector<RunReader::Work> RunReader::work(uint64_t frame) {
  std::vector<Work> work;
  Statement rows = database_.prepare(
      "SELECT work, pass, kind, packet, label, draw, of_driver, submission, vertices, instances, "
      "marginal_cycles, occupied_cycles, textures FROM work LEFT JOIN state USING (frame, state) "
      "WHERE frame = ? ORDER BY work");
  rows.bind(0, frame);
  while (rows.step()) {
    Work& w = work.emplace_back();
    w.work = static_cast<uint32_t>(rows.number(0));
    w.pass = static_cast<uint32_t>(rows.number(1));
    w.kind = rows.text(2), w.packet = rows.text(3), w.label = rows.text(4);
    if (!rows.null(5)) w.draw = static_cast<uint32_t>(rows.number(5));
    w.of_driver = rows.number(6) != 0;
    w.submission = rows.number(7), w.vertices = rows.number(8), w.instances = rows.number(9);
    w.marginal_cycles = rows.number(10), w.occupied_cycles = rows.number(11);
    w.textures = rows.text(12);
  }
  return work;
}

Statement RunReader::scoped(const std::string& sql, const Scope& scope) {
  Statement rows = database_.prepare(sql);
  rows.bind(0, scope.frame).bind(1, scope.first_work.value_or(0)).bind(2, scope.last_work.value_or(~0u));
  return rows;
}

std::map<std::string, uint64_t> RunReader::holdups(const Scope& scope) {
  std::map<std::string, uint64_t> probes;
  Statement rows = scoped(
      "SELECT unit, sum(probes) FROM work_holdup WHERE frame = ? AND work BETWEEN ? AND ? GROUP BY unit",
      scope);
  while (rows.step()) probes[rows.text(0)] = rows.number(1);
  return probes;
}

std::vector<RunReader::Counts> RunReader::counts(const Scope& scope) {
  std::vector<Counts> counts;
  Statement rows = scoped(
      "SELECT unit, name, sum(own), sum(meanwhile) FROM work_counter JOIN counter USING (counter) "
      "WHERE frame = ? AND work BETWEEN ? AND ? GROUP BY counter",
      scope);
  while (rows.step()) counts.push_back({rows.text(0), rows.text(1), rows.number(2), rows.number(3)});
  return counts;
}

std::map<std::string, std::string> RunReader::neighbours() {
  const auto unit_of = [](const std::string& port) { return port.substr(0, port.rfind('.')); };
  std::map<std::string, std::string> neighbours;
  Statement rows = database_.prepare("SELECT sender, receiver FROM wire");
  while (rows.step()) {
    neighbours[rows.text(0)] = unit_of(rows.text(1));
    neighbours[rows.text(1)] = unit_of(rows.text(0));
  }
  return neighbours;
}

}  // namespace cutaway::report
