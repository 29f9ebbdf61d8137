#include "app/command_parser.h"
#include "app/option_values.h"

// Options and arguments shared by several subcommands.
namespace cutaway::app {

CLI::App* CommandParser::command(const char* name, const char* description,
                                 int (*call)(const CommandArguments&)) {
  CLI::App* sub = app.add_subcommand(name, description);
  sub->callback([this, call, sub] {
    chosen = call;
    arguments.bare = sub->count_all() <= 1;  // the subcommand itself counts
  });
  return sub;
}

void CommandParser::file_argument(CLI::App* sub) {
  sub->add_option("FILE", arguments.file, "the capture")->required()->type_name("");
}

void CommandParser::recording_argument(CLI::App* sub) {
  sub->add_option("RECORDING", arguments.recording,
                  "instead of a program: a recording of apitrace (.trace) or gfxreconstruct (.gfxr)")
      ->type_name("");
}

void CommandParser::frame_option(CLI::App* sub, const char* what) {
  sub->add_option_function<std::string>(
         "--frames", [this](const std::string& text) { arguments.frames = parse_frames(text); }, what)
      ->type_name("A..B");
}

void CommandParser::key_frames_option(CLI::App* sub) {
  sub->add_option("--key-frames", arguments.key_interval,
                  "all memory every K frames, where a simulation can start; 0: only before the first")
      ->type_name("K")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
}

void CommandParser::system_textures_option(CLI::App* sub) {
  sub->add_flag("--system-textures", arguments.system_textures,
                "textures lie in system memory, behind the bus of the machine (bus.bytes_per_cycle)");
}

void CommandParser::host_times_option(CLI::App* sub) {
  sub->add_flag(
      "--host-times", arguments.host_times,
      "the capture holds the times of the program between its submissions, which differ from run to "
      "run (host.cpu)");
}

void CommandParser::gl_thread_option(CLI::App* sub) {
  sub->add_flag(
         "--gl-thread", arguments.gl_thread,
         "OpenGL runs on a thread of Mesa's: a program of many frames needs less memory, but its debug "
         "groups and labels are lost, and its last frames if it ends by itself")
      ->excludes("--host-times");
}

void CommandParser::out_option(CLI::App* sub, const char* what) {
  sub->add_option("--out", arguments.out, what)->type_name("DIR");
}

void CommandParser::quiet_option(CLI::App* sub) {
  sub->add_flag("--quiet", arguments.quiet, "no progress on standard error");
}

void CommandParser::jobs_option(CLI::App* sub, const char* what) {
  sub->add_option("--jobs", arguments.machine.jobs, what)->type_name("N")->check(CLI::Range(1, 1024));
}

void CommandParser::engine_option(CLI::App* sub, const char* what) {
  sub->add_option("--engine", arguments.sweep.engine, what)
      ->type_name("local|slurm")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
}

void CommandParser::sets_option(CLI::App* sub, const char* what) {
  sub->add_option("--set", arguments.machine.sets, what)
      ->type_name("UNIT.PARAM=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void CommandParser::gpu_options(CLI::App* sub) {
  MachineArguments& machine = arguments.machine;
  sub->add_option("--gpu", machine.gpu, "the machine: a preset (see `cutaway gpus`) or a TOML file")
      ->type_name("NAME|FILE.toml")
      ->capture_default_str();
  sets_option(sub, "changes a parameter; may be given again (see `cutaway gpus attila`)");
}

void CommandParser::machine_options(CLI::App* sub) {
  MachineArguments& machine = arguments.machine;
  gpu_options(sub);
  sub->add_flag("--verify", machine.verify, "compares all GPU memory with the emulator's after every frame");
  jobs_option(sub, "frames simulated at a time; default: one for each core");
  sub->add_option("--warmup", machine.warmup,
                  "frames that the machine runs before each frame, which are not counted")
      ->type_name("N")
      ->check(CLI::Range(0, 1000));
  sub->add_option_function<std::string>(
         "--stats",
         [&machine](const std::string& text) {
           machine.stats = text != "none", machine.fragments = text == "fragments";
         },
         "all: run.sqlite too, with figures by draw and over time; fragments: all, and what became of every "
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

void CommandParser::live_option(CLI::App* sub) {
  sub->add_option("--live", arguments.live,
                  "a page on 127.0.0.1 that shows the simulation while it runs, and can pause it and record "
                  "timelines; its address is printed on standard error. Default: a free port")
      ->type_name("[PORT]")
      ->check(CLI::Range(0, 65535));
}

void CommandParser::number_option(CLI::App* sub, const char* name, const char* type, uint32_t least,
                                  const char* what, const std::function<void(uint32_t)>& take) {
  sub->add_option_function<std::string>(
         name, [name, least, take](const std::string& text) { take(small_number(name, text, least)); }, what)
      ->type_name(type);
}

void CommandParser::timeline_options(CLI::App* sub) {
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

void CommandParser::shared_options(CLI::App* sub) {
  SharedArguments& shared = arguments.shared;
  CLI::Option* with =
      sub->add_option("--with", shared.with,
                      "another capture, whose program shares the GPU, in a context of its own; may be given "
                      "again: tells what each frame takes together and alone")
          ->type_name("FILE")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option_function<std::string>(
         "--with-frames",
         [&shared](const std::string& text) { shared.frames = parse_frames(text, "--with-frames"); },
         "frames of those captures; default: all")
      ->type_name("A..B")
      ->needs(with);
  sub->add_option("--window", shared.windows,
                  "the surface of FILE, by its name, that shows the pictures of the program of --with, which "
                  "has no screen of its own then; given again: of the next one")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->needs(with);
  sub->add_option("--slice-us", shared.slice_us,
                  "microseconds for which a program keeps the GPU; the same as "
                  "--set command_processor.slice_us=US")
      ->type_name("US")
      ->check(CLI::Range(0.0, 1e6))
      ->needs(with);
  sub->add_flag("--preempt", shared.preempts,
                "a program may lose the GPU within a submission, too; the same as "
                "--set command_processor.preempts=true")
      ->needs(with);
  sub->add_option(
         "--watchdog-us", shared.watchdog_us,
         "a submission that takes more microseconds is ended with its program and the GPU is reset; the "
         "other programs go on; default: off")
      ->type_name("US")
      ->check(CLI::Range(1.0, 1e9))
      ->needs(with);
  for (const char* alone : {"--live", "--warmup"}) with->excludes(sub->get_option(alone));
}

}  // namespace cutaway::app
