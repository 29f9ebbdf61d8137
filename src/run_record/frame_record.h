#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run_record/fragment_log.h"
#include "run_record/turn_record.h"

// Records of one frame as plain data: the contents of a run's database (docs/run-database.md). Cycles count
// from the frame's start, in the core's clock.
namespace cutaway::run_record {

struct CounterColumn {
  std::string path, name;  // "gpu.shader0", "instructions"
  std::string unit, meaning;
};

struct WireColumn {
  std::string from, to;  // ports: "gpu.clipper.primitives_out"
  std::string message;
  uint32_t latency = 0, bandwidth = 0, slots = 0;
};

// Kinds of programs, in the order of arch::Stage, by their names in a run's database: a state's columns are
// "vertex_program" and so on.
constexpr std::array<const char*, 6> kProgramStages = {
    "vertex", "tessellation_control", "tessellation_evaluation", "geometry", "fragment", "compute"};

// A version of the state that draws and dispatches use.
struct StateRecord {
  uint32_t context = 0;  // whose draws use it
  uint32_t width = 0, height = 0, samples = 0;
  std::string topology;
  std::string targets;                                    // JSON: color targets and depth, with formats
  std::string textures;                                   // JSON: textures that its programs read
  std::string buffers;                                    // JSON: buffers of indices, vertices, programs
  std::string settings;                                   // JSON: tests, blending, culling
  uint32_t pass = 0;                                      // number of its pass: consecutive draws with the
                                                          // same targets
  std::array<uint64_t, kProgramStages.size()> program{};  // addresses, by stage; 0: none
};

struct WorkRecord {
  std::string kind;      // draw, copy, control, present, rest
  std::string packet;    // "DRAW_INDEXED"
  uint32_t context = 0;  // whose work it is; 0 on a machine of one context
  uint64_t submission = 0;
  uint32_t draw = 0;  // number of a draw in its submission, from 1
  bool of_driver = false;
  bool compute_queue = false;  // of the compute queue; else of the graphics queue
  uint32_t marker = 0;         // annotation of kind "label"; 0: none
  int32_t state = -1;          // of a draw: index into FrameRecord::states
  uint32_t pass = 0;
  uint32_t vertices = 0, instances = 0;  // of a draw
  uint64_t began = 0, end = 0;
  uint64_t marginal_cycles = 0;  // from the end of the previously ended piece to its own end
  // Bytes of lines that this work requested from the texture units' caches, each line once: in all caches
  // together, and in the most requested cache. The sum over caches of their distinct lines: misses of
  // initially empty caches.
  uint64_t texture_footprint = 0, texture_cache_footprint = 0, texture_first_touches = 0;
};

// A nonzero counter value in a row: of a piece of work, or of an interval.
struct Amount {
  uint32_t row = 0, counter = 0;
  uint64_t value = 0;
};

struct WireAmount {
  uint32_t row = 0, wire = 0;
  uint64_t messages = 0;
  double filling = 0;  // mean number of messages in flight or waiting
};

// How often, in a row, a unit was found to hold the machine up by work of a kind.
struct Holdup {
  uint32_t row = 0;
  uint32_t unit = 0;  // index into FrameRecord::units; its size: nothing was in flight
  uint32_t kind = 0;  // index into FrameRecord::kinds
  uint64_t probes = 0;
};

// Fragments of a tile of 8x8 pixels in a pass. Only tiles with any activity have a record.
struct TileRecord {
  uint32_t pass = 0, x = 0, y = 0;  // x, y: in tiles
  uint32_t generated = 0, killed_hz = 0, killed_z = 0, killed_stencil = 0, killed_shader = 0;  // fragments
  uint32_t shaded = 0, helpers = 0;                                                            // lanes
  uint32_t shader_cycles = 0;                         // issue cycles, shared out over quads
  uint32_t texture_requests = 0, texture_misses = 0;  // quads; lines
  uint32_t written = 0;                               // samples
  uint64_t last_write = 0;                            // cycle; 0: never
};

// Activity of a draw's or dispatch's thread groups at one instruction of its program of a stage
// (messages/instruction_counts.h). Only instructions with any activity have a record.
struct InstructionRecord {
  uint32_t work = 0, instruction = 0;
  uint8_t stage = 0;                                 // index into kProgramStages
  uint64_t issued = 0, lanes = 0, issue_cycles = 0;  // groups; lanes; cycles
  uint64_t waited_flow = 0, waited_result = 0, waited_issue = 0, waited_send = 0, waited_texture = 0,
           waited_drain = 0, waited_output = 0;  // cycles of groups
};

// A target of a pass, in the order of the passes.
struct TargetRecord {
  uint32_t pass = 0;
  int32_t target = -1;   // color target; -1: depth, of a pass without any color target
  uint32_t surface = 0;  // number in the frame, equal for passes that draw to the same memory in the same way
  bool color = false;    // the log of fragments has its colors
  uint32_t width = 0, height = 0, samples = 1;
  uint64_t address = 0;
  std::string format;
};

// The fate of all fragments.
struct FragmentRecord {
  std::vector<FragmentPart> parts;
  std::vector<TargetRecord> targets;
  uint64_t events = 0;
  uint64_t end = 0;  // the cycle from which on nothing is logged; 0: the log is complete
};

struct FrameRecord {
  std::vector<std::string> units;       // paths
  std::vector<std::string> kinds;       // of work: stages of programs; first "", of units without kinds
  std::vector<CounterColumn> counters;  // accounts among them: "busy", "idle", "starved.PORT", "blocked.PORT"
  std::vector<WireColumn> wires;
  std::vector<StateRecord> states;
  std::vector<WorkRecord> work;
  std::vector<Amount> own;             // by work: counts attributed to it; sums to all counts
  std::vector<Amount> meanwhile;       // by work: everything counted during its marginal cycles
  std::vector<uint64_t> interval_end;  // by interval: its last cycle
  std::vector<Amount> intervals;
  std::vector<WireAmount> wire_intervals;
  std::vector<TileRecord> tiles;
  std::vector<InstructionRecord> instructions;
  uint64_t texture_footprint = 0;                      // bytes: the footprint of all work together
  std::vector<Holdup> work_holdups, interval_holdups;  // work_holdups: in the marginal cycles of the work
  std::optional<FragmentRecord> fragments;
  TurnsRecord turns;  // of contexts that share the machine; else empty
};

}  // namespace cutaway::run_record
