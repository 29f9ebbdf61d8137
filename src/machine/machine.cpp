#include "machine/machine.h"

#include <algorithm>
#include <utility>

#include "arch/context_space.h"
#include "boxes/bus/bus.h"
#include "boxes/clipper/clipper.h"
#include "boxes/host/host.h"
#include "boxes/primitive_assembly/primitive_assembly.h"
#include "boxes/triangle_setup/triangle_setup.h"
#include "func/float_mode.h"
#include "machine/units.h"

namespace cutaway::machine {

Machine::Machine(const Config& config, const arch::Memory& memory, MachineOptions options)
    : units_(std::make_unique<Units>(config, memory, std::move(options))) {}
Machine::~Machine() = default;

// What the host does to memory beside submissions under way is done when the next one is handed over: then
// those have ended that the host had waited for.
void Machine::map(arch::ContextId context, arch::Address address, uint64_t bytes) {
  if (units_->later([=, this] { map(context, address, bytes); })) return;
  if (!command_stream::may_map(units_->memory, bytes)) {
    units_->note_fault({0, address, command_stream::kTooMuchMapped});
    return;
  }
  if (!units_->admits(context, address, bytes)) return;
  address += units_->base(context);
  units_->memory.map(address, bytes);
  units_->update_pages(address, bytes);
}
void Machine::unmap(arch::ContextId context, arch::Address address, uint64_t bytes) {
  if (units_->later([=, this] { unmap(context, address, bytes); })) return;
  if (!units_->admits(context, address, bytes)) return;
  units_->command_processor->host_wrote({address, address + bytes}, context);
  address += units_->base(context);
  units_->expand_tags(address, bytes);
  const std::vector<arch::Address> bound = units_->memory.bound_to(address, bytes);
  units_->memory.unmap(address, bytes);
  units_->update_pages(address, bytes);
  for (const arch::Address page : bound) units_->update_pages(page, arch::kPageBytes);
}
void Machine::place(arch::ContextId context, arch::Address address, uint64_t bytes,
                    arch::Placement placement) {
  if (units_->later([=, this] { place(context, address, bytes, placement); })) return;
  if (!units_->admits(context, address, bytes)) return;
  address += units_->base(context);
  units_->expand_tags(address, bytes);
  units_->memory.place(address, bytes, placement);
}
void Machine::bind(arch::ContextId context, arch::Address address, uint64_t bytes,
                   std::optional<arch::Address> target) {
  if (units_->later([=, this] { bind(context, address, bytes, target); })) return;
  if (!units_->admits(context, address, bytes) || !units_->admits(context, target.value_or(0), bytes)) return;
  units_->command_processor->host_wrote({address, address + bytes}, context);
  const arch::Address base = units_->base(context), at = base + address;
  if (target) target = base + *target;
  if (const char* error = command_stream::bind_error(units_->memory, at, bytes, target)) {
    units_->note_fault({0, address, error});
    return;
  }
  units_->memory.bind(at, bytes, target);
  units_->update_pages(at, bytes);
}
void Machine::share(arch::ContextId context, arch::Address address, uint64_t bytes, arch::ContextId of,
                    arch::Address target) {
  unmap(context, address, bytes);
  if (units_->faulted) return;
  const arch::Address at = arch::place_in(context, address), from = arch::place_in(of, target);
  if (const char* error = command_stream::bind_error(units_->memory, at, bytes, from)) {
    units_->note_fault({0, address, error});
    return;
  }
  units_->memory.bind(at, bytes, from);
  units_->update_pages(at, bytes);
}
void Machine::write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) {
  if (units_->defers()) {
    units_->later([=, this, copy = std::vector<std::byte>(bytes.begin(), bytes.end())] {
      write(context, address, copy);
    });
    return;
  }
  if (!units_->admits(context, address, bytes.size())) return;
  units_->command_processor->host_wrote({address, address + bytes.size()}, context);
  address += units_->base(context);
  units_->expand_tags(address, bytes.size());
  if (units_->bus) units_->bus->host_writes(units_->video_bytes(address, bytes.size()));
  units_->memory.write(address, bytes.data(), bytes.size());
}
const arch::Memory& Machine::memory(arch::ContextId context) const {
  return units_->several() ? units_->seen_memory(context) : units_->seen_memory();
}

