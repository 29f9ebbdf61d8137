#include "base/interrupt.h"

#include <csignal>
#include <iterator>

#include "base/error.h"

namespace cutaway {

namespace interrupt_detail {
std::atomic<bool> noted = false;
}

namespace {

using interrupt_detail::noted;

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
int guards = 0;
struct sigaction previous[std::size(kSignals)];

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  noted = false;
  struct sigaction action {};
  action.sa_handler = [](int) { noted.store(true, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;  // output under way is completed
  for (size_t i = 0; i < std::size(kSignals); i++) {
    sigaction(kSignals[i], nullptr, &previous[i]);
    // Keep ignoring a signal that was ignored at the start (nohup).
    if (previous[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  if (--guards > 0) return;
  for (size_t i = 0; i < std::size(kSignals); i++) sigaction(kSignals[i], &previous[i], nullptr);
}

void end_if_interrupted() {
  if (interrupted()) user_error("interrupted; nothing was written");
}

void leave_interrupts_to_parent() {
  for (const int signal : kSignals) std::signal(signal, SIG_IGN);
}

}  // namespace cutaway
