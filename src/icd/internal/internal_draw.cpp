#include "icd/internal/internal_draw.h"

#include <algorithm>
#include <bit>

#include "arch/marker.h"
#include "icd/device/limits.h"
#include "icd/pipeline/pipeline_state.h"
#include "icd/resource/image.h"

namespace cutaway::icd {
namespace {

arch::ShaderRegisters& stage_registers(arch::Registers& registers, arch::Stage stage) {
  return registers.shader[static_cast<uint32_t>(stage)];
}

// Registers for a rectangle over an area, without targets. Fields that do not matter keep the stream's
// values.
arch::Registers rectangle(const CommandStream& stream, const InternalPrograms& programs, const VkRect2D& area,
                          uint32_t width, uint32_t height) {
  arch::Registers registers = stream.registers();
  registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  registers.assembly.primitive_restart = 0;
  registers.assembly.vertex_base_in_id = 1;
  for (arch::VertexAttribute& attribute : registers.assembly.attribute) attribute = {};
  for (arch::ShaderRegisters& shader : registers.shader) shader = {};
  stage_registers(registers, arch::Stage::kVertex) = programs.rectangle();

  registers.vertex_out = {};
  registers.vertex_out.point_size = registers.vertex_out.layer = registers.vertex_out.viewport_index =
      registers.vertex_out.clip_distance = arch::kNoOutput;

  auto& raster = registers.raster;
  raster = {};
  raster.samples = 1;
  raster.sample_mask = 0xffffffff;
  raster.line_width = 1;
  raster.width = width, raster.height = height, raster.layers = 1;
  raster.viewports = 1;
  const VkViewport viewport{static_cast<float>(area.offset.x),
                            static_cast<float>(area.offset.y),
                            static_cast<float>(area.extent.width),
                            static_cast<float>(area.extent.height),
                            0,
                            1};
  set_viewport(viewport, 0, registers);
  set_scissor(area, 0, registers);

  registers.depth = {};
  for (arch::ColorTarget& target : registers.color.target) target = {};
  registers.color.logic_op_enable = registers.color.dual_source = 0;
  registers.query = {};
  registers.feedback = {};
  return registers;
}

constexpr uint32_t kStencilBits = 0xff;
constexpr uint32_t kAllComponents = 0xf;  // of a color's write mask

// Every fragment writes the reference.
arch::StencilFace replacing_face(uint32_t reference) {
  constexpr auto kReplace = static_cast<uint32_t>(arch::StencilOp::kReplace);
  return {kReplace,  kReplace,     kReplace,    static_cast<uint32_t>(arch::Compare::kAlways),
          reference, kStencilBits, kStencilBits};
}

bool in_unit(float depth) { return depth >= 0 && depth <= 1; }

// The viewport supplies the depth: every ndc z maps to its offset.
void set_depth_clear(const ClearTargets& targets, arch::Registers& registers) {
  auto& depth = registers.depth;
  depth.surface = targets.depth_surface;
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarly);
  if (targets.depth) {
    registers.raster.viewport[0].scale[2] = 0;
    registers.raster.viewport[0].offset[2] = targets.depth_value.depth;
    if (!in_unit(targets.depth_value.depth)) set_wide_depth(registers, true);
    depth.depth_test = depth.depth_write = 1;
    depth.depth_compare = static_cast<uint32_t>(arch::Compare::kAlways);
  }
  if (targets.stencil) {
    depth.stencil_test = 1;
    depth.front = depth.back = replacing_face(targets.depth_value.stencil & kStencilBits);
  }
}

void draw_rectangle(CommandStream& stream, const InternalPrograms& programs, bool conditional = false) {
  stream.load_constants(arch::Stage::kVertex, 0, InternalPrograms::kRectangleConstants,
                        programs.rectangle_constants());
  constexpr arch::DrawPacket kDraw{4, 1, 0, 0};  // vertices of a strip
  stream.writer().packet(arch::Opcode::kMarker, arch::kDriverWorkBegins);
  if (conditional) stream.writer().packet(arch::Opcode::kDraw, kDraw);
  else stream.draw_always(arch::Opcode::kDraw, kDraw);
  stream.writer().packet(arch::Opcode::kMarker, arch::kDriverWorkEnds);
}

// Sets the registers of draw_texels' target.
using SetTarget = void (*)(const arch::Surface& destination, arch::Registers& registers);

void set_color_target(const arch::Surface& destination, arch::Registers& registers) {
  registers.color.target[0].surface = destination;
  registers.color.target[0].write_mask = kAllComponents;
}

void set_depth_target(const arch::Surface& destination, arch::Registers& registers) {
  auto& depth = registers.depth;
  depth.surface = destination;
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  depth.depth_test = depth.depth_write = 1;
  depth.depth_compare = static_cast<uint32_t>(arch::Compare::kAlways);
  if (arch::format_info(destination.format).depth_float) set_wide_depth(registers, true);
}

void set_stencil_target(const arch::Surface& destination, arch::Registers& registers) {
  auto& depth = registers.depth;
  depth.surface = destination;
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  depth.stencil_test = 1;
  depth.front = depth.back = replacing_face(0);  // the program exports the reference
}

// Draws pixels of area from texels of source, by a program with constants.
template <class Constant, size_t kCount>
void draw_texels(CommandStream& stream, const InternalPrograms& programs,
                 const arch::ShaderRegisters& program, const arch::Surface& source,
                 const arch::Surface& destination, SetTarget set_target, const VkRect2D& area,
                 const Constant (&constants)[kCount], DrawOrigin origin = DrawOrigin::kTransfer) {
  if (!area.extent.width || !area.extent.height) return;
  const uint32_t level = destination.base_level;
  const uint32_t width = std::max(1u, destination.width >> level);
  const uint32_t height = std::max(1u, destination.height >> level);
  arch::Registers registers = rectangle(stream, programs, area, width, height);
  set_target(destination, registers);
  stage_registers(registers, arch::Stage::kFragment) = program;
  stream.set_registers(registers);
  stream.load_constants(arch::Stage::kFragment, 0, kCount / 4,
                        stream.uploads().put(constants, sizeof constants));
  stream.load_resources(arch::Stage::kFragment, {&source, 1});
  draw_rectangle(stream, programs);
  const uint32_t written = set_target == set_color_target ? arch::kCacheColor : arch::kCacheDepth;
  if (origin == DrawOrigin::kTransfer) stream.caches().transfer_draw(arch::kCacheTexture, written);
  else stream.caches().draw(arch::kCacheTexture, written);
}

}  // namespace

