#include "command_stream/legal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <optional>

#include "arch/depth_clamp.h"
#include "arch/depth_promise.h"
#include "arch/memory.h"
#include "func/format/surface_check.h"
#include "func/format/texel.h"
#include "func/geometry/assembly.h"
#include "func/raster/samples.h"
#include "isa/opcode.h"
#include "isa/operands.h"

namespace cutaway::command_stream {
namespace {

using arch::Registers;

constexpr uint32_t kMaxLayers = 2048;  // of a framebuffer

bool is_target(const arch::ColorTarget& target) { return target.write_mask && target.surface.format; }

// True if all layers that primitives may select exist: of a 3D surface its slices.
bool has_layers(const arch::Surface& surface, const Registers& registers) {
  const uint64_t layers = std::max(1u, registers.raster.layers);
  const bool volume = surface.surface_type() == arch::SurfaceType::k3D;
  const uint64_t there = volume ? std::max(1u, surface.depth >> surface.base_level) : surface.layers;
  return layers == 1 || surface.base_layer + layers <= there;
}

std::string color_error(const Registers& registers) {
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    const arch::ColorTarget& target = registers.color.target[i];
    if (!is_target(target)) continue;
    const arch::FormatInfo& format = arch::format_info(target.surface.format);
    if (!func::can_render(format))
      return fmt::format("color target {}: format {} cannot be drawn to", i, format.name);
    if (auto error = target_error(target.surface); !error.empty())
      return fmt::format("color target {}: {}", i, error);
    if (!has_layers(target.surface, registers))
      return fmt::format("color target {}: fewer layers than the framebuffer", i);
    const arch::LevelLayout level = arch::level_layout(target.surface, target.surface.base_level);
    if (level.width < registers.raster.width || level.height < registers.raster.height)
      return fmt::format("color target {}: {}x{} is smaller than the framebuffer", i, level.width,
                         level.height);
    if (target.surface.samples() != func::sample_count(registers))
      return fmt::format("color target {}: {} samples, but {} are drawn", i, target.surface.samples(),
                         func::sample_count(registers));
    if (!target.blend) continue;
    if (!func::can_blend(format))
      return fmt::format("color target {}: format {} does not blend", i, format.name);
    constexpr auto kFactors = static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrc1Alpha);
    constexpr auto kOps = static_cast<uint32_t>(arch::BlendOp::kMax);
    if (target.color_source > kFactors || target.color_destination > kFactors ||
        target.alpha_source > kFactors || target.alpha_destination > kFactors || target.color_op > kOps ||
        target.alpha_op > kOps)
      return fmt::format("color target {}: unknown blend factor or operation", i);
  }
  if (registers.color.logic_op_enable &&
      registers.color.logic_op > static_cast<uint32_t>(arch::LogicOp::kSet))
    return "unknown logic operation";
  return {};
}

bool legal_face(const arch::StencilFace& face) {
  constexpr auto kOps = static_cast<uint32_t>(arch::StencilOp::kDecrementWrap);
  return face.fail <= kOps && face.depth_fail <= kOps && face.pass <= kOps &&
         face.compare <= static_cast<uint32_t>(arch::Compare::kAlways);
}

std::string depth_error(const Registers& registers) {
  const auto& depth = registers.depth;
  if (depth.mode > static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite)) return "unknown depth mode";
  if (depth.depth_compare > static_cast<uint32_t>(arch::Compare::kAlways)) return "unknown depth comparison";
  if (!legal_face(depth.front) || !legal_face(depth.back)) return "unknown stencil operation or comparison";
  if (!depth.surface.format) return {};
  const arch::FormatInfo& format = arch::format_info(depth.surface.format);
  if (!func::can_depth_stencil(format))
    return fmt::format("format {} is no depth or stencil target", format.name);
  if (auto error = target_error(depth.surface); !error.empty()) return "depth target: " + error;
  if (!has_layers(depth.surface, registers)) return "depth target: fewer layers than the framebuffer";
  const arch::LevelLayout level = arch::level_layout(depth.surface, depth.surface.base_level);
  if (level.width < registers.raster.width || level.height < registers.raster.height)
    return fmt::format("depth target: {}x{} is smaller than the framebuffer", level.width, level.height);
  if (depth.surface.samples() != func::sample_count(registers))
    return fmt::format("depth target: {} samples, but {} are drawn", depth.surface.samples(),
                       func::sample_count(registers));
  return {};
}

