#include "app/command_parser.h"

#include <algorithm>

#include "app/manual.h"
#include "app/option_values.h"
#include "base/error.h"
#include "base/field.h"
#include "base/text.h"
#include "base/version.h"
#include "sweep/sweep_file.h"

namespace cutaway::app {

CommandParser::CommandParser() {
  app.footer(kExamples);
  app.require_subcommand(1);
  app.set_version_flag("--version", "cutaway " + cutaway::version());
  run_command();
  capture_command();
  emulate_command();
  simulate_command();
  trace_command();
  info_command();
  gpus_command();
  sweep_command();
  sample_command();
  experiment_command();
  probe_command();
  fidelity_command();
  explain_command();
  disasm_command();
  report_command();
  manual_command();
}

void CommandParser::run_command() {
  CLI::App* sub =
      command("run", "captures a program and simulates its frames: run [OPTIONS] -- PROGRAM ARGS...", &run);
  frame_option(sub,
               "frames to simulate, counted from 1; \"2..\" until the program ends; default: the third, or "
               "the last if there are fewer");
  out_option(sub, "folder for frames/, summary.json, run.sqlite and capture.cutaway; default: out");
  key_frames_option(sub), system_textures_option(sub), host_times_option(sub), gl_thread_option(sub),
      machine_options(sub), live_option(sub), quiet_option(sub), recording_argument(sub);
  sub->footer(kRunExample);
}

void CommandParser::capture_command() {
  CLI::App* sub =
      command("capture", "runs a program and writes a capture: capture -o FILE [OPTIONS] -- PROGRAM ARGS...",
              &capture);
  sub->add_option("-o,--output", arguments.file, "the capture to write")->required()->type_name("FILE");
  frame_option(sub, "frames to keep, counted from 1; default: all, until the program ends or Ctrl-C");
  sub->add_option("--gpu", arguments.for_gpu,
                  "a preset or a TOML file: the program is offered the stages and formats that this machine "
                  "has; default: "
                  "all that there are")
      ->type_name("NAME|FILE.toml");
  key_frames_option(sub), system_textures_option(sub), host_times_option(sub), gl_thread_option(sub),
      quiet_option(sub), recording_argument(sub);
  sub->footer(kCaptureExample);
}

void CommandParser::emulate_command() {
  CLI::App* sub =
      command("emulate", "runs the frames of a capture on the emulator, without a clock", &emulate);
  file_argument(sub), frame_option(sub, "default: all of the capture");
  out_option(sub, "folder for frames/; default: no pictures");
  sub->add_option("--threads", arguments.threads, "threads that draw; default: one for each available CPU")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  sub->add_flag("--primitives", arguments.primitives,
                "also DIR/primitives/: pictures whose colors tell which primitive each pixel shows");
  quiet_option(sub);
  sub->footer(kEmulateExample);
}

void CommandParser::simulate_command() {
  CLI::App* sub = command("simulate", "runs the frames of a capture on the clocked machine", &simulate);
  file_argument(sub), frame_option(sub, "default: all of the capture");
  out_option(sub, "folder for frames/, summary.json and run.sqlite; default: only the table");
  machine_options(sub), timeline_options(sub), live_option(sub), shared_options(sub), quiet_option(sub);
  sub->footer(kSimulateExample);
}

void CommandParser::trace_command() {
  TraceArguments& traced = arguments.trace;
  CLI::App* sub = command(
      "trace", "tells the life of one fragment, vertex or memory request, unit by unit and cycle by cycle",
      &trace);
  file_argument(sub);
  number_option(sub, "--frame", "N", 1, "of the capture; may be left out where it holds one",
                [&traced](uint32_t frame) { traced.frame = frame; });
  number_option(sub, "--draw", "D", 1, "counted from 1 in the frame",
                [this](uint32_t draw) { arguments.timeline.draw = draw; });
  sub->add_option_function<std::string>(
         "--fragment", [&traced](const std::string& text) { traced.fragment = pixel("--fragment", text); },
         "the fragment of a pixel")
      ->type_name("X,Y");
  number_option(sub, "--primitive", "P", 0, "of which primitive, counted from 0; default: the first there",
                [&traced](uint32_t primitive) { traced.primitive = primitive; });
  number_option(sub, "--vertex", "I", 0, "the vertex of an index, with the draw's offset",
                [&traced](uint32_t index) { traced.vertex = index; });
  number_option(sub, "--request", "N", 1, "the N-th request to memory that is made for the draw",
                [&traced](uint32_t request) { traced.request = request; });
  sub->add_option_function<std::string>(
         "--cycles",
         [&traced](const std::string& text) { traced.cycles = parse_frames(text, "--cycles", "cycle"); },
         "looks only at these cycles of the frame; a draw of over a million needs it")
      ->type_name("A..B");
  sub->add_option("--svg", arguments.svg, "also draws it: a row for each unit, a column for each cycle")
      ->type_name("FILE");
  gpu_options(sub), quiet_option(sub);
  sub->footer(kTraceExample);
}

void CommandParser::info_command() {
  CLI::App* sub = command("info", "what a capture holds", &info);
  file_argument(sub);
  sub->footer(kInfoExample);
}

void CommandParser::gpus_command() {
  CLI::App* sub = command(
      "gpus", "lists the presets, or shows the units and wires of one and every parameter with its source",
      &gpus);
  sub->add_option("NAME", arguments.preset, "a preset or a TOML file")->type_name("");
  sub->add_option("UNIT", arguments.unit, "only this kind of unit: its wires and parameters")->type_name("");
  sets_option(sub, "shows it with changed parameters");
  sub->add_option("--svg", arguments.svg, "also draws its units and wires into this file")->type_name("FILE");
  sub->add_flag("--reference", arguments.reference,
                "prints every parameter of all presets and every counter, as Markdown");
  sub->add_flag("--ports", arguments.ports,
                "prints the ports of every kind of unit, and what costs nothing in it, as Markdown");
  sub->footer(kGpusExample);
}

void CommandParser::sweep_command() {
  SweepArguments& sweep_arguments = arguments.sweep;
  CLI::App* sub = command("sweep", "runs frames on many machines, as a TOML file says", &sweep);
  sub->add_option("FILE", arguments.file, "the sweep: captures, frames, machines, parameters, plots")
      ->required()
      ->type_name("");
  out_option(sub, "folder for sweep.sqlite, sweep.csv, plots and report.html; default: out/NAME of FILE");
  engine_option(sub, "where points run: processes on this host (local), or job arrays of a cluster (slurm)");
  jobs_option(sub, "points run at a time; default: one for each core; on Slurm: as many as it runs");
  sub->add_flag("--dry-run", sweep_arguments.dry_run, "lists the points and runs none");
  sub->add_option("--export", sweep_arguments.table, "writes the results so far into FILE.csv and runs none")
      ->type_name("FILE.csv");
  quiet_option(sub);
  sub->footer(kSweepExample);

  sub = command("sweep-points", "runs points of a sweep: what its workers do", &sweep_points)->group("");
  sub->add_option("QUEUE", arguments.sweep.queue)->required();
  sub->add_option("ENGINE", arguments.sweep.engine)->required();
  sub->add_option("POINTS", arguments.sweep.points)->required();
}

void CommandParser::sample_command() {
  SampleArguments& sampled = arguments.sample;
  CLI::App* sub = command(
      "sample", "estimates what all frames of a capture cost from a part of them, with an interval", &sample);
  file_argument(sub);
  sub->add_option_function<std::string>(
         "--error",
         [&sampled](const std::string& text) { sampled.error = sweep::parse_sample_error(text, "--error"); },
         "simulates more frames until the total of cycles is known this well; default: 1%")
      ->type_name("PERCENT%");
  sub->add_option("--check", sampled.check,
                  "simulates N more frames, held back from the estimate, and tells how far off it is")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000));
  frame_option(sub, "frames that the totals are of; default: all");
  gpu_options(sub);
  sub->add_option("--warmup", sampled.warmup,
                  "frames that the machine runs before each, which are not counted")
      ->type_name("N")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  sub->add_option_function<std::string>(
         "--seed", [&sampled](const std::string& text) { sampled.seed = seed_number(text); },
         "of the random numbers that draw frames")
      ->type_name("N");
  engine_option(sub, "where frames run: processes on this host (local), or job arrays of a cluster (slurm)");
  jobs_option(sub, "frames simulated at a time; default: one for each core; on Slurm: as many as it runs");
  out_option(sub, "folder for sample.json and sweep.sqlite; default: out/NAME of FILE");
  quiet_option(sub);
  sub->footer(kSampleExample);
}

