#include "replay/draw_views.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

#include "emulator/emulator.h"
#include "func/format/numeric.h"
#include "replay/texture_picture.h"
#include "scenes/scenes.h"

namespace cutaway::replay {
namespace {

// Composes the changes of targets, as a viewer does.
class Composer final : public run_record::DrawViewSink {
 public:
  struct Target {
    run_record::ViewedSurface surface;
    std::vector<uint32_t> pixels;
    uint32_t changes = 0;
  };

  void target(const run_record::ViewedSurface& surface) override {
    targets.push_back({surface, std::vector<uint32_t>(size_t{surface.width} * surface.height)});
  }
  void change(run_record::ViewedChange&& change) override {
    Target& target = targets.at(change.target);
    ASSERT_LE(change.x + change.width, target.surface.width);
    ASSERT_LE(change.y + change.height, target.surface.height);
    for (uint32_t y = 0; y < change.height; y++)
      for (uint32_t x = 0; x < change.width; x++) {
        uint32_t color;
        std::memcpy(&color, &change.rgba[(size_t{y} * change.width + x) * 4], 4);
        if (color >> 24) target.pixels[size_t{change.y + y} * target.surface.width + change.x + x] = color;
      }
    target.changes++;
    if (!change.before) changed_by.push_back({change.draw.submission, change.draw.draw});
  }
  void mesh(run_record::ViewedMesh&& mesh) override { meshes.push_back(std::move(mesh)); }
  void texture(const run_record::ViewedTexture& texture) override { textures.push_back(texture); }
  void use(const run_record::DrawName&, uint32_t stage, uint32_t binding, uint32_t texture) override {
    uses.push_back({stage, binding, texture});
  }
  bool full() override { return draws++ >= most_draws; }

  uint32_t most_draws = ~0u, draws = 0;
  std::vector<Target> targets;
  std::vector<std::pair<uint64_t, uint32_t>> changed_by;
  std::vector<run_record::ViewedMesh> meshes;
  std::vector<run_record::ViewedTexture> textures;
  std::vector<std::array<uint32_t, 3>> uses;
};

// Plays a scene; returns the last frame's picture.
arch::Picture play(const scenes::Scene& scene, Composer& composer, uint32_t threads = 1) {
  DrawViewRecorder recorder;
  recorder.record_into(&composer);
  arch::Picture picture;
  const auto gpu =
      emulator::make_emulator({.on_frame = [&](emulator::FrameEnd& end) { picture = std::move(end.picture); },
                               .draw_observer = &recorder,
                               .threads = threads});
  scenes::play(scene, *gpu);
  arch::Fault fault;
  EXPECT_FALSE(gpu->fault(fault)) << fault.text;
  return picture;
}

bool shows(const Composer& composer, const arch::Picture& picture) {
  return std::any_of(composer.targets.begin(), composer.targets.end(), [&](const Composer::Target& target) {
    return target.pixels.size() * 4 == picture.rgba.size() &&
           std::memcmp(target.pixels.data(), picture.rgba.data(), picture.rgba.size()) == 0;
  });
}

// Tiled and linear targets, depth, blending, discards, several threads: the changes of a target sum to the
// picture that is displayed.
TEST(DrawViews, ChangesOfATargetSumToThePicture) {
  for (const scenes::Scene& scene :
       {scenes::textured_triangle(), scenes::many_triangles(60), scenes::depth_and_stencil(),
        scenes::blending(), scenes::mipmapped_floor(), scenes::discards(), scenes::instances(),
        scenes::animation(3)}) {
    Composer composer;
    const arch::Picture picture = play(scene, composer, 2);
    EXPECT_TRUE(shows(composer, picture)) << scene.name;
    EXPECT_FALSE(composer.changed_by.empty()) << scene.name;
  }
}

// A planted fault of the viewer: without its last change the picture is another.
TEST(DrawViews, NoChangeCanBeLeftOut) {
  Composer composer;
  const scenes::Scene scene = scenes::many_triangles(60);
  const arch::Picture picture = play(scene, composer);
  Composer shorter;
  shorter.most_draws = composer.draws - 1;
  play(scene, shorter);
  EXPECT_FALSE(shows(shorter, picture));
}

TEST(DrawViews, MeshesAreThePrimitivesOfEachDraw) {
  Composer composer;
  play(scenes::many_triangles(60), composer);
  uint64_t triangles = 0;
  for (const run_record::ViewedMesh& mesh : composer.meshes) {
    EXPECT_EQ(mesh.corners, 3u);
    EXPECT_EQ(mesh.indices.size() % 3, 0u);
    EXPECT_LT(*std::max_element(mesh.indices.begin(), mesh.indices.end()), mesh.positions.size() / 4);
    triangles += mesh.indices.size() / 3;
  }
  EXPECT_EQ(triangles, 60u + 2u) << "with the two of the clear";
  EXPECT_EQ(composer.meshes.front().scale[0], 64) << "128 pixels across";
}

TEST(DrawViews, TexturesAreShownOnceForAllTheirUses) {
  Composer composer;
  play(scenes::textured_triangle(), composer);
  ASSERT_EQ(composer.textures.size(), 1u);
  const run_record::ViewedTexture& texture = composer.textures.front();
  EXPECT_EQ(texture.rgba.size(), size_t{texture.surface.width} * texture.surface.height * 4);
  ASSERT_FALSE(composer.uses.empty());
  for (const auto& use : composer.uses) EXPECT_EQ(use[2], 0u);
}

// A surface of one level in memory of its own.
struct Image {
  arch::Surface surface{};
  arch::Memory memory;

