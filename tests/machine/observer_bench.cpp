#include "observer_bench.h"

#include "base/error.h"
#include "records.h"

namespace cutaway::observer_bench {

Observed observe(const scenes::Scene& scene, const machine::Config& config, machine::ObserverOptions window,
                 const engine::SchedulerOptions& scheduler) {
  machine::MachineOptions options;
  options.scheduler = scheduler;
  options.list_works = true;
  options.query_values = reported_queries(scene);
  machine::Machine gpu(config, arch::Memory(), options);
  engine::Simulator& simulator = gpu.simulator();
  engine::Sampler& sampler =
      simulator.sample(*simulator.domains().front(), {.interval = kInterval, .wires = true});
  Observed result;
  {
    machine::Observer observer(gpu, std::move(window));
    scenes::play(scene, gpu);
    gpu.wait();  // for the last picture
    result.timeline = observer.take(1);
  }
  result.statistics = gpu.statistics_hash();
  result.cycles = gpu.cycles();
  if (sampler.rows() > 1)
    for (const auto& entry : sampler.entries(1))
      result.counted[simulator.counters().counters()[entry.counter].full_name()] = entry.value;
  if (sampler.rows() > 1)
    for (const auto& entry : sampler.wires(1))
      if (entry.filling) result.filling[entry.wire] = entry.filling;
  for (const engine::Port* port : simulator.wire_senders()) result.sent.push_back(port->wire()->sent());
  return result;
}

machine::Config shape(const char* name) {
  for (const records::Shape& shape : records::shapes())
    if (shape.name == std::string(name)) return records::config_of(shape);
  throw InternalError("no such shape");
}

std::vector<scenes::Scene> some_scenes() {
  std::vector<scenes::Scene> some;
  for (scenes::Scene& scene : records::record_scenes())
    if (scene.name == "many-triangles" || scene.name == "anisotropic-textures" || scene.name == "instances" ||
        scene.name == "discards" || scene.name == "multisampled-4")
      some.push_back(std::move(scene));
  return some;
}

}  // namespace cutaway::observer_bench
