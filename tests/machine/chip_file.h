#pragma once

#include <cstdio>
#include <fstream>
#include <string>

#include "base/testing/temporary_folder.h"
#include "gpu_run.h"

namespace cutaway {

// A machine file for as long as this lives.
struct File {
  std::string path = temporary_folder() / "chip.toml";
  explicit File(const std::string& text) { std::ofstream(path) << text; }
  ~File() { std::remove(path.c_str()); }
};

// The error that loading a file with this text ends in, without its path; "": none.
inline std::string refusal(const std::string& text) {
  const File file(text);
  machine::Config config;
  try {
    machine::load_config(config, file.path);
  } catch (const UserError& error) {
    const std::string what = error.what();
    return what.starts_with(file.path) ? what.substr(file.path.size()) : what;
  }
  return "";
}

}  // namespace cutaway
