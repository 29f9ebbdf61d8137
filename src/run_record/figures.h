#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/counter.h"

// Counted results as plain data, for the code that writes and prints a simulation's outcome.
namespace cutaway::run_record {

// How one unit spent its cycles. busy + starved + blocked + idle = cycles of its clock.
struct UnitFigures {
  struct Wait {
    bool starved = false;  // else blocked
    std::string port, neighbour;
    uint64_t cycles = 0;
  };
  std::string path;  // "gpu.shader0"
  uint64_t cycles = 0, busy = 0, starved = 0, blocked = 0, idle = 0;
  std::vector<Wait> waits;  // by port
};

struct CounterFigure {
  std::string path, name;  // "gpu.shader0", "instructions"
  uint64_t value = 0;
  CounterRole role = CounterRole::kNone;
  CountOf of = CountOf::kAll;
};

// Bytes that one client of the memory controller moved.
struct ClientFigures {
  std::string name;  // "texture0"
  uint64_t read_bytes = 0, write_bytes = 0;
};

// Occupancy of a wire.
struct WireFigures {
  std::string from, to;      // ports: "gpu.clipper.primitives_out"
  std::string message;       // type
  uint64_t slots = 0;        // messages that may be in flight or waiting to be taken
  uint64_t messages = 0;     // sent
  uint64_t slot_cycles = 0;  // messages in flight or waiting, summed over `cycles`
  uint64_t cycles = 0;       // of the receiver's clock
  uint64_t peak = 0;         // the most occupied slots that the sender found, including its own message
  double mean() const { return cycles ? static_cast<double>(slot_cycles) / static_cast<double>(cycles) : 0; }
};

// How the cycles of a frame's submissions were spent. Each counts once, for the first of these kinds in
// flight. They sum to the frame's cycles, but for those in which the host had given the GPU no submission.
struct FramePhases {
  uint64_t draws = 0;
  uint64_t copies = 0;           // copies, fills and clears: uploads
  uint64_t caches = 0;           // cache flushes and invalidates
  uint64_t display = 0;          // a packet waited until the previous picture had been scanned out
  uint64_t commands = 0;         // none of these: packets were read, programs and constants loaded
  uint64_t beside_scan_out = 0;  // of all of them, the cycles in which the previous picture was also scanned
                                 // out

  uint64_t sum() const { return draws + copies + caches + display + commands; }
  FramePhases& operator+=(const FramePhases& more) {
    draws += more.draws, copies += more.copies, caches += more.caches, display += more.display;
    commands += more.commands, beside_scan_out += more.beside_scan_out;
    return *this;
  }
};

// The time that cycles of the core clock take; 0 if the clock is unknown.
inline double seconds_of(uint64_t cycles, double core_mhz) {
  return core_mhz > 0 ? static_cast<double>(cycles) / (core_mhz * 1e6) : 0;
}

// One frame on the clocked machine.
struct FrameFigures {
  uint64_t frame = 0;
  uint64_t cycles = 0;  // of the core clock, until all its drawing is in memory and has been presented
  double core_mhz = 0;  // the core clock
  // Cycles of its picture's scan-out after that, with nothing else running; 0 if another frame followed.
  uint64_t scan_out_cycles = 0;
  FramePhases phases;
  std::vector<UnitFigures> units;
  std::vector<CounterFigure> counters;  // in order of path and name
  std::vector<ClientFigures> clients;
  std::vector<WireFigures> wires;                   // in the order in which they were connected
  uint64_t executed_ticks = 0, possible_ticks = 0;  // of boxes
  uint64_t memory_hash = 0;                         // of all GPU memory after the frame
  uint64_t statistics_hash = 0;                     // of all counters, accounts and wires

  double simulated_seconds() const { return seconds_of(cycles, core_mhz); }

  // Figures of the host, not part of the result.
  double seconds = 0;  // host time of the clocked part
  uint64_t peak_memory_bytes = 0;
};

}  // namespace cutaway::run_record
