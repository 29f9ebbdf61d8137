#include "icd/api_error.h"

#include <cstdio>
#include <mutex>
#include <new>
#include <set>

#include "base/text.h"
#include "icd/debug/messenger.h"
#include "icd/recording/progress.h"

namespace cutaway::icd {

void report(const std::string& line) {
  tell_messengers(line);
  if (!tell_command("error " + line)) std::fprintf(stderr, "cutaway: %s\n", one_line(line).c_str());
}

void report_once(const std::string& line) {
  static std::mutex mutex;
  static std::set<std::string>& seen =
      *new std::set<std::string>;  // outlives every destructor of the process
  const std::lock_guard lock(mutex);
  if (seen.insert(line).second) report(line);
}

VkResult result_of_current_exception() {
  try {
    throw;
  } catch (const ApiError& error) {
    if (!error.text.empty()) report_once(error.text);
    return error.result;
  } catch (const std::bad_alloc&) { return VK_ERROR_OUT_OF_HOST_MEMORY; } catch (const UserError& error) {
    report_once(error.what());
    return VK_ERROR_FEATURE_NOT_PRESENT;
  } catch (const std::exception& error) {
    report(error.what());
    return VK_ERROR_UNKNOWN;
  }
}

}  // namespace cutaway::icd
