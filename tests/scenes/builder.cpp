#include "scenes/builder.h"

#include <algorithm>
#include <bit>

#include "arch/marker.h"
#include "base/error.h"
#include "isa/flow.h"
#include "isa/instruction.h"

namespace cutaway::scenes {
namespace {

constexpr arch::Address kArena = 0x100000;

}  // namespace

void play(const Scene& scene, arch::CommandSink& sink) {
  for (const Event& event : scene.events) {
    switch (event.kind) {
      case Event::Kind::kMap:
        sink.map(0, event.address, event.bytes);
        break;
      case Event::Kind::kPlace:
        sink.place(0, event.address, event.bytes, arch::Placement::kSystem);
        break;
      case Event::Kind::kWrite:
        sink.write(0, event.address, event.data);
        break;
      case Event::Kind::kSubmit:
        sink.submit(event.submission);
        break;
      case Event::Kind::kHost:
        sink.host(event.step);
        break;
      case Event::Kind::kBind:
        sink.bind(0, event.address, event.bytes, event.target);
        break;
    }
  }
}

std::vector<std::byte> texel(const arch::Memory& memory, const arch::Surface& surface, uint32_t x, uint32_t y,
                             uint32_t level) {
  std::vector<std::byte> bytes(arch::format_info(surface.format).bytes);
  const arch::LevelLayout layout = arch::level_layout(surface, level);
  memory.read(arch::element_address(surface, layout, x, y, 0, 0), bytes.data(), bytes.size());
  return bytes;
}

uint32_t texel32(const arch::Memory& memory, const arch::Surface& surface, uint32_t x, uint32_t y,
                 uint32_t level) {
  uint32_t value = 0;
  const auto bytes = texel(memory, surface, x, y, level);
  std::memcpy(&value, bytes.data(), std::min<size_t>(4, bytes.size()));
  return value;
}

arch::Sampler sampler(arch::Filter filter, arch::MipMode mip, arch::Wrap wrap) {
  arch::Sampler s{};
  s.mag_filter = s.min_filter = static_cast<uint32_t>(filter);
  s.mip_mode = static_cast<uint32_t>(mip);
  s.wrap_u = s.wrap_v = s.wrap_w = static_cast<uint32_t>(wrap);
  s.max_lod = 1000;
  return s;
}

Builder::Builder(std::string name, uint32_t width, uint32_t height) : registers{}, next_(kArena) {
  scene_.name = std::move(name);
  auto& out = registers.vertex_out;
  out.point_size = out.layer = out.viewport_index = arch::kNoOutput;
  registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
  registers.assembly.vertex_base_in_id = 1;
  auto& raster = registers.raster;
  raster.depth_clip = 1;
  raster.line_width = 1;
  raster.samples = 1, raster.sample_mask = 1, raster.viewports = 1, raster.layers = 1;
  raster.width = width, raster.height = height;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  raster.viewport[0] = {{w / 2, h / 2, 1}, {w / 2, h / 2, 0}};
  raster.depth_range_max[0] = 1;
  raster.scissor[0] = {0, 0, width, height};
  target(surface(arch::Format::R8G8B8A8_UNORM, width, height));
}

arch::Address Builder::allocate(uint64_t bytes, uint64_t alignment) {
  const arch::Address start = (next_ + alignment - 1) / alignment * alignment;
  next_ = start + bytes;
  const arch::Address mapped_from = (start + arch::kPageBytes - 1) / arch::kPageBytes * arch::kPageBytes;
  const arch::Address mapped_to = (next_ + arch::kPageBytes - 1) / arch::kPageBytes * arch::kPageBytes;
  // The previous allocation mapped the page before.
  if (mapped_to > mapped_from) {
    scene_.events.push_back({Event::Kind::kMap, mapped_from, mapped_to - mapped_from, {}, {}});
    if (placement_ == arch::Placement::kSystem)
      scene_.events.push_back({Event::Kind::kPlace, mapped_from, mapped_to - mapped_from, {}, {}});
  }
  return start;
}

void Builder::allocate_in(arch::Placement placement) {
  placement_ = placement;
  next_ = (next_ + arch::kPageBytes - 1) / arch::kPageBytes * arch::kPageBytes;
}

arch::Address Builder::upload(std::span<const std::byte> bytes, uint64_t alignment) {
  const arch::Address address = allocate(bytes.size(), alignment);
  scene_.events.push_back({Event::Kind::kWrite, address, 0, {bytes.begin(), bytes.end()}, {}});
  return address;
}

void Builder::overwrite(arch::Address address, const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  scene_.events.push_back({Event::Kind::kWrite, address, 0, {bytes.begin(), bytes.end()}, {}});
}

arch::Surface Builder::surface(arch::Format format, uint32_t width, uint32_t height, uint32_t levels,
                               arch::Tiling tiling, uint32_t layers, uint32_t samples) {
  arch::Surface s{};
  s.format = static_cast<uint32_t>(format);
  s.type = arch::Surface::make_type(arch::SurfaceType::k2D, tiling,
                                    static_cast<uint32_t>(std::countr_zero(samples)));
  s.width = width, s.height = height, s.depth = 1;
  s.levels = s.level_count = levels;
  s.layers = s.layer_count = layers;
  s.swizzle = arch::kSwizzleIdentity;
  s.address = allocate(arch::surface_bytes(s));
  return s;
}

arch::Surface Builder::sparse_surface(arch::Format format, uint32_t width, uint32_t height, uint32_t levels) {
  arch::Surface s{};
  s.format = static_cast<uint32_t>(format);
  s.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled) | arch::Surface::kInPages;
  s.width = width, s.height = height, s.depth = 1;
  s.levels = s.level_count = levels;
  s.layers = s.layer_count = 1;
  s.swizzle = arch::kSwizzleIdentity;
  constexpr uint64_t kApart = 1 << 16;  // no page of 64 KB holds other memory
  s.address = (next_ + kApart - 1) / kApart * kApart;
  next_ = (s.address + arch::surface_bytes(s) + kApart - 1) / kApart * kApart;
  bind(s.address, arch::surface_bytes(s), {});
  return s;
}

