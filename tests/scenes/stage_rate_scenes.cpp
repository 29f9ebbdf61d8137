// Workgroups, patches, and small triangles for several rasterisers.
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

#include "scenes/closed_form_scenes.h"
#include "scenes/parts.h"

namespace cutaway::scenes {
namespace {

using arch::Stage;
using arch::TessSpacing;

// `groups` workgroups of 32 threads, each with `shared_bytes` of shared memory. c0.x is 4 `stride`.
Scene workgroups(const std::string& name, const std::string& program, uint32_t stride, uint32_t groups,
                 uint32_t shared_bytes = 4096) {
  Builder b(name);
  b.stores = true;
  const arch::Address results = b.allocate(8192);
  return three_frames(b, [&](uint32_t times) {
    b.registers.compute = {{32, 1, 1}, shared_bytes};
    b.constants(Stage::kCompute, 0, {bits(4 * stride), bits(1), bits(0), bits(0)});
    b.program(Stage::kCompute, program, arch::kShaderWritesMemory);
    b.textures(std::array{raw_buffer(results, 8192)}, {}, Stage::kCompute);
    b.send_state();
    b.commands.packet(arch::Opcode::kDispatch, arch::DispatchPacket{{groups * times, 1, 1}, {}});
  });
}

std::string repeated(const std::string& instruction, uint32_t times) {
  std::string text = "IMUL r0.x, i32.w, c0.x\n";
  for (uint32_t i = 0; i < times; i++) text += instruction;
  return text + "END\n";
}

Scene shared_loads(const std::string& name, uint32_t ways) {
  return workgroups(name, repeated("LDW r1.x, r0.x\n", 64), ways, 32);
}

// Atomics on words `apart` words apart, or on one word.
Scene atomics(const std::string& name, uint32_t apart) {
  return workgroups(name, repeated("ATOM _.x, r0.x, c0.y, c0.z, t0, OP(0)\n", 8), apart, 64);
}

// Appends to a counter: each thread gets a number of its own.
Scene appends(const std::string& name) {
  return workgroups(name, repeated("ATOM r1.x, r0.x, c0.y, c0.z, t0, OP(0)\n", 128), 0, 32);
}

// Repeats the instructions 1024 times, without a loop.
Scene rounds(const std::string& name, const std::string& instructions) {
  return workgroups(name, "STB _.x, c0.z, c0.y, t0\n" + repeated(instructions, 1024), 1, 2);
}

// Loads of eight registers in turn, 2048 in each of two workgroups.
Scene loads_in_turn(const std::string& name) {
  std::string text;
  for (uint32_t i = 1; i <= 8; i++) text += fmt::format("LDB r{}.x, r0.x, t0\n", i);
  return workgroups(name, "STB _.x, c0.z, c0.y, t0\n" + repeated(text, 256), 1, 2);
}

// Four layers of 64x64 fragments that read all components of `count` interpolants, three with an instruction.
Scene interpolants(const std::string& name, uint32_t count) {
  constexpr uint32_t kLayers = 4;
  Builder b(name, 64, 64);
  return three_frames(b, [&](uint32_t times) {
    std::string vertices = "MOV o0, i0\n", fragments;
    for (uint32_t i = 1; i <= count; i++) vertices += fmt::format("MOV o{}, i0\n", i);
    for (uint32_t i = 0; i < count; i += 3)
      fragments += fmt::format("MAD o0, i{}, i{}, i{}\n", i, i + 1, i + 2);
    b.program(Stage::kVertex, vertices + "END\n");
    b.program(Stage::kFragment, fragments + "END\n");
    auto& out = b.registers.vertex_out;
    out.interpolants = count;
    for (uint32_t i = 0; i < count; i++) out.interpolant[i] = {i + 1, 0, 0};
    std::vector<float> values;
    for (uint32_t i = 0; i < times * kLayers; i++)
      values.insert(values.end(), {-1, -1, 0.5f, 1, 3, -1, 0.5f, 1, -1, 3, 0.5f, 1});
    b.vertices(values, {4});
    b.draw(3 * times * kLayers);
  });
}

// 64 dependent operations in workgroups with `temporaries` temporaries and `shared_bytes` of shared memory.
Scene inside(const std::string& name, uint32_t temporaries, uint32_t shared_bytes) {
  const std::string last = fmt::format("r{}.x", temporaries - 1);
  std::string text = fmt::format("RCP {}, c0.x\n", last);
  for (int i = 0; i < 63; i++) text += fmt::format("RCP {}, {}\n", last, last);
  return workgroups(name, text + "END\n", 1, 256, shared_bytes);
}

// `count` operations, one after the other, in each of `groups` workgroups.
Scene operations(const std::string& name, const std::string& operation, uint32_t count, uint32_t groups) {
  std::string text;
  for (uint32_t i = 0; i < count; i++) text += operation;
  return workgroups(name, text + "END\n", 1, groups, 64);
}

// Squares of one vertex, divided by the same factor along all edges and inside, and all behind the viewer.
Scene patches(const std::string& name, float factor, TessSpacing spacing, uint32_t count) {
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
    b.program(Stage::kTessControl, "MOV r0, c1\nSTW _, c0.x, r0\nSTW _.xy, c0.y, r0\nEND\n");
    b.program(Stage::kTessEvaluation, "MOV o0, c0\nEND\n");
    b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
    b.constants(Stage::kTessControl, 0,
                {bits(arch::kPatchOuter), bits(arch::kPatchInner), 0, 0, factor, factor, factor, factor});
    b.constants(Stage::kTessEvaluation, 0, {0, 0, -5, 1});
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPatchList);
    auto& tess = b.registers.tessellation;
    tess.patch_vertices = tess.output_vertices = 1;
    tess.patch_bytes = arch::kPatchFactorBytes;
    tess.domain = static_cast<uint32_t>(arch::TessDomain::kQuads);
    tess.spacing = static_cast<uint32_t>(spacing);
    tess.inputs.count = 1;
    std::vector<float> values;
    for (uint32_t i = 0; i < times * count; i++) values.insert(values.end(), {0, 0, 0, 1});
    b.vertices(values, {4});
    b.draw(times * count);
  });
}

