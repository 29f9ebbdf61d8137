// The table of formats of the GeForce 6800 beside what its preset accepts: each format of the contract in
// each use, drawn on the machine. What is accepted leaves the emulator's memory; what is refused is named.
#include <fstream>
#include <map>
#include <sstream>

#include "func/format/texel.h"
#include "gpu_run.h"
#include "scenes/builder.h"

namespace cutaway {
namespace {

using arch::Format;
using arch::Stage;

enum class Use { kVertexTexture, kFragmentTexture, kTarget, kFilter, kBlend };
// In the order of the table's columns.
constexpr EnumName<Use> kUses[] = {{Use::kVertexTexture, "VertexTexture"},
                                   {Use::kFragmentTexture, "FragmentTexture"},
                                   {Use::kTarget, "Target"},
                                   {Use::kFilter, "Filter"},
                                   {Use::kBlend, "Blend"}};

struct Row {
  std::string name;
  std::map<Use, bool> has;
  std::vector<Format> formats;
};

Format format_called(const std::string& name) {
  for (const auto& format : arch::kFormatNames)
    if (name == format.name) return format.value;
  ADD_FAILURE() << name << " is no format";
  return Format::UNDEFINED;
}

std::vector<Row> rows() {
  std::vector<Row> all;
  std::ifstream file(CUTAWAY_FORMAT_TABLE);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Row row;
    words >> row.name;
    for (const auto& use : kUses) {
      char answer = 0;
      words >> answer;
      EXPECT_TRUE(answer == 'y' || answer == 'n') << line;
      row.has[use.value] = answer == 'y';
    }
    for (std::string name; words >> name;)
      if (name != "-") row.formats.push_back(format_called(name));
    all.push_back(std::move(row));
  }
  return all;
}

// The table's entry for a format; false if it has no row.
bool table_has(const std::vector<Row>& table, Format format, Use use) {
  bool has = false;
  for (const Row& row : table)
    for (const Format named : row.formats) has |= named == format && row.has.at(use);
  return has;
}

// True if any machine supports it.
bool is_possible(Format format, Use use) {
  const arch::FormatInfo& info = arch::format_info(format);
  switch (use) {
    case Use::kVertexTexture:
    case Use::kFragmentTexture:
      return func::can_sample(info);
    case Use::kFilter:
      return func::can_filter(info);
    case Use::kTarget:
      return func::can_render(info) || func::can_depth_stencil(info);
    case Use::kBlend:
      return func::can_blend(info);
  }
  return false;
}

// ---- A draw for each ----

constexpr uint32_t kSize = 16;

arch::Surface texture(scenes::Builder& b, Format format) {
  arch::Surface surface = b.surface(format, kSize, kSize);
  std::vector<uint8_t> bytes(arch::surface_bytes(surface));
  uint32_t state = 12345;
  // Such that floats of all widths are numbers.
  for (uint8_t& byte : bytes) state = state * 1664525 + 1013904223, byte = (state >> 24) & 0x3f;
  surface.address = b.upload(bytes);
  return surface;
}

// A triangle over all of the target. i1 goes from 0 to 1 over it.
void cover(scenes::Builder& b) {
  b.vertices({-1, -1, 0.25f, 1,    0,  0, 0.1f,  0.5f, 3, -1, 0.5f, 1,
              2,  0,  0.7f,  0.5f, -1, 3, 0.75f, 1,    0, 2,  0.9f, 0.5f},
             {4, 4});
  b.interpolants({1});
}

void read_texture(scenes::Builder& b, Format format, Use use) {
  const arch::Surface surface = texture(b, format);
  const arch::Sampler sampler =
      scenes::sampler(use == Use::kFilter ? arch::Filter::kLinear : arch::Filter::kNearest);
  const bool vertex = use == Use::kVertexTexture;
  b.target(b.surface(Format::R32G32B32A32_SFLOAT, kSize, kSize));
  b.program(Stage::kVertex, vertex ? "MOV o0, i0\nTXL r0, i1, c0.x, t0, s0, 2D\nADD o1, r0, i1\nEND\n"
                                   : "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(Stage::kFragment, vertex ? "MOV o0, i0\nEND\n" : "TEX r0, i0, t0, s0, 2D\nADD o0, r0, i0\nEND\n",
            vertex ? 0u : uint32_t{arch::kShaderDerivatives});
  b.constants(Stage::kVertex, 0, {0, 0, 0, 0});
  b.textures({&surface, 1}, {&sampler, 1}, vertex ? Stage::kVertex : Stage::kFragment);
  // Loaded slots that are not read do not count as uses.
  const arch::Surface other = texture(b, Format::R8G8B8A8_SNORM);
  const arch::Surface both[] = {surface, other};
  b.textures(both, {&sampler, 1}, vertex ? Stage::kVertex : Stage::kFragment);
}

void draw_to(scenes::Builder& b, Format format, bool blends) {
  const arch::FormatInfo& info = arch::format_info(format);
  const arch::Surface surface = texture(b, format);
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(Stage::kFragment, "MOV o0, i0\nEND\n");
  if (info.is_color()) {
    b.target(surface);
    auto& target = b.registers.color.target[0];
    target.blend = blends;
    target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
    target.color_destination = target.alpha_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
    return;
  }
  b.depth(surface);
  auto& depth = b.registers.depth;
  depth.depth_test = depth.depth_write = info.has_depth();
  depth.depth_compare = static_cast<uint32_t>(arch::Compare::kAlways);
  depth.stencil_test = info.has_stencil();
  depth.front = {.pass = static_cast<uint32_t>(arch::StencilOp::kInvert),
                 .compare = static_cast<uint32_t>(arch::Compare::kAlways),
                 .read_mask = 0xff,
                 .write_mask = 0xff};
  depth.back = depth.front;
}

scenes::Scene scene_of(Format format, Use use) {
  scenes::Builder b(std::string(arch::format_info(format).name), kSize, kSize);
  b.registers.raster.cull_mode = arch::kCullNone;
  if (use == Use::kTarget || use == Use::kBlend) draw_to(b, format, use == Use::kBlend);
  else read_texture(b, format, use);
  cover(b);
  b.draw(3);
  b.flush();
  b.submit(false);
  return b.take();
}

std::string refusal(Format format, Use use) {
  const arch::FormatInfo& info = arch::format_info(format);
  const std::string_view name = info.name;
  switch (use) {
    case Use::kVertexTexture:
      return fmt::format("geforce6800 has no vertex textures of {}", name);
    case Use::kFragmentTexture:
      return fmt::format("geforce6800 has no fragment textures of {}", name);
    case Use::kFilter:
      return fmt::format("geforce6800 has no filtering of {} textures", name);
    case Use::kTarget:
      return fmt::format("geforce6800 has no {} targets of {}", info.is_color() ? "color" : "depth", name);
    case Use::kBlend:
      return fmt::format("geforce6800 has no blending in targets of {}", name);
  }
  return "";
}

// The machine's error for a scene; empty: it has drawn it like the emulator.
std::string tried(const scenes::Scene& scene, const machine::Config& config) {
  machine::Machine gpu(config, arch::Memory(), {});
  scenes::play(scene, gpu);
  gpu.wait();
  arch::Fault fault;
  if (gpu.fault(fault)) return fault.text;
  arch::Memory untouched;
  for (const scenes::Event& event : scene.events) {
    if (event.kind == scenes::Event::Kind::kMap) untouched.map(event.address, event.bytes);
    if (event.kind == scenes::Event::Kind::kWrite)
      untouched.write(event.address, event.data.data(), event.data.size());
  }
  EXPECT_EQ(gpu.memory(0).hash(), on_emulator(scene));
  EXPECT_NE(gpu.memory(0).hash(), untouched.hash()) << "nothing is drawn";
  return "";
}

class FormatTable : public testing::TestWithParam<EnumName<Use>> {};

TEST_P(FormatTable, IsWhatTheGeforce6800Accepts) {
  const std::vector<Row> table = rows();
  ASSERT_EQ(table.size(), 26u + 3u);  // 26 rows
  machine::Config config;
  machine::load_config(config, "geforce6800");
  const Use use = GetParam().value;
  unsigned accepted = 0, refused = 0;
  for (const auto& [format, name] : arch::kFormatNames) {
    if (!is_possible(format, use)) continue;
    SCOPED_TRACE(name);
    const scenes::Scene scene = scene_of(format, use);
    const std::string said = tried(scene, config);
    EXPECT_EQ(runs(scene, config.abilities()), said.empty());
    if (table_has(table, format, use)) {
      accepted++;
      EXPECT_EQ(said, "");
    } else {
      refused++;
      // A format that is no texture or target at all is rejected as such before filtering or blending.
      const Use first = use == Use::kFilter ? Use::kFragmentTexture : use == Use::kBlend ? Use::kTarget : use;
      const std::string expected = refusal(format, table_has(table, format, first) ? use : first);
      EXPECT_NE(said.find(expected), std::string::npos) << said << ", not " << expected;
    }
  }
  RecordProperty("accepted", static_cast<int>(accepted));
  RecordProperty("refused", static_cast<int>(refused));
  std::printf("%s: %u formats accepted, %u refused\n", GetParam().name, accepted, refused);
}

INSTANTIATE_TEST_SUITE_P(Uses, FormatTable, testing::ValuesIn(kUses),
                         [](const auto& use) { return std::string(use.param.name); });

}  // namespace
}  // namespace cutaway
