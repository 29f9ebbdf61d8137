#pragma once

#include <memory>
#include <string>

#include "launch/process.h"

namespace cutaway::launch {

// An X server without a screen (Xvfb); it picks a free display number itself. UserError: it is not installed,
// or does not start.
class XServer {
 public:
  XServer();
  const std::string& display() const { return display_; }  // for DISPLAY

 private:
  std::unique_ptr<Process> process_;
  std::string display_;
};

}  // namespace cutaway::launch