void CommandParser::experiment_command() {
  CLI::App* sub = command(
      "experiment", "repeats a published experiment and judges its claims: experiment EXPERIMENT..., or list",
      &experiment);
  sub->add_option("EXPERIMENT", arguments.experiment.names,
                  "experiments, by name or as TOML files; list: tells which there are and what they claim")
      ->required()
      ->type_name("");
  sub->add_option(
         "--capture", arguments.experiment.capture,
         "the frames to measure on; default: out/match.cutaway, which experiments/record_match.sh records")
      ->type_name("FILE");
  frame_option(sub, "of the capture; default: as many as the experiment asks for, from the first on");
  engine_option(sub,
                "where simulations run: processes on this host (local), or job arrays of a cluster (slurm)");
  jobs_option(sub, "frames simulated at a time; default: one for each core; on Slurm: as many as it runs");
  out_option(sub, "folder for results, which experiments share, and NAME/ in it; default: out/experiments");
  sub->add_flag("--dry-run", arguments.sweep.dry_run, "lists what would be simulated, and simulates nothing");
  quiet_option(sub);
  sub->footer(kExperimentExample);
}

void CommandParser::probe_command() {
  CLI::App* sub = command(
      "probe",
      "draws the experiments of a paper about G80 on a chip, and compares: probe [EXPERIMENT...], or list",
      &probe);
  sub->add_option("EXPERIMENT", arguments.probe.names,
                  "by name, or how names begin: E2, E1.3; all: every one; list: tells which there are")
      ->type_name("");
  sub->add_flag("--driver", arguments.probe.driver,
                "draws with the Vulkan driver of this computer in place of a simulated chip");
  sub->add_flag("--pictures", arguments.probe.pictures,
                "pictures too, and animations: in which order the fragments of each experiment ended, and on "
                "a simulated chip who shaded them; pictures/index.html shows them all");
  gpu_options(sub);
  engine_option(sub,
                "where simulations run: processes on this host (local), or job arrays of a cluster (slurm)");
  jobs_option(sub,
              "experiments simulated at a time; default: one for each core; on Slurm: as many as it runs");
  out_option(sub, "folder for probe.json, pictures, captures and results; default: out/probe");
  quiet_option(sub);
  sub->footer(kProbeExample);
}

