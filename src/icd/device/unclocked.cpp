#include "icd/device/unclocked.h"

#include <cstdlib>
#include <string_view>

namespace cutaway::icd {

bool offers_unclocked_stages() {
  static const bool offered = [] {
    const char* value = std::getenv("CUTAWAY_UNCLOCKED");
    return value && std::string_view(value) == "1";
  }();
  return offered;
}

}  // namespace cutaway::icd
