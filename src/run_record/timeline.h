#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run_record/turn_record.h"

// The activity of every unit and the messages of every wire, cycle by cycle, over a window of a frame, as
// plain data: the input of a timeline and of the life of one fragment. Times are instants of the simulation:
// core_period of them make a cycle of the core's clock, and 0 is the frame's start, so that cycle n of the
// core begins at n * core_period.
namespace cutaway::run_record {

struct Timeline {
  static constexpr uint64_t kNever = ~0ull;

  uint64_t frame = 0;
  std::string gpu;
  double core_mhz = 0;
  uint64_t core_period = 1;
  uint64_t begin = 0, end = 0;                                     // of the window
  uint64_t cycles() const { return (end - begin) / core_period; }  // of the core's clock, in the window
  // The identity of a draw.
  struct Draw {
    uint32_t submission = 0, draw = 0;  // draw: its number in the submission, from 1
    uint32_t number = 0;                // its number in the frame, from 1
  };
  Draw draw;  // the draw that the window belongs to; number 0: none

  // A unit is in one state at a time. reasons: "idle", "busy", then one for each of its ports.
  struct Unit {
    struct Reason {
      std::string text;       // "starved by gpu.memory_controller (memory_in)"
      std::string neighbour;  // "gpu.memory_controller"; empty for idle and busy
    };
    std::string path, clock;  // "gpu.shader0", "core"
    uint64_t period = 1;      // of its clock
    std::vector<Reason> reasons;
  };
  static constexpr uint32_t kIdle = 0, kBusy = 1;  // in Unit::reasons
  std::vector<Unit> units;

  struct Wire {
    std::string from, to, message;      // "gpu.clipper0.triangles_out", ..., "PrimitiveMessage"
    uint32_t sender = 0, receiver = 0;  // units
    uint32_t latency = 0, bandwidth = 0, slots = 0;
  };
  std::vector<Wire> wires;

  // From `begin` to its next slice, a unit was booked under one reason. Sorted by unit, then time.
  struct Slice {
    uint64_t begin = 0, end = 0;
    uint32_t reason = 0;
  };
  std::vector<std::vector<Slice>> slices;

  // An item inside messages that can be followed.
  struct Thing {
    enum class Kind : uint8_t { kVertex, kPrimitive, kTile, kQuad, kRequest } kind{};
    uint32_t submission = 0, draw = 0;
    uint32_t primitive = 0;  // not of vertices; of requests: the primitive that causes them
    int32_t x = 0, y = 0;    // tile, quad: upper left pixel
    uint32_t sample = 0;     // quad: with sample shading
    uint64_t mask = 0;       // tile: covered pixels, bit y * 8 + x; quad: lanes, when it was first seen
    uint64_t index = 0;      // vertex: its index; request: its address
    uint32_t instance = 0;   // vertex
    bool write = false;      // request
    bool covers(int32_t pixel_x, int32_t pixel_y) const {  // a tile or a quad
      const int32_t size = kind == Kind::kTile ? 8 : 2;
      return pixel_x >= x && pixel_y >= y && pixel_x < x + size && pixel_y < y + size &&
             mask >> ((pixel_y - y) * size + pixel_x - x) & 1;
    }
  };
  std::vector<Thing> things;

  // One passage of a wire. sent: kNever if it was before the window; taken: kNever if not in the window.
  struct Message {
    uint64_t sent = kNever, arrives = 0, taken = kNever;
    uint32_t wire = 0;
    uint32_t first_thing = 0, things = 0;  // of `carried`
  };
  std::vector<Message> messages;  // in the order in which they were sent
  std::vector<uint32_t> carried;  // things, by message

  // Bytes that a client of the memory controller moved between the window's begin and `time`.
  struct Traffic {
    uint64_t time = 0;
    uint32_t client = 0;
    uint64_t read = 0, written = 0;
  };
  // A piece of work that packets of a queue gave the machine: from its begin until all of it had ended,
  // within the window.
  struct Work {
    uint64_t begin = 0, end = 0;
    std::string kind;            // "draw", "dispatch", "copy", "control"
    bool compute_queue = false;  // else of the graphics queue
    uint32_t context = 0;        // index into `programs`, if there are any
    uint32_t submission = 0;
    uint32_t draw = 0;  // of a draw: its number in the submission, from 1
  };
  std::vector<Work> works;  // in the order in which they began

  // Programs that share the machine, by context; none: it runs one. Their turns and the switches between
  // them, in instants. Turns are cut to the window; switches that lie partly in it are listed whole.
  std::vector<std::string> programs;
  TurnsRecord turns;
  struct HostSlice {
    uint64_t begin = 0, end = 0;
    uint32_t context = 0;
    bool waits = false;  // for the GPU; else it computes
  };
  std::vector<HostSlice> hosts;  // in the order in which they began

  std::vector<std::string> clients;
  std::vector<Traffic> traffic;  // in order of time
};

}  // namespace cutaway::run_record
