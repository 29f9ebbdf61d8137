#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "draw/draw.h"
#include "draw/primitive_geometry.h"
#include "draw/query_counters.h"
#include "engine/storage.h"
#include "func/geometry/emitted_strips.h"
#include "func/raster/samples.h"
#include "func/raster/setup.h"
#include "isa/instruction.h"
#include "parts/memory_message.h"
#include "parts/pool.h"
#include "parts/storage_message.h"

// What travels between boxes. Work is delimited by draw ends: the streamer sends one after a draw's last
// vertex and every box passes it on after all that came before it, on each of its outputs, so that a box may
// keep state per draw and the command processor knows when a draw has ended. Where several front ends share
// out a draw, the one with its last batch has the draw's end, and the ends of the other batches travel as far
// as the rasterisers, which take batches in their order.
namespace cutaway::parts {

struct DrawState;  // parts/draw_state.h: all state of one version, unchanged while a draw uses it

constexpr uint32_t kMaxGroupLanes = 64;  // threads of a group: a parameter, at most this
constexpr uint32_t kMaxGroupQuads = kMaxGroupLanes / 4;

using Vec4 = std::array<uint32_t, 4>;  // a register: the bits of four components

// ---- Command processor ----

struct DrawCommand {
  draw::Draw draw;
  uint32_t batch = 0;  // the first of its batches for this front end (parts/draw_batches.h)
  const DrawState* state = nullptr;
  Origin origin;
};

// From a color write unit: all fragments of this draw have reached its cache.
struct DrawDone {
  uint32_t draw = 0;
  uint64_t samples = 0;  // passed since its last one (Registers::query.samples_passed)
};

// From primitive assembly and each box of a stage behind it: what a batch of a draw gave it, if pipeline
// statistics are counted.
struct DrawAssembled {
  uint32_t draw = 0;
  draw::QueryCounters counts;
};

// What a query writes that GPUs of this contract need not agree on, as the emulator had it.
struct QueryValue {
  uint64_t submission = 0;
  arch::Address address = 0;
  uint64_t value = 0;
};

// Orders to caches and engines outside the flow of draws, sent when the units are drained; each is answered
// by a ControlDone with the same kind. kClear comes before memory is cleared: caches are flushed and
// forget all, hierarchical Z takes the new depth.
struct Control {
  enum class Kind : uint8_t { kFlush, kInvalidate, kClear } kind = Kind::kFlush;
  Origin origin;
  std::shared_ptr<const arch::ClearPacket> clear;  // kClear
};
struct ControlDone {
  Control::Kind kind = Control::Kind::kFlush;
};

// The constant loader's work: bytes from memory, 64 at a time, into state that the command processor holds.
struct LoadCommand {
  arch::Opcode kind = arch::Opcode::kLoadConstants;  // or resources, samplers, program
  arch::Stage stage{};
  uint32_t offset = 0;  // bytes into the array that it fills
  arch::Address address = 0;
  uint32_t bytes = 0;
  Origin origin;
};
struct LoadedBlock {
  arch::Opcode kind = arch::Opcode::kLoadConstants;
  arch::Stage stage{};
  uint32_t offset = 0;
  uint32_t bytes = 0;  // valid in data
  bool last = false;   // of its command
  Sector data{};
};

// Copies, fills and clears, as the packet says.
struct CopyCommand {
  arch::Opcode kind = arch::Opcode::kCopyBuffer;  // or kFillBuffer, kCopySurface, kCopyQueries, kClear
  std::shared_ptr<const std::vector<uint32_t>> payload;
  Origin origin;
};
struct CopyDone {};

struct PresentCommand {
  arch::Surface surface;
  Origin origin;
};
struct PresentDone {};

// A dispatch of workgroups. Its number is no draw's of the submission.
struct DispatchCommand {
  arch::DispatchPacket dispatch{};
  uint32_t number = 0;
  const DrawState* state = nullptr;
  Origin origin;
};
struct DispatchDone {
  uint32_t dispatch = 0;  // DispatchCommand::number
};

// Compute distributor → shader unit: which of how many workgroups.
struct Workgroup {
  uint32_t id[3] = {}, count[3] = {};
  uint32_t dispatch = 0;
  const DrawState* state = nullptr;
  Origin origin;
};
struct WorkgroupEnd {
  uint32_t dispatch = 0;
};

// ---- Geometry ----

using draw::ShadedVertex;

// In post-shading memory, or sent on from there.
struct StoredVertex : ShadedVertex {
  engine::Place place;               // of the streamer's storage, once it is sent on
  uint32_t index = 0, instance = 0;  // which vertex of its draw it is: as GroupVertices

