// Databases of runs, through the readers of `cutaway explain` and `cutaway report`. An input is one byte,
// which says what the rest is:
//
//   u8 how   even: the file as it is; odd: SQL, which changes the database of a small run
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.h"
#include "database/database.h"
#include "fuzz/fuzz_target.h"
#include "report/explanation.h"
#include "report/page/run_data.h"
#include "report/pixel_history.h"
#include "report/run_reader.h"
#include "report/run_schema.h"

namespace {

using namespace cutaway;
namespace fs = std::filesystem;

// A frame of two draws, with a row in every table.
constexpr const char* kRows = R"sql(
INSERT INTO meta VALUES ('schema', '11'), ('version', '1'), ('program_hash', ''), ('gpu', 'attila'), ('base', 'attila'),
  ('gpu_argument', 'attila'), ('sets', '[]'), ('capture', '/c'), ('program', 'p'), ('warmup', '0'), ('verified', 'no'),
  ('interval', '1000');
INSERT INTO parameter VALUES ('shader.units', '2', 'choice', 0), ('memory.channels', '4', 'choice', 0);
INSERT INTO counter VALUES (0, 'gpu.shader0', 'instructions', 'instructions', 'm'), (1, 'gpu.shader0', 'busy', 'cycles', ''),
  (2, 'gpu.shader0', 'starved.work_in', 'cycles', ''), (3, 'gpu.texture0', 'busy', 'cycles', '');
INSERT INTO wire VALUES (0, 'gpu.streamer.vertices_out', 'gpu.shader0.work_in', 'Vertex', 1, 1, 4);
INSERT INTO frame VALUES (2, 100, 60, 10, 10, 10, 10, 5, 5, 1000, 500, 64, 'aa', 'bb');
INSERT INTO frame_counter VALUES (2, 0, 10), (2, 1, 60), (2, 2, 5);
INSERT INTO frame_wire VALUES (2, 0, 12, 1.5, 4);
INSERT INTO state VALUES (2, 0, 64, 64, 1, 'triangles', '{"color": [{"address": "0x1000", "width": 64, "height": 64}],
  "depth": null}', '[]', '[{"use": "indices", "address": "0x3000", "bytes": 8, "name": "mesh"}]', '{}', 4096, 0, 0, 0, 8192, 0, 0);
INSERT INTO program VALUES (4096, 'mov r0, r1
end', NULL, NULL, NULL, 0), (8192, 'texld r0
end', x'0302230700000100', '0 1', 'glass.frag', 0);
INSERT INTO work VALUES (2, 0, 'draw', 'DRAW', 1, 1, 0, 'label', 0, 0, 3, 1, 1, 50, 50, 49, 64, 64, 1, 0, 0),
  (2, 1, 'draw', 'DRAW', 1, 2, 1, NULL, 0, 0, 3, 1, 40, 100, 50, 60, 64, 64, 1, 0, 0);
INSERT INTO pass VALUES (2, 0, 0, 1, 2, 'label', 100, 64, 64);
INSERT INTO work_counter VALUES (2, 0, 0, 5, 5), (2, 1, 0, 5, 5);
INSERT INTO work_holdup VALUES (2, 0, 'gpu.shader0', 'fragment', 3), (2, 1, 'gpu.texture0', '', 2);
INSERT INTO interval_holdup VALUES (2, 0, 'gpu.shader0', 'fragment', 3);
INSERT INTO tile VALUES (2, 0, 1, 1, 64, 0, 0, 0, 0, 64, 0, 10, 0, 0, 64, 90);
INSERT INTO fragment_frame VALUES (2, 0, NULL);
INSERT INTO fragment_target VALUES (2, 0, 0, 0, 4096, 'R8G8B8A8_UNORM', 64, 64, 1, 1);
INSERT INTO instruction VALUES (2, 0, 'vertex', 0, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0), (2, 1, 'fragment', 0, 3, 3, 3, 1, 2, 3, 4, 5, 6, 7);
INSERT INTO interval VALUES (2, 0, 0, 100);
INSERT INTO interval_counter VALUES (2, 0, 0, 10);
INSERT INTO interval_wire VALUES (2, 0, 0, 12, 1.5);
INSERT INTO context VALUES (0, 'one', 'one.cutaway', 5, 0.25, 0.25, 0, 0.5, 40, 20, 1, 0, 0, 1, 60, NULL, NULL, NULL, '', 0),
  (1, 'two', 'two.cutaway', 7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 90, 'it hangs', 'a', 3);
INSERT INTO context_frame VALUES (0, 3, 0, 90, 60, 0, NULL), (1, 4, 0, 80, 60, 0, 3);
INSERT INTO context_phase VALUES ('draw', 60, 50), ('host', 5, 5);
INSERT INTO turn VALUES (2, 0, 0, 1, 1, 50, 'suspended', 3, 0), (2, 1, 1, 1, 55, 100, 'stopped', 0, 64);
INSERT INTO context_switch VALUES (2, 0, 0, 1, 50, 55, 1, 2, 2, 1);
)sql";

fs::path folder() {
  static const fs::path path = [] {
    std::string name = (fs::temp_directory_path() / "cutaway-fuzz-XXXXXX").string();
    CUTAWAY_CHECK(mkdtemp(name.data()));
    static const std::string kept = name;
    std::atexit([] {
      std::error_code error;
      fs::remove_all(kept, error);
    });
    return fs::path(name);
  }();
  return path;
}

void write(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void make_run(const fs::path& path) {
  database::Database database(path, database::Access::kCreate);
  database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
  database.execute(report::kRunTables);
  database.execute(kRows);
}

// Runs SQL on the database at the path. It may do there what it likes, and attach nothing.
void change(const fs::path& path, std::span<const std::byte> sql) {
  const std::string text(reinterpret_cast<const char*>(sql.data()), sql.size());
  for (const char* word : {"attach", "vacuum", "pragma", "recursive", "blob", "printf", "format"}) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    if (std::search(text.begin(), text.end(), word, word + std::strlen(word), same) != text.end()) return;
  }
  try {
    database::Database(path, database::Access::kWrite).execute(text.c_str());
  } catch (const UserError&) {}
}

void explain(const fs::path& path) {
  report::RunReader run(path);
  for (const report::RunReader::Frame& frame : run.frames()) {
    report::explanation_text(report::explain(run, {.frame = frame.frame}));
    const auto work = run.work(frame.frame);
    for (size_t i = 0; i < std::min<size_t>(work.size(), 3); i++) {
      report::title_of(work[i]);
      report::causes_text(report::causes_of(
          run, {.frame = frame.frame, .first_work = work[i].work, .last_work = work[i].work}));
    }
    for (const auto& interval : run.intervals(frame.frame)) {
      report::explain(
          run,
          {.frame = frame.frame, .first_interval = interval.interval, .last_interval = interval.interval});
      break;
    }
    report::pixel_history_text(report::pixel_history(run, frame.frame, 1, 1, {}));
  }
}

// A broken promise would be an InternalError, which ends the target.
void expect_user_errors(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    CUTAWAY_CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fs::path path = folder() / "run.sqlite", whole = folder() / "whole.sqlite";
  if (!fs::exists(whole)) make_run(whole);
  fuzz::Input input(data, size);
  const auto how = input.take<uint8_t>();
  if (how & 1) {
    fs::copy_file(whole, path, fs::copy_options::overwrite_existing);
    change(path, input.rest());
  } else {
    write(path, input.rest());
  }
  expect_user_errors([] { explain(path); });
  expect_user_errors([] {
    report::run_data(path, [](std::span<const uint32_t>) { return std::vector<std::string>{"line"}; });
  });
  return 0;
}