std::string assembly_error(const Registers& registers) {
  const auto& assembly = registers.assembly;
  const bool patches = assembly.topology == static_cast<uint32_t>(arch::Topology::kPatchList);
  if (patches != is_on(registers, arch::Stage::kTessControl))
    return patches ? "patches without tessellation programs" : "tessellation programs without patches";
  if (assembly.topology > static_cast<uint32_t>(arch::Topology::kPatchList))
    return fmt::format("topology {} is not supported", assembly.topology);
  if (assembly.index_type > static_cast<uint32_t>(arch::IndexType::kUint8)) return "unknown index type";
  if (assembly.provoking_vertex > 1) return "unknown provoking vertex";
  for (uint32_t i = 0; i < arch::kVertexAttributes; i++) {
    const arch::VertexAttribute& attribute = assembly.attribute[i];
    if (!attribute.format) continue;
    if (attribute.binding >= arch::kVertexBindings)
      return fmt::format("vertex attribute {}: no such binding", i);
    if (!func::can_vertex(arch::format_info(attribute.format)))
      return fmt::format("vertex attribute {}: format {} cannot be fetched", i, attribute.format);
  }
  for (uint32_t i = 0; i < arch::kVertexBindings; i++)
    if (assembly.binding[i].step_mode > 1 || assembly.binding[i].address >= kAddressEnd)
      return fmt::format("vertex binding {}: unknown step mode or address beyond memory", i);
  if (assembly.index_address >= kAddressEnd) return "index buffer beyond memory";
  return {};
}

std::string vertex_inputs_error(const arch::VertexInputs& inputs) {
  if (inputs.count > arch::kVertexInputs)
    return fmt::format("{} registers of each vertex, but there are {}", inputs.count, arch::kVertexInputs);
  for (uint32_t i = 0; i < inputs.count; i++)
    if (inputs.source[i] >= arch::kShaderOutputs && inputs.source[i] != arch::kNoOutput)
      return fmt::format("register {} of each vertex is no output", i);
  return {};
}

std::string tessellation_error(const Registers& registers) {
  const bool control = is_on(registers, arch::Stage::kTessControl);
  if (control != is_on(registers, arch::Stage::kTessEvaluation))
    return "a tessellation program without the other";
  if (!control) return {};
  const arch::TessellationRegisters& tess = registers.tessellation;
  const auto is_patch = [](uint32_t vertices) { return vertices >= 1 && vertices <= arch::kPatchVertices; };
  if (!is_patch(tess.patch_vertices) || !is_patch(tess.output_vertices))
    return fmt::format("patches of {} vertices, of which {} are made, but 1 to {} are possible",
                       tess.patch_vertices, tess.output_vertices, arch::kPatchVertices);
  if (tess.patch_bytes % 16 || tess.patch_bytes > arch::kPatchBytes)
    return fmt::format("{} bytes of a patch are no multiple of 16 or more than {}", tess.patch_bytes,
                       arch::kPatchBytes);
  if (tess.domain > static_cast<uint32_t>(arch::TessDomain::kIsolines) ||
      tess.spacing > static_cast<uint32_t>(arch::TessSpacing::kPowerOfTwo))
    return "unknown tessellation domain or spacing";
  return vertex_inputs_error(tess.inputs);
}

std::string geometry_error(const Registers& registers) {
  if (!is_on(registers, arch::Stage::kGeometry)) return {};
  const arch::GeometryRegisters& geometry = registers.geometry;
  const auto output = static_cast<arch::Topology>(geometry.output_topology);
  if (output != arch::Topology::kPointList && output != arch::Topology::kLineStrip &&
      output != arch::Topology::kTriangleStrip)
    return fmt::format("a geometry program's output cannot have topology {}", geometry.output_topology);
  if (geometry.max_vertices > arch::kMaxEmittedVertices)
    return fmt::format("a geometry program that emits {} vertices, but at most {} are possible",
                       geometry.max_vertices, arch::kMaxEmittedVertices);
  if (geometry.invocations > arch::kGeometryInvocations)
    return fmt::format("{} invocations of a geometry program for each primitive, but at most {} are possible",
                       geometry.invocations, arch::kGeometryInvocations);
  return vertex_inputs_error(geometry.inputs);
}

std::string vertex_out_error(const Registers& registers) {
  const auto& out = registers.vertex_out;
  const auto is_output = [](uint32_t o) { return o < arch::kShaderOutputs || o == arch::kNoOutput; };
  if (!is_output(out.point_size) || !is_output(out.viewport_index) || !is_output(out.layer) ||
      registers.primitive_id_output > arch::kShaderOutputs)
    return "no such vertex output";
  if (out.clip_distances > 8 || out.cull_distances > 8 || out.clip_distances + out.cull_distances > 8)
    return "more than 8 clip and cull distances";
  if (out.clip_distances + out.cull_distances > 0 && out.clip_distance + 2 > arch::kShaderOutputs)
    return "no such vertex output for clip distances";
  if (out.interpolants > arch::kInterpolants) return "more than 32 interpolants";
  for (uint32_t i = 0; i < out.interpolants; i++)
    if (out.interpolant[i].source >= arch::kShaderOutputs ||
        out.interpolant[i].mode > static_cast<uint32_t>(arch::Interpolation::kLinear) ||
        out.interpolant[i].location > static_cast<uint32_t>(arch::SampleLocation::kSample))
      return fmt::format("interpolant {}: no such vertex output, mode or location", i);
  return {};
}

