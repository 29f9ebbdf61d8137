#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/box.h"

namespace cutaway::engine {

// Boxes with work wait for one another. The text is the wait-for chain, one line per box.
class DeadlockError : public InternalError {
 public:
  using InternalError::InternalError;
};

// Looks for boxes that hold work, have waited for the same port for `cycles` of their domain, and whose
// wait-for chain ends in itself or in a box that will not act, with no message on its way to any of them.
// Other boxes that keep running without work (a display's timer) do not hide a deadlock.
class Watchdog {
 public:
  explicit Watchdog(Cycle cycles) : cycles_(cycles) {}

  // Throws DeadlockError. `must_go_on`: also if no box will ever act again.
  void check(const std::vector<std::unique_ptr<Box>>& boxes, bool must_go_on) const;

 private:
  static bool has_messages(const Box& box);
  bool quiet(const Box& box) const;
  std::vector<const Box*> stuck_chain(const Box& box) const;  // empty if the last box of the chain can still
                                                              // act
  static bool starves_for_work(const std::vector<const Box*>& chain);
  static std::string describe(const Box& box);
  [[noreturn]] void report(const std::vector<const Box*>& chain) const;

  Cycle cycles_;
};

}  // namespace cutaway::engine
