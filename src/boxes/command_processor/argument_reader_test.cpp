#include "boxes/command_processor/argument_reader.h"

#include <cstring>
#include <gtest/gtest.h>

namespace cutaway::boxes::argument_reader_test {
namespace {

constexpr uint32_t kTag = 100;

messages::MemoryReply reply_to(const messages::MemoryRequest& request) {
  messages::MemoryReply reply{.tag = request.tag};
  for (uint32_t i = 0; i < messages::kSectorBytes; i += 4) {
    const auto word = static_cast<uint32_t>(request.address + i);
    std::memcpy(reply.data.data() + i, &word, 4);
  }
  return reply;
}

TEST(ArgumentReader, AsksForOneSectorOnce) {
  ArgumentReader reader(kTag);
  EXPECT_TRUE(reader.idle());
  const auto request = reader.wants(0x1000 + 52, 12);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->address, 0x1000u);
  EXPECT_EQ(request->tag, kTag);
  EXPECT_FALSE(request->write);
  reader.asked();
  EXPECT_FALSE(reader.idle());
  EXPECT_FALSE(reader.wants(0x1000 + 52, 12));
  uint32_t words[3] = {};
  EXPECT_FALSE(reader.take(0x1000 + 52, std::as_writable_bytes(std::span(words))));
  reader.reply(reply_to(*request));
  EXPECT_TRUE(reader.take(0x1000 + 52, std::as_writable_bytes(std::span(words))));
  EXPECT_EQ(words[0], 0x1000u + 52);
  EXPECT_EQ(words[2], 0x1000u + 60);
  EXPECT_TRUE(reader.idle());
}

TEST(ArgumentReader, WaitsForBothSectorsInAnyOrder) {
  ArgumentReader reader(kTag);
  uint32_t words[4] = {};
  for (const bool swapped : {false, true}) {
    const arch::Address at = 0x2000 + 56;
    const auto first = reader.wants(at, sizeof words);
    reader.asked();
    const auto second = reader.wants(at, sizeof words);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(second->address, 0x2040u);
    EXPECT_EQ(second->tag, kTag + 1);
    reader.asked();
    EXPECT_FALSE(reader.wants(at, sizeof words));
    reader.reply(reply_to(swapped ? *second : *first));
    EXPECT_FALSE(reader.take(at, std::as_writable_bytes(std::span(words))));
    reader.reply(reply_to(swapped ? *first : *second));
    ASSERT_TRUE(reader.take(at, std::as_writable_bytes(std::span(words))));
    for (uint32_t i = 0; i < 4; i++) EXPECT_EQ(words[i], at + 4 * i);
  }
}

TEST(ArgumentReader, OwnsTwoTags) {
  const ArgumentReader reader(kTag);
  EXPECT_FALSE(reader.owns(kTag - 1));
  EXPECT_TRUE(reader.owns(kTag));
  EXPECT_TRUE(reader.owns(kTag + 1));
  EXPECT_FALSE(reader.owns(kTag + 2));
}

}  // namespace
}  // namespace cutaway::boxes::argument_reader_test