std::string feedback_error(const Registers& registers) {
  const auto& feedback = registers.feedback;
  if (!feedback.on) return {};
  if (feedback.outputs > arch::kFeedbackOutputs)
    return fmt::format("more than {} captured components", arch::kFeedbackOutputs);
  for (const arch::FeedbackBuffer& buffer : feedback.buffer)
    if (buffer.address % 4 || buffer.stride % 4 || buffer.address >= kAddressEnd ||
        buffer.bytes > kAddressEnd - buffer.address)
      return "a transform feedback buffer is not aligned to 4 bytes or lies beyond memory";
  std::array<std::optional<uint32_t>, arch::kFeedbackBuffers> stream;
  for (uint32_t i = 0; i < feedback.outputs; i++) {
    const arch::FeedbackOutput& output = feedback.output[i];
    const uint32_t stride = feedback.buffer[output.buffer()].stride;
    if (output.stream() != stream.at(output.buffer()).value_or(output.stream()))
      return fmt::format("captured component {}: its buffer is that of another stream", i);
    stream.at(output.buffer()) = output.stream();
    if (output.source() >= arch::kShaderOutputs || output.offset() % 4 || stride < 4 ||
        output.offset() > stride - 4)
      return fmt::format("captured component {}: no such vertex output, or beyond its vertex", i);
  }
  return {};
}

std::string raster_error(const Registers& registers) {
  const auto& raster = registers.raster;
  if (raster.samples > func::kMaxSamples || std::popcount(raster.samples) > 1)
    return fmt::format("{} samples per pixel are not supported", raster.samples);
  if (raster.polygon_mode > static_cast<uint32_t>(arch::PolygonMode::kPoint)) return "unknown polygon mode";
  if (raster.line_mode > static_cast<uint32_t>(arch::LineMode::kRectangularSmooth))
    return "unknown line mode";
  if (raster.width > arch::kMaxDimension || raster.height > arch::kMaxDimension)
    return "the framebuffer is larger than 16384 pixels a side";
  if (raster.layers > kMaxLayers) return fmt::format("more than {} layers", kMaxLayers);
  if (raster.viewports > arch::kViewports) return "more than 16 viewports";
  if (raster.depth_clip > 3) return "unknown depth clip";
  if (raster.depth_clamp > static_cast<uint32_t>(arch::DepthClamp::kWideRange)) return "unknown depth clamp";
  if (raster.depth_clamp == static_cast<uint32_t>(arch::DepthClamp::kWideRange) &&
      registers.depth.hierarchical_z)
    return "hierarchical Z of depths beyond 0 to 1";
  if (raster.cull_mode > 3 || raster.front_face > 1) return "unknown cull mode or front face";
  return {};
}

}  // namespace

std::string target_error(const arch::Surface& surface) {
  const arch::FormatInfo& format = arch::format_info(surface.format);
  if (const char* error = func::surface_error(surface)) return error;
  if (func::is_buffer(surface.surface_type())) return "the surface is no image";
  if (format.compressed) return fmt::format("format {} cannot be a target", format.name);
  if (surface.samples() > func::kMaxSamples) return "more than 8 samples per pixel";
  if (surface.surface_type() == arch::SurfaceType::k3D &&
      surface.base_layer >= std::max(1u, surface.depth >> surface.base_level))
    return fmt::format("slice {} is not in the surface", surface.base_layer);
  const uint64_t alignment = surface.tiling() == arch::Tiling::kTiled ? arch::kLevelAlignment : format.bytes;
  if (surface.address % alignment || surface.row_pitch % format.bytes || surface.slice_pitch % format.bytes)
    return fmt::format("address or pitch is no multiple of {}", alignment);
  if (surface.address >= kAddressEnd || arch::surface_bytes(surface) > kAddressEnd - surface.address)
    return "the surface reaches beyond memory";
  return {};
}

