#pragma once

#include <memory>
#include <string>
#include <sys/types.h>

#include "base/live_control.h"

namespace cutaway::live {

// The page of the live view, built by web/: beside the command, or installed. If it was not built, a short
// text that says so.
std::string live_page();

// Serves a live view on 127.0.0.1 from a separate process, so that this process needs no threads, and a
// failure of the server does not affect the simulation. The server ends with this process.
class LiveServer {
 public:
  // port 0: any free port. UserError: the port is unavailable. There is no state to read before the first
  // tell().
  LiveServer(int port, std::string page);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;

  // http://127.0.0.1:PORT/TOKEN/, with a new token of 128 random bits from the system.
  const std::string& address() const { return address_; }
  // Shared with processes started from now on.
  LiveControl& control();
  // Publishes a new state: members of a JSON object, without its braces. Never waits.
  void tell(const std::string& members);
  // Publishes the last state: pages that were active just now get up to a second to read it, then the server
  // ends.
  void finish(const std::string& members);

 private:
  struct Shared;
  void end();

  std::shared_ptr<Shared> shared_;
  pid_t process_ = -1;
  std::string address_;
};

}  // namespace cutaway::live
