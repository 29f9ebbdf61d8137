#include "engine/simulator.h"

#include <algorithm>
#include <set>

#include "base/hash.h"

namespace cutaway::engine {

Simulator::Simulator(const SchedulerOptions& options)
    : options_(options),
      watchdog_(options.watchdog_cycles),
      next_check_(options.watchdog_cycles ? options.watchdog_cycles : kAsleep) {}

Simulator::~Simulator() = default;

Domain& Simulator::add_domain(std::string name, uint64_t period) {
  if (period == 0) user_error("clock domain {}: its period is 0; it must be at least 1", name);
  domains_.push_back(std::make_unique<Domain>(std::move(name), period));
  return *domains_.back();
}

void Simulator::own(Domain& domain, std::unique_ptr<Box> box, Domain::TickCall call) {
  CUTAWAY_CHECK(!elaborated_, "{} is added after elaborate()", box->path());
  CUTAWAY_CHECK(!box->path().empty(), "a box without a path");
  domain.add(*box, call);
  boxes_.push_back(std::move(box));
}

void Simulator::join(Port& out, Port& in, std::unique_ptr<WireBase> wire, std::string message) {
  CUTAWAY_CHECK(!elaborated_, "a wire of {} is connected after elaborate()", message);
  if (!out.peer_ && !in.peer_)
    out.peer_ = &in, in.peer_ = &out;  // otherwise elaborate() reports the port by
                                       // name
  connections_.push_back({std::move(wire), &out, &in, std::move(message)});
}

Simulator::Connection Simulator::disconnect(Port& out) {
  const auto found = std::find_if(connections_.begin(), connections_.end(),
                                  [&](const Connection& connection) { return connection.out == &out; });
  CUTAWAY_CHECK(found != connections_.end(), "no wire begins there yet: connect it first");
  Connection cut = std::move(*found);
  connections_.erase(found);
  cut.out->peer_ = cut.in->peer_ = nullptr;
  return cut;
}

void Simulator::elaborate() {
  CUTAWAY_CHECK(!elaborated_, "elaborate() is called twice");
  elaborated_ = true;
  list_ports();
  check_wires();
  for (auto& domain : domains_) {
    domain->shuffle(options_.seed);
    domain->elaborate();
  }
  add_accounts();
}

void Simulator::list_ports() {
  std::set<std::string> paths;
  for (auto& box : boxes_) {
    CUTAWAY_CHECK(paths.insert(box->path()).second, "two boxes have the path {}", box->path());
    PortList list(*box);
    box->list_ports(list);
  }
}

void Simulator::check_wires() {
  for (auto& [wire, out, in, message] : connections_) {
    const std::string name = out->full_name() + " to " + in->full_name();
    for (const Port* port : {out, in})
      CUTAWAY_CHECK(port->box_, "wire of {} from {}: its box does not list the port", message, name);
    CUTAWAY_CHECK(out->peer_ == in && in->peer_ == out, "wire from {}: a port that is connected already",
                  name);
    const WireSpec& spec = wire->spec();
    const auto at_least_1 = [&](const char* what, unsigned value) {
      if (value == 0) user_error("wire from {}: {} is 0; it must be at least 1", name, what);
    };
    at_least_1("latency", spec.latency);
    at_least_1("bandwidth", spec.bandwidth);
    at_least_1("slots", spec.slots);
    out->base_ = in->base_ = wire.get();
    wire->sender_ = out->box_;
    wire->receiver_ = in->box_;
  }
  for (const auto& box : boxes_)
    for (const Port* port : box->ports_)
      CUTAWAY_CHECK(port->connected(), "{}: this port is not connected", port->full_name());
}

void Simulator::add_accounts() {
  for (const auto& box : boxes_) {
    const auto add = [&](const std::string& name, uint32_t reason, const char* meaning) {
      counters_.add({box->path(), name, "cycles", meaning, &box->booked_[reason]});
    };
    add("busy", Box::kBusy, "work was done");
    add("idle", Box::kIdle, "nothing to do");
    for (const Port* port : box->ports_) {
      if (port->is_input()) add("starved." + port->name(), port->reason_, "waited for a message");
      else add("blocked." + port->name(), port->reason_, "waited for room");
    }
  }
}

void Simulator::step() {
  uint64_t instant = ~uint64_t{0};
  for (const auto& domain : domains_) instant = std::min(instant, domain->next_edge());
  due_.clear();
  for (auto& domain : domains_) {
    if (domain->next_edge() != instant) continue;
    domain->advance();
    due_.push_back(domain.get());
  }
  for (Domain* domain : due_) domain->tick(options_.skip_idle);
  for (auto& sampler : samplers_) {
    if (!sampler->due()) continue;
    settle();
    sampler->close();
  }
}

void Simulator::run(Domain& domain, Cycle cycles) {
  for (const Cycle last = domain.now() + cycles; domain.now() < last;) {
    step();
    if (domains_.front()->now() >= next_check_) check_progress(false);
  }
}

void Simulator::check_progress(bool must_go_on) {
  next_check_ = domains_.front()->now() + options_.watchdog_cycles / 2 + 1;
  watchdog_.check(boxes_, must_go_on);
}

void Simulator::settle() {
  for (auto& box : boxes_) box->settle();
}

uint64_t Simulator::counter_hash() {
  settle();
  uint64_t hash = counters_.hash();
  for (const WireFilling& wire : fillings())
    for (const uint64_t value : {wire.messages, wire.slot_cycles, wire.peak})
      hash = hash_bytes(&value, sizeof value, hash);
  return hash;
}

Sampler& Simulator::sample(Domain& domain, const Sampler::Options& options) {
  CUTAWAY_CHECK(elaborated_, "sampling begins before elaborate()");
  std::vector<const WireBase*> wires;
  for (const Connection& connection : connections_) wires.push_back(connection.wire.get());
  std::vector<const Box*> boxes;
  for (const auto& box : boxes_) boxes.push_back(box.get());
  samplers_.push_back(
      std::make_unique<Sampler>(domain, options, counters_, std::move(wires), std::move(boxes)));
  return *samplers_.back();
}

WaitWalk& Simulator::walk_waits(std::function<const Box*()> start,
                                const std::function<bool(std::string_view)>& flows) {
  CUTAWAY_CHECK(elaborated_ && !walk_, "waits are walked once, after elaborate()");
  std::vector<WaitWalk::Link> links;
  for (const Connection& connection : connections_)
    links.push_back({connection.out, connection.in, flows(connection.message)});
  walk_ = std::make_unique<WaitWalk>(boxes_, links, std::move(start));
  return *walk_;
}

Ledger& Simulator::keep_ledger() {
  CUTAWAY_CHECK(elaborated_ && !ledger_, "a ledger is kept once, after elaborate()");
  ledger_ = std::make_unique<Ledger>(boxes_, counters_);
  return *ledger_;
}

const Box& Simulator::box(const std::string& path) const {
  for (const auto& box : boxes_)
    if (box->path() == path) return *box;
  internal_error(__FILE__, __LINE__, "box", fmt::format("there is no box {}", path));
}

std::vector<WireInfo> Simulator::wires() const {
  std::vector<WireInfo> wires;
  for (const auto& [wire, out, in, message] : connections_)
    wires.push_back({out->full_name(), in->full_name(), message, wire->spec()});
  return wires;
}

std::vector<WireFilling> Simulator::fillings() const {
  std::vector<WireFilling> fillings;
  for (const Connection& connection : connections_) {
    const WireBase& wire = *connection.wire;
    fillings.push_back({wire.sent(), wire.slot_cycles(), wire.peak(), connection.in->box()->domain().now()});
  }
  return fillings;
}

void Simulator::restart_peaks() {
  for (const Connection& connection : connections_) connection.wire->restart_peak();
}

std::vector<const Port*> Simulator::wire_senders() const {
  std::vector<const Port*> ports;
  for (const Connection& connection : connections_) ports.push_back(connection.out);
  return ports;
}

uint64_t Simulator::time() const {
  uint64_t time = 0;
  for (const auto& domain : domains_) time = std::max(time, domain->next_edge() - domain->period());
  return time;
}

uint64_t Simulator::executed_ticks() const {
  uint64_t ticks = 0;
  for (const auto& domain : domains_) ticks += domain->executed_ticks();
  return ticks;
}

uint64_t Simulator::possible_ticks() const {
  uint64_t ticks = 0;
  for (const auto& domain : domains_) ticks += domain->boxes() * domain->now();
  return ticks;
}

}  // namespace cutaway::engine
