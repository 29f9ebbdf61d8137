#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "machine/config.h"

namespace cutaway::sweep {

// A capture as it was when the sweep was planned.
struct CaptureFile {
  std::string name;  // as the sweep file writes it
  std::filesystem::path path;
  std::string hash;          // of its bytes
  uint64_t bytes = 0;        // size, and
  int64_t modified = 0;      // time of the last change in nanoseconds: by these a worker sees that it changed
  uint64_t first_frame = 1;  // that it holds
  uint64_t last_frame = 1;
};

// Reads the whole file. UserError: not there, not a capture.
CaptureFile identify_capture(const std::string& name, const std::filesystem::path& path);

// A frame of a capture on a machine.
struct Point {
  std::string hash;  // see identity_hash(): what names it in the database and in files
  CaptureFile capture;
  uint64_t frame = 1;
  std::string gpu;                                            // as load_config() takes it
  std::string gpu_name;                                       // of the preset, or of the file without ".toml"
  std::vector<std::pair<std::string, std::string>> settings;  // what differs from it: path, value
  std::string machine;                                        // hash of machine_text()
  uint64_t warmup = 0;
  bool verify = false;
  uint64_t record_interval = 0;  // cycles between figures over time of the point's run.sqlite; 0: it has none

  // "cube.cutaway frame 3, attila, memory.channels = 2"
  std::string text() const;
};

// The settings as load_config() takes them.
std::vector<std::string> settings_of(const Point& point);

// "unit.name = value" a line, of every parameter in order of declaration: equal texts are equal machines.
std::string machine_text(machine::Config& config);

// The program that runs, by the bytes of its file: a number from one build need not equal that of another.
const std::string& program_hash();

// Of capture, frame, warm-up, verify, all parameters (hash of machine_text()), program, and the interval of
// its record where it leaves one.
std::string identity_hash(const Point& point);

// 16 hexadecimal digits.
std::string text_hash(std::string_view text);

// What a worker needs of a point, as JSON, and back. UserError: it cannot be read.
std::string encode_job(const Point& point);
Point decode_job(const std::string& json, const std::string& where);

}  // namespace cutaway::sweep