  Image(arch::Format format, arch::Tiling tiling, uint32_t width, uint32_t height,
        uint32_t samples_log2 = 0) {
    surface.address = 0x10000;
    surface.format = static_cast<uint32_t>(format);
    surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, tiling, samples_log2);
    surface.width = width, surface.height = height;
    surface.depth = surface.levels = surface.layers = surface.level_count = surface.layer_count = 1;
    surface.swizzle = arch::kSwizzleIdentity;
    memory.map(0x10000, 1 << 20);
  }
  void put(uint32_t x, uint32_t y, uint32_t bits, uint32_t sample = 0) {
    memory.write_as(func::make_target_view(surface).address(x, y, sample), bits);
  }
};

TEST(TargetWatch, FindsTheRectangleOfChangedPixels) {
  for (const arch::Tiling tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear}) {
    Image image(arch::Format::R8G8B8A8_UNORM, tiling, 21, 13);
    image.put(20, 12, 0x00030201);
    TargetWatch watch(image.surface);
    auto change = watch.look(image.memory);
    ASSERT_TRUE(change);
    EXPECT_EQ((std::array{change->x, change->y, change->width, change->height}),
              (std::array{0u, 0u, 21u, 13u}));
    EXPECT_EQ((std::vector<uint8_t>(change->rgba.end() - 4, change->rgba.end())),
              (std::vector<uint8_t>{1, 2, 3, 255}));
    EXPECT_FALSE(watch.look(image.memory)) << "nothing has changed";
    image.put(3, 4, 0x00000005), image.put(9, 2, 0x00000006);
    image.put(20, 12, 0xff030201);  // alpha alone is not shown
    change = watch.look(image.memory);
    ASSERT_TRUE(change);
    EXPECT_EQ((std::array{change->x, change->y, change->width, change->height}),
              (std::array{3u, 2u, 7u, 3u}));
    const auto alpha = [&](uint32_t x, uint32_t y) { return change->rgba[((y - 2) * 7 + x - 3) * 4 + 3]; };
    EXPECT_EQ(alpha(3, 4), 255);
    EXPECT_EQ(alpha(9, 2), 255);
    EXPECT_EQ(alpha(3, 2), 0) << "this pixel has not changed";
    EXPECT_EQ(std::count(change->rgba.begin(), change->rgba.end(), 255), 2);
  }
}

TEST(TexturePicture, LeavesTexelsOutAndAppliesTheSwizzle) {
  Image image(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 300, 10);
  image.surface.swizzle = 0x5041;  // G, zero, R, one
  image.put(2, 0, 0x00332211);
  const func::TextureView view = func::make_texture_view(image.surface);
  ASSERT_TRUE(view.valid);
  const auto picture = texture_picture(image.memory, view, shown_level(view, 256), 256);
  ASSERT_TRUE(picture);
  EXPECT_EQ((std::array{picture->surface.width, picture->surface.height, picture->width, picture->height}),
            (std::array{150u, 5u, 300u, 10u}));
  EXPECT_EQ((std::vector<uint8_t>(picture->rgba.begin() + 4, picture->rgba.begin() + 8)),
            (std::vector<uint8_t>{0x22, 0, 0x11, 255}));
  const uint64_t hash = texture_hash(image.memory, view, 0);
  image.put(299, 9, 1);
  EXPECT_NE(texture_hash(image.memory, view, 0), hash) << "every texel counts";
}

TEST(TexturePicture, ShowsTheLargestLevelThatIsSmallEnough) {
  Image image(arch::Format::BC1_RGB_UNORM_BLOCK, arch::Tiling::kTiled, 1024, 512);
  image.surface.levels = image.surface.level_count = 5;
  func::TextureView view = func::make_texture_view(image.surface);
  ASSERT_TRUE(view.valid);
  EXPECT_EQ(shown_level(view, 256), 2u);
  const auto picture = texture_picture(image.memory, view, 2, 256);
  ASSERT_TRUE(picture);
  EXPECT_EQ((std::array{picture->surface.width, picture->surface.height, picture->level}),
            (std::array{256u, 128u, 2u}));
  EXPECT_EQ(picture->rgba[0], 0) << "a block of zeros is black";
}

TEST(TargetWatch, ShowsTheMeanOfSamplesAndDepthAsGray) {
  Image samples(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 8, 8, 2);
  for (uint32_t i = 0; i < 4; i++) samples.put(1, 0, 10 * i, i);
  auto change = TargetWatch(samples.surface).look(samples.memory);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->rgba[4], 15);
  Image depth(arch::Format::D32_SFLOAT, arch::Tiling::kTiled, 8, 8);
  depth.put(0, 0, func::float_bits(1.0f)), depth.put(1, 0, func::float_bits(1 - 1.0f / 16));
  change = TargetWatch(depth.surface).look(depth.memory);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->rgba[0], 0) << "the far plane is black";
  EXPECT_EQ(change->rgba[4], 128) << "a sixteenth before it is half bright";
  EXPECT_EQ(change->rgba[8], 255) << "the near plane is white";
}

}  // namespace
}  // namespace cutaway::replay
