#include "launch/windows_program.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/regular_file.h"
#include "launch/process.h"

namespace cutaway::launch {
namespace {

namespace fs = std::filesystem;

// The machine in the header of a "portable executable": the word at offset 60 gives the header's offset; it
// begins with "PE\0\0", and the next half word is the machine. 0: not such a file.
uint16_t machine_of(const RegularFile& file) {
  std::array<char, 64> start{};
  if (file.read(0, start.data(), start.size()) < start.size() || start[0] != 'M' || start[1] != 'Z') return 0;
  uint32_t at = 0;
  std::memcpy(&at, start.data() + 60, sizeof at);
  std::array<char, 6> header{};
  if (file.read(at, header.data(), header.size()) < header.size()) return 0;
  if (std::memcmp(header.data(), "PE\0\0", 4) != 0) return 0;
  uint16_t machine = 0;
  std::memcpy(&machine, header.data() + 4, sizeof machine);
  return machine;
}

void check_program(const std::string& name) {
  constexpr uint16_t kX86 = 0x014c, kX86_64 = 0x8664;
  const uint16_t machine = machine_of(RegularFile(name, "name a program"));
  if (machine == kX86_64) return;
  if (machine == kX86)
    user_error(
        "{}: a program for 32-bit Windows, which cannot load Cutaway's driver, a library of 64 bits; use "
        "its 64-bit build",
        name);
  user_error("{}: not a program for 64-bit Windows on x86", name);
}

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return cache;
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache";
  user_error("neither HOME nor XDG_CACHE_HOME is set; set WINEPREFIX to the folder that Wine is to use");
}

// Default settings for Wine. No dialog may wait for an answer.
std::map<std::string, std::string> wine_settings() {
  std::map<std::string, std::string> settings = {
      {"WINEDEBUG", "-all"},
      {"WINEDLLOVERRIDES", "mscoree,mshtml=;winemenubuilder.exe=d"},  // no offers to install Mono and Gecko
      {"WINE_D3D_CONFIG", "csmt=0,renderer=gl"},  // it presents from the requesting thread
  };
  std::erase_if(settings, [](const auto& setting) { return std::getenv(setting.first.c_str()) != nullptr; });
  return settings;
}

// A single shell: Wine's server, which each command starts or finds, writes the registry when it ends. A
// crashing program must end without a dialog.
constexpr const char* kMakeFolder =
    "wine wineboot --init && wine reg add 'HKCU\\Software\\Wine\\WineDbg' /v ShowCrashDialog /t REG_DWORD "
    "/d 0 /f && wineserver -w";

// Creates the folder under a temporary name and moves it when it is complete.
void make_prefix(const fs::path& prefix, report::Progress& progress) {
  const fs::path fresh = prefix.string() + ".new-" + std::to_string(getpid());
  struct Remove {
    const fs::path& folder;
    ~Remove() {
      std::error_code error;
      fs::remove_all(folder, error);
    }
  } remove{fresh};
  std::error_code error;
  fs::create_directories(fresh, error);
  if (error)
    user_error("{}: Wine's folder cannot be made ({}); set WINEPREFIX", prefix.string(), error.message());
  std::map<std::string, std::string> environment = wine_settings();
  environment["WINEPREFIX"] = fresh;
  environment["DISPLAY"] = "";
  Process wine({.command = {"sh", "-c", kMakeFolder}, .environment = environment, .quiet = true});
  while (!wine.ended()) {
    end_if_interrupted();
    progress.update(-1, fmt::format("Wine's folder {}: being made, once", prefix.string()));
    usleep(100'000);
  }
  progress.clear();
  if (const ProgramEnd end = wine.wait(); !end.success())
    user_error("{}: Wine could not make its folder there (it {}); set WINEPREFIX to one that works",
               prefix.string(), end.text());
  fs::rename(fresh, prefix, error);
  if (error && !fs::exists(prefix))
    user_error("{}: Wine's folder cannot be made ({}); set WINEPREFIX", prefix.string(), error.message());
}

}  // namespace

bool is_windows_program(const std::string& name) {
  return name.size() > 4 && strcasecmp(name.c_str() + name.size() - 4, ".exe") == 0;
}

WineStart wine_start(const std::vector<std::string>& command, report::Progress& progress) {
  check_program(command[0]);
  if (find_program("wine").empty())
    user_error("{}: Wine runs programs for Windows and is not installed: apt-get install wine wine64",
               command[0]);
  WineStart start{.command = {"wine"}, .environment = wine_settings()};
  start.command.insert(start.command.end(), command.begin(), command.end());
  if (const char* prefix = std::getenv("WINEPREFIX"); prefix && *prefix) return start;
  const fs::path prefix = cache_folder() / "cutaway" / "wine";
  if (!fs::exists(prefix)) make_prefix(prefix, progress);
  start.environment["WINEPREFIX"] = prefix;
  return start;
}

}  // namespace cutaway::launch