// Points of `words` words each, all captured and none rasterised.
Scene captured(const std::string& name, uint32_t words) {
  constexpr uint32_t kPoints = 4096;
  Builder b(name);
  const arch::Address buffer = b.allocate(2 * kPoints * 4 * words);
  return three_frames(b, [&](uint32_t times) {
    std::string text = "MOV o0, i0\n";
    for (uint32_t i = 1; i < words / 4; i++) text += fmt::format("MOV o{}, i0\n", i);
    b.program(Stage::kVertex, text + "END\n");
    b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
    b.registers.raster.rasterizer_discard = 1;
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPointList);
    auto& feedback = b.registers.feedback;
    feedback.on = 1;
    feedback.outputs = words;
    feedback.buffer[0] = {buffer, 2 * kPoints * 4 * words, 4 * words};
    for (uint32_t i = 0; i < words; i++)
      feedback.output[i] = arch::FeedbackOutput::make(i / 4, i % 4, 0, 4 * i);
    b.vertices(std::vector<float>(size_t{4} * times * kPoints, 0.5f), {4});
    b.draw(times * kPoints);
  });
}

// Rows of squares of `side` pixels a side, two triangles each, as one strip over the whole target.
Scene triangles(const std::string& name, uint32_t side) {
  constexpr uint32_t kPixels = 192, kLayers = 4;
  Builder b(name, kPixels, kPixels);
  return three_frames(b, [&](uint32_t times) {
    b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
    b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
    b.constants(Stage::kFragment, 0, {1, 0.5f, 0.25f, 1});
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    std::vector<float> values;
    const auto add = [&](uint32_t x, uint32_t y) {
      const auto place = [](uint32_t pixel) { return 2 * static_cast<float>(pixel) / kPixels - 1; };
      values.insert(values.end(), {place(x), place(y), 0.5f, 1});
    };
    for (uint32_t layer = 0; layer < times * kLayers; layer++)
      for (uint32_t y = 0; y < kPixels; y += side) {
        add(0, y);  // from the row before: two vertices that make triangles without area
        for (uint32_t x = 0; x <= kPixels; x += side) add(x, y), add(x, y + side);
        add(kPixels, y + side);
      }
    b.vertices(values, {4});
    b.draw(static_cast<uint32_t>(values.size() / 4));
  });
}

}  // namespace

