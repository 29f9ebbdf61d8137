#pragma once

#include <vector>

namespace cutaway::app {

// What the watcher of a program starts, and how it is reached.
struct ProgramWatch {
  const char* path = nullptr;
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  std::vector<int> keep_open;  // descriptors for the program
  int error_output = -1;       // becomes its standard error
  bool quiet = false;          // its standard output and error go nowhere

  int failure = -1;  // gets errno if the program cannot be started; closed when it runs
  int report = -1;   // gets a waitpid() status when the program has ended
  int control = -1;  // at its end of file, all is ended
};

// In a process forked for it: starts the program and waits for its end and for the end of the file `control`,
// which the death of the process at its other end is too. Then everything that descends from the program is
// ended, in whatever group or session it is: TERM to the program's group and to orphans, two seconds later
// KILL to all.
[[noreturn]] void watch_program(const ProgramWatch& watch) noexcept;

}  // namespace cutaway::app