  void recycle() { place = {}; }
};
using VertexRef = PoolRef<StoredVertex>;
// In place of an index: no vertex of the draw, but of a program behind the vertex program.
constexpr uint32_t kEmittedVertex = ~0u;

// What a vertex knows of its batch.
struct BatchVertex {
  uint32_t first_primitive = 0;  // id of the first primitive of the batch
  bool repeated = false;         // the batch before has the vertex, too
};

// Streamer → primitive assembly, in order. A draw's end is also that of its last batch.
struct VertexMessage {
  enum class Kind : uint8_t { kVertex, kRestart, kNextInstance, kBatchEnd } kind = Kind::kVertex;
  VertexRef vertex;  // kVertex
  BatchVertex batch;
  const DrawState* state = nullptr;
  Origin origin;
  bool draw_end = false;  // nothing else
};

// A primitive as programs that work on primitives see it: func::InputPrimitive.
struct WholePrimitive {
  std::array<VertexRef, arch::kPatchVertices> vertex;
  uint32_t vertices = 0;

  void recycle() {
    for (; vertices; vertices--) vertex[vertices - 1] = {};
  }
};

// Primitive assembly → geometry stages → clipper → triangle setup. Triangles, and lines and points with fewer
// vertices.
struct PrimitiveMessage {
  std::array<VertexRef, 3> vertex;
  PoolRef<WholePrimitive> whole;  // in place of `vertex`: it goes to a program
  const DrawState* state = nullptr;
  Origin origin;
  uint8_t vertices = 0, first = 0;  // func::AssembledPrimitive
  uint32_t strip = 0;
  uint8_t stream = 0;  // that a geometry program has emitted it to; others than 0 are captured alone
  bool draw_end = false, batch_end = false;

  bool is_end() const { return draw_end || batch_end; }
};

// What the stages after setup share of a primitive.
struct SetUpPrimitive {
  func::Primitive primitive;
  std::array<VertexRef, 3> vertex;
  const DrawState* state = nullptr;
  Origin origin;
  uint8_t vertices = 0;
  uint32_t layer = 0;   // of the framebuffer
  engine::Place place;  // of triangle setup's storage

