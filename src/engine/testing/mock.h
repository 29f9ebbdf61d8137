#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "engine/box.h"
#include "engine/wire.h"

// Neighbours for tests of boxes.
namespace cutaway::engine::testing {

// Sends `messages` in order from cycle `start` on, at least `interval` cycles apart.
template <class T>
class Source final : public Box {
 public:
  explicit Source(std::string path, std::vector<T> messages_ = {}, Cycle interval_ = 1, Cycle start = 1)
      : Box(std::move(path)), messages(std::move(messages_)), interval(interval_), next_(start) {}

  Out<T> out;
  std::vector<T> messages;  // more may be added between cycles, followed by wake()
  Cycle interval;
  unsigned per_cycle = 1;
  unsigned occupancy = 1;   // cycles that each occupies the wire
  std::vector<Cycle> sent;  // cycle of each send
  bool drained() const { return sent.size() == messages.size(); }

  Cycle tick(Cycle now) override {
    if (drained()) return idle(now);
    if (now < next_) return idle(now, next_);
    if (!out.ready(now)) return blocked(now, out);
    for (unsigned i = 0; i < per_cycle && !drained() && out.ready(now); i++) {
      out.send(now, messages[sent.size()], occupancy);
      sent.push_back(now);
    }
    next_ = now + interval;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("out", out); }
  std::string why_busy() const override { return drained() ? "" : "messages to send"; }

 private:
  Cycle next_;
};

// Takes at most one message every `interval` cycles and records when.
template <class T>
class Sink final : public Box {
 public:
  explicit Sink(std::string path, Cycle interval_ = 1) : Box(std::move(path)), interval(interval_) {}

  In<T> in;
  Cycle interval;
  unsigned per_cycle = 1;
  bool refuse = false;  // takes nothing
  std::vector<std::pair<Cycle, T>> received;

  Cycle tick(Cycle now) override {
    if (refuse) return idle(now);
    if (now < next_) return busy(now, next_);
    if (!in.peek(now)) return starved(now, in);
    for (unsigned i = 0; i < per_cycle && in.peek(now); i++) received.emplace_back(now, in.take(now));
    next_ = now + interval;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in); }
  std::string why_busy() const override { return ""; }

 private:
  Cycle next_ = 0;
};

// Takes at most one message every `interval` cycles, transforms it as its kind says, and sends it back
// `latency` cycles later.
template <class T>
class Answerer : public Box {
 public:
  explicit Answerer(std::string path) : Box(std::move(path)) {}

  In<T> in;
  Out<T> out;
  Cycle latency = 20, interval = 1;
  bool refuse = false;     // takes nothing
  size_t most_inside = 0;  // most messages held at once

  Cycle tick(Cycle now) override {
    bool progress = false;
    if (!waiting_.empty() && waiting_.front().first <= now && out.ready(now)) {
      out.send(now, std::move(waiting_.front().second));
      waiting_.pop_front();
      progress = true;
    }
    if (!refuse && now >= next_ && in.peek(now)) {
      T message = in.take(now);
      serve(now, message);
      waiting_.emplace_back(now + latency, std::move(message));
      most_inside = std::max(most_inside, waiting_.size());
      next_ = now + interval;
      progress = true;
    }
    if (progress) return busy(now);
    Cycle next = next_ > now ? next_ : kAsleep;
    if (!waiting_.empty()) next = std::min(next, std::max(now + 1, waiting_.front().first));
    return idle(now, next);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return waiting_.empty() ? "" : "messages to answer"; }

 private:
  virtual void serve(Cycle now, T& message) = 0;
  std::deque<std::pair<Cycle, T>> waiting_;
  Cycle next_ = 0;
};

}  // namespace cutaway::engine::testing
