// Feeds the texts of a capture: its metadata, labels, names and shader programs, on their way into the
// database of a run and from there to `cutaway explain` and the page of reports. An input is texts of any
// bytes, each of which ends with a 0.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "fuzz/fuzz_target.h"
#include "report/explanation.h"
#include "report/page/run_data.h"
#include "report/run_database.h"
#include "report/run_reader.h"
#include "run_record/testing/counters.h"

namespace {

using namespace cutaway;
namespace fs = std::filesystem;

std::string next_text(fuzz::Input& input) {
  std::string text;
  while (!input.empty())
    if (const char c = input.take<char>()) text += c;
    else break;
  return text;
}

// The driver's names of surfaces are made readable before they come here.
std::string ascii(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return text;
}

// Two draws and a pass.
run_record::FrameRecord frame_record() {
  run_record::FrameRecord r;
  r.units = {"gpu.shader0"};
  r.counters = {{"gpu.shader0", "instructions", "instructions", "m"}, {"gpu.shader0", "busy", "cycles", "m"}};
  r.wires = {{"gpu.streamer.out", "gpu.shader0.in", "Vertex", 1, 2, 3}};
  r.states = {{.width = 64,
               .height = 32,
               .targets = R"({"color": [{"address": "0x1000", "width": 64, "height": 32}], "depth": null})",
               .textures = "[]",
               .program = {256}}};
  r.work = {{.kind = "draw",
             .packet = "DRAW",
             .draw = 1,
             .marker = 7,
             .state = 0,
             .end = 10,
             .marginal_cycles = 10},
            {.kind = "draw",
             .packet = "DRAW",
             .draw = 2,
             .marker = 8,
             .state = 0,
             .began = 8,
             .end = 20,
             .marginal_cycles = 10}};
  r.own = {{0, 0, 5}, {1, 0, 6}};
  r.instructions = {
      {.work = 0, .instruction = 1, .issued = 2, .lanes = 8, .issue_cycles = 3, .waited_flow = 4}};
  r.kinds = {"", "fragment"};
  r.work_holdups = {{.unit = 0, .kind = 1, .probes = 3}, {.row = 1, .probes = 2}};
  r.interval_end = {20};
  r.intervals = {{0, 0, 8}};
  return r;
}

run_record::FrameFigures frame_figures() {
  run_record::FrameFigures f;
  f.frame = 1, f.cycles = 20;
  f.counters = run_record::testing::counters_of_frame();
  return f;
}

void make_run(const fs::path& path, fuzz::Input& input) {
  report::Annotations annotations;
  annotations.labels = {{7, next_text(input)}, {8, next_text(input)}};
  annotations.surfaces = {{{0x1000, 64, 32}, ascii(next_text(input))}};
  annotations.programs[256] = {next_text(input), next_text(input), next_text(input)};
  report::RunInfo run;
  run.program = next_text(input), run.gpu = next_text(input), run.capture = "/" + next_text(input);
  run.gpu_argument = next_text(input), run.base = next_text(input);
  report::RunDatabase database(path, annotations);
  database.add(frame_figures(), frame_record());
  const std::string value = next_text(input), source = next_text(input);
  database.finish(run, {{"shader.units", value, source, true}}, 20);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::string folder;
  if (folder.empty()) {
    folder = (fs::temp_directory_path() / "cutaway-fuzz-XXXXXX").string();
    CUTAWAY_CHECK(mkdtemp(folder.data()));
    std::atexit([] {
      std::error_code error;
      fs::remove_all(folder, error);
    });
  }
  const fs::path path = fs::path(folder) / "run.sqlite";
  fs::remove(path);
  fuzz::Input input(data, size);
  make_run(path, input);
  const auto disassemble = [](std::span<const uint32_t>) { return std::vector<std::string>{"line"}; };
  report::RunReader run(path);
  for (const auto& work : run.work(1)) report::title_of(work);
  report::explanation_text(report::explain(run, {.frame = 1}, disassemble));
  try {
    report::run_data(path, disassemble).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  } catch (const UserError& error) {
    CUTAWAY_CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
