#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What comes from a program while it is captured.
namespace cutaway::app {

// The lines of the driver (icd/recording/progress.h).
struct DriverLines {
  uint64_t frames = 0;              // ended
  bool done = false;                // the capture is closed
  std::vector<std::string> errors;  // what the driver refused, each in a line
  std::string lost, failed;         // why the device was lost; why the capture cannot be written

  void take(std::string_view text);

 private:
  std::string rest_;
};

// Standard error: keeps the last line of those with which the driver, Mesa or the Vulkan loader tell what
// stops a program.
class ErrorOutput {
 public:
  void take(std::string_view text);
  const std::string& explanation() const { return explanation_; }

 private:
  std::string rest_, explanation_;
};

}  // namespace cutaway::app