void Machine::submit(const arch::Submission& submission) {
  Units& u = *units_;
  if (u.faulted) return;
  const func::FloatMode mode;
  if (u.several()) {
    if (u.admits(submission.context, 0, 0)) give_own(submission);
  } else {
    hand_over(submission);
  }
  if (!u.options.runs_ahead) finish();
}

void Machine::host(const arch::HostStep& step) {
  Units& u = *units_;
  if (!u.host || u.faulted) return;
  const func::FloatMode mode;
  u.host->program().compute(step.nanoseconds);
  u.run_host();
  u.host_awaits(step.awaited);
}

HostProgram* Machine::host_of(arch::ContextId context) {
  return units_->host ? &units_->host->program(context) : nullptr;
}

// Waits until those submissions have ended that the host had seen end, and until there is room. A host in
// time waits for room; the steps of its program say what else it waits for.
void Machine::hand_over(const arch::Submission& submission) {
  Units& u = *units_;
  boxes::CommandProcessor& processor = *u.command_processor;
  if (submission.ahead) {
    const uint64_t ended = submission.id - std::min(submission.id, submission.ahead + uint64_t{1});
    processor.await(ended);
    u.run_submissions([&] { return processor.ended() >= ended; });
    const auto accepts = [&] { return processor.accepts(0, submission.queue); };
    if (u.host && !accepts()) u.host->program().await_room();
    u.run_submissions(accepts);
  } else {
    finish();
  }
  if (u.faulted) return;
  u.acts_now = true;
  for (const auto& act : std::exchange(u.host_acts, {})) act();
  u.acts_now = false;
  give(submission);
  if (u.host) u.host_awaits(u.host->program().hand_over(submission.id, submission.presents));
}

void Machine::submit_again(const arch::Submission& submission) {
  if (!units_->faulted && units_->admits(submission.context, 0, 0)) give(submission);
}

// Hands over a submission of a program that shares the machine, whose host goes on by itself.
void Machine::give_own(const arch::Submission& submission) {
  give(submission);
  HostProgram* const host = host_of(submission.context);
  if (!host) return;
  if (const uint64_t awaited = host->hand_over(submission.id, submission.presents)) host->await(awaited);
}

// A machine of one context runs submissions of every context as that one's.
void Machine::give(arch::Submission submission) {
  Units& u = *units_;
  if (!u.several()) submission.context = 0;
  if (u.command_processor->finished())
    for (boxes::TriangleSetup* setup : u.triangle_setup) setup->begin_submission(u.options.work);
  u.command_processor->submit(submission, u.options.work);
  if (u.bus) u.bus->ring({submission.id, submission.context});
}

void Machine::add_context(arch::ContextId context, const arch::Memory& memory,
                          const std::vector<messages::QueryValue>& query_values) {
  Units& u = *units_;
  CUTAWAY_CHECK(context < u.config.command_processor.contexts, "context {} of {}", context,
                u.config.command_processor.contexts);
  arch::put_context(u.memory, context, memory);
  if (u.page_table) u.page_table->update(u.memory);
  u.check_pages();
  u.query_values[context] = query_values;
  u.command_processor->report_queries(u.query_values[context], context);
}

bool Machine::accepts(arch::ContextId context) const { return units_->command_processor->accepts(context); }
uint64_t Machine::ended(arch::ContextId context) const { return units_->command_processor->ended(context); }
uint64_t Machine::waited(arch::ContextId context) const { return units_->command_processor->waited(context); }
const ContextSwitchCounters& Machine::switches() const {
  return units_->command_processor->switch_counters();
}

const PreemptionCounters& Machine::preemptions() const {
  return units_->command_processor->preemption_counters();
}
const QueueCounters& Machine::queues() const { return units_->command_processor->queue_counters(); }

void Machine::hand_suspended(arch::ContextId context, Machine& to) {
  if (auto suspended = units_->command_processor->take_suspended(context))
    to.units_->command_processor->keep_suspended(context, std::move(*suspended));
}

void Machine::run_until(const std::function<bool()>& holds) {
  if (units_->faulted) return;
  const func::FloatMode mode;
  if (units_->host) units_->run_with_host(holds);
  else units_->run_submissions(holds);
}

