#include "live/mailbox.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace cutaway::live {
namespace {

TEST(Mailbox, HoldsTheLastText) {
  const auto mailbox = std::make_unique<Mailbox>();
  EXPECT_EQ(mailbox->get(), "");
  mailbox->put("first");
  mailbox->put("second text");
  EXPECT_EQ(mailbox->get(), "second text");
  mailbox->put(std::string(Mailbox::kMost + 1, 'x'));
  EXPECT_EQ(mailbox->get(), "second text");
  const std::string longest(Mailbox::kMost, 'y');
  mailbox->put(longest);
  EXPECT_TRUE(mailbox->get() == longest);
}

}  // namespace
}  // namespace cutaway::live