void Builder::bind(arch::Address address, uint64_t bytes, std::optional<arch::Address> target) {
  Event event{Event::Kind::kBind, address, bytes, {}, {}};
  event.target = target;
  scene_.events.push_back(std::move(event));
}

void Builder::fill_level(const arch::Surface& surface, uint32_t level, std::span<const uint32_t> texels,
                         uint32_t layer) {
  const arch::LevelLayout layout = arch::level_layout(surface, level);
  CUTAWAY_CHECK(texels.size() == size_t{layout.width} * layout.height);
  const arch::Address start = arch::element_address(surface, layout, 0, 0, 0, layer);
  std::vector<std::byte> bytes(layout.slice_pitch);
  for (uint32_t y = 0; y < layout.height; y++)
    for (uint32_t x = 0; x < layout.width; x++)
      std::memcpy(bytes.data() + (arch::element_address(surface, layout, x, y, 0, layer) - start),
                  &texels[size_t{y} * layout.width + x], 4);
  scene_.events.push_back({Event::Kind::kWrite, start, 0, std::move(bytes), {}});
}

void Builder::program(arch::Stage stage, std::string_view text, uint32_t flags, uint32_t scratch_bytes) {
  auto code = isa::assemble(text);
  std::vector<isa::EncodedInstruction> words;
  uint32_t temporaries = 0;
  arch::ShaderRegisters& shader = registers.shader[static_cast<uint32_t>(stage)];
  shader = {};
  for (const isa::Instruction& instruction : code) {
    words.push_back(isa::encode(instruction));
    if (instruction.dst.file == isa::File::kTemporary)
      temporaries = std::max(temporaries, instruction.dst.index + 1u);
    if (instruction.dst.file == isa::File::kOutput && instruction.dst.index < 32)
      shader.outputs |= 1u << instruction.dst.index;
    for (const isa::Source& source : instruction.src) {
      if (source.file == isa::File::kTemporary) temporaries = std::max(temporaries, source.index + 1u);
      if (source.file == isa::File::kInput && source.index < 32)
        shader.inputs = std::max(shader.inputs, source.index + 1u);
    }
  }
  shader.program = upload(words);
  shader.instructions = static_cast<uint32_t>(words.size());
  shader.temporaries = temporaries;
  shader.flags = flags;
  shader.scratch_bytes = scratch_bytes;
  send_state();
  commands.packet(arch::Opcode::kLoadProgram, arch::LoadProgramPacket{static_cast<uint32_t>(stage)});
}

