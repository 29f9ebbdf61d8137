#include "base/interrupt.h"

#include <csignal>
#include <gtest/gtest.h>

#include "base/error.h"

namespace cutaway {
namespace {

void (*handler_of(int signal))(int) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

TEST(InterruptGuard, NotesSignalsUntilItGoes) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const auto before = handler_of(signal);
    {
      const InterruptGuard guard;
      EXPECT_FALSE(interrupted());
      end_if_interrupted();
      raise(signal);
      EXPECT_TRUE(interrupted());
      EXPECT_THROW(end_if_interrupted(), UserError);
      {
        const InterruptGuard inner;  // keeps the noted interrupt
        EXPECT_TRUE(interrupted());
      }
      EXPECT_NE(handler_of(signal), before);
    }
    EXPECT_EQ(handler_of(signal), before);
  }
}

TEST(InterruptGuard, KeepsIgnoredSignalsIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const InterruptGuard guard;
    raise(SIGHUP);
    EXPECT_FALSE(interrupted());
  }
  EXPECT_EQ(handler_of(SIGHUP), SIG_IGN);
  std::signal(SIGHUP, before);
}

TEST(InterruptGuard, AChildLeavesThemToItsParent) {
  EXPECT_EXIT(
      {
        const InterruptGuard guard;
        leave_interrupts_to_parent();
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) raise(signal);
        std::_Exit(interrupted() ? 1 : 5);
      },
      testing::ExitedWithCode(5), "");
}

}  // namespace
}  // namespace cutaway
