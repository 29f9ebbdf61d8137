#include "base/error.h"

namespace cutaway {

void internal_error(const char* file, int line, const char* condition, const std::string& detail) {
  throw InternalError(
      fmt::format("{}:{}: check failed: {}{}{}", file, line, condition, detail.empty() ? "" : ": ", detail));
}

}  // namespace cutaway