void Builder::constants(arch::Stage stage, uint32_t first, const std::vector<float>& values) {
  CUTAWAY_CHECK(values.size() % 4 == 0);
  commands.packet(arch::Opcode::kLoadConstants,
                  arch::LoadPacket{static_cast<uint32_t>(stage), first,
                                   static_cast<uint32_t>(values.size() / 4), upload(values)});
}

void Builder::textures(std::span<const arch::Surface> surfaces, std::span<const arch::Sampler> samplers,
                       arch::Stage stage) {
  const auto number = static_cast<uint32_t>(stage);
  commands.packet(
      arch::Opcode::kLoadResources,
      arch::LoadPacket{number, 0, static_cast<uint32_t>(surfaces.size()), upload(std::as_bytes(surfaces))});
  if (!samplers.empty())
    commands.packet(
        arch::Opcode::kLoadSamplers,
        arch::LoadPacket{number, 0, static_cast<uint32_t>(samplers.size()), upload(std::as_bytes(samplers))});
}

void Builder::vertices(const std::vector<float>& values, std::span<const uint32_t> components) {
  constexpr arch::Format kFloats[] = {arch::Format::UNDEFINED, arch::Format::R32_SFLOAT,
                                      arch::Format::R32G32_SFLOAT, arch::Format::R32G32B32_SFLOAT,
                                      arch::Format::R32G32B32A32_SFLOAT};
  auto& assembly = registers.assembly;
  std::fill(std::begin(assembly.attribute), std::end(assembly.attribute), arch::VertexAttribute{});
  uint32_t i = 0, offset = 0;
  for (const uint32_t count : components) {
    assembly.attribute[i++] = {static_cast<uint32_t>(kFloats[count]), 0, offset};
    offset += 4 * count;
  }
  assembly.binding[0] = {upload(values), static_cast<uint32_t>(values.size() * 4), offset,
                         static_cast<uint32_t>(arch::StepMode::kVertex), 1};
}

void Builder::interpolants(std::initializer_list<uint32_t> outputs, arch::Interpolation mode) {
  auto& out = registers.vertex_out;
  out.interpolants = 0;
  for (const uint32_t output : outputs)
    out.interpolant[out.interpolants++] = {output, static_cast<uint32_t>(mode), 0};
}

void Builder::target(const arch::Surface& color) {
  color_ = color;
  registers.color.target[0] = {};
  registers.color.target[0].surface = color;
  registers.color.target[0].write_mask = 15;
}

void Builder::depth(const arch::Surface& depth) {
  depth_ = depth;
  registers.depth.surface = depth;
}

// Sends the registers that differ from those sent before.
void Builder::send_state() {
  const auto* now = reinterpret_cast<const uint32_t*>(&registers);
  auto* before = reinterpret_cast<uint32_t*>(&sent_);
  for (uint32_t i = 0; i < arch::kRegisterWords; i++) {
    if (now[i] == before[i]) continue;
    uint32_t end = i + 1;
    while (end < arch::kRegisterWords && now[end] != before[end]) end++;
    commands.set_registers(i, {now + i, end - i});
    std::copy(now + i, now + end, before + i);
    i = end;
  }
}

