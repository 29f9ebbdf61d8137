#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <string>

#include "base/error.h"
#include "base/testing/temporary_folder.h"
#include "base/whole_file.h"
#include "capture/writer.h"
#include "scenes/scenes.h"

// Helpers of sweep tests: files in a folder that is removed with the test program.
namespace cutaway::sweep {

inline std::filesystem::path written(const std::string& name, const std::string& text) {
  const std::filesystem::path path = temporary_folder() / name;
  write_whole(path, text);
  return path;
}

// A capture of a small scene.
inline std::filesystem::path captured(const std::string& name, uint32_t frames = 2) {
  const std::filesystem::path path = temporary_folder() / name;
  capture::Writer writer(path, {});
  scenes::play(scenes::animation(frames), writer);
  writer.close();
  return path;
}

// An empty folder.
inline std::filesystem::path fresh_folder(const std::string& name) {
  const std::filesystem::path path = temporary_folder() / name;
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

template <class F>
std::string error_of(F&& action) {
  try {
    action();
  } catch (const UserError& error) { return error.what(); }
  return "";
}

}  // namespace cutaway::sweep
