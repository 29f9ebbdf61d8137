#include "records.h"

#include <fmt/format.h>

#include "emulator/emulator.h"
#include "scenes/timing_scenes.h"

namespace cutaway::records {

machine::Config config_of(const Shape& shape) {
  machine::Config config;
  if (shape.file) machine::load_config(config, std::string(CUTAWAY_MACHINES) + "/" + shape.file);
  FieldTable fields;
  config.list(fields);
  for (const char* assignment : shape.sets) fields.set(shape.name, assignment);
  fields.validate();
  machine::check_rules(config);
  return config;
}

std::vector<scenes::Scene> record_scenes() {
  namespace s = scenes;
  std::vector<scenes::Scene> all;
  for (scenes::Scene& scene : s::all_scenes())
    if (scene.name != "many-triangles") all.push_back(std::move(scene));
  all.push_back(s::many_triangles(120, 96));
  for (scenes::Scene& scene : s::timing_scenes()) all.push_back(std::move(scene));
  return all;
}

std::vector<scenes::Scene> all_record_scenes() {
  std::vector<scenes::Scene> all = record_scenes();
  for (scenes::Scene& scene : scenes::optional_scenes()) all.push_back(std::move(scene));
  return all;
}

std::vector<std::string> scenes_of(const Shape& shape) {
  std::vector<std::string> names(shape.scenes.begin(), shape.scenes.end());
  if (names.empty())
    for (const scenes::Scene& scene : record_scenes()) names.push_back(scene.name);
  return names;
}

namespace {

void submit_again(const scenes::Scene& scene, arch::CommandSink& sink) {
  for (const scenes::Event& event : scene.events) {
    if (event.kind == scenes::Event::Kind::kHost) sink.host(event.step);
    if (event.kind == scenes::Event::Kind::kSubmit) sink.submit(event.submission);
  }
}

// Query values of both frames, and the memory after them.
std::vector<messages::QueryValue> on_emulator_twice(const scenes::Scene& scene, uint64_t& memory) {
  std::vector<messages::QueryValue> values;
  auto emulator =
      emulator::make_emulator({.on_query = [&](uint64_t submission, arch::Address at, uint64_t v) {
        values.push_back({submission, at, v});
      }});
  scenes::play(scene, *emulator);
  submit_again(scene, *emulator);
  memory = emulator->memory(0).hash();
  return values;
}

// The account of a box is what the table says, and of all its cycles.
void check_account(engine::Simulator& simulator, const engine::Box& box) {
  const auto counted = [&](const std::string& name) {
    return simulator.counters().value(box.path() + "." + name);
  };
  const engine::Account account = box.account();
  EXPECT_EQ(account.cycles, box.domain().now()) << box.path();
  EXPECT_EQ(account.busy, counted("busy")) << box.path();
  EXPECT_EQ(account.idle, counted("idle")) << box.path();
  engine::Cycle starved = 0, blocked = 0;
  for (const auto& wait : account.waits) {
    EXPECT_EQ(wait.cycles, counted((wait.starved ? "starved." : "blocked.") + wait.port)) << box.path();
    (wait.starved ? starved : blocked) += wait.cycles;
  }
  EXPECT_EQ(account.starved, starved) << box.path();
  EXPECT_EQ(account.blocked, blocked) << box.path();
  EXPECT_EQ(account.busy + account.idle + starved + blocked, account.cycles) << box.path();
}

void note(machine::Machine& gpu, Figures& figures, size_t frame) {
  engine::Simulator& simulator = gpu.simulator();
  simulator.settle();
  for (const auto& box : simulator.boxes()) check_account(simulator, *box);
  const auto add = [&](const std::string& name, uint64_t total) {
    auto& at = figures[name];
    at[frame] = total - (frame ? at[0] : 0);
  };
  for (const auto& domain : simulator.domains()) add("cycles." + domain->name(), domain->now());
  for (const Counter& counter : simulator.counters().counters()) add(counter.full_name(), *counter.value);
}

}  // namespace

Figures measure(const scenes::Scene& scene, const machine::Config& config) {
  Figures figures;
  uint64_t memory = 0;
  const std::vector<messages::QueryValue> queries = on_emulator_twice(scene, memory);
  machine::Machine gpu(config, arch::Memory(), {.query_values = queries, .runs_ahead = true});
  scenes::play(scene, gpu);
  gpu.finish();
  note(gpu, figures, 0);
  submit_again(scene, gpu);
  gpu.finish();
  note(gpu, figures, 1);
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << scene.name << ": " << fault.text;
  EXPECT_EQ(gpu.memory(0).hash(), memory) << scene.name << ": memory is not the emulator's";
  std::erase_if(figures, [](const auto& entry) { return !entry.second[0] && !entry.second[1]; });
  return figures;
}

std::string kind_of(const std::string& name) {
  std::string kind;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) kind += c;
    else if (kind.empty() || kind.back() != '#') kind += '#';
  }
  return kind;
}

}  // namespace cutaway::records
