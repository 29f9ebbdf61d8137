#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/live_control.h"

namespace cutaway::live {

// What a live view serves below http://127.0.0.1:PORT/TOKEN/: the page, `state`, and the orders `pause`,
// `resume`, `record` and `stop` (docs/live.md).
struct Site {
  std::string token, page;
  LiveControl& control;
  std::function<std::string()> state;  // members of a JSON object, without its braces; any thread calls it
  std::function<void()> on_read;       // a reader has got a state
};

// A request of somebody who may not make it: the status that it gets. 0: it may be made.
// host, origin: headers as they came, empty where they are missing.
int refusal(const Site& site, int port, const std::string& method, const std::string& path,
            const std::string& host, const std::string& origin);

// Serves in this process until it ends. on_bound: told the port once requests are taken; 0: it cannot be had.
// port: 0: a free one.
void serve(const Site& site, int port, const std::function<void(int port)>& on_bound);

}  // namespace cutaway::live