void CommandParser::fidelity_command() {
  CLI::App* sub = command(
      "fidelity", "holds presets against what was published of their chips: fidelity [FIGURE...], or list",
      &fidelity);
  sub->add_option(
         "FIGURE", arguments.fidelity.names,
         "names of figures, or how names begin: R2, E1.3; all: every one; list: tells which there are")
      ->type_name("");
  sub->add_option("--gpu", arguments.fidelity.gpu, "preset; default: all of which figures were published")
      ->type_name("NAME");
  engine_option(sub,
                "where simulations run: processes on this host (local), or job arrays of a cluster (slurm)");
  jobs_option(sub, "programs simulated at a time; default: one for each core; on Slurm: as many as it runs");
  out_option(sub, "folder for fidelity.md and .json, a picture, captures and results; default: out/fidelity");
  quiet_option(sub);
  sub->footer(kFidelityExample);
}

void CommandParser::explain_command() {
  ExplainArguments& explain_arguments = arguments.explain;
  CLI::App* sub =
      command("explain", "says what held the frames of a run back, and measures what would help", &explain);
  sub->add_option("RUN", explain_arguments.run, "the folder of `simulate --out`, or its run.sqlite")
      ->required()
      ->type_name("");
  sub->add_option("--frame", explain_arguments.frame, "only this frame")->type_name("N");
  number_option(sub, "--program", "N", 1,
                "the work of one program, of a run of several (simulate --with), counted from 1",
                [&explain_arguments](uint32_t program) { explain_arguments.program = program; });
  sub->add_option("--pass", explain_arguments.pass, "one pass, as the list of draws numbers it")
      ->type_name("N");
  sub->add_option("--work", explain_arguments.work,
                  "one draw, copy or flush, as the list of draws numbers it")
      ->type_name("N");
  sub->add_option("--draw", explain_arguments.draw, "one draw, counted from 1 over the frame")
      ->type_name("N");
  sub->add_option_function<std::string>(
         "--pixel",
         [&explain_arguments](const std::string& text) { explain_arguments.pixel = pixel("--pixel", text); },
         "instead: what became of every fragment of a pixel, of a run with --stats fragments")
      ->type_name("X,Y");
  sub->add_option("--interval", explain_arguments.interval,
                  "one interval of the frame, counted from 0: who held it up and who waited for whom")
      ->type_name("N");
  sub->add_option_function<std::string>(
         "--cycles",
         [&explain_arguments](const std::string& text) {
           explain_arguments.cycles = parse_frames(text, "--cycles", "cycle");
         },
         "all intervals with one of these cycles of the frame")
      ->type_name("A..B");
  sub->add_option("--draws", explain_arguments.draws, "how many of the dearest draws are listed")
      ->type_name("N")
      ->capture_default_str();
  sub->add_option(
         "--try", explain_arguments.tries,
         "simulates the frames again with changed parameters and says what that gives; may be given again; "
         "auto: tries what the evidence suggests")
      ->type_name("UNIT.PARAM=VALUE[;UNIT.PARAM=VALUE...]|auto")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option("--capture", explain_arguments.capture, "the capture of the run, if it has moved")
      ->type_name("FILE");
  jobs_option(sub, "frames simulated at a time, of all machines; default: one for each core");
  sub->add_flag("--json", explain_arguments.json, "as JSON");
  quiet_option(sub);
  sub->footer(kExplainExample);
}

