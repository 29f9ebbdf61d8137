#pragma once

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cutaway::app {

// How a program ended.
struct ProgramEnd {
  int code = 0;    // its exit code, if no signal ended it
  int signal = 0;  // that ended it; 0: none
  bool success() const { return code == 0 && signal == 0; }
  std::string text() const;  // "ended with exit code 3", "was ended by signal 11 (Segmentation fault)"
};

// A program in a process group of its own. Ended (TERM, then KILL) with everything that descends from it when
// the object goes, and as well when this process is killed: a watcher process between the two sees to that.
class Process {
 public:
  struct Start {
    std::vector<std::string> command;
    std::map<std::string, std::string> environment;  // added to ours; empty value: removed
    std::vector<int> keep_open;                      // descriptors that the program inherits
    int error_output = -1;                           // a descriptor that becomes its standard error; -1: ours
    bool quiet = false;                              // standard output and error go nowhere
  };

  // UserError if the program is not found or cannot be started.
  explicit Process(const Start& start);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool ended();       // does not block
  ProgramEnd wait();  // until the program itself has ended
  void end();         // ends it and all that descends from it, and waits

 private:
  void read_end(bool block);

  pid_t watcher_ = -1;
  int control_ = -1;  // closed: the watcher ends the program
  int report_ = -1;   // the watcher writes how the program ended
  bool ended_ = false;
  ProgramEnd end_;
};

// Full path of a program as execvp would find it; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace cutaway::app