std::string clear_error(const arch::ClearPacket& packet) {
  const arch::Surface& surface = packet.surface;
  const arch::FormatInfo& format = arch::format_info(surface.format);
  const auto aspect = static_cast<arch::CopyAspect>(packet.aspect);
  if (packet.aspect > static_cast<uint32_t>(arch::CopyAspect::kStencil)) return "unknown aspect";
  if (!func::can_render(format) && !func::can_depth_stencil(format))
    return fmt::format("format {} cannot be drawn to", format.name);
  if ((aspect == arch::CopyAspect::kDepth && !format.has_depth()) ||
      (aspect == arch::CopyAspect::kStencil && !format.has_stencil()))
    return fmt::format("format {} does not have the aspect", format.name);
  if (auto error = target_error(surface); !error.empty()) return error;
  if (surface.tiling() != arch::Tiling::kTiled) return "the surface is not tiled";
  const arch::LevelLayout level = arch::level_layout(surface, surface.base_level);
  const auto whole_tiles = [](uint64_t first, uint64_t count, uint64_t size) {
    const uint64_t end = first + count;
    return count && end <= size && first % arch::kTileSize == 0 &&
           (end % arch::kTileSize == 0 || end == size);
  };
  if (!whole_tiles(packet.x, packet.width, level.width) ||
      !whole_tiles(packet.y, packet.height, level.height))
    return "the rectangle is not whole tiles of the level";
  return {};
}

std::string draw_error(const Registers& registers) {
  if (registers.shader[0].instructions == 0) return "there is no vertex program";
  if (auto error = assembly_error(registers); !error.empty()) return error;
  if (auto error = tessellation_error(registers); !error.empty()) return error;
  if (auto error = geometry_error(registers); !error.empty()) return error;
  if (auto error = vertex_out_error(registers); !error.empty()) return error;
  if (auto error = feedback_error(registers); !error.empty()) return error;
  if (auto error = raster_error(registers); !error.empty()) return error;
  if (registers.raster.rasterizer_discard) return {};
  if (auto error = depth_error(registers); !error.empty()) return error;
  return color_error(registers);
}

std::string dispatch_error(const Registers& registers) {
  uint64_t invocations = 1;
  for (uint32_t size : registers.compute.local_size)
    invocations = std::min<uint64_t>(invocations * size, arch::kWorkgroupInvocations + 1);
  if (invocations == 0 || invocations > arch::kWorkgroupInvocations)
    return fmt::format("workgroups of {}x{}x{} invocations, but 1 to {} are possible",
                       registers.compute.local_size[0], registers.compute.local_size[1],
                       registers.compute.local_size[2], arch::kWorkgroupInvocations);
  if (registers.compute.shared_bytes % 4 || registers.compute.shared_bytes > arch::kWorkgroupBytes)
    return fmt::format("{} bytes of workgroup memory are no multiple of 4 or more than {}",
                       registers.compute.shared_bytes, arch::kWorkgroupBytes);
  return {};
}

std::string load_error(arch::Opcode opcode, const arch::LoadPacket& packet) {
  const uint64_t table = opcode == arch::Opcode::kLoadConstants   ? arch::kConstants
                         : opcode == arch::Opcode::kLoadResources ? arch::kResources
                                                                  : arch::kSamplers;
  const uint64_t bytes = opcode == arch::Opcode::kLoadConstants ? 16 : 64;
  if (packet.stage >= arch::kStages) return "no such stage";
  if (uint64_t{packet.first} + packet.count > table)
    return fmt::format("{} from {} are more than the table's {}", packet.count, packet.first, table);
  if (packet.address % 16) return "the address is no multiple of 16";
  if (packet.address >= kAddressEnd || packet.count * bytes > kAddressEnd - packet.address)
    return "the address is beyond memory";
  return {};
}

namespace {

bool keeps(const arch::StencilFace& face) {
  constexpr auto kKeep = static_cast<uint32_t>(arch::StencilOp::kKeep);
  return !(face.write_mask & 255) || (face.fail == kKeep && face.depth_fail == kKeep && face.pass == kKeep);
}

// True if the draw changes no stencil, and tests the reference of the registers.
bool keeps_stencil(const Registers& registers) {
  const uint32_t flags = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags;
  return !(flags & arch::kShaderWritesStencil) && keeps(registers.depth.front) && keeps(registers.depth.back);
}

}  // namespace

bool early_reject_is_safe(const Registers& registers) {
  if (registers.depth.bounds_test) return false;
  if (registers.depth.stencil_test && !keeps_stencil(registers)) return false;
  if (!arch::interpolated_depth_rejects(registers)) return false;
  // The stored depth moves only in the direction of the comparison, or not at all.
  return static_cast<arch::Compare>(registers.depth.depth_compare) != arch::Compare::kNotEqual;
}

}  // namespace cutaway::command_stream
