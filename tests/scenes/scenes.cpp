#include "scenes/scenes.h"

#include "scenes/clear_scenes.h"
#include "scenes/parts.h"
#include "scenes/raster_scenes.h"
#include "scenes/texture_scenes.h"

namespace cutaway::scenes {
using arch::Stage;

Scene many_triangles(uint32_t triangles, uint32_t size) {
  Builder b("many-triangles", size, size);
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, size, size));
  b.clear(0.1f, 0.1f, 0.1f, 1);
  color_programs(b);
  depth_test(b);
  Random random(7);
  std::vector<float> values;
  for (uint32_t i = 0; i < triangles; i++) {
    const float x = random.between(-1, 1), y = random.between(-1, 1), w = random.between(0.5f, 2);
    const float color[3] = {random.between(0, 1), random.between(0, 1), random.between(0, 1)};
    for (uint32_t v = 0; v < 3; v++) {
      const float z = random.between(0, 1);
      for (const float value : {(x + random.between(-0.3f, 0.3f)) * w, (y + random.between(-0.3f, 0.3f)) * w,
                                z * w, w, color[0], color[1], color[2], 1.0f})
        values.push_back(value);
    }
  }
  b.vertices(values, {4, 4});
  b.draw(3 * triangles);
  b.end_frame();
  return b.take();
}

Scene depth_and_stencil() {
  Builder b("depth-and-stencil");
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64));
  b.clear(0, 0, 0, 1);
  color_programs(b);
  // A diamond into stencil only: increments where the depth test passes.
  auto& depth = b.registers.depth;
  depth.stencil_test = 1;
  depth.front = {0, 0, 3, 7, 0, 255, 255};  // pass: increment and clamp; always
  depth.back = depth.front;
  b.registers.color.target[0].write_mask = 0;
  b.vertices({0,    -0.9f, 0, 1, 1, 1, 1, 1, 0.9f, 0,    0, 1, 1, 1, 1, 1, -0.9f, 0, 0, 1, 1, 1, 1, 1,  //
              0.9f, 0,     0, 1, 1, 1, 1, 1, 0,    0.9f, 0, 1, 1, 1, 1, 1, -0.9f, 0, 0, 1, 1, 1, 1, 1},
             {4, 4});
  b.draw(6);
  // Two triangles that cross in depth, drawn where stencil is 1.
  b.registers.color.target[0].write_mask = 15;
  depth.front = {0, 0, 0, 2, 1, 255, 255};  // equal to 1; keep
  depth.back = depth.front;
  depth_test(b);
  b.vertices({-1, -1, 0.1f, 1, 1, 0, 0, 1, 1, -1, 0.9f, 1, 1, 0, 0, 1, 0, 1, 0.5f, 1, 1, 0.5f, 0,    1,  //
              -1, -1, 0.9f, 1, 0, 1, 0, 1, 1, -1, 0.1f, 1, 0, 1, 0, 1, 0, 1, 0.5f, 1, 0, 1,    0.5f, 1},
             {4, 4});
  b.draw(6);
  b.end_frame();
  return b.take();
}

Scene blending() {
  Builder b("blending");
  b.clear(0.2f, 0.2f, 0.2f, 1);
  color_programs(b);
  const auto pane = [&](float x, float y, float r, float g, float bl, float a) {
    b.vertices({x,     y,     0, 1, r, g, bl, a, x + 1, y, 0, 1, r, g, bl, a, x, y + 1, 0, 1, r, g, bl, a,  //
                x + 1, y + 1, 0, 1, r, g, bl, a},
               {4, 4});
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    b.draw(4);
  };
  auto& target = b.registers.color.target[0];
  const auto mode = [&](arch::BlendFactor source, arch::BlendFactor destination, arch::BlendOp op) {
    target.blend = 1;
    target.color_source = target.alpha_source = static_cast<uint32_t>(source);
    target.color_destination = target.alpha_destination = static_cast<uint32_t>(destination);
    target.color_op = target.alpha_op = static_cast<uint32_t>(op);
  };
  mode(arch::BlendFactor::kSrcAlpha, arch::BlendFactor::kOneMinusSrcAlpha, arch::BlendOp::kAdd);
  pane(-0.9f, -0.9f, 1, 0, 0, 0.5f);
  pane(-0.5f, -0.6f, 0, 1, 0, 0.5f);
  mode(arch::BlendFactor::kOne, arch::BlendFactor::kOne, arch::BlendOp::kAdd);
  pane(-0.1f, -0.3f, 0, 0, 0.75f, 1);
  mode(arch::BlendFactor::kOne, arch::BlendFactor::kOne, arch::BlendOp::kReverseSubtract);
  pane(-0.7f, -0.1f, 0.15f, 0.15f, 0.15f, 0);
  mode(arch::BlendFactor::kOne, arch::BlendFactor::kOne, arch::BlendOp::kMax);
  target.write_mask = 5;  // red and blue
  pane(-0.2f, -0.05f, 0.5f, 1, 0.5f, 1);
  b.end_frame();
  return b.take();
}

