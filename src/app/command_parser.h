#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "app/command_texts.h"
#include "app/commands.h"

namespace cutaway::app {

// The subcommands with their options. Parsing fills in the arguments and the selected call.
class CommandParser {
 public:
  CommandArguments arguments;
  std::function<int(const CommandArguments&)> chosen;
  CLI::App app{kDescription, "cutaway"};

  CommandParser();
  // UserError if there is no such subcommand; suggests the nearest.
  void check_command(const std::string& name);
  // UserError for an option that a subcommand does not have; suggests the nearest that it has.
  void check_extras(const std::string& command) const;

 private:
  CLI::App* command(const char* name, const char* description, int (*call)(const CommandArguments&));
  void file_argument(CLI::App* sub);
  void recording_argument(CLI::App* sub);
  void frame_option(CLI::App* sub, const char* what);
  void key_frames_option(CLI::App* sub);
  void system_textures_option(CLI::App* sub);
  void host_times_option(CLI::App* sub);
  void gl_thread_option(CLI::App* sub);
  void out_option(CLI::App* sub, const char* what);
  void quiet_option(CLI::App* sub);
  void jobs_option(CLI::App* sub, const char* what);
  void engine_option(CLI::App* sub, const char* what);
  void sets_option(CLI::App* sub, const char* what);
  void gpu_options(CLI::App* sub);
  void machine_options(CLI::App* sub);
  void live_option(CLI::App* sub);
  // An option with a 32-bit number.
  void number_option(CLI::App* sub, const char* name, const char* type, uint32_t least, const char* what,
                     const std::function<void(uint32_t)>& take);
  void timeline_options(CLI::App* sub);
  void shared_options(CLI::App* sub);

  void run_command();
  void capture_command();
  void emulate_command();
  void simulate_command();
  void trace_command();
  void info_command();
  void gpus_command();
  void sweep_command();
  void sample_command();
  void experiment_command();
  void probe_command();
  void fidelity_command();
  void explain_command();
  void disasm_command();
  void report_command();
  void manual_command();
};

}  // namespace cutaway::app
