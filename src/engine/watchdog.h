#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/box.h"

namespace cutaway::engine {

// Boxes with work wait for one another. The text is the wait-for chain, a line for each box.
class DeadlockError : public InternalError {
 public:
  using InternalError::InternalError;
};

// Looks for boxes that hold work, have waited for the same port for `cycles` of their domain, and whose
// wait-for chain ends in itself or in a box that will not act, with no message on its way to any of them.
// That other boxes go on without work (a display's timer) does not hide them.
class Watchdog {
 public:
  explicit Watchdog(Cycle cycles) : cycles_(cycles) {}

  // DeadlockError. `must_go_on`: also if no box will ever act again.
  void check(const std::vector<std::unique_ptr<Box>>& boxes, bool must_go_on) const;

 private:
  static bool has_messages(const Box& box);
  bool quiet(const Box& box) const;
  std::vector<const Box*> stuck_chain(const Box& box) const;  // empty: its end is alive
  static bool starves_for_work(const std::vector<const Box*>& chain);
  static std::string describe(const Box& box);
  [[noreturn]] void report(const std::vector<const Box*>& chain) const;

  Cycle cycles_;
};

}  // namespace cutaway::engine
