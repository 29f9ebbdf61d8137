#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "database/database.h"
#include "report/summary.h"
#include "run_record/figures.h"
#include "run_record/frame_record.h"

namespace cutaway::report {

// A program that draws of a run use.
struct ProgramText {
  std::string instructions = {};  // disassembly
  std::string spirv = {};         // words; empty: none
  std::string source_of = {};     // by instruction: index into spirv
  std::string name = {};          // of its source file, or as the application calls it; empty: none
};

// A capture's annotations, by number.
struct Annotations {
  std::map<uint64_t, ProgramText> programs;  // by address
  std::map<uint64_t, std::string> labels;    // by marker
  // Names of surfaces, by address, width and height.
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, std::string> surfaces;
  // Names of buffers, by the range of their addresses: first, behind the last.
  std::map<std::pair<uint64_t, uint64_t>, std::string> buffers;
};

struct ParameterText {
  std::string path, value, source;
  bool differs = false;
};

// Writes run.sqlite (report/run_schema.h). The file is complete once finish() has returned.
class RunDatabase {
 public:
  // Creates the file. UserError: it cannot be written.
  RunDatabase(const std::filesystem::path& path, Annotations annotations);

  void add(const run_record::FrameFigures& figures, const run_record::FrameRecord& record);
  // interval: cycles between rows over time.
  void finish(const RunInfo& run, const std::vector<ParameterText>& parameters, uint64_t interval);

 private:
  void add_columns(const run_record::FrameRecord& record);
  void add_states(uint64_t frame, const run_record::FrameRecord& record);
  void add_program(uint64_t address);
  void add_work(uint64_t frame, const run_record::FrameRecord& record);
  void add_passes(uint64_t frame, const run_record::FrameRecord& record);
  void add_work_counters(uint64_t frame, const run_record::FrameRecord& record);
  void add_wires(const run_record::FrameFigures& figures);
  void add_tiles(uint64_t frame, const run_record::FrameRecord& record);
  void add_instructions(uint64_t frame, const run_record::FrameRecord& record);
  void add_holdups(uint64_t frame, const run_record::FrameRecord& record);
  void add_fragments(uint64_t frame, const run_record::FragmentRecord& log);
  void add_intervals(uint64_t frame, const run_record::FrameRecord& record);
  std::string label(uint32_t marker) const;
  // Adds names to JSON that describes surfaces.
  std::string with_names(const std::string& json) const;
  // Adds names to JSON that describes buffers.
  std::string with_buffer_names(const std::string& json) const;

  Annotations annotations_;
  database::Database database_;
  bool columns_ = false;
};

}  // namespace cutaway::report
