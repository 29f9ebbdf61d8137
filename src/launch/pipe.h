#pragma once

#include <string>

namespace cutaway::launch {

// A pipe whose ends are closed in started programs, except an end given to one. Reads do not block.
class Pipe {
 public:
  Pipe();  // UserError
  ~Pipe();
  Pipe(const Pipe&) = delete;

  int read_end() const { return read_; }  // -1: the stream has ended
  int write_end() const { return write_; }
  void close_write();
  std::string take();  // returns the available data
 private:
  int read_ = -1, write_ = -1;
};

}  // namespace cutaway::launch
