#include "scenes/closed_form_scenes.h"
#include "scenes/parts.h"
#include "scenes/timing_scenes.h"

// Many submissions, which a GPU may overlap.
namespace cutaway::scenes {
namespace {

using arch::Format;
using arch::Stage;

constexpr uint32_t kAhead = 255;

// Positions and colors of a rectangle between these corners.
std::vector<float> rectangle(float x0, float y0, float x1, float y1, float red) {
  return {x0, y0, 0.5f, 1, red, 0, 0.5f, 1,  //
          x1, y0, 0.5f, 1, red, 1, 0.5f, 1,  //
          x0, y1, 0.5f, 1, red, 0, 1,    1,  //
          x1, y1, 0.5f, 1, red, 1, 1,    1};
}

void draw_rectangle(Builder& b, const std::vector<float>& corners) {
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.vertices(corners, {4, 4});
  b.draw(4);
}

// Draws the texture over a whole target, or a part of it.
void draw_texture(Builder& b, const arch::Surface& target, const arch::Surface& texture, float right) {
  b.target(target);
  textured_programs(b);
  b.textures(std::vector{texture}, std::vector{sampler(arch::Filter::kNearest)});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.vertices({-1, -1, 0.5f, 1, 0, 0, right, -1, 0.5f, 1, 1, 0,  //
              -1, 1,  0.5f, 1, 0, 1, right, 1,  0.5f, 1, 1, 1},
             {4, 2});
  b.draw(4);
}

}  // namespace

Scene submissions_ahead() {
  constexpr uint32_t kSize = 64;
  Builder b("submissions-ahead", kSize, kSize);
  const arch::Surface screen = b.color_target();
  const arch::Surface texture = b.surface(Format::R8G8B8A8_UNORM, kSize, kSize);
  const arch::Surface depth = b.surface(Format::D32_SFLOAT, kSize, kSize);
  const arch::Address slots = b.allocate(64);
  b.ahead = kAhead;
  const auto color = [&](const arch::Surface& target, const std::vector<float>& corners) {
    b.target(target);
    color_programs(b);
    draw_rectangle(b, corners);
  };
  b.clear(0, 0, 0.25f, 1);
  b.submit_called();
  // Writes a texture, which the next submission reads.
  color(texture, rectangle(-1, -1, 1, 1, 0.25f));
  b.submit_called();
  draw_texture(b, screen, texture, 0.5f);
  b.submit_called();
  // Overwrites the texture, which may still be read.
  color(texture, rectangle(-0.5f, -1, 1, 0.5f, 1));
  b.submit_called();
  // Independent submissions to one target, some with depths.
  const arch::Address vertices = b.registers.assembly.binding[0].address;
  for (uint32_t i = 0; i < 4; i++) {
    if (i & 1) b.depth(depth), depth_test(b, arch::Compare::kAlways);
    const float x = -1 + 0.4f * static_cast<float>(i);
    color(screen, rectangle(x, -0.75f, x + 0.5f, 0.75f, 0.3f * static_cast<float>(i)));
    b.registers.depth = {};
    b.submit_called();
  }
  // A query beside draws that are not its own.
  b.registers.query.samples_passed = 1;
  const auto query = [&](arch::QueryPoint point) {
    b.send_state();
    b.commands.packet(arch::Opcode::kWriteQuery,
                      arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kSamplesPassed), slots,
                                        static_cast<uint32_t>(point)});
  };
  color(screen, rectangle(-1, 0.5f, 0, 1, 0.5f));
  query(arch::QueryPoint::kBegin);
  draw_rectangle(b, rectangle(0, 0.5f, 1, 1, 0.75f));
  query(arch::QueryPoint::kEnd);
  b.submit_called();
  draw_texture(b, screen, texture, 1);
  b.submit_called();
  // The host overwrites vertices, once their submission has ended.
  b.ahead = 6;
  b.overwrite(vertices, rectangle(-0.25f, -0.25f, 0.25f, 0.25f, 1));
  b.target(screen);
  color_programs(b);
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.vertices(rectangle(0, 0, 0, 0, 0), {4, 4});
  b.registers.assembly.binding[0].address = vertices;
  b.draw(4);
  b.submit_called();
  b.target(screen);
  b.end_frame();
  return b.take();
}

Scene host_steps() {
  constexpr uint32_t kSize = 32, kFrames = 4;
  Builder b("host-steps", kSize, kSize);
  b.ahead = kAhead;
  b.host(400);
  for (uint32_t frame = 0; frame < kFrames; frame++) {
    const float red = 0.25f * static_cast<float>(frame);
    b.clear(0, red, 0, 1);
    b.submit_called();
    b.host(300);
    for (const float x : {-1.0f, -0.5f}) {
      b.target(b.color_target());
      color_programs(b);
      draw_rectangle(b, rectangle(x, -1, x + 1, 1, red));
      b.submit_called();
      b.host(frame == 1 ? 9000 : 200, frame == 2 ? 2 : 0);
    }
    b.host(100);
    b.end_frame();
    b.host(500);
  }
  return b.take();
}

Scene turning_pictures(const std::string& name, uint32_t count) {
  constexpr uint32_t kSize = 128, kFrames = 5;
  Builder b(name, kSize, kSize);
  std::vector<arch::Surface> pictures = {b.color_target()};
  while (pictures.size() < count) pictures.push_back(b.surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize));
  for (uint32_t frame = 0; frame < kFrames; frame++) {
    b.target(pictures[frame % count]);
    color_programs(b);
    const float red = 0.2f * static_cast<float>(frame);
    draw_rectangle(b, rectangle(-1, -1, 1, 1, red));
    b.end_frame();
  }
  return b.take();
}

namespace {

// Squares at the same place, whose vertices and programs lie in memory once.
Scene squares(const std::string& name, uint32_t pixels, const std::function<void(Builder&)>& after_each,
              uint32_t ahead) {
  constexpr uint32_t kSize = 128, kSquares = 32;
  Builder b(name, kSize, kSize);
  const float edge = -1 + 2 * static_cast<float>(pixels) / kSize;
  b.ahead = ahead;
  return three_frames(b, [&](uint32_t times) {
    for (uint32_t i = 0; i < times * kSquares; i++) {
      b.target(b.color_target());
      color_programs(b);
      draw_rectangle(b, rectangle(-1, -1, edge, edge, 0.5f));
      after_each(b);
    }
    b.target(b.color_target());
  });
}

}  // namespace

Scene small_submissions(const std::string& name, uint32_t pixels, bool ahead) {
  return squares(
      name, pixels, [](Builder& b) { b.submit_called(); }, ahead ? kAhead : 0);
}

Scene host_submissions(const std::string& name, uint64_t nanoseconds, bool waits) {
  constexpr uint32_t kSubmissions = 64;
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    for (uint32_t i = 0; i < times * kSubmissions; i++) {
      if (waits) b.host(0, 1);
      b.host(nanoseconds);
      b.commands.packet(arch::Opcode::kNop);
      b.submit(false);
    }
  });
}

Scene small_draws(const std::string& name, uint32_t pixels) {
  return squares(
      name, pixels, [](Builder&) {}, 0);
}

}  // namespace cutaway::scenes
