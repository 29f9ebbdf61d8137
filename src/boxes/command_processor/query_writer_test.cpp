#include "boxes/command_processor/query_writer.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::query_writer_test {
namespace {

arch::QueryPacket query(arch::QueryKind kind, arch::Address address, arch::QueryPoint point) {
  return {static_cast<uint32_t>(kind), address, static_cast<uint32_t>(point)};
}

TEST(QueryWriter, WritesSamplesWithTheirAvailabilityAtTheEnd) {
  QueryWriter queries;
  queries.begin_submission({.id = 7});
  queries.counters.samples_passed = 12;
  for (const auto point : {arch::QueryPoint::kBegin, arch::QueryPoint::kEnd}) {
    const auto packet = query(arch::QueryKind::kSamplesPassed, 0x1000, point);
    const auto words = queries.next(packet, 1);
    const bool end = point == arch::QueryPoint::kEnd;
    EXPECT_EQ(words.address,
              0x1000u + (end ? offsetof(arch::QuerySlot, end) : offsetof(arch::QuerySlot, begin)));
    EXPECT_EQ(words.word[0], 12u);
    EXPECT_EQ(words.word[1], 1u);
    EXPECT_EQ(words.count, end ? 2u : 1u);
    EXPECT_EQ(words.error, "");
    EXPECT_TRUE(queries.written(packet));
    EXPECT_FALSE(queries.begun());
  }
}

TEST(QueryWriter, WritesStatisticsOneAfterTheOther) {
  QueryWriter queries;
  queries.begin_submission({.id = 7});
  queries.counters[command_stream::Statistic::kInputVertices] = 30;
  queries.counters[command_stream::Statistic::kInputPrimitives] = 10;
  const auto packet = query(arch::QueryKind::kStatistics, 0x1000, arch::QueryPoint::kValues);
  for (uint32_t i = 0; i < arch::kStatistics; i++) {
    EXPECT_EQ(queries.begun(), i != 0);
    const auto words = queries.next(packet, 1);
    EXPECT_EQ(words.address, 0x1000u + 8 * i);
    EXPECT_EQ(words.word[0], i == 0 ? 30u : i == 1 ? 10u : 0u);
    EXPECT_EQ(queries.written(packet), i + 1 == arch::kStatistics);
  }
}

TEST(QueryWriter, WritesReportedValuesInTheirOrder) {
  QueryWriter queries;
  const messages::QueryValue reported[] = {{7, 0x1000, 50}, {7, 0x1008, 51}};
  queries.report(reported, 0);
  queries.begin_submission({.id = 7});
  const auto next = [&](arch::Address address) {
    const auto packet = query(arch::QueryKind::kTimestamp, address, arch::QueryPoint::kValues);
    const auto words = queries.next(packet, 999);
    EXPECT_TRUE(queries.written(packet));
    return words;
  };
  EXPECT_EQ(next(0x1000).word[0], 50u);
  const auto wrong = next(0x2000);
  EXPECT_EQ(wrong.error, "no value was reported for the query at 0x2000");
  EXPECT_EQ(wrong.word[0], 0u);
  EXPECT_EQ(next(0x1008).word[0], 51u);
}

TEST(QueryWriter, TimestampIsTheClockIfNothingIsReported) {
  QueryWriter queries;
  const auto packet = query(arch::QueryKind::kTimestamp, 0x1000, arch::QueryPoint::kValues);
  EXPECT_EQ(queries.next(packet, 77).word[0], 77u);
}

TEST(QueryWriter, CountsInvocationsOnlyIfAsked) {
  QueryWriter queries;
  arch::Registers registers{};
  registers.compute.local_size[0] = 8, registers.compute.local_size[1] = registers.compute.local_size[2] = 2;
  const arch::DispatchPacket dispatch{{5, 3, 1}, {}};
  queries.count_invocations(dispatch, registers);
  EXPECT_EQ(queries.counters[command_stream::Statistic::kComputeInvocations], 0u);
  registers.query.statistics = 1;
  queries.count_invocations(dispatch, registers);
  EXPECT_EQ(queries.counters[command_stream::Statistic::kComputeInvocations], 15u * 32);
}

TEST(QueryWriter, SubmissionsBeginWithZeros) {
  QueryWriter queries;
  queries.counters.samples_passed = 12;
  queries.begin_submission({.id = 8});
  EXPECT_EQ(queries.counters.samples_passed, 0u);
}

}  // namespace
}  // namespace cutaway::boxes::query_writer_test
