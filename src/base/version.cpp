#include "base/version.h"

namespace cutaway {
namespace {

std::string& commit() {
  static std::string text;
  return text;
}

}  // namespace

std::string version() { return commit().empty() ? CUTAWAY_VERSION : CUTAWAY_VERSION " (" + commit() + ")"; }

void set_commit(const std::string& text) { commit() = text; }

}  // namespace cutaway