namespace {

// True if CLEAR can clear the area: whole tiles of a tiled surface.
bool is_whole_tiles(const arch::Surface& surface, const VkRect2D& area) {
  const auto whole = [&](int32_t offset, uint32_t extent, uint32_t size) {
    const auto first = static_cast<uint32_t>(offset), end = first + extent;
    const uint32_t level = std::max(1u, size >> surface.base_level);
    return extent && end <= level && first % arch::kTileSize == 0 &&
           (end % arch::kTileSize == 0 || end == level);
  };
  return surface.tiling() == arch::Tiling::kTiled && whole(area.offset.x, area.extent.width, surface.width) &&
         whole(area.offset.y, area.extent.height, surface.height);
}

arch::ClearPacket clear_packet(const arch::Surface& surface, const VkRect2D& area, arch::CopyAspect aspect) {
  return {.surface = surface,
          .x = static_cast<uint32_t>(area.offset.x),
          .y = static_cast<uint32_t>(area.offset.y),
          .width = area.extent.width,
          .height = area.extent.height,
          .aspect = static_cast<uint32_t>(aspect),
          .value = {}};
}

// vkCmdClearAttachments is subject to conditional rendering.
void write_clear(CommandStream& stream, const arch::ClearPacket& packet, bool conditional) {
  if (conditional) stream.writer().packet(arch::Opcode::kClear, packet);
  else stream.draw_always(arch::Opcode::kClear, packet);
}

void clear_color(CommandStream& stream, const arch::Surface& surface, const VkClearColorValue& value,
                 const VkRect2D& area, bool conditional) {
  arch::ClearPacket packet = clear_packet(surface, area, arch::CopyAspect::kAll);
  std::copy(std::begin(value.uint32), std::end(value.uint32), packet.value);
  write_clear(stream, packet, conditional);
}

void clear_depth_stencil(CommandStream& stream, const ClearTargets& targets, const VkRect2D& area,
                         bool conditional) {
  const arch::FormatInfo& format = arch::format_info(targets.depth_surface.format);
  const bool all = targets.depth == format.has_depth() && targets.stencil == format.has_stencil();
  arch::ClearPacket packet = clear_packet(targets.depth_surface, area,
                                          all             ? arch::CopyAspect::kAll
                                          : targets.depth ? arch::CopyAspect::kDepth
                                                          : arch::CopyAspect::kStencil);
  packet.value[0] = std::bit_cast<uint32_t>(targets.depth_value.depth);
  packet.value[1] = targets.depth_value.stencil & kStencilBits;
  write_clear(stream, packet, conditional);
}

uint32_t written_caches(const ClearTargets& targets) {
  return (targets.colors ? uint32_t{arch::kCacheColor} : 0) |
         (targets.depth || targets.stencil ? uint32_t{arch::kCacheDepth} : 0);
}

// Clears by packets as far as possible. Returns the targets that remain to be drawn.
ClearTargets clear_by_packets(CommandStream& stream, ClearTargets targets, const VkRect2D& area,
                              bool conditional) {
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    if (!(targets.colors >> i & 1) || !is_whole_tiles(targets.color[i], area)) continue;
    clear_color(stream, targets.color[i], targets.color_value[i], area, conditional);
    targets.colors &= ~(1u << i);
  }
  // CLEAR clamps depths to [0, 1].
  const bool wide = targets.depth && !in_unit(targets.depth_value.depth) &&
                    arch::format_info(targets.depth_surface.format).depth_float;
  if ((targets.depth || targets.stencil) && !wide && is_whole_tiles(targets.depth_surface, area)) {
    clear_depth_stencil(stream, targets, area, conditional);
    targets.depth = targets.stencil = false;
  }
  return targets;
}

