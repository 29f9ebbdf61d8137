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

// One frame on the clocked machine.
struct FrameFigures {
  uint64_t frame = 0;
  uint64_t cycles = 0;  // of the core clock
  std::vector<UnitFigures> units;
  std::vector<CounterFigure> counters;  // in order of path and name
  std::vector<ClientFigures> clients;
  uint64_t executed_ticks = 0, possible_ticks = 0;  // of boxes
  uint64_t memory_hash = 0;                         // of all GPU memory after the frame
  uint64_t statistics_hash = 0;                     // of all counters and accounts

  // Of the host: not part of the result.
  double seconds = 0;  // that the clocked part took
  uint64_t peak_memory_bytes = 0;
};

}  // namespace cutaway
