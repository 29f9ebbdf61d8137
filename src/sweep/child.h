#pragma once

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace cutaway::sweep {

// A program in its own process group, which ends with this process. Its output is collected in memory.
class Child {
 public:
  // Starts the program. UserError: it cannot be started.
  explicit Child(const std::vector<std::string>& command);
  ~Child();  // kills the program
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;

  int descriptor() const { return pidfd_; }  // poll() for POLLIN: the program has ended
  // Waits for its end. Returns the exit code, or 128 + the signal that ended it.
  int wait();
  std::string output() const;  // output so far
  std::string errors() const;

 private:
  void swap(Child& other) noexcept;

  pid_t pid_ = -1;
  int pidfd_ = -1, output_ = -1, errors_ = -1;
};

}  // namespace cutaway::sweep
