#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Messages of a program while it is captured.
namespace cutaway::launch {

// The driver's lines (icd/recording/progress.h).
struct DriverLines {
  uint64_t frames = 0;              // frames ended
  bool done = false;                // the capture is closed
  std::vector<std::string> errors;  // the driver's errors, one line each
  std::string lost, failed;         // reasons: the device was lost; the capture cannot be written

  void take(std::string_view text);

 private:
  std::string rest_;
};

// Collects standard error: keeps the last line in which the driver, Mesa or the Vulkan loader explains why a
// program stops.
class ErrorOutput {
 public:
  void take(std::string_view text);
  const std::string& explanation() const { return explanation_; }

 private:
  std::string rest_, explanation_;
};

}  // namespace cutaway::launch
