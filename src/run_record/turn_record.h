#pragma once

#include <cstdint>
#include <vector>

// Turns of contexts that share a GPU, and switches between them, as plain data. Cycles are of the core's
// clock.
namespace cutaway::run_record {

// A context's submission has the GPU, from its choice until it ends or gives the GPU up.
struct TurnRecord {
  enum class End : uint8_t {
    kStopped,    // the record ends, or the GPU was reset
    kEnded,      // the submission has ended
    kSuspended,  // within the submission another context got the GPU
  };
  uint32_t context = 0;
  uint64_t submission = 0;
  uint64_t began = 0, end = 0;
  End how = End::kStopped;
  uint64_t drain_cycles = 0;    // kSuspended: until its work had ended, at the end of the turn
  uint64_t restored_bytes = 0;  // state sent anew when a suspended submission goes on with this turn
};

// The GPU goes from one context to another. The terms sum to its cycles, but for the one that begins it.
struct SwitchRecord {
  uint32_t from = 0, to = 0;
  uint64_t began = 0, end = 0;
  uint64_t flush_cycles = 0, invalidate_cycles = 0, bind_cycles = 0;
  // It has ended. Else the machine was stopped, and the cycles of the step under way are in no term.
  bool whole = false;
};

// In the order in which they began. None of them overlap.
struct TurnsRecord {
  std::vector<TurnRecord> turns;
  std::vector<SwitchRecord> switches;
};

// "ended", "suspended", "stopped"
inline const char* name_of(TurnRecord::End end) {
  switch (end) {
    case TurnRecord::End::kStopped:
      return "stopped";
    case TurnRecord::End::kEnded:
      return "ended";
    case TurnRecord::End::kSuspended:
      return "suspended";
  }
  return "?";
}

}  // namespace cutaway::run_record
