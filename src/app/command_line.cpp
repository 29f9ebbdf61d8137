#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>

#include "app/command_texts.h"
#include "app/commands.h"
#include "app/completion.h"
#include "app/manual.h"
#include "app/option_values.h"
#include "app/replayer.h"
#include "base/error.h"
#include "base/field.h"
#include "base/text.h"

namespace cutaway::app {
namespace {

struct Parser {
  CommandArguments arguments;
  std::function<int(const CommandArguments&)> chosen;
  CLI::App app{kDescription, "cutaway"};

  CLI::App* command(const char* name, const char* description, int (*call)(const CommandArguments&)) {
    CLI::App* sub = app.add_subcommand(name, description);
    sub->callback([this, call] { chosen = call; });
    return sub;
  }
  void frame_option(CLI::App* sub, const char* what) {
    sub->add_option_function<std::string>(
           "--frames", [this](const std::string& text) { arguments.frames = parse_frames(text); }, what)
        ->type_name("A..B");
  }
  void file_argument(CLI::App* sub) {
    sub->add_option("FILE", arguments.file, "the capture")->required()->type_name("");
  }
  void recording_argument(CLI::App* sub) {
    sub->add_option("RECORDING", arguments.recording,
                    "instead of a program: a recording of apitrace (.trace) or gfxreconstruct (.gfxr)")
        ->type_name("");
  }
  void key_frames_option(CLI::App* sub) {
    sub->add_option("--key-frames", arguments.key_interval,
                    "all memory every K frames, where a simulation can start; 0: only before the first")
        ->type_name("K")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str();
  }
  void out_option(CLI::App* sub, const char* what) {
    sub->add_option("--out", arguments.out, what)->type_name("DIR");
  }
  void quiet_option(CLI::App* sub) {
    sub->add_flag("--quiet", arguments.quiet, "no progress on standard error");
  }
  void gpu_options(CLI::App* sub) {
    MachineArguments& machine = arguments.machine;
    sub->add_option("--gpu", machine.gpu, "the machine: a preset (see `cutaway gpus`) or a TOML file")
        ->type_name("NAME|FILE.toml")
        ->capture_default_str();
    sub->add_option("--set", machine.sets,
                    "changes a parameter; may be given again (see `cutaway gpus attila`)")
        ->type_name("UNIT.PARAM=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  void machine_options(CLI::App* sub) {
    MachineArguments& machine = arguments.machine;
    gpu_options(sub);
    sub->add_flag("--verify", machine.verify,
                  "compares all GPU memory with the emulator's after every frame");
    sub->add_option("--jobs", machine.jobs, "frames simulated at a time; default: one for each core")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sub->add_option("--warmup", machine.warmup,
                    "frames that the machine runs before each frame, which are not counted")
        ->type_name("N")
        ->check(CLI::Range(0, 1000));
    sub->add_option_function<std::string>(
           "--stats",
           [&machine](const std::string& text) {
             machine.stats = text != "none", machine.fragments = text == "fragments";
           },
           "all: run.sqlite too, with figures by draw and over time; fragments: all, and what became of "
           "every "
           "fragment; none: only summary.json")
        ->type_name("all|fragments|none")
        ->check(CLI::IsMember({"all", "fragments", "none"}))
        ->default_str("all");
    sub->add_option("--fragment-limit", machine.fragment_limit,
                    "--stats fragments: quads that are logged of a frame, in 40 bytes of memory each")
        ->type_name("N")
        ->check(CLI::Range(1, 50'000'000))
        ->capture_default_str();
    sub->add_option("--interval", machine.interval, "cycles between rows of figures over time in run.sqlite")
        ->type_name("N")
        ->check(CLI::Range(100, 1'000'000'000))
        ->capture_default_str();
    sub->add_option_function<std::string>(
           "--seed", [&machine](const std::string& text) { machine.seed = seed_number(text); },
           "shuffles the order of units within a cycle, which changes no figure")
        ->type_name("N");
    sub->add_flag_callback(
        "--no-skip", [&machine] { machine.skip_idle = false; },
        "ticks idle units too, which changes no figure");
  }

  void live_option(CLI::App* sub) {
    sub->add_option(
           "--live", arguments.live,
           "a page on 127.0.0.1 that shows the simulation while it runs, and can pause it and record "
           "timelines; its address is printed on standard error. Default: a free port")
        ->type_name("[PORT]")
        ->check(CLI::Range(0, 65535));
  }

  // A number, of 32 bits.
  void number_option(CLI::App* sub, const char* name, const char* type, uint32_t least, const char* what,
                     const std::function<void(uint32_t)>& take) {
    sub->add_option_function<std::string>(
           name, [name, least, take](const std::string& text) { take(small_number(name, text, least)); },
           what)
        ->type_name(type);
  }
  void timeline_options(CLI::App* sub) {
    TimelineArguments& timeline = arguments.timeline;
    sub->add_option("--timeline", timeline.file,
                    "writes what every unit did in one frame, cycle by cycle, into FILE, for ui.perfetto.dev")
        ->type_name("FILE");
    sub->add_option_function<std::string>(
           "--timeline-cycles",
           [&timeline](const std::string& text) {
             timeline.cycles = parse_frames(text, "--timeline-cycles", "cycle");
           },
           "of which cycles of the frame")
        ->type_name("A..B");
    number_option(sub, "--timeline-draw", "N", 1, "of which draw, counted from 1 in the frame",
                  [&timeline](uint32_t draw) { timeline.draw = draw; });
  }

  void trace_command() {
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
    sub->add_option("--svg", arguments.svg, "also draws it: a row for each unit, a column for each cycle")
        ->type_name("FILE");
    gpu_options(sub), quiet_option(sub);
  }

  void sweep_command() {
    SweepArguments& sweep_arguments = arguments.sweep;
    CLI::App* sub = command("sweep", "runs frames on many machines, as a TOML file says", &sweep);
    sub->add_option("FILE", arguments.file, "the sweep: captures, frames, machines, parameters, plots")
        ->required()
        ->type_name("");
    out_option(sub, "folder for sweep.sqlite, sweep.csv, plots and report.html; default: out/NAME of FILE");
    sub->add_option("--engine", sweep_arguments.engine,
                    "who runs the points: processes here (local), or job arrays of a cluster (slurm)")
        ->type_name("local|slurm")
        ->check(CLI::IsMember({"local", "slurm"}))
        ->capture_default_str();
    sub->add_option("--jobs", arguments.machine.jobs,
                    "points run at a time; default: one for each core; on Slurm: as many as it runs")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sub->add_flag("--dry-run", sweep_arguments.dry_run, "lists the points and runs none");
    sub->add_option("--export", sweep_arguments.table,
                    "writes the results so far into FILE.csv and runs none")
        ->type_name("FILE.csv");
    quiet_option(sub);
    sub->footer(kSweepExample);

    sub = command("sweep-point", "runs one point of a sweep: what its workers do", &sweep_point)->group("");
    sub->add_option("QUEUE", arguments.sweep.queue)->required();
    sub->add_option("ENGINE", arguments.sweep.engine)->required();
    sub->add_option("POINT", arguments.sweep.point)->required();
  }

  void explain_command() {
    ExplainArguments& explain_arguments = arguments.explain;
    CLI::App* sub =
        command("explain", "says what held the frames of a run back, and measures what would help", &explain);
    sub->add_option("RUN", explain_arguments.run, "the folder of `simulate --out`, or its run.sqlite")
        ->required()
        ->type_name("");
    sub->add_option("--frame", explain_arguments.frame, "only this frame")->type_name("N");
    sub->add_option("--pass", explain_arguments.pass, "one pass, as the list of draws numbers it")
        ->type_name("N");
    sub->add_option("--work", explain_arguments.work,
                    "one draw, copy or flush, as the list of draws numbers it")
        ->type_name("N");
    sub->add_option("--draw", explain_arguments.draw, "one draw, counted from 1 over the frame")
        ->type_name("N");
    sub->add_option_function<std::string>(
           "--pixel",
           [&explain_arguments](const std::string& text) {
             explain_arguments.pixel = pixel("--pixel", text);
           },
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
           "simulates the frames again with changed parameters and says what that gives; may be given again")
        ->type_name("UNIT.PARAM=VALUE[;UNIT.PARAM=VALUE...]")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    sub->add_option("--capture", explain_arguments.capture, "the capture of the run, if it has moved")
        ->type_name("FILE");
    sub->add_option("--jobs", arguments.machine.jobs,
                    "frames simulated at a time; default: one for each core")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sub->add_flag("--json", explain_arguments.json, "as JSON");
    quiet_option(sub);
  }

  // A subcommand that there is, or an error that offers the nearest.
  void check_command(const std::string& name) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string nearest = nearest_name(name, names);
    user_error("{}: no such subcommand{}; see `cutaway --help`", name,
               nearest.empty() ? "" : ", did you mean " + nearest + "?");
  }

  // An option that a subcommand does not have, and the nearest that it has.
  void check_extras(const std::string& command) const {
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

  Parser() {
    app.footer(kExamples);
    app.require_subcommand(1);
    app.set_version_flag("--version", "cutaway " CUTAWAY_VERSION);

    CLI::App* sub =
        command("run", "captures a program and simulates its frames: run [OPTIONS] -- PROGRAM ARGS...", &run);
    frame_option(sub,
                 "frames to simulate, counted from 1; \"2..\" until the program ends; default: the third, or "
                 "the last if there are fewer");
    out_option(sub, "folder for frames/, summary.json, run.sqlite and capture.cutaway; default: out");
    key_frames_option(sub), machine_options(sub), live_option(sub), quiet_option(sub),
        recording_argument(sub);

    sub = command("capture",
                  "runs a program and writes a capture: capture -o FILE [OPTIONS] -- PROGRAM ARGS...",
                  &capture);
    sub->add_option("-o,--output", arguments.file, "the capture to write")->required()->type_name("FILE");
    frame_option(sub, "frames to keep, counted from 1; default: all, until the program ends or Ctrl-C");
    key_frames_option(sub), quiet_option(sub), recording_argument(sub);

    sub = command("emulate", "runs the frames of a capture on the emulator, without a clock", &emulate);
    file_argument(sub), frame_option(sub, "default: all of the capture");
    out_option(sub, "folder for frames/; default: no pictures");
    sub->add_option("--threads", arguments.threads, "threads that draw; default: one for each available CPU")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    sub->add_flag("--primitives", arguments.primitives,
                  "also DIR/primitives/: pictures whose colors tell which primitive each pixel shows");
    quiet_option(sub);

    sub = command("simulate", "runs the frames of a capture on the clocked machine", &simulate);
    file_argument(sub), frame_option(sub, "default: all of the capture");
    out_option(sub, "folder for frames/, summary.json and run.sqlite; default: only the table");
    machine_options(sub), timeline_options(sub), live_option(sub), quiet_option(sub);
    trace_command();

    sub = command("info", "what a capture holds", &info);
    file_argument(sub);

    sub = command(
        "gpus", "lists the presets, or shows the units and wires of one and every parameter with its source",
        &gpus);
    sub->add_option("NAME", arguments.preset, "a preset or a TOML file")->type_name("");
    sub->add_option("--set", arguments.machine.sets, "shows it with changed parameters")
        ->type_name("UNIT.PARAM=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    sub->add_option("--svg", arguments.svg, "also draws its units and wires into this file")
        ->type_name("FILE");
    sub->add_flag("--reference", arguments.reference,
                  "prints every parameter of all presets and every counter, as Markdown");

    sweep_command();
    explain_command();

    sub = command("disasm", "prints the shader programs of a capture beside their SPIR-V", &disassemble);
    file_argument(sub);
    sub->add_option_function<std::string>(
           "--program", [this](const std::string& text) { arguments.program_id = program_number(text); },
           "only the one with this number")
        ->type_name("N");
    sub->add_flag("--spirv", arguments.whole_source, "after each program all of its SPIR-V");

    sub = command("report", "makes a page of one run, or of several side by side: report RUN... -o FILE",
                  &write_report);
    sub->add_option("RUN", arguments.runs,
                    "folders that `run` or `simulate --out` wrote, or their run.sqlite")
        ->required()
        ->type_name("");
    sub->add_option("-o,--output", arguments.out,
                    "the page to write, one file that opens in a browser; default: report.html")
        ->type_name("FILE.html");
    quiet_option(sub);

    // For the build, and nobody's to call: no group, so that no list has it.
    sub = app.add_subcommand("manual", "writes the manual pages into a folder")->group("");
    sub->add_option("DIR", arguments.out)->required();
    sub->callback([this] {
      chosen = [this](const CommandArguments& given) {
        write_manual(app, given.out);
        return kOk;
      };
    });
  }
};

// One line of what the parser found wrong, with what to do.
std::string one_line(const CLI::ParseError& error, const std::string& command, bool takes_program) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  if (takes_program && dynamic_cast<const CLI::ExtrasError*>(&error))
    return text + "; put the program and its arguments after --";
  return text + fmt::format("; see `cutaway{} --help`", command.empty() ? "" : " " + command);
}

// The words of a command line with a port for each --live that names none: what follows it is then a file.
std::vector<std::string> with_live_ports(std::vector<std::string> words) {
  const auto is_number = [](const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
  };
  for (size_t i = 0; i < words.size(); i++)
    if (words[i] == "--live" && (i + 1 == words.size() || !is_number(words[i + 1]))) words[i] = "--live=0";
  return words;
}

// A recording stands for the program that replays it.
void take_recording(CommandArguments& arguments) {
  const std::string& recording = arguments.recording;
  if (recording.empty()) return;
  if (!is_recording(recording) || !arguments.program.empty())
    user_error("{}: put the program and its arguments after --; only a recording (.trace, .gfxr) needs none",
               recording);
  arguments.program = {recording};
}

}  // namespace

int command_line(int argc, char** argv) {
  Parser parser;
  // What a shell asks for while a line is typed: `cutaway complete WORDS...`, which may be any words.
  if (argc > 1 && std::string(argv[1]) == "complete") {
    fmt::print("{}", completions(parser.app, {argv + 2, argv + argc}));
    return kOk;
  }
  // What stands after -- is the program's and none of our business.
  const auto end = argv + argc,
             dashes = std::find_if(argv, end, [](const char*a) { return std::string(a) == "--"; });
  if (dashes != end) parser.arguments.program.assign(dashes + 1, end);
  const bool takes_program = argc > 1 && (std::string(argv[1]) == "run" || std::string(argv[1]) == "capture");
  const std::string command = dashes - argv > 1 && argv[1][0] != '-' ? argv[1] : "";
  if (!command.empty()) parser.check_command(command);
  try {
    const std::vector<std::string> words = with_live_ports({argv, dashes});
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    parser.app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    const int code = parser.app.exit(wanted, text, text);  // --help, --version
    fmt::print("{}", text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    // Without -- it may be the program's.
    const bool ours = !takes_program || dashes != end;
    if (ours && dynamic_cast<const CLI::ExtrasError*>(&error)) parser.check_extras(command);
    user_error("{}", one_line(error, command, takes_program));
  }

  const TimelineArguments& timeline = parser.arguments.timeline;
  const bool window = timeline.cycles || timeline.draw;
  if (command == "simulate" && window && timeline.file.empty())
    user_error("--timeline-cycles and --timeline-draw need --timeline FILE");
  if (command == "simulate" && !window && !timeline.file.empty())
    user_error("--timeline needs --timeline-cycles A..B or --timeline-draw N");
  if (timeline.cycles && timeline.draw) user_error("--timeline-cycles and --timeline-draw: give one of them");
  take_recording(parser.arguments);
  if (takes_program && parser.arguments.program.empty())
    user_error("no program given; put it after --, as in `cutaway {} ... -- glxgears`", argv[1]);
  if (!takes_program && dashes != end) user_error("cutaway {} takes no program after --", argv[1]);
  return parser.chosen(parser.arguments);
}

}  // namespace cutaway::app