Scene lines_and_points() {
  Builder b("lines-and-points");
  b.clear(0, 0, 0, 1);
  color_programs(b);
  std::vector<float> values;
  for (int i = 0; i < 16; i++) {
    const double angle = i * std::numbers::pi / 8 + 0.1;
    for (const float value :
         {0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f,  //
          0.9f * cosine(angle), 0.9f * sine(angle), 0.0f, 1.0f, 1.0f, i / 16.0f, 0.0f, 1.0f})
      values.push_back(value);
  }
  b.vertices(values, {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kLineList);
  b.draw(32);
  values.clear();
  for (int i = 0; i <= 8; i++) {
    const double angle = i * std::numbers::pi / 4;
    for (const float value : {0.7f * cosine(angle), 0.7f * sine(angle), 0.0f, 1.0f, 0.0f, 0.5f, 1.0f, 1.0f})
      values.push_back(value);
  }
  b.vertices(values, {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kLineStrip);
  b.draw(9);
  values.clear();
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      for (const float value :
           {(x * 8 + 4.5f) / 32 - 1, (y * 8 + 4.5f) / 32 - 1, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f})
        values.push_back(value);
  b.vertices(values, {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPointList);
  b.draw(64);
  b.end_frame();
  return b.take();
}

Scene copies() {
  Builder b("copies");
  b.clear(0, 0, 0, 1);
  b.flush();
  // Rows of a buffer into a tiled texture, and the texture into the target, twice.
  std::vector<uint32_t> gradient(32 * 32);
  for (uint32_t y = 0; y < 32; y++)
    for (uint32_t x = 0; x < 32; x++) gradient[y * 32 + x] = 0xff000000 | (y * 8) << 8 | x * 8;
  arch::Surface rows = b.surface(arch::Format::R8G8B8A8_UNORM, 32, 32, 1, arch::Tiling::kLinear);
  b.fill_level(rows, 0, gradient);
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 40, 40);
  arch::CopySurfacePacket copy{};
  copy.source = rows, copy.destination = texture;
  copy.destination_x = 3, copy.destination_y = 5;
  copy.width = 32, copy.height = 32, copy.depth = 1;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  copy.source = texture, copy.destination = b.color_target();
  copy.source_x = 3, copy.source_y = 5, copy.destination_x = 1, copy.destination_y = 2;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  copy.destination_x = 34, copy.destination_y = 30, copy.width = 29, copy.height = 31;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  // A detiled copy of the target, its first rows through a buffer copy, and a fill.
  const arch::Surface linear = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kLinear);
  arch::CopySurfacePacket out{};
  out.source = b.color_target(), out.destination = linear;
  out.width = out.height = 64, out.depth = 1;
  b.commands.packet(arch::Opcode::kCopySurface, out);
  const arch::Address bytes = b.allocate(4096);
  b.commands.packet(arch::Opcode::kCopyBuffer, arch::CopyBufferPacket{linear.address + 4, bytes + 12, 2000});
  b.commands.packet(arch::Opcode::kFillBuffer, arch::FillBufferPacket{bytes + 2016, 1020, 0x12345678});
  b.end_frame();
  Scene scene = b.take();
  scene.results = bytes;
  return scene;
}

Scene discards() {
  Builder b("discards");
  b.depth(b.surface(arch::Format::D32_SFLOAT, 64, 64));
  b.clear(0, 0, 0.3f, 1);
  depth_test(b);
  b.program(Stage::kVertex, kPassColor);
  b.interpolants({1});
  // Discards where x y > 0.3, after a loop that doubles a counter until it exceeds the interpolant's z.
  b.program(Stage::kFragment,
            "MUL r0.x, i0.x, i0.y\n"
            "FLT r0.y, c0.x, r0.x\n"
            "KIL r0.y\n"
            "MOV r1, c0.yyyy\n"
            "LOOP\n"
            "FGE r0.z, r1.x, i0.z\n"
            "BRK r0.z\n"
            "ADD r1.x, r1.x, r1.x\n"
            "NEXT\n"
            "ENDLOOP\n"
            "IF r0.w\n"
            "MOV r1.y, c0.w\n"
            "ENDIF\n"
            "MUL r1.x, r1.x, c0.z\n"
            "MOV o0, r1.xxyw\n"
            "END\n",
            arch::kShaderKills);
  b.constants(Stage::kFragment, 0, {0.3f, 1, 0.0625f, 0});
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite);
  b.vertices({-1, -1, 0.5f, 1, -1, -1, 1,  1, 1, -1, 0.5f, 1, 1, -1, 4, 1, -1, 1, 0.5f, 1, -1, 1, 4, 1,  //
              1,  1,  0.5f, 1, 1,  1,  16, 1},
             {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
  // A pane behind: seen only through the holes.
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(Stage::kFragment, 0, {1, 0.8f, 0, 1});
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarly);
  b.vertices({-0.8f, -0.8f, 0.75f, 1, 0.8f, -0.8f, 0.75f, 1, -0.8f, 0.8f, 0.75f, 1, 0.8f, 0.8f, 0.75f, 1},
             {4});
  b.draw(4);
  // Depth from the program, in waves across the screen that leave the range of depth on both sides.
  b.program(Stage::kFragment,
            "MUL r0.x, i32.x, c0.x\n"
            "SIN r0.x, r0.x\n"
            "MAD o8.x, r0.x, c0.y, c0.z\n"
            "MOV o0, c1\n"
            "END\n",
            arch::kShaderWritesDepth | arch::kShaderReadsFragCoord);
  b.constants(Stage::kFragment, 0, {0.4f, 0.75f, 0.5f, 0, 0, 0.6f, 0.2f, 1});
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  b.vertices({-0.3f, -1, 0, 1, 0.3f, -1, 0, 1, -0.3f, 1, 0, 1, 0.3f, 1, 0, 1}, {4});
  b.draw(4);
  b.end_frame();
  return b.take();
}

Scene instances() {
  Builder b("instances");
  b.clear(0, 0, 0, 1);
  b.program(Stage::kVertex, "ADD o0.xy, i0.xyxy, i1.xyxy\nMOV o0.zw, c0.xyxy\nMOV o1, i2\nEND\n");
  b.constants(Stage::kVertex, 0, {0, 1, 0, 0});
  b.program(Stage::kFragment, kColor);
  b.interpolants({1}, arch::Interpolation::kFlat);
  // Positions as signed 16-bit numbers by vertex, offsets as halves and colors as bytes by instance.
  const std::vector<int16_t> position = {-6000, -6000, 0,    -6000, -6000, 0,    0,    0,
                                         2000,  2000,  6000, 2000,  2000,  6000, 6000, 6000};
  const std::vector<uint16_t> offset = {0xb800, 0xb800, 0x3800, 0xb800, 0xb800, 0x3800, 0x3800, 0x3800};
  const std::vector<uint32_t> color = {0xff0000ff, 0xff00ff00};  // for two instances each
  auto& assembly = b.registers.assembly;
  assembly.attribute[0] = {static_cast<uint32_t>(arch::Format::R16G16_SNORM), 0, 0};
  assembly.attribute[1] = {static_cast<uint32_t>(arch::Format::R16G16_SFLOAT), 1, 0};
  assembly.attribute[2] = {static_cast<uint32_t>(arch::Format::R8G8B8A8_UNORM), 2, 0};
  assembly.binding[0] = {b.upload(position), 32, 4, 0, 1};
  assembly.binding[1] = {b.upload(offset), 16, 4, 1, 1};
  assembly.binding[2] = {b.upload(color), 8, 4, 1, 2};
  // Two quads as strips of eight and nine bits below: restart between them.
  const std::vector<uint16_t> index = {0, 1, 2, 3, 0xffff, 4, 5, 6, 7};
  assembly.index_address = b.upload(index);
  assembly.index_bytes = 18, assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint16);
  assembly.primitive_restart = 1;
  assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw_indexed(9, 4);
  b.end_frame();
  return b.take();
}

