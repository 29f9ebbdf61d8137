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
#include "run_record/shared_figures.h"

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
  // Creates the file. annotations: of the only program, or of the first. UserError: it cannot be written.
  RunDatabase(const std::filesystem::path& path, Annotations annotations);
  // Annotations of the program of the next context.
  void annotate(Annotations annotations) { annotations_.push_back(std::move(annotations)); }

  void add(const run_record::FrameFigures& figures, const run_record::FrameRecord& record);
  // Programs that shared the GPU.
  void add_programs(const run_record::SharedFigures& run);
  // interval: cycles between rows over time.
  void finish(const RunInfo& run, const std::vector<ParameterText>& parameters, uint64_t interval);

 private:
  void add_columns(const run_record::FrameRecord& record);
  void add_states(uint64_t frame, const run_record::FrameRecord& record);
  void add_program(uint32_t context, uint64_t address);
  void add_work(uint64_t frame, const run_record::FrameRecord& record);
  void add_passes(uint64_t frame, const run_record::FrameRecord& record);
  void add_work_counters(uint64_t frame, const run_record::FrameRecord& record);
  void add_wires(const run_record::FrameFigures& figures);
  void add_tiles(uint64_t frame, const run_record::FrameRecord& record);
  void add_instructions(uint64_t frame, const run_record::FrameRecord& record);
  void add_holdups(uint64_t frame, const run_record::FrameRecord& record);
  void add_fragments(uint64_t frame, const run_record::FragmentRecord& log);
  void add_intervals(uint64_t frame, const run_record::FrameRecord& record);
  void add_turns(uint64_t frame, const run_record::TurnsRecord& turns);
  std::string label(const run_record::WorkRecord& work) const;
  const Annotations& annotations_of(uint32_t context) const { return annotations_.at(context); }

  std::vector<Annotations> annotations_;  // by context
  database::Database database_;
  bool columns_ = false;
};

}  // namespace cutaway::report
