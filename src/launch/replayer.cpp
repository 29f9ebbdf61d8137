#include "launch/replayer.h"

#include <filesystem>
#include <unistd.h>

#include "base/error.h"
#include "launch/process.h"

namespace cutaway::launch {
namespace {

struct Replayer {
  const char* suffix;
  std::vector<std::string> command;
  const char* package;  // Debian package
};

const Replayer* replayer_of(const std::string& name) {
  static const Replayer replayers[] = {
      {".trace", {"apitrace", "replay"}, "apitrace"},
      // Its warnings name the extensions and features that it leaves out.
      {".gfxr", {"gfxrecon-replay", "--remove-unsupported"}, "gfxreconstruct"}};
  for (const Replayer& replayer : replayers)
    if (name.ends_with(replayer.suffix)) return &replayer;
  return nullptr;
}

}  // namespace

bool is_recording(const std::string& name) { return replayer_of(name) != nullptr; }

std::vector<std::string> with_replayer(const std::vector<std::string>& command) {
  if (command.empty()) user_error("no program given; put it after --");
  const Replayer* replayer = replayer_of(command[0]);
  if (!replayer || !find_program(command[0]).empty()) return command;
  std::error_code error;
  if (!std::filesystem::is_regular_file(command[0], error) || access(command[0].c_str(), R_OK) != 0)
    user_error("{}: cannot be read; name a recording of apitrace (.trace) or gfxreconstruct (.gfxr)",
               command[0]);
  if (find_program(replayer->command[0]).empty())
    user_error("{}: {} replays it and is not installed: apt-get install {}", command[0], replayer->command[0],
               replayer->package);
  std::vector<std::string> result = replayer->command;
  result.insert(result.end(), command.begin(), command.end());
  return result;
}

std::string replay_hint(const std::vector<std::string>& command) {
  for (const std::string& argument : command)
    if (argument.ends_with(".gfxr"))
      return "; a gfxreconstruct capture needs the extensions and features of the driver that it was "
             "recorded on, as far as it uses them";
  return "";
}

}  // namespace cutaway::launch