Scene clipped() {
  Builder b("clipped", 96, 64);
  b.clear(0, 0, 0.2f, 1);
  color_programs(b);
  b.vertices({0,       -0.5f, 0.5f, 1, 1,    0,     0,  1,  60,     40,    30,   60,
              1,       1,     0,    1, -1,   8,     -2, -2, 0,      1,     0,    1,  // eye
              -3,      -0.2f, 0.5f, 1, 0,    1,     1,  1,  3,      -0.3f, 0.5f, 1,
              0,       0,     1,    1, 0,    0.1f,  2,  1,  1,      1,     1,    1,  // far
              -900000, 0.8f,  0,    1, 1,    0,     1,  1,  900000, 0.8f,  0,    1,
              1,       0,     1,    1, 0,    0.9f,  0,  1,  1,      0,     0,    1,  // band
              0.5f,    -0.9f, -1,   1, 1,    1,     1,  1,  0.9f,   -0.9f, 1,    1,
              0,       0,     0,    1, 0.7f, -0.2f, 1,  1,  0,      1,     0,    1},
             {4, 4});
  b.draw(12);
  b.end_frame();
  return b.take();
}

Scene animation(uint32_t frames) {
  Builder b("animation");
  for (uint32_t frame = 0; frame < frames; frame++) {
    b.clear(0, 0, 0, 1);
    b.program(Stage::kVertex, "DP2 o0.x, i0, c0\nDP2 o0.y, i0, c1\nMOV o0.zw, c1.zwzw\nMOV o1, i1\nEND\n");
    const double angle = 0.3 * frame;
    b.constants(Stage::kVertex, 0, {cosine(angle), -sine(angle), 0, 0, sine(angle), cosine(angle), 0, 1});
    b.program(Stage::kFragment, kColor);
    b.interpolants({1});
    b.vertices({0, -0.8f, 0, 1, 1, 0, 0, 1, 0.7f, 0.6f, 0, 1, 0, 1, 0, 1, -0.7f, 0.6f, 0, 1, 0, 0, 1, 1},
               {4, 4});
    b.draw(3);
    b.end_frame();
  }
  return b.take();
}

