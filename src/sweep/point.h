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
  std::string name;  // as written in the sweep file
  std::filesystem::path path;
  std::string hash;          // of its bytes
  uint64_t bytes = 0;        // size; a worker compares it, and
  int64_t modified = 0;      // time of the last change in nanoseconds, to detect that the file has changed
  uint64_t first_frame = 1;  // the first frame that it holds
  uint64_t last_frame = 1;
};

// Reads the whole file. UserError: missing, or not a capture.
CaptureFile identify_capture(const std::string& name, const std::filesystem::path& path);

// Cycles between the figures over time of a point whose run is kept.
inline constexpr uint64_t kRecordInterval = 10'000;

// A frame of a capture on a machine.
struct Point {
  std::string hash;  // see identity_hash(): its name in the database and in files
  CaptureFile capture;
  uint64_t frame = 1;
  std::string gpu;                                            // argument of load_config()
  std::string gpu_name;                                       // name of the preset, or of the file without
                                                              // ".toml"
  std::vector<std::pair<std::string, std::string>> settings;  // differences from it: path, value
  std::string machine;                                        // hash of machine_text()
  uint64_t warmup = 0;
  bool verify = false;
  uint64_t record_interval = 0;  // cycles between figures over time in the point's run.sqlite; 0: no file

  // "cube.cutaway frame 3, attila, memory.channels = 2"
  std::string text() const;
};

// The settings as arguments of load_config().
std::vector<std::string> settings_of(const Point& point);

// One line "unit.name = value" per parameter, in order of declaration: equal texts mean equal machines.
std::string machine_text(machine::Config& config);

// Hash of the running program's file: figures from one build need not equal those of another.
const std::string& program_hash();

// Hash of capture, frame, warm-up, verify, all parameters (hash of machine_text()), program, and the interval
// of its record if it has one.
std::string identity_hash(const Point& point);

// 16 hexadecimal digits.
std::string hash_text(uint64_t hash);
std::string text_hash(std::string_view text);

// Convert a worker's input for a point to JSON, and back. UserError: it cannot be read.
std::string encode_job(const Point& point);
Point decode_job(const std::string& json, const std::string& where);

}  // namespace cutaway::sweep