void CommandParser::disasm_command() {
  CLI::App* sub =
      command("disasm", "prints the shader programs of a capture beside their SPIR-V", &disassemble);
  file_argument(sub);
  sub->add_option_function<std::string>(
         "--program", [this](const std::string& text) { arguments.program_id = program_number(text); },
         "only the one with this number")
      ->type_name("N");
  sub->add_flag("--spirv", arguments.whole_source, "after each program all of its SPIR-V");
  sub->footer(kDisasmExample);
}

void CommandParser::report_command() {
  CLI::App* sub =
      command("report", "makes a page of runs or sweeps, alone or side by side: report RUN... -o FILE",
              &write_report);
  sub->add_option("RUN", arguments.runs,
                  "folders that `run`, `simulate --out` or `sweep` wrote, or their databases")
      ->required()
      ->type_name("");
  sub->add_option("-o,--output", arguments.out,
                  "the page to write, one file that opens in a browser; default: report.html")
      ->type_name("FILE.html");
  sub->add_option(
         "--pictures", arguments.report.pictures,
         "megabytes that pictures of targets, meshes and textures of draws may take, which the emulator makes "
         "from the capture; 0: none")
      ->type_name("MB")
      ->check(CLI::Range(0, 300))
      ->capture_default_str();
  sub->add_option("--capture", arguments.report.capture, "the capture of the runs, if it has moved")
      ->type_name("FILE");
  quiet_option(sub);
  sub->footer(kReportExample);
}

// A subcommand for the build only: it has no group, so no list shows it.
void CommandParser::manual_command() {
  CLI::App* sub = app.add_subcommand("manual", "writes the manual pages into a folder")->group("");
  sub->add_option("DIR", arguments.out)->required();
  sub->callback([this] {
    chosen = [this](const CommandArguments& given) {
      write_manual(app, given.out);
      return kOk;
    };
  });
}

void CommandParser::check_command(const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string nearest = nearest_name(name, names);
  user_error("{}: no such subcommand{}; see `cutaway --help`", name,
             nearest.empty() ? "" : ", did you mean " + nearest + "?");
}

void CommandParser::check_extras(const std::string& command) const {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands())
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& extra : app.remaining(true)) {
    if (!extra.starts_with("-")) continue;
    const std::string name = extra.substr(0, extra.find('=')), nearest = nearest_name(name, names);
    user_error("{}: no such option{}; see `cutaway {} --help`", cutaway::one_line(name),
               nearest.empty() ? "" : ", did you mean " + nearest + "?", command);
  }
}

}  // namespace cutaway::app