void Machine::finish() {
  if (units_->faulted) return;
  const func::FloatMode mode;
  units_->run_submissions([] { return false; });
}

void Machine::wait() {
  finish();
  if (units_->faulted) return;
  const func::FloatMode mode;
  units_->run_until([&] { return !scans_out() || units_->fault_of_translation(); });
  units_->collect_fault();
}

void Machine::display(const arch::Surface& surface) { units_->command_processor->display(surface); }
bool Machine::scans_out() const { return units_->command_processor->scans_out(); }
uint64_t Machine::presents() const { return units_->command_processor->counters.presents; }

run_record::FramePhases Machine::phases() const {
  const boxes::CommandProcessorCounters& c = units_->command_processor->counters;
  return {.draws = c.draw_cycles,
          .copies = c.copy_cycles,
          .caches = c.cache_cycles,
          .display = c.display_cycles,
          .commands = c.command_cycles,
          .beside_scan_out = c.scan_out_cycles};
}

bool Machine::fault(arch::Fault& fault) const {
  if (units_->faulted) fault = units_->fault;
  return units_->faulted;
}

std::optional<ExecutedContext> Machine::executed() const { return units_->command_processor->executed(); }

std::vector<messages::QueryValue> Machine::queries_left(arch::ContextId context) const {
  const auto left = units_->command_processor->queries_left(context);
  return {left.begin(), left.end()};
}

std::optional<arch::ContextId> Machine::stopped_context() const {
  if (const auto* found = units_->fault_of_translation()) return arch::context_of(found->address);
  const auto executed = units_->command_processor->executed();
  if (!executed) return {};
  return executed->context;
}

void Machine::end_scan_out(engine::Cycle most) {
  const func::FloatMode mode;
  const engine::Cycle end = cycles() + most;
  units_->command_processor->note_fault("the GPU is reset");
  units_->run_until([&] { return !scans_out() || units_->fault_of_translation() || cycles() >= end; });
  CUTAWAY_CHECK(!scans_out(), "the display does not finish its picture beside a GPU that stopped");
}

engine::Cycle Machine::cycles() const { return units_->core->now(); }
engine::Simulator& Machine::simulator() { return units_->simulator; }
Recording* Machine::recording() { return units_->recording.get(); }
const messages::WorkList& Machine::works() const {
  CUTAWAY_CHECK(units_->command_processor->work_list(), "no list of work is kept");
  return *units_->command_processor->work_list();
}
const engine::WaitWalk& Machine::wait_walk() const {
  const Units& u = *units_;
  CUTAWAY_CHECK(u.wait_walk, "no waits are walked");
  return *u.wait_walk;
}
void Machine::observe(std::function<void()> after_instant) {
  units_->after_instant = std::move(after_instant);
}

std::vector<ClientTraffic> Machine::traffic() const {
  std::vector<ClientTraffic> result;
  const auto& counters = units_->memory_controller->client_counters;
  for (size_t i = 0; i < counters.size(); i++)
    result.push_back(
        {units_->clients.name(static_cast<unsigned>(i)), counters[i].read_bytes, counters[i].write_bytes});
  return result;
}

uint64_t Machine::statistics_hash() const {
  units_->simulator.settle();
  return units_->simulator.counter_hash();
}

void Machine::watch(arch::Address address) { units_->memory_controller->watch(address); }

bool Machine::last_writer(arch::Address address, Writer& writer) const {
  const auto& writes = units_->memory_controller->last_writes();
  const auto found = writes.find(address / messages::kSectorBytes * messages::kSectorBytes);
  if (found == writes.end()) return false;
  writer = {units_->clients.name(found->second.client), found->second.origin};
  writer.origin.draw = units_->command_processor->draw_in_submission(writer.origin);
  return true;
}

std::string Machine::pixel_owner(bool depth, uint32_t x, uint32_t y) const {
  const unsigned owner =
      units_->config.rop.tile_map().owner(static_cast<int32_t>(x), static_cast<int32_t>(y));
  return fmt::format("{}{}", depth ? "z_stencil" : "color_write", owner);
}

}  // namespace cutaway::machine