void Builder::draw(uint32_t vertices, uint32_t instances, uint32_t first_vertex, uint32_t first_instance) {
  send_state();
  commands.packet(arch::Opcode::kDraw, arch::DrawPacket{vertices, instances, first_vertex, first_instance});
}

void Builder::draw_indexed(uint32_t indices, uint32_t instances, uint32_t first_index,
                           int32_t vertex_offset) {
  send_state();
  commands.packet(arch::Opcode::kDrawIndexed,
                  arch::DrawIndexedPacket{indices, instances, first_index, vertex_offset, 0});
}

void Builder::clear(float r, float g, float b, float a, float z) {
  const arch::Registers saved = registers;
  registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  registers.raster.cull_mode = 0;
  registers.depth.depth_test = registers.depth.depth_write = depth_.format != 0;
  registers.depth.depth_compare = static_cast<uint32_t>(arch::Compare::kAlways);
  registers.depth.mode = 0;
  registers.depth.stencil_test = arch::format_info(depth_.format).has_stencil();
  registers.depth.front = {2, 2, 2, 7, 0, 255, 255};  // replace with 0, always
  registers.depth.back = registers.depth.front;
  registers.color.target[0].blend = 0;
  vertices({-1, -1, z, 1, 1, -1, z, 1, -1, 1, z, 1, 1, 1, z, 1}, {4});
  interpolants({});
  program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  constants(arch::Stage::kFragment, 0, {r, g, b, a});
  commands.packet(arch::Opcode::kMarker, arch::kDriverWorkBegins);
  draw(4);
  commands.packet(arch::Opcode::kMarker, arch::kDriverWorkEnds);
  registers = saved;
}

void Builder::flush() {
  send_state();
  const uint32_t storage = stores ? uint32_t{arch::kCacheStorage} : 0;
  commands.packet(arch::Opcode::kFlush, arch::kCacheColor | arch::kCacheDepth | storage);
  commands.packet(arch::Opcode::kWaitIdle);
  commands.packet(arch::Opcode::kInvalidate, arch::kCacheColor | arch::kCacheDepth | arch::kCacheTexture |
                                                 arch::kCacheVertex | arch::kCacheConstant | storage);
}

void Builder::submit(bool presents) {
  arch::Submission submission;
  submission.id = ++submissions_;
  submission.words = static_cast<uint32_t>(commands.commands().size());
  submission.commands = upload(commands.take());
  submission.presents = presents;
  submission.ahead = static_cast<uint32_t>(std::min<uint64_t>(ahead, submission.id - 1));
  submission.queue = queue;
  submission.after = after;
  scene_.frames += presents;
  scene_.events.push_back({Event::Kind::kSubmit, 0, 0, {}, submission});
  sent_ = {};
}

void Builder::host(uint64_t nanoseconds, uint64_t before) {
  Event event{.kind = Event::Kind::kHost};
  event.step = {.nanoseconds = nanoseconds, .awaited = before ? submissions_ + 1 - before : 0};
  scene_.events.push_back(std::move(event));
}

void Builder::submit_called() {
  const auto words = static_cast<uint32_t>(commands.commands().size());
  const arch::CallPacket call{upload(commands.take()), words};
  commands.packet(arch::Opcode::kInvalidate, uint32_t{arch::kCacheAll});
  commands.packet(arch::Opcode::kCall, call);
  const uint32_t storage = stores ? uint32_t{arch::kCacheStorage} : 0;
  commands.packet(arch::Opcode::kFlush, arch::kCacheColor | arch::kCacheDepth | storage);
  commands.packet(arch::Opcode::kWaitIdle);
  submit(false);
}

void Builder::end_frame() {
  flush();
  commands.packet(arch::Opcode::kPresent, color_);
  submit(true);
}

Scene Builder::take() {
  scene_.color = color_;
  scene_.depth = depth_;
  return std::move(scene_);
}

}  // namespace cutaway::scenes
