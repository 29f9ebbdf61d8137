#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/counter.h"

// What was counted, as plain data: for what a simulation hands to those who write and print it.
namespace cutaway {

// Where the cycles of one unit went. busy + starved + blocked + idle = cycles of its clock.
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

// How full a wire was.
struct WireFigures {
  std::string from, to;      // ports: "gpu.clipper.primitives_out"
  std::string message;       // type
  uint64_t slots = 0;        // messages that may be under way or waiting to be taken
  uint64_t messages = 0;     // sent
  uint64_t slot_cycles = 0;  // messages under way or waiting, summed over `cycles`
  uint64_t cycles = 0;       // of the receiver's clock
  uint64_t peak = 0;         // the most slots that the sender found taken, its message included
  double mean() const { return cycles ? static_cast<double>(slot_cycles) / static_cast<double>(cycles) : 0; }
};

// What the cycles of a frame were for. Each counts once, for the first of these that was under way, so that
// the five sum to the frame's.
struct FramePhases {
  uint64_t draws = 0;
  uint64_t copies = 0;           // and fills and clears: uploads
  uint64_t caches = 0;           // flushes and invalidates
  uint64_t display = 0;          // a packet waited until the picture before had been scanned out
  uint64_t commands = 0;         // none: packets were read, programs and constants loaded
  uint64_t beside_scan_out = 0;  // of all of them: those beside which the picture before was scanned out
};

// One frame on the clocked machine.
struct FrameFigures {
  uint64_t frame = 0;
  uint64_t cycles = 0;  // of the core clock, until all that it drew is in memory and has been presented
  // Those that its picture took to be scanned out after that, with nothing beside; 0: another frame followed.
  uint64_t scan_out_cycles = 0;
  FramePhases phases;
  std::vector<UnitFigures> units;
  std::vector<CounterFigure> counters;  // in order of path and name
  std::vector<ClientFigures> clients;
  std::vector<WireFigures> wires;                   // in the order in which they were connected
  uint64_t executed_ticks = 0, possible_ticks = 0;  // of boxes
  uint64_t memory_hash = 0;                         // of all GPU memory after the frame
  uint64_t statistics_hash = 0;                     // of all counters, accounts and wires

  // Of the host: not part of the result.
  double seconds = 0;  // that the clocked part took
  uint64_t peak_memory_bytes = 0;
};

}  // namespace cutaway
