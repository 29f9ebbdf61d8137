#include "report/animation.h"

#include <gtest/gtest.h>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace cutaway::report {
namespace {

struct Chunk {
  std::string type, data;
};

uint32_t number(std::string_view bytes) {
  uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

std::vector<Chunk> chunks_of(const std::string& file) {
  std::vector<Chunk> chunks;
  for (size_t at = 8; at < file.size();) {
    const uint32_t size = number(std::string_view(file).substr(at));
    chunks.push_back({file.substr(at + 4, 4), file.substr(at + 8, size)});
    const std::string checked = file.substr(at + 4, 4 + size);
    EXPECT_EQ(number(std::string_view(file).substr(at + 8 + size)),
              crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())));
    at += 12 + size;
  }
  return chunks;
}

// Rows of two pixels, each preceded by its filter number.
std::vector<int> pixels_of(std::string_view packed) {
  uint8_t raw[6];
  uLongf size = sizeof raw;
  EXPECT_EQ(uncompress(raw, &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()), Z_OK);
  EXPECT_EQ(raw[0] | raw[3], 0);
  return {raw[1], raw[2], raw[4], raw[5]};
}

class AnAnimation : public testing::Test {
 protected:
  const std::vector<uint8_t> steps_ = {1, 0, 2, 1};
  const std::vector<std::array<uint8_t, 3>> colors_ = {{0, 0, 0}, {9, 8, 7}, {6, 5, 4}};
  const std::vector<uint32_t> milliseconds_ = {20, 50, 1500};
  const std::string file_ = animated_png({2, 2, steps_, colors_, milliseconds_});
  const std::vector<Chunk> chunks_ = chunks_of(file_);

  std::vector<std::string> all(const std::string& type) const {
    std::vector<std::string> found;
    for (const Chunk& chunk : chunks_)
      if (chunk.type == type) found.push_back(chunk.data);
    return found;
  }
};

TEST_F(AnAnimation, IsCompleteWithoutAnimationSupport) {
  EXPECT_EQ(file_.substr(1, 3), "PNG");
  EXPECT_EQ(chunks_.front().type, "IHDR");
  EXPECT_EQ(chunks_.back().type, "IEND");
  EXPECT_EQ(pixels_of(all("IDAT").at(0)), (std::vector<int>{1, 0, 2, 1}));
  EXPECT_EQ(all("PLTE").at(0).substr(3, 3), "\x09\x08\x07");
}

TEST_F(AnAnimation, BringsThePixelsOfEachStepAndLeavesTheOthers) {
  const std::vector<std::string> frames = all("fdAT");
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(number(all("acTL").at(0)), 3u);
  EXPECT_EQ(pixels_of(frames[0].substr(4)), (std::vector<int>{0, 0, 0, 0}));
  EXPECT_EQ(pixels_of(frames[1].substr(4)), (std::vector<int>{1, 255, 255, 1}));
  EXPECT_EQ(pixels_of(frames[2].substr(4)), (std::vector<int>{255, 255, 2, 255}));
}

TEST_F(AnAnimation, NumbersAndTimesItsFrames) {
  uint32_t next = 0;
  for (const Chunk& chunk : chunks_) {
    if (chunk.type != "fcTL" && chunk.type != "fdAT") continue;
    EXPECT_EQ(number(chunk.data), next++);
  }
  EXPECT_EQ(number(all("fcTL").at(2).substr(20)), 1500u << 16 | 1000u);
}

}  // namespace
}  // namespace cutaway::report
