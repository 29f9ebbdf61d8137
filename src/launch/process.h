#pragma once

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cutaway::launch {

// The exit status of a program.
struct ProgramEnd {
  int code = 0;    // exit code, if no signal ended it
  int signal = 0;  // the signal that ended it; 0: none
  bool success() const { return code == 0 && signal == 0; }
  std::string text() const;  // "ended with exit code 3", "was ended by signal 11 (Segmentation fault)"
};

// A program in its own process group. The destructor ends it (TERM, then KILL) with all its descendants. So
// does the death of this process: a watcher process between the two takes care of that.
class Process {
 public:
  struct Start {
    std::vector<std::string> command;
    std::map<std::string, std::string> environment;  // added to this process's; empty value: removed
    std::vector<int> keep_open;                      // descriptors that the program inherits
    int error_output = -1;                           // a descriptor for its standard error; -1: inherited
    bool quiet = false;                              // discards standard output and error
  };

  // UserError: the program is not found or cannot be started.
  explicit Process(const Start& start);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool ended();       // does not block
  ProgramEnd wait();  // waits until the program itself has ended
  void end();         // ends it and all its descendants, and waits

 private:
  void read_end(bool block);

  pid_t watcher_ = -1;
  int control_ = -1;  // closing it makes the watcher end the program
  int report_ = -1;   // receives the program's exit status from the watcher
  bool ended_ = false;
  ProgramEnd end_;
};

// Full path of a program, found like execvp does; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace cutaway::launch