  void recycle() {
    vertex = {};
    place = {};
  }
};
using PrimitiveRef = PoolRef<SetUpPrimitive>;

struct SetupMessage {
  PrimitiveRef primitive;
  const DrawState* state = nullptr;
  Origin origin;
  bool draw_end = false, batch_end = false;
};

// ---- Fragments ----

// Fragment generation → hierarchical Z: an 8×8 tile, bit y × 8 + x of covered pixels.
struct TileMessage {
  PrimitiveRef primitive;
  const DrawState* state = nullptr;
  Origin origin;
  int32_t x = 0, y = 0;                               // of the upper left pixel
  uint64_t coverage = 0;                              // with several samples: of any
  std::array<uint64_t, func::kMaxSamples> samples{};  // each by itself, if there are several
  bool draw_end = false;
};

// Hierarchical Z → Z and stencil test → interpolator. Lane order: (x, y), (x+1, y), (x, y+1), (x+1, y+1).
struct QuadMessage {
  PrimitiveRef primitive;
  const DrawState* state = nullptr;
  Origin origin;
  int32_t x = 0, y = 0;      // of lane 0
  std::array<float, 4> z{};  // with one sample
  // What the primitive covers, of the one sample that the quad is shaded for if each is shaded by itself;
  // and, with several samples per pixel, what of that is still alive.
  func::QuadSamples covered = 0, alive = 0;
  uint32_t hz_epoch = 0;    // of the tile's hierarchical Z entry when the quad passed it
  bool accepted = false;    // hierarchical Z knows that all of it passes the depth comparison
  bool whole_tile = false;  // so does its tile, of which the primitive covers every sample
  uint8_t mask = 0;         // covered lanes, with several samples those with any, that are still alive
  uint8_t sample = 0;       // with sample shading: the one that is shaded
  uint8_t rop = 0;          // that owns its tile of the screen
  uint32_t number = 0;  // of the quads to shade that hierarchical Z has sent, in the order of rasterisation
  bool draw_end = false;
};

// Samples of a quad that are alive.
inline uint64_t count_alive(const QuadMessage& quad, uint32_t samples) {
  return static_cast<uint64_t>(std::popcount(samples > 1 ? quad.alive : uint32_t{quad.mask}));
}

// A slot of a stage's post-shading memory (parts/commit_queue.h).
using SlotIndex = uint16_t;

// The vertices of a group, by lane: the streamer gives each a slot and fills its input registers, a shader
// unit puts the shaded vertex beside them, and the streamer takes that.
struct GroupVertices {
  std::array<SlotIndex, kMaxGroupLanes> slot{};
  // Vertex offset included; instances count from 0.
  std::array<uint32_t, kMaxGroupLanes> index{}, instance{};
  std::array<VertexRef, kMaxGroupLanes> shaded;
  // func::register_word(func::register_width(lanes of a group), register, component, lane); only what the
  // program reads is written.
  std::array<uint32_t, arch::kShaderInputs * 4 * kMaxGroupLanes> word;

  void recycle() {
    for (VertexRef& vertex : shaded) vertex = {};
  }
};

// A patch under way: the memory that its control program fills and its evaluation programs read. It begins
// with the tessellation factors (arch::kPatchOuter, arch::kPatchInner).
struct Patch {
  std::vector<uint32_t> words;
  uint32_t id = 0;
  std::vector<engine::Place> places;  // of the tessellation's memory

  void recycle() { places.clear(); }
};

// The primitives of a group, by lane, each with the invocation that the lane is of it; and what their
// programs give.
struct GroupPrimitives {
  std::array<PoolRef<WholePrimitive>, kMaxGroupLanes> primitive;
  std::array<PoolRef<Patch>, kMaxGroupLanes> patch;
  std::array<uint32_t, kMaxGroupLanes> id{}, invocation{};
  std::array<func::EmittedStrips, kMaxGroupLanes> emitted;  // with the outputs that the program writes

  void recycle() {
    for (auto& of_lane : primitive) of_lane = {};
    for (auto& of_lane : patch) of_lane = {};
  }
};

// Streamer, tessellation or geometry shading → work distributor → shader unit: threads of a stage before the
// rasteriser.
struct VertexGroup {
  arch::Stage stage = arch::Stage::kVertex;
  PoolRef<GroupVertices> vertices;      // of vertex and evaluation programs
  PoolRef<GroupPrimitives> primitives;  // of control, evaluation and geometry programs
  const DrawState* state = nullptr;
  Origin origin;
  uint32_t lanes = 0;      // in use, from lane 0
  uint32_t front_end = 0;  // whose box it comes from, and goes back to
  uint32_t slot = 0;       // of the box that it comes from
};

// Shader unit → streamer.
struct ShadedVertices {
  PoolRef<GroupVertices> vertices;
  uint32_t lanes = 0;
};

// Shader unit → geometry shading, or tessellation: what the programs of a group have emitted, or put into the
// memory of their patches.
struct EmittedPrimitives {
  PoolRef<GroupPrimitives> primitives;
  uint32_t slot = 0;
};

// Interpolator → work distributor: one quad with its input registers.
struct FragmentInputs {
  uint32_t input[arch::kShaderInputs][4][4];  // [register][component][lane]
};
struct InterpolatedQuad {
  QuadMessage quad;
  PoolRef<FragmentInputs> inputs;
};
inline uint32_t work_of(const InterpolatedQuad& message) { return message.quad.origin.work; }

// Up to a group of quads, each with its place in the reorder buffer of its ROP.
struct GroupQuads {
  uint32_t count = 0;
  std::array<uint32_t, kMaxGroupQuads> order{};  // reorder buffer entry
  std::array<InterpolatedQuad, kMaxGroupQuads> quad;

