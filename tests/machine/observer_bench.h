#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu_run.h"
#include "machine/observer.h"
#include "run_record/timeline.h"

// Scenes on machines that an observer follows.
namespace cutaway::observer_bench {

struct Observed {
  run_record::Timeline timeline;
  uint64_t statistics = 0, cycles = 0;
  std::map<std::string, uint64_t> counted;  // in the second of three intervals, by full name
  std::vector<uint64_t> sent;               // messages, by wire
  std::map<uint32_t, uint64_t> filling;     // of wires, summed over looks every 64 cycles of that interval
};

inline constexpr uint64_t kInterval = 300;

// Plays a scene on a machine with an observer of the window.
Observed observe(const scenes::Scene& scene, const machine::Config& config, machine::ObserverOptions window,
                 const engine::SchedulerOptions& scheduler = {});

// The configuration of a shape of the records.
machine::Config shape(const char* name);

// The preset as it is, and one whose units of four kinds have clocks of their own.
inline constexpr const char* kShapes[] = {"attila", "clocks"};

// Scenes that between them use every kind of message that can be followed.
std::vector<scenes::Scene> some_scenes();

}  // namespace cutaway::observer_bench
