#include "launch/x_server.h"

#include <chrono>
#include <poll.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "launch/pipe.h"

namespace cutaway::launch {

XServer::XServer() {
  if (find_program("Xvfb").empty())
    user_error("no DISPLAY is set and Xvfb is not installed: apt-get install xvfb, or set DISPLAY");
  Pipe pipe;
  process_ = std::make_unique<Process>(
      Process::Start{.command = {"Xvfb", "-displayfd", std::to_string(pipe.write_end()), "-screen", "0",
                                 "1280x1024x24", "-nolisten", "tcp", "-noreset"},
                     .keep_open = {pipe.write_end()},
                     .quiet = true});
  pipe.close_write();
  std::string text;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (text.find('\n') == text.npos) {
    end_if_interrupted();
    if (pipe.read_end() < 0 || std::chrono::steady_clock::now() > until)
      user_error("Xvfb did not start; set DISPLAY to use another X server");
    pollfd poller{pipe.read_end(), POLLIN, 0};
    poll(&poller, 1, 200);
    text += pipe.take();
  }
  display_ = ":" + text.substr(0, text.find('\n'));
}

}  // namespace cutaway::launch