std::vector<NamedScene> stage_rate_scenes() {
  std::vector<NamedScene> scenes;
  const auto add = [&](const std::string& name, auto make, auto... arguments) {
    scenes.push_back({name, [=] { return make(name, arguments...); }});
  };
  for (const uint32_t ways : {0u, 1u, 2u, 4u, 8u, 16u, 32u})
    add(fmt::format("shared-{}", ways), shared_loads, ways);
  add("atomics-one", atomics, 0u);
  add("atomics-spread", atomics, 1u);
  add("atomics-lines", atomics, 32u);
  add("appends", appends);
  for (const char* barrier : {"BAR", "BAR DEVICE", "MEMBAR", "MEMBAR DEVICE"}) {
    std::string name = fmt::format("stores-{}", barrier);
    std::replace(name.begin(), name.end(), ' ', '-');
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    add(name, rounds, fmt::format("STB _.x, r0.x, c0.y, t0\n{}\n", barrier));
  }
  add("shared-bar", rounds, std::string("STW _.x, r0.x, c0.y\nBAR SHARED\n"));
  add("loads", rounds, std::string("LDB r1.x, r0.x, t0\n"));
  add("loads-cached", rounds, std::string("LDB r1.x, r0.x, t0, CACHED\n"));
  add("loads-in-turn", loads_in_turn);
  for (const uint32_t count : {3u, 6u, 15u}) add(fmt::format("interpolants-{}", count), interpolants, count);
  for (const uint32_t temporaries : {4u, 32u, 48u, 64u, 96u})
    add(fmt::format("inside-{}-registers", temporaries), inside, temporaries, 1024u);
  for (const uint32_t kilobytes : {4u, 6u, 8u, 12u, 16u, 32u})
    add(fmt::format("inside-{}-kb", kilobytes), inside, 4u, kilobytes << 10);
  // Each operation depends on the one before, or on none.
  const std::tuple<const char*, const char*, const char*> operation[] = {
      {"mad", "MAD r1.x, r1, c0, c0\n", "MAD r1.x, c0, c0, c0\n"},
      {"dfma", "DFMA r1.xy, r1, c0, c0\n", "DFMA r1.xy, c0, c0, c0\n"},
      {"ddiv", "DDIV r1.xy, r1, c0\n", "DDIV r1.xy, c0, c0\n"}};
  for (const auto& [name, chain, free] : operation) {
    add(fmt::format("{}-chain", name), operations, std::string(chain), 4096u, 2u);
    add(fmt::format("{}-free", name), operations, std::string(free), 4096u, 2u);
    add(fmt::format("{}-groups", name), operations, std::string(chain), 64u, 768u);
  }
  const std::tuple<const char*, TessSpacing, std::vector<float>> spacings[] = {
      {"equal", TessSpacing::kEqual, {1, 2, 3, 4, 8, 16, 32, 64}},
      {"odd", TessSpacing::kFractionalOdd, {1, 2.5f, 4.5f, 15.5f, 63}},
      {"even", TessSpacing::kFractionalEven, {1, 2.5f, 4.5f, 15.5f, 64}}};
  for (const auto& [spacing, kind, factors] : spacings)
    for (const float factor : factors)
      add(fmt::format("patches-{}-{}", spacing, factor), patches, factor, kind,
          factor > 40   ? 4u
          : factor > 10 ? 32u
                        : 256u);
  for (const uint32_t words : {2u, 4u, 6u, 8u, 16u, 32u})
    add(fmt::format("captured-{}", words), captured, words);
  for (const uint32_t side : {2u, 4u, 8u, 16u, 32u}) add(fmt::format("triangles-{}", side), triangles, side);
  return scenes;
}

}  // namespace cutaway::scenes
