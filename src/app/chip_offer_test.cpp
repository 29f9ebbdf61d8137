#include "app/chip_offer.h"

#include <gtest/gtest.h>

#include "machine/config.h"

namespace cutaway::app {
namespace {

std::string without_of(const char* preset) {
  machine::Config config;
  machine::load_config(config, preset, {});
  return without(config.abilities());
}

TEST(ChipOffer, LeavesOutWhatAChipLacks) {
  EXPECT_EQ(
      without_of("attila"),
      "geometry,tessellation,vertex_stores,fragment_stores,pull_interpolation,doubles,compute_queue,sparse");
  EXPECT_EQ(
      without_of("geforce6800"),
      "geometry,tessellation,vertex_stores,fragment_stores,pull_interpolation,doubles,compute_queue,sparse");
  EXPECT_EQ(without_of("g80"),
            "tessellation,vertex_stores,fragment_stores,pull_interpolation,doubles,sparse");
  EXPECT_EQ(without_of("d3d11"), "");
}

TEST(ChipOffer, HasHalvesWhereAChipCountsThem) {
  const auto halves = [](const char* preset) {
    machine::Config config;
    machine::load_config(config, preset, {});
    return config.abilities().halves;
  };
  EXPECT_TRUE(halves("geforce6800"));
  EXPECT_FALSE(halves("attila") || halves("g80") || halves("d3d11"));
}

TEST(ChipOffer, NamesFormatsWhereThereAreLess) {
  EXPECT_EQ(formats(command_stream::Abilities{}), "");
  command_stream::Abilities less;
  less.formats.blend = {};
  less.formats.filter = {};
  less.formats.filter.add(arch::Format::R8_UNORM);
  EXPECT_EQ(formats(less), "filter=R8_UNORM;blend=none");
  EXPECT_EQ(images(less), "");
  less.images.size = 8192, less.images.volume_size = 512;
  EXPECT_EQ(images(less), "size=8192;volume_size=512");
}

TEST(ChipOffer, NamesLimitsOfProgramsWhereTheyDiffer) {
  const auto of = [](const char* preset) {
    machine::Config config;
    machine::load_config(config, preset, {});
    return programs(config.abilities());
  };
  EXPECT_EQ(of("geforce6800"),
            "color_targets=4;varyings=10;vertex_textures=4;vertex_temporaries=32;fragment_temporaries=32;"
            "vertex_instructions=512;fragment_instructions=65535");
  for (const char* preset : {"attila", "attila-split"}) EXPECT_EQ(of(preset), "");
  for (const char* preset : {"g80", "g84m", "d3d11"}) EXPECT_EQ(of(preset), "fragment_indexed_constants=256");
}

TEST(ChipOffer, VertexStoresNeedAllPreRasteriserStages) {
  using arch::Stage;
  command_stream::Abilities able{
      .stages = {Stage::kVertex, Stage::kGeometry, Stage::kFragment, Stage::kCompute},
      .stores = {Stage::kVertex, Stage::kFragment},
      .atomics = true,
      .pull = true,
      .doubles = true};
  EXPECT_EQ(without(able), "tessellation,vertex_stores,sparse");
  able.stores.add(Stage::kGeometry);
  EXPECT_EQ(without(able), "tessellation,sparse");
  able.atomics = false;
  EXPECT_EQ(without(able), "tessellation,vertex_stores,fragment_stores,sparse");
}

}  // namespace
}  // namespace cutaway::app
