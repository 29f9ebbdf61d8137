#pragma once

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace cutaway::sweep {

// A program in a process group of its own, which ends with this process. What it prints goes into memory.
class Child {
 public:
  // UserError: it cannot be started.
  explicit Child(const std::vector<std::string>& command);
  ~Child();  // kills it
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;

  int descriptor() const { return pidfd_; }  // poll() for POLLIN: it has ended
  // Waits for its end: exit code, or 128 + the signal that ended it.
  int wait();
  std::string output() const;  // what it has printed so far
  std::string errors() const;

 private:
  void swap(Child& other) noexcept;

  pid_t pid_ = -1;
  int pidfd_ = -1, output_ = -1, errors_ = -1;
};

}  // namespace cutaway::sweep