std::vector<Scene> all_scenes() {
  std::vector<Scene> scenes;
  scenes.push_back(textured_triangle());
  scenes.push_back(many_triangles(200));
  scenes.push_back(depth_and_stencil());
  scenes.push_back(blending());
  scenes.push_back(mipmapped_floor());
  scenes.push_back(scattered_texels());
  scenes.push_back(lines_and_points());
  scenes.push_back(copies());
  scenes.push_back(discards());
  scenes.push_back(system_memory());
  scenes.push_back(scratch_memory());
  scenes.push_back(invalidated_targets());
  scenes.push_back(instances());
  scenes.push_back(clipped());
  scenes.push_back(animation(3));
  scenes.push_back(queries());
  scenes.push_back(statistics());
  scenes.push_back(shadowed_layers());
  scenes.push_back(cube_map());
  scenes.push_back(halves());
  scenes.push_back(calls());
  scenes.push_back(palette());
  for (Scene& scene : raster_scenes()) scenes.push_back(std::move(scene));
  scenes.push_back(anisotropic_textures());
  scenes.push_back(gathers());
  scenes.push_back(block_textures());
  scenes.push_back(packed_textures());
  scenes.push_back(stencil_textures());
  scenes.push_back(texel_buffers());
  scenes.push_back(volume_slices());
  scenes.push_back(multisampled(2));
  scenes.push_back(multisampled(4));
  scenes.push_back(multisampled(8));
  scenes.push_back(cleared_samples());
  scenes.push_back(cleared_targets());
  scenes.push_back(cleared_depth("cleared-depth", arch::Format::D24_UNORM_S8_UINT, 1));
  scenes.push_back(cleared_depth("cleared-float-depth", arch::Format::D32_SFLOAT, 1));
  scenes.push_back(cleared_depth("cleared-depth-samples", arch::Format::D24_UNORM_S8_UINT, 4));
  return scenes;
}

}  // namespace cutaway::scenes
