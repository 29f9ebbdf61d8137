#pragma once

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cutaway::app {

// A child process in a process group of its own. Ended (TERM, then KILL) when the object goes.
class Process {
 public:
  struct Start {
    std::vector<std::string> command;
    std::map<std::string, std::string> environment;  // added to ours; empty value: removed
    std::vector<int> keep_open;                      // descriptors that the child inherits
    bool quiet = false;                              // standard output and error go nowhere
  };

  // UserError if the program is not found or cannot be started.
  explicit Process(const Start& start);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool ended();  // does not block
  int wait();    // exit status as a shell tells it: 128 + signal for a signal
  void end();    // ends the whole group and waits
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

// Full path of a program as execvp would find it; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace cutaway::app
