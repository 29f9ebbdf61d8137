// The buffer beside a model of depth buffers: no visible tile is rejected, no hidden fragment accepted.
#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

#include "boxes/hierarchical_z/hz_buffer.h"
#include "func/raster/coverage.h"
#include "func/raster/interpolate.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::hz_buffer_model_test {
namespace {

using Outcome = HzBuffer::Outcome;
using Verdict = HzBuffer::Verdict;

constexpr uint32_t kSize = 32, kTiles = kSize / 8, kInSurface = kTiles * kTiles;
constexpr uint32_t kSurfaces = 3;

constexpr arch::Address address(uint32_t surface) {
  return messages::testing::kDepthAddress + surface * arch::Address{0x10000};
}

// A model of depth buffers behind a pipeline: draws are tested and stored in order, some time after
// hierarchical Z has tested them; lines leave their cache at random times, and their updates arrive later.
// Tiles are numbered from surface to surface.
class Model {
 public:
  Model(uint32_t seed, func::HzFormat entry, HzFlip flip, uint32_t surfaces)
      : random_(seed), memory_(2 * kInSurface + 8, surfaces), buffer_(memory_, entry, true, flip) {
    for (auto& tile : stored_) tile.fill(1);
    for (auto& tile : truth_) tile.fill(1);
  }

  void draw(const messages::DrawState& state, uint32_t surface, const func::Primitive& primitive,
            uint32_t tiles) {
    buffer_.begin_draw(state.registers);
    for (uint32_t in = 0; in < kInSurface; in++) {
      if (!(tiles >> in & 1)) continue;
      const uint32_t tile = surface * kInSurface + in;
      const int32_t x = static_cast<int32_t>(in % kTiles * 8), y = static_cast<int32_t>(in / kTiles * 8);
      const Verdict verdict = buffer_.test(state.registers, primitive, x, y);
      Work work{tile, buffer_.epoch(), &state, {}};
      depths(primitive, x, y, work.z);
      const size_t passed = apply(state, work.z, truth_[tile]);
      visible += passed != 0;
      EXPECT_FALSE(verdict == Verdict::kRejected && passed != 0) << "a visible tile was rejected";
      EXPECT_FALSE(verdict == Verdict::kAccepted && passed != 64)
          << "a tile was accepted that is partly hidden";
      rejections += verdict == Verdict::kRejected;
      acceptances += verdict == Verdict::kAccepted;
      if (verdict != Verdict::kRejected) queue_.push_back(work);
      drift();
    }
  }
  void forget() { memory_.forget(); }
  // Clears after all draws. Earlier updates of lines are still in flight.
  void clear(const arch::Surface& of, uint32_t surface, uint32_t x, uint32_t y, uint32_t width,
             uint32_t height, float depth) {
    for (; !queue_.empty(); queue_.pop_front()) {
      const Work& work = queue_.front();
      apply(*work.state, work.z, stored_[work.tile]);
      used_[work.tile] = work.epoch;
    }
    arch::ClearPacket packet{};
    packet.surface = of;
    packet.x = x, packet.y = y, packet.width = width, packet.height = height;
    packet.value[0] = std::bit_cast<uint32_t>(depth);
    EXPECT_EQ(buffer_.clear(packet), width / 8 * height / 8);
    for (uint32_t row = y / 8; row < (y + height) / 8; row++)
      for (uint32_t column = x / 8; column < (x + width) / 8; column++) {
        const uint32_t tile = surface * kInSurface + row * kTiles + column;
        stored_[tile].fill(quantised(depth));
        truth_[tile].fill(quantised(depth));
      }
  }

  uint64_t rejections = 0, acceptances = 0, visible = 0, narrowed = 0;

 private:
  struct Work {
    uint32_t tile, epoch;
    const messages::DrawState* state;
    std::array<float, 64> z;
  };

