#include "boxes/command_processor/state_bus.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::state_bus_test {
namespace {

TEST(StateBus, SendsBytesOneAfterTheOther) {
  StateBus bus(16);
  EXPECT_EQ(bus.free(), 0u);
  bus.send(10, 1);
  EXPECT_EQ(bus.free(), 11u);
  bus.send(10, 33);
  EXPECT_EQ(bus.free(), 14u);
  bus.send(12, 16);
  EXPECT_EQ(bus.free(), 15u);
  bus.send(100, 32);
  EXPECT_EQ(bus.free(), 102u);
}

}  // namespace
}  // namespace cutaway::boxes::state_bus_test
