#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "database/database.h"
#include "run_record/figures.h"
#include "run_record/frame_record.h"
#include "run_record/shared_figures.h"

namespace cutaway::report {

// Reads run.sqlite (docs/run-database.md).
class RunReader {
 public:
  // The file, or the folder that contains it. UserError: missing, damaged, or of another schema.
  explicit RunReader(const std::filesystem::path& path);
  // Reads a file that this process has just written, without the checks of a foreign one.
  struct JustWritten {};
  RunReader(const std::filesystem::path& file, JustWritten) : database_(file, database::Access::kRead) {}

  const std::filesystem::path& path() const { return database_.path(); }
  std::string fact(std::string_view name);  // from the table meta; "" if missing
  std::optional<std::string> parameter(std::string_view path);
  std::vector<std::string> parameters(std::string_view table);  // paths: those of "texture"

  bool is_shared();  // several programs shared the GPU
  // These programs, with their figures; none: the run is of one program. Read once.
  const std::optional<run_record::SharedFigures>& shared();

  struct Frame {
    uint64_t frame = 0, cycles = 0, bytes_read = 0, bytes_written = 0, texture_footprint = 0;
    run_record::FramePhases phases;
    uint64_t scan_out_cycles = 0;  // after the frame
  };
  std::vector<Frame> frames();

  struct Work {
    uint32_t work = 0, pass = 0;
    uint32_t context = 0;  // its program
    std::string owner;     // "2: cat_phong", the program, if several shared the GPU
    std::string kind, packet, label;
    std::optional<uint32_t> draw;
    bool of_driver = false;
    uint64_t submission = 0, vertices = 0, instances = 0, marginal_cycles = 0, occupied_cycles = 0;
    uint64_t began = 0, ended = 0;  // cycles of the frame
    uint64_t texture_footprint = 0, texture_cache_footprint = 0, texture_first_touches = 0;
    std::string textures;  // JSON of the state
    std::string program;   // name of its fragment program, of a dispatch its compute program; "": none
  };
  // All of a frame's. The reference is good until another frame is asked for. UserError: passes are damaged.
  const std::vector<Work>& work(uint64_t frame);

  struct Interval {
    uint32_t interval = 0;
    uint64_t began = 0, ended = 0;  // cycles of the frame: after `began`, up to and with `ended`
  };
  std::vector<Interval> intervals(uint64_t frame);

  // A frame, consecutive work of it, or consecutive intervals of it.
  struct Scope {
    uint64_t frame = 0;
    std::optional<uint32_t> first_work = {}, last_work = {};
    std::optional<uint32_t> first_interval = {}, last_interval = {};
    std::optional<uint32_t> context = {};  // only its work; with intervals it has no effect
    bool has(const Work& piece) const {
      return piece.work >= first_work.value_or(0) && piece.work <= last_work.value_or(~0u) &&
             (!context || *context == piece.context);
    }
  };
  // Probes that found a unit holding the machine up.
  struct Holdup {
    std::string unit;   // "": nothing was in flight
    std::string stage;  // of the program that the unit ran (run_record::kProgramStages); "": it runs none
    uint64_t probes = 0;
  };
  std::vector<Holdup> holdups(const Scope& scope);
  // Fragments of a pass, by the counts of its tiles.
  struct PassFragments {
    uint32_t pass = 0, first_work = 0, last_work = 0;
    uint64_t pixels = 0;               // of the tiles of 8x8 with any activity
    uint64_t shaded = 0, helpers = 0;  // lanes of fragment groups: for fragments; for derivatives alone
  };
  std::vector<PassFragments> pass_fragments(
      const Scope& scope);  // of passes that lie whole in a scope of work
  // By work: fragments in the groups that shader units ran for it. Only work with any.
  std::map<uint32_t, uint64_t> shaded_fragments(const Scope& scope);
  // Buffers that the program has named, among those that are bound for the work of a scope.
  struct NamedBuffer {
    std::string name, use;  // use: "indices", "vertices", "captured vertices", "program"
    std::string stage;      // of the programs that access it: "fragment"; "": none does
    uint64_t works = 0;
  };
  std::vector<NamedBuffer> named_buffers(const Scope& scope);  // those of most work first
  struct Counts {
    std::string unit, name;
    uint64_t own = 0, meanwhile = 0;
  };
  std::vector<Counts> counts(const Scope& scope);  // for intervals, both are the counts in them
  std::optional<run_record::FragmentRecord> fragment_log(uint64_t frame);  // report/fragment_reader.h
  void fragment_events(const run_record::FragmentPart& part, uint64_t works,
                       std::vector<run_record::FragmentEvent>& events) const;

  // The activity of thread groups at an instruction, over all work of a scope.
  struct Instruction {
    std::string stage;  // of kProgramStages
    uint32_t context = 0;
    uint64_t program = 0;
    uint32_t instruction = 0;
    uint64_t issued = 0;
    // In the order in which a group meets them: cycles of waiting for a branch, for a result, for issue while
    // others issued, for quads to be sent to texture, for its answers, for the pipelines to drain, for
    // output.
    static constexpr size_t kWaits = 7;
    std::array<uint64_t, kWaits> waited{};
  };
  std::vector<Instruction> instructions(const Scope& scope);
  struct Program {
    std::vector<std::string> instructions;  // disassembly
    std::vector<uint32_t> spirv;            // empty: none
    std::vector<int64_t> source_of;         // by instruction: index into spirv; negative: none
    std::string name;                       // "": none
  };
  std::optional<Program> program(uint64_t address, uint32_t context = 0);
  struct Wire {
    std::string sender, receiver;      // ports
    uint64_t slots = 0, messages = 0;  // messages: number sent
    double filling = 0;                // mean number of messages in flight or waiting
    uint64_t peak = 0;                 // the most occupied slots at once
  };
  std::vector<Wire> wires(uint64_t frame);          // wires that carried something, in the order of the
                                                    // machine
  std::map<std::string, std::string> neighbours();  // port → the unit at the other end of its wire

 private:
  database::Statement scoped(const std::string& sql, const Scope& scope);
  std::optional<run_record::SharedFigures> read_shared();

  database::Database database_;
  std::optional<uint64_t> work_frame_;  // the frame whose work is kept
  std::vector<Work> work_;
  std::optional<std::optional<run_record::SharedFigures>> shared_;  // none: they were not asked for
};

// True if any work of its frame lies in a scope of work.
bool has_work(RunReader& run, const RunReader::Scope& scope);

}  // namespace cutaway::report