  static void depths(const func::Primitive& primitive, int32_t x, int32_t y, std::array<float, 64>& z) {
    for (uint32_t q = 0; q < 16; q++) {
      float lanes[4];
      const int32_t qx = x + func::quad_x(q), qy = y + func::quad_y(q);
      func::depth<4>(primitive, func::quad_positions(qx, qy), {}, lanes);
      for (int32_t lane = 0; lane < 4; lane++)
        z[static_cast<size_t>((qy - y + lane / 2) * 8 + qx - x + lane % 2)] = quantised(lanes[lane]);
    }
  }
  static float quantised(float z) {
    const double clamped = std::min(1.0, std::max(0.0, static_cast<double>(z)));
    return static_cast<float>(static_cast<double>(static_cast<uint32_t>(clamped * 16777215 + 0.5)) /
                              16777215);
  }
  // Tests and writes; returns the number of fragments that pass.
  static size_t apply(const messages::DrawState& state, const std::array<float, 64>& z,
                      std::array<float, 64>& at) {
    size_t passed = 0;
    for (size_t i = 0; i < 64; i++) {
      bool pass = false;
      switch (static_cast<arch::Compare>(state.registers.depth.depth_compare)) {
        case arch::Compare::kLess:
          pass = z[i] < at[i];
          break;
        case arch::Compare::kLessOrEqual:
          pass = z[i] <= at[i];
          break;
        case arch::Compare::kGreater:
          pass = z[i] > at[i];
          break;
        case arch::Compare::kGreaterOrEqual:
          pass = z[i] >= at[i];
          break;
        case arch::Compare::kEqual:
          pass = z[i] == at[i];
          break;
        case arch::Compare::kNotEqual:
          pass = z[i] != at[i];
          break;
        case arch::Compare::kAlways:
          pass = true;
          break;
        default:
          break;
      }
      passed += pass;
      if (pass && state.registers.depth.depth_write) at[i] = z[i];
    }
    return passed;
  }
  // Advances the pipeline by a random amount.
  void drift() {
    for (uint32_t step = random_() % 3; step > 0 && !queue_.empty(); step--) {
      const Work& work = queue_.front();
      apply(*work.state, work.z, stored_[work.tile]);
      used_[work.tile] = work.epoch;
      queue_.pop_front();
    }
    if (random_() % 2) {
      const uint32_t tile = random_() % (kSurfaces * kInSurface), in = tile % kInSurface;
      const auto [least, greatest] = std::minmax_element(stored_[tile].begin(), stored_[tile].end());
      updates_.push_back({.surface = address(tile / kInSurface),
                          .x = static_cast<int32_t>(in % kTiles * 8),
                          .y = static_cast<int32_t>(in / kTiles * 8),
                          .least = *least,
                          .greatest = *greatest,
                          .epoch = used_[tile]});
    }
    if (random_() % 2 && !updates_.empty()) {
      narrowed += buffer_.update(updates_.front()) == Outcome::kNarrowed;
      updates_.pop_front();
    }
  }

  std::mt19937 random_;
  HzMemory memory_;
  HzBuffer buffer_;
  std::deque<Work> queue_;
  std::deque<messages::HzUpdate> updates_;
  std::array<std::array<float, 64>, kSurfaces * kInSurface> stored_, truth_;
  std::array<uint32_t, kSurfaces * kInSurface> used_{};
};

// Every other model has several surfaces, which are also drawn to in another format.
TEST(HzBuffer, NeverRejectsVisibleOrAcceptsHiddenTiles) {
  constexpr arch::Compare kCompares[] = {
      arch::Compare::kLess,        arch::Compare::kLess,    arch::Compare::kLess,
      arch::Compare::kLessOrEqual, arch::Compare::kEqual,   arch::Compare::kNotEqual,
      arch::Compare::kAlways,      arch::Compare::kGreater, arch::Compare::kGreaterOrEqual};
  constexpr HzFlip kFlips[] = {HzFlip::kRelearn, HzFlip::kUntilClear, HzFlip::kTwoBounds};
  uint64_t rejections = 0, acceptances = 0, visible = 0, narrowed = 0;
  for (uint32_t seed = 1; seed <= 270; seed++) {
    std::mt19937 random(seed);
    const bool several = seed > 180;
    Model model(seed, {4 + seed % 13, seed % 4}, kFlips[seed % 3], several ? 1 + seed % 4 : 1);
    std::vector<std::unique_ptr<messages::DrawState>> states;
    messages::Pools pools;
    // Mostly one direction; sometimes draws move depths the other way.
    const bool mixed = seed % 2;
    for (uint32_t draw = 0; draw < 60; draw++) {
      states.push_back(messages::testing::plain_state(kSize, kSize));
      const auto compare =
          mixed && random() % 4 == 0 ? kCompares[random() % std::size(kCompares)] : arch::Compare::kLess;
      messages::testing::add_depth(*states.back(), compare, random() % 4 != 0);
      states.back()->registers.depth.hierarchical_z = random() % 8 != 0;
      const uint32_t surface = several ? random() % kSurfaces : 0;
      arch::Surface& depths = states.back()->registers.depth.surface;
      depths.address = address(surface);
      if (several && random() % 12 == 0)
        depths.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
      const auto z = [&] { return static_cast<float>(random() % 1000) / 999; };
      const float size = kSize, z0 = z(), z1 = random() % 2 ? z0 : z(), z2 = random() % 2 ? z0 : z();
      // Twice as wide and high as the target.
      const auto primitive = messages::testing::triangle(pools, *states.back(),
                                                         {{0, 0, z0}, {2 * size, 0, z1}, {0, 2 * size, z2}});
      model.draw(*states.back(), surface, primitive->primitive, random());
      if (random() % 30 == 0) model.forget();
      if (random() % 10 == 0) {
        const uint32_t x = random() % kTiles * 8, y = random() % kTiles * 8;
        const float depth = random() % 2 ? z() : 1.0f;
        if (random() % 2) model.clear(depths, surface, 0, 0, kSize, kSize, depth);
        else model.clear(depths, surface, x, y, kSize - x, kSize - y, depth);
      }
    }
    rejections += model.rejections, acceptances += model.acceptances, visible += model.visible,
        narrowed += model.narrowed;
  }
  // The test is meaningful only if all of this happens.
  EXPECT_GT(rejections, 1000u);
  EXPECT_GT(acceptances, 1000u);
  EXPECT_GT(visible, 1000u);
  EXPECT_GT(narrowed, 1000u);
}

}  // namespace
}  // namespace cutaway::boxes::hz_buffer_model_test
