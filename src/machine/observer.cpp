#include "machine/observer.h"

#include <utility>

#include "base/error.h"

namespace cutaway::machine {
namespace {

std::vector<run_record::Timeline::Unit> units_of(const engine::Simulator& simulator) {
  std::vector<run_record::Timeline::Unit> units;
  for (const auto& box : simulator.boxes()) {
    run_record::Timeline::Unit& unit = units.emplace_back();
    unit.path = box->path();
    unit.clock = box->domain().name();
    unit.period = box->domain().period();
    unit.reasons = {{"idle", ""}, {"busy", ""}};
    for (const engine::Port* port : box->ports()) {
      const std::string neighbour = port->neighbour()->path();
      unit.reasons.push_back(
          {fmt::format("{} by {} ({})", port->is_input() ? "starved" : "blocked", neighbour, port->name()),
           neighbour});
    }
  }
  return units;
}

std::vector<run_record::Timeline::Wire> wires_of(const engine::Simulator& simulator) {
  std::map<const engine::Box*, uint32_t> numbers;
  for (const auto& box : simulator.boxes()) numbers.emplace(box.get(), numbers.size());
  const std::vector<const engine::Port*> senders = simulator.wire_senders();
  std::vector<run_record::Timeline::Wire> wires;
  for (const engine::WireInfo& wire : simulator.wires()) {
    const engine::Port& sender = *senders[wires.size()];
    wires.push_back({wire.from, wire.to, wire.message, numbers.at(sender.box()),
                     numbers.at(sender.neighbour()), wire.spec.latency, wire.spec.bandwidth,
                     wire.spec.slots});
  }
  return wires;
}

}  // namespace

Observer::Observer(Machine& machine, ObserverOptions options, std::optional<engine::Cycle> start)
    : machine_(machine),
      options_(std::move(options)),
      simulator_(machine.simulator()),
      core_(*simulator_.domains().front()),
      start_(start.value_or(core_.now())),
      things_(timeline_, options_.keep),
      works_seen_(machine.works().works().size()) {
  timeline_.core_period = core_.period();
  timeline_.units = units_of(simulator_);
  timeline_.wires = wires_of(simulator_);
  timeline_.slices.resize(timeline_.units.size());
  for (const engine::Port* sender : simulator_.wire_senders()) wires_.push_back({sender, 0, 0, {}});
  for (const ClientTraffic& client : machine.traffic()) timeline_.clients.push_back(client.name);
  if (options_.draw) timeline_.draw = *options_.draw;
  timeline_.programs = options_.programs;
  host_slices_.resize(options_.programs.size());
  machine_.observe([this] { look(); });
}

Observer::~Observer() { machine_.observe(nullptr); }

void Observer::look() {
  const uint64_t time = simulator_.time();
  if (time == looked_ || (was_open_ && !is_open_)) return;
  looked_ = time;
  if (!is_open_) {
    if ((!options_.draw || draw_began()) && cycle() >= options_.first) open();
    if (!is_open_) return;
  } else if (cycle() > options_.last) {
    return close();
  }
  if (relative(time) - timeline_.begin > options_.most_cycles * core_.period())
    user_error(
        "{} lasts more than {} cycles, which is too much to keep of every unit: choose some of them with {}",
        options_.draw ? fmt::format("draw {}", options_.draw->number) : "the window", options_.most_cycles,
        options_.fewer);
  if (const size_t turns = machine_.works().turns().record().turns.size(); turns > turns_seen_) {
    things_.forget();
    turns_seen_ = turns;
  }
  if (options_.units) look_at_units(relative(time));
  look_at_wires(relative(time));
  look_at_hosts(relative(time));
  if (options_.units && cycle() >= next_traffic_) count_traffic();
  // The instant in which a draw ends belongs to it.
  const messages::WorkList& works = machine_.works();
  if (options_.draw && works.works()[*work_ - works.first()].ended) close();
}

bool Observer::draw_began() {
  const auto& works = machine_.works().works();
  for (; works_seen_ < works.size(); works_seen_++) {
    const messages::Work& work = works[works_seen_];
    if (work.kind == messages::Work::Kind::kDraw && work.origin.submission == options_.draw->submission &&
        work.origin.draw == options_.draw->draw)
      work_ = machine_.works().first() + static_cast<uint32_t>(works_seen_);
  }
  return work_.has_value();
}

void Observer::open() {
  is_open_ = was_open_ = true;
  // A draw begins with the core's present cycle, even if another clock has had an edge since.
  timeline_.begin = cycle() * core_.period();
  next_traffic_ = cycle() + kTrafficCycles;
  traffic_before_ = machine_.traffic();
  for (size_t i = 0; i < timeline_.units.size(); i++)
    timeline_.slices[i].push_back({timeline_.begin, timeline_.begin, simulator_.boxes()[i]->reason()});
  for (size_t i = 0; i < wires_.size(); i++) {
    const engine::WireBase& wire = *wires_[i].sender->wire();
    wires_[i].sent = wire.sent();
    wires_[i].taken = wire.sent() - wire.filling();
    const uint64_t now = relative(simulator_.time());
    // Messages sent at this very instant belong to the window: they arrive one latency later.
    for (uint64_t number = wires_[i].taken; number < wire.sent(); number++) {
      const engine::Domain& receiver = wires_[i].sender->neighbour()->domain();
      const bool is_new = wire.arrival(number) == receiver.now() + wire.spec().latency;
      note_message(i, number, is_new ? now : run_record::Timeline::kNever);
    }
  }
}

void Observer::close() {
  is_open_ = false;
  count_traffic();
  timeline_.end = std::min(cycle(), options_.last) * core_.period() + core_.period();
  for (auto& slices : timeline_.slices) slices.back().end = timeline_.end;
  for (const auto& slice : host_slices_)
    if (slice) timeline_.hosts[*slice].end = timeline_.end;
  list_works();
  list_turns();
}

// Lists the turns and switches of the window. One that has not ended fills it to its end.
void Observer::list_turns() {
  const auto is_seen = [&](uint64_t& began, uint64_t& end) {
    began = relative(began * core_.period());
    end = end ? relative(end * core_.period()) : timeline_.end;
    return began < timeline_.end && end > timeline_.begin;
  };
  const run_record::TurnsRecord& all = machine_.works().turns().record();
  for (run_record::TurnRecord turn : all.turns) {
    if (!is_seen(turn.began, turn.end)) continue;
    turn.began = std::max(turn.began, timeline_.begin), turn.end = std::min(turn.end, timeline_.end);
    if (turn.began < turn.end) timeline_.turns.turns.push_back(turn);
  }
  for (run_record::SwitchRecord one : all.switches)
    if (is_seen(one.began, one.end)) timeline_.turns.switches.push_back(one);
}

void Observer::look_at_hosts(uint64_t time) {
  for (uint32_t context = 0; context < host_slices_.size(); context++) {
    const HostProgram* const host = machine_.host_of(context);
    if (!host) return;
    std::optional<size_t>& slice = host_slices_[context];
    const bool waits = !host->computes() && !host->done();
    if (slice && !host->done() && timeline_.hosts[*slice].waits == waits) continue;
    if (slice) timeline_.hosts[*slice].end = time;
    slice.reset();
    if (host->done()) continue;
    slice = timeline_.hosts.size();
    timeline_.hosts.push_back({.begin = time, .context = context, .waits = waits});
  }
}

// Lists the pieces of work that were under way in the window. One that has not ended fills it to its end.
void Observer::list_works() {
  for (const messages::Work& work : machine_.works().works()) {
    const uint64_t began = std::max(relative(work.began * core_.period()), timeline_.begin),
                   end = work.ended ? relative(work.end * core_.period()) : timeline_.end;
    if (work.began < start_ || began >= std::min(end, timeline_.end)) continue;
    const bool draws = work.kind == messages::Work::Kind::kDraw;
    timeline_.works.push_back({.begin = began,
                               .end = std::min(end, timeline_.end),
                               .kind = name_of(work.kind),
                               .compute_queue = work.queue == arch::QueueKind::kCompute,
                               .context = work.context,
                               .submission = work.origin.submission,
                               .draw = draws ? work.origin.draw : 0});
  }
}

void Observer::look_at_units(uint64_t time) {
  const auto& boxes = simulator_.boxes();
  for (size_t i = 0; i < boxes.size(); i++) {
    auto& slices = timeline_.slices[i];
    const uint32_t reason = boxes[i]->reason();
    if (reason == slices.back().reason) continue;
    if (slices.back().begin == time) {  // in the instant in which the window opened
      slices.back().reason = reason;
      continue;
    }
    slices.back().end = time;
    slices.push_back({time, time, reason});
  }
}

void Observer::look_at_wires(uint64_t time) {
  for (size_t i = 0; i < wires_.size(); i++) {
    WireState& state = wires_[i];
    const engine::WireBase& wire = *state.sender->wire();
    for (const uint64_t taken = wire.sent() - wire.filling(); state.taken < taken; state.taken++) {
      const uint32_t message = state.under_way.front();
      state.under_way.pop_front();
      if (message != kLeftOut) timeline_.messages[message].taken = time;
    }
    while (state.sent < wire.sent()) note_message(i, state.sent++, time);
  }
}

void Observer::note_message(size_t wire, uint64_t number, uint64_t sent) {
  WireState& state = wires_[wire];
  const auto first = static_cast<uint32_t>(timeline_.carried.size());
  things_.read(*state.sender, number);
  const auto count = static_cast<uint32_t>(timeline_.carried.size()) - first;
  if (options_.keep && !count) {
    state.under_way.push_back(kLeftOut);
    return;
  }
  const engine::Domain& receiver = state.sender->neighbour()->domain();
  const uint64_t arrival = state.sender->wire()->arrival(number);
  // Applies even to a message that arrived long ago.
  const uint64_t now_time = receiver.next_edge() - receiver.period();
  const uint64_t arrives = arrival >= receiver.now()
                               ? now_time + (arrival - receiver.now()) * receiver.period()
                               : now_time - (receiver.now() - arrival) * receiver.period();
  const uint64_t frame_start = start_ * core_.period();
  state.under_way.push_back(static_cast<uint32_t>(timeline_.messages.size()));
  timeline_.messages.push_back({.sent = sent,
                                .arrives = arrives > frame_start ? arrives - frame_start : 0,
                                .wire = static_cast<uint32_t>(wire),
                                .first_thing = first,
                                .things = count});
}

void Observer::count_traffic() {
  const std::vector<ClientTraffic> now = machine_.traffic();
  for (uint32_t i = 0; i < now.size(); i++) {
    const uint64_t read = now[i].read_bytes - traffic_before_[i].read_bytes,
                   written = now[i].write_bytes - traffic_before_[i].write_bytes;
    timeline_.traffic.push_back({cycle() * core_.period(), i, read, written});
  }
  traffic_before_ = now;
  next_traffic_ = cycle() + kTrafficCycles;
}

run_record::Timeline Observer::take(uint64_t frame) {
  const uint64_t cycles = cycle();
  const bool whole =
      was_open_ && (!is_open_ || options_.last == ObserverOptions::kToTheEnd || cycles == options_.last);
  if (!whole && options_.draw && cycles >= options_.first)
    user_error("frame {}: draw {} does not come to its end", frame, options_.draw->number);
  const std::string of = options_.programs.empty() ? fmt::format("frame {}", frame)
                                                   : "the run, to its end or the first reset of the GPU,";
  if (!whole)
    user_error("cycles {}..{}: {} has {} cycles", options_.first,
               options_.last == ObserverOptions::kToTheEnd ? "" : std::to_string(options_.last), of, cycles);
  if (is_open_) close();
  timeline_.frame = frame;
  return std::move(timeline_);
}

}  // namespace cutaway::machine
