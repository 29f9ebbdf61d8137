#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace cutaway::machine {

// Reports a running machine's activity since the previous report. Made for a machine with
// MachineOptions::look_on, and used between its instants (on_progress); it changes nothing.
class Glance {
 public:
  explicit Glance(Machine& machine);

  // Call at the start of a frame.
  void begin_frame();
  // Samples the unit that holds the machine up and the occupancy of queues at this instant.
  void probe();

  struct Unit {
    std::string path;
    double busy = 0, starved = 0, blocked = 0, idle = 0;  // shares of its cycles, which sum to 1
    double holds_up = 0;                                  // share of the probes that found it to hold the
                                                          // machine up
  };
  struct Queue {
    std::string from, to;  // ports: "gpu.clipper0.triangles_out"
    unsigned slots = 0;
    double filling = 0;  // mean share of its slots, 0 to 1
  };
  // The oldest piece of work in flight.
  struct Work {
    const char* kind = "";  // "draw", "copy", "control", "present", "rest"; "": none
    uint32_t submission = 0, draw = 0,
             of_frame = 0;  // draw: in its submission, in its frame; from 1; 0: none
    bool of_driver = false;
  };
  struct Look {
    std::vector<Unit> units;    // in the order of the simulator
    std::vector<Queue> queues;  // in the order of its wires
    Work work;
  };
  // Returns the activity since the previous call. All shares are 0 if no time has passed.
  Look take();

 private:
  Work oldest_work();

  Machine& machine_;
  engine::Simulator& simulator_;
  std::vector<engine::Account> before_;  // by box
  std::vector<uint64_t> walks_;          // by box: number of probes
  uint64_t probes_ = 0;
  std::vector<const engine::Port*> wires_;
  std::vector<engine::WireInfo> names_;
  std::vector<uint64_t> filling_;  // sums over the probes
  uint32_t oldest_ = 0;            // index of the oldest unfinished work
  uint32_t draws_ = 0;             // draws of the frame before that work
};

}  // namespace cutaway::machine
