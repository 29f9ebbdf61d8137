#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/live_control.h"

namespace cutaway::live {

// Content of a live view below http://127.0.0.1:PORT/TOKEN/: the page, `state`, and the commands `pause`,
// `resume`, `record` and `stop` (docs/live.md).
struct Site {
  std::string token, page;
  LiveControl& control;
  std::function<std::string()> state;  // members of a JSON object, without its braces; called from any thread
  std::function<void()> on_read;       // called after a reader has received a state
};

// The error status of a request that is not allowed; 0 if it is allowed. host, origin: headers as received,
// empty if missing.
int refusal(const Site& site, int port, const std::string& method, const std::string& path,
            const std::string& host, const std::string& origin);

// Serves in this process until it ends. on_bound: receives the port once requests are accepted; 0: the port
// is unavailable. port 0: any free port.
void serve(const Site& site, int port, const std::function<void(int port)>& on_bound);

}  // namespace cutaway::live
