#pragma once

#include <vector>

namespace cutaway::launch {

// Parameters of a program's watcher.
struct ProgramWatch {
  const char* path = nullptr;
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  std::vector<int> keep_open;  // descriptors for the program
  int error_output = -1;       // becomes the program's standard error
  bool quiet = false;          // discards the program's standard output and error

  int failure = -1;  // receives errno if the program cannot be started; closed when it runs
  int report = -1;   // receives a waitpid() status when the program has ended
  int control = -1;  // its end of file ends everything
};

// Runs in a forked process: starts the program and waits for its end and for the end of file of `control`,
// which the death of the process at its other end also causes. Then ends all descendants of the program, in
// any group or session: TERM to the program's group and to orphans, two seconds later KILL to all.
[[noreturn]] void watch_program(const ProgramWatch& watch) noexcept;

}  // namespace cutaway::launch