  void recycle() {
    for (; count; count--) quad[count - 1] = {};
  }
};

// Work distributor → shader unit.
struct FragmentGroup {
  PoolRef<GroupQuads> quads;
  const DrawState* state = nullptr;
  Origin origin;
};

// What a quad's shading gave.
struct FragmentOutputs {
  uint32_t output[arch::kFragmentOutputs][4][4];  // [register][component][lane]
};

// Shader unit → reorder buffer → Z and stencil (late) → color write.
struct ShadedQuad {
  QuadMessage quad;  // mask: lanes that live
  PoolRef<FragmentOutputs> outputs;
  uint32_t order = 0;
  uint64_t samples = 0;  // draw end, from Z and stencil: counted before shading since the last one
};
inline uint32_t work_of(const ShadedQuad& message) { return message.quad.origin.work; }

// Work distributor → reorder buffer of a ROP, in order: an entry opens; a draw end needs no shading.
struct ReorderEntry {
  uint32_t order = 0;
  const DrawState* state = nullptr;
  Origin origin;
  bool draw_end = false;
};

// Z and stencil test → hierarchical Z: bounds of the depths stored in a tile.
struct HzUpdate {
  arch::Address surface = 0;  // of the level and layer
  int32_t x = 0, y = 0;       // of the tile's upper left pixel
  float least = 0, greatest = 1;
  uint32_t epoch = 0;   // of the last quad that the tile has seen
  uint32_t sample = 0;  // the one that is described
};

// ---- Texture ----

// A texture or buffer-load instruction of one quad.
struct TextureJob {
  isa::Instruction instruction;
  const DrawState* state = nullptr;
  Origin origin;
  arch::Stage stage{};
  uint32_t src[3][4][4] = {};    // [source][component][lane], swizzled, with modifiers applied
  uint32_t lane_mask = 0;        // lanes whose result is needed
  uint32_t result[4][4] = {};    // [component][lane]
  uint32_t group = 0, quad = 0;  // of the asking shader unit
  uint32_t requester = 0;        // that unit, among those that share the texture unit
  // The quad that it is for, of fragments: as its QuadMessage.
  uint32_t primitive = 0;
  int32_t x = 0, y = 0;
  uint8_t sample = 0;
};
struct TextureMessage {
  PoolRef<TextureJob> job;
};

// ---- Pull-model interpolation ----

// Shader unit → interpolator and back: an interpolant for the lanes of a quad, each at a place of its own.
struct PullJob {
  PrimitiveRef primitive;
  const DrawState* state = nullptr;
  Origin origin;
  int32_t x = 0, y = 0;               // of lane 0
  uint8_t sample = 0;                 // of the quad that asks
  uint8_t interpolant = 0, mask = 0;  // which, and its components
  uint32_t offset[2][4] = {};         // from the pixel's centre: [x, y][lane]
  uint32_t lane_mask = 0;             // lanes whose result is needed
  uint32_t result[4][4] = {};         // [component][lane]
  uint32_t group = 0, quad = 0;       // of the shader unit

  void recycle() { primitive = {}; }
};
struct PullMessage {
  PoolRef<PullJob> job;
};
inline uint32_t work_of(const PullMessage& message) { return message.job->origin.work; }

// The payloads of a machine. Made before its boxes and wires, so that it outlives them.
struct Pools {
  Pool<StoredVertex> vertices;
  Pool<WholePrimitive> whole_primitives;
  Pool<Patch> patches;
  Pool<GroupPrimitives> group_primitives;
  Pool<SetUpPrimitive> primitives;
  Pool<GroupVertices> group_vertices;
  Pool<FragmentInputs> fragment_inputs;
  Pool<GroupQuads> group_quads;
  Pool<FragmentOutputs> fragment_outputs;
  Pool<TextureJob> texture_jobs;
  Pool<StorageJob> storage_jobs;
  Pool<PullJob> pull_jobs;
};

}  // namespace cutaway::parts
