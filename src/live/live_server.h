#pragma once

#include <memory>
#include <string>
#include <sys/types.h>

#include "base/live_control.h"

namespace cutaway::live {

// The page of the live view, as web/ builds it: beside the command, or installed; where it was not built, a
// few words that say so.
std::string live_page();

// Serves a live view on 127.0.0.1, in a process of its own, so that this one may go on without threads, and
// whatever becomes of the server the simulation goes on. The process ends with this one.
class LiveServer {
 public:
  // port: 0: a free one. UserError: it cannot be had. Until tell() is called there is no state to read.
  LiveServer(int port, std::string page);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;

  // http://127.0.0.1:PORT/TOKEN/, with a new token of 128 bits of the system's random numbers.
  const std::string& address() const { return address_; }
  // Shared with processes that are started from now on.
  LiveControl& control();
  // The state from now on: members of a JSON object, without its braces. It never waits.
  void tell(const std::string& members);
  // The last state: pages that were there just now get up to a second to read it, then the server ends.
  void finish(const std::string& members);

 private:
  struct Shared;
  void end();

  std::shared_ptr<Shared> shared_;
  pid_t process_ = -1;
  std::string address_;
};

}  // namespace cutaway::live