void draw_clear(CommandStream& stream, const InternalPrograms& programs, const ClearTargets& targets,
                const VkRect2D& area, uint32_t width, uint32_t height, bool conditional) {
  arch::Registers registers = rectangle(stream, programs, area, width, height);
  if (targets.depth || targets.stencil) set_depth_clear(targets, registers);
  const uint32_t outputs = static_cast<uint32_t>(std::bit_width(targets.colors));
  VkClearColorValue values[arch::kColorTargets] = {};
  for (uint32_t i = 0; i < outputs; i++) {
    if (!(targets.colors >> i & 1)) continue;
    registers.color.target[i].surface = targets.color[i];
    registers.color.target[i].write_mask = kAllComponents;
    values[i] = targets.color_value[i];
  }
  if (outputs) stage_registers(registers, arch::Stage::kFragment) = programs.clear(outputs);
  registers.raster.samples =
      outputs ? targets.color[std::countr_zero(targets.colors)].samples() : targets.depth_surface.samples();
  stream.set_registers(registers);
  if (outputs)
    stream.load_constants(arch::Stage::kFragment, 0, outputs,
                          stream.uploads().put(values, kVec4Bytes * outputs));
  draw_rectangle(stream, programs, conditional);
}

}  // namespace

void clear_area(CommandStream& stream, const InternalPrograms& programs, const ClearTargets& targets,
                const VkRect2D& area, uint32_t width, uint32_t height, DrawOrigin origin) {
  if (!area.extent.width || !area.extent.height) return;
  const bool conditional = origin == DrawOrigin::kClearAttachments;
  // A render area may extend beyond an attachment that is smaller than the framebuffer.
  VkRect2D within = area;
  within.extent.width = std::min(area.extent.width, width - static_cast<uint32_t>(area.offset.x));
  within.extent.height = std::min(area.extent.height, height - static_cast<uint32_t>(area.offset.y));
  const ClearTargets odd = clear_by_packets(stream, targets, within, conditional);
  if (written_caches(odd)) draw_clear(stream, programs, odd, area, width, height, conditional);
  const uint32_t written = written_caches(targets);
  if (origin == DrawOrigin::kTransfer) stream.caches().transfer_draw(0, written);
  else stream.caches().draw(0, written);
}

void move_texels(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move) {
  const int32_t constants[8] = {move.step[0], move.step[1], move.offset[0], move.offset[1]};
  draw_texels(stream, programs, programs.fetch(), move.source, move.destination, set_color_target, move.area,
              constants);
}

void resolve_texels(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move,
                    DrawOrigin origin) {
  const uint32_t samples = move.source.samples();
  const bool mean = !arch::format_info(move.source.format).is_integer();
  const auto scale = std::bit_cast<int32_t>(1.0f / static_cast<float>(samples));
  const int32_t constants[16] = {
      move.step[0], move.step[1], move.offset[0], move.offset[1], 0, 1, 2, 3, 0, 4, 5, 6, 0, 7, scale, 0};
  arch::Surface source = move.source;
  set_surface_type(arch::SurfaceType::k2D, source);
  draw_texels(stream, programs, programs.resolve(mean ? samples : 1), source, move.destination,
              set_color_target, move.area, constants, origin);
}

void resolve_depth_stencil(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move,
                           bool stencil) {
  const int32_t constants[8] = {move.step[0], move.step[1], move.offset[0], move.offset[1]};
  arch::Surface source = move.source;
  set_surface_type(arch::SurfaceType::k2D, source);
  if (stencil) source.type |= arch::Surface::kReadsStencil;
  draw_texels(stream, programs, stencil ? programs.resolve_stencil() : programs.resolve_depth(), source,
              move.destination, stencil ? set_stencil_target : set_depth_target, move.area, constants,
              DrawOrigin::kRenderPass);
}

void scale_texels(CommandStream& stream, const InternalPrograms& programs, const TexelScale& blit) {
  arch::Sampler sampler{};
  sampler.mag_filter = sampler.min_filter = static_cast<uint32_t>(blit.filter);
  sampler.wrap_u = sampler.wrap_v = sampler.wrap_w = static_cast<uint32_t>(arch::Wrap::kClampToEdge);
  sampler.flags = arch::Sampler::kUnnormalized;
  stream.load_samplers(arch::Stage::kFragment, {&sampler, 1});
  const float constants[8] = {
      blit.scale[0], blit.scale[1], blit.offset[0], blit.offset[1], 0, blit.slice, 0, 0};
  const bool volume = blit.source.surface_type() == arch::SurfaceType::k3D;
  const arch::ShaderRegisters* program = volume ? &programs.sample_slice() : &programs.sample();
  SetTarget set_target = set_color_target;
  if (blit.aspect == TexelScale::Aspect::kDepth)
    program = &programs.sample_depth(), set_target = set_depth_target;
  if (blit.aspect == TexelScale::Aspect::kStencil)
    program = &programs.sample_stencil(), set_target = set_stencil_target;
  draw_texels(stream, programs, *program, blit.source, blit.destination, set_target, blit.area, constants);
}

}  // namespace cutaway::icd
