#include "boxes/command_processor/host_upload.h"

#include <gtest/gtest.h>

namespace cutaway::boxes {
namespace {

// 1,000 bytes at 200 MB/s take 5 us: 2,125 cycles at 425 MHz.
TEST(HostUpload, ArrivesAtTheRateOfTheBus) {
  CommandProcessorCounters counters;
  HostUpload upload(200);
  upload.add(400);
  upload.add(600);
  EXPECT_EQ(upload.arrival(100, 425000, counters), 100u + 1 + 2125);
  EXPECT_EQ(counters.uploaded_bytes, 1000u);
  EXPECT_EQ(counters.upload_cycles, 2125u);
}

TEST(HostUpload, RoundsUpToWholeCycles) {
  CommandProcessorCounters counters;
  HostUpload upload(200);
  upload.add(1);
  EXPECT_EQ(upload.arrival(0, 425000, counters), 1u + 3);
}

TEST(HostUpload, ComesOnce) {
  CommandProcessorCounters counters;
  HostUpload upload(200);
  upload.add(1000);
  upload.arrival(0, 425000, counters);
  EXPECT_EQ(upload.arrival(5000, 425000, counters), 5001u);
  EXPECT_EQ(counters.uploaded_bytes, 1000u);
}

TEST(HostUpload, TakesNoTimeWithoutARate) {
  CommandProcessorCounters counters;
  HostUpload upload(0);
  upload.add(1000);
  EXPECT_EQ(upload.arrival(100, 425000, counters), 0u);
  EXPECT_EQ(counters.uploaded_bytes, 0u);
}

}  // namespace
}  // namespace cutaway::boxes
