#include "engine/box.h"

#include "base/error.h"

namespace cutaway::engine {

std::string Port::full_name() const { return box_ ? box_->path() + "." + name_ : "(unlisted port)"; }

void PortList::operator()(std::string name, Port& port, const char* carries) {
  CUTAWAY_CHECK(!port.box_, "{}: port {} is listed twice", box_.path(), name);
  for (const Port* other : box_.ports_)
    CUTAWAY_CHECK(other->name_ != name, "{}: two ports are named {}", box_.path(), name);
  port.box_ = &box_;
  port.name_ = std::move(name);
  port.carries_ = carries;
  port.reason_ = static_cast<uint32_t>(box_.booked_.size());
  box_.ports_.push_back(&port);
  box_.booked_.push_back(0);
}

Cycle Account::starved_by(const std::string& neighbour) const {
  Cycle sum = 0;
  for (const Wait& wait : waits) sum += wait.starved && wait.neighbour == neighbour ? wait.cycles : 0;
  return sum;
}

Cycle Account::blocked_by(const std::string& neighbour) const {
  Cycle sum = 0;
  for (const Wait& wait : waits) sum += !wait.starved && wait.neighbour == neighbour ? wait.cycles : 0;
  return sum;
}

Account Box::account() const {
  const auto cycles = [this](uint32_t reason) {
    return booked_[reason] + (reason == reason_ ? domain_->now() + 1 - since_ : 0);
  };
  Account account;
  account.busy = cycles(kBusy);
  account.idle = cycles(kIdle);
  for (const Port* port : ports_) {
    const Cycle waited = cycles(port->reason_);
    (port->is_input() ? account.starved : account.blocked) += waited;
    account.waits.push_back({port->is_input(), port->name(), port->neighbour()->path(), waited});
  }
  account.cycles = account.busy + account.idle + account.starved + account.blocked;
  return account;
}

void Box::settle() {
  booked_[reason_] += domain_->now() + 1 - since_;
  since_ = domain_->now() + 1;
  count_until(since_);
}

}  // namespace cutaway::engine
