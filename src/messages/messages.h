#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "arch/registers.h"
#include "command_stream/primitive_geometry.h"
#include "engine/storage.h"
#include "func/geometry/emitted_strips.h"
#include "func/raster/samples.h"
#include "func/raster/setup.h"
#include "isa/instruction.h"
#include "messages/commands.h"
#include "messages/memory_message.h"
#include "messages/pool.h"
#include "messages/storage_message.h"

// Messages between boxes. Work is delimited by draw ends: the streamer sends one after a draw's last vertex,
// and every box passes it on after everything before it, on each of its outputs. So a box may keep state per
// draw, and the command processor knows when a draw has ended. If several front ends share a draw, the front
// end with the last batch sends the draw's end; ends of other batches travel as far as the rasterisers, which
// take batches in their order.
namespace cutaway::messages {

struct DrawState;  // messages/draw_state.h: all state of one version, unchanged while a draw uses it

constexpr uint32_t kMaxGroupLanes = 64;  // largest number of threads per group, which is a parameter
constexpr uint32_t kMaxGroupQuads = kMaxGroupLanes / 4;

using Vec4 = std::array<uint32_t, 4>;  // a register: the bits of four components

// ---- Geometry ----

using command_stream::ShadedVertex;

// A vertex in post-shading memory, or sent on from there.
struct StoredVertex : ShadedVertex {
  engine::Place place;               // in the streamer's storage, once it is sent on
  uint32_t index = 0, instance = 0;  // identify the vertex in its draw: as in GroupVertices

  void recycle() { place = {}; }
};
using VertexRef = PoolRef<StoredVertex>;
// Index of a vertex that a program after the vertex program emitted.
constexpr uint32_t kEmittedVertex = ~0u;

// A vertex's information about its batch.
struct BatchVertex {
  uint32_t first_primitive = 0;  // id of the first primitive of the batch
  bool repeated = false;         // the previous batch has the vertex too
};

// Streamer → primitive assembly, in order. A draw's end is also the end of its last batch.
struct VertexMessage {
  enum class Kind : uint8_t { kVertex, kRestart, kNextInstance, kBatchEnd } kind = Kind::kVertex;
  VertexRef vertex;  // kVertex
  BatchVertex batch;
  const DrawState* state = nullptr;
  Origin origin;
  bool draw_end = false;  // a draw end without anything else
};

// A primitive for tessellation and geometry programs: func::InputPrimitive.
struct WholePrimitive {
  std::array<VertexRef, arch::kPatchVertices> vertex;
  uint32_t vertices = 0;

  void recycle() {
    for (; vertices; vertices--) vertex[vertices - 1] = {};
  }
};

// Primitive assembly → geometry stages → clipper → triangle setup. Triangles, lines and points.
struct PrimitiveMessage {
  std::array<VertexRef, 3> vertex;
  PoolRef<WholePrimitive> whole;  // replaces `vertex` for a primitive that goes to a program
  const DrawState* state = nullptr;
  Origin origin;
  uint8_t vertices = 0, first = 0;  // func::AssembledPrimitive
  uint32_t strip = 0;
  uint8_t stream = 0;  // stream of a geometry program's primitive; streams other than 0 are only captured
  bool draw_end = false, batch_end = false;

  bool is_end() const { return draw_end || batch_end; }
};

// A primitive's data shared by the stages after setup.
struct SetUpPrimitive {
  func::Primitive primitive;
  std::array<VertexRef, 3> vertex;
  const DrawState* state = nullptr;
  Origin origin;
  uint8_t vertices = 0;
  uint32_t layer = 0;   // of the framebuffer
  engine::Place place;  // in triangle setup's storage

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
  uint64_t coverage = 0;                              // with several samples: of any sample
  std::array<uint64_t, func::kMaxSamples> samples{};  // of each sample, if there are several
  bool draw_end = false;
};

// Hierarchical Z → Z and stencil test → interpolator. Lane order: (x, y), (x+1, y), (x, y+1), (x+1, y+1).
struct QuadMessage {
  PrimitiveRef primitive;
  const DrawState* state = nullptr;
  Origin origin;
  int32_t x = 0, y = 0;      // of lane 0
  std::array<float, 4> z{};  // with a single sample
  // Samples that the primitive covers (with sample shading: of the shaded sample), and with several samples
  // per pixel, the samples that are still alive.
  func::QuadSamples covered = 0, alive = 0;
  uint32_t hz_epoch = 0;       // epoch of the tile's hierarchical Z entry when the quad passed it
  bool accepted = false;       // hierarchical Z knows that all of it passes the depth comparison
  bool full_sub_tile = false;  // its primitive has all quads of the upper or lower half of the 8x8 tile
  bool whole_tile = false;     // the same holds for its tile, of which the primitive covers every sample
  uint8_t mask = 0;            // covered lanes that are still alive; with several samples those with any live
                               // sample
  uint8_t sample = 0;          // with sample shading: the shaded sample
  uint8_t rop = 0;             // the owner of its tile of the screen
  uint32_t number = 0;  // sequence number, in rasterisation order, of the quads to shade that hierarchical Z
                        // has sent
  bool draw_end = false;
};

// Number of live samples of a quad.
inline uint64_t count_alive(const QuadMessage& quad, uint32_t samples) {
  return static_cast<uint64_t>(std::popcount(samples > 1 ? quad.alive : uint32_t{quad.mask}));
}

// A slot of a stage's post-shading memory (structures/commit_queue.h).
using SlotIndex = uint16_t;

// The vertices of a group, by lane: the streamer assigns slots and fills the input registers, a shader unit
// adds the shaded vertices, and the streamer takes those.
struct GroupVertices {
  std::array<SlotIndex, kMaxGroupLanes> slot{};
  // Vertex offset included; instances count from 0.
  std::array<uint32_t, kMaxGroupLanes> index{}, instance{};
  std::array<VertexRef, kMaxGroupLanes> shaded;
  // Index: func::register_word(func::register_width(lanes of a group), register, component, lane). Only
  // inputs that the program reads are written.
  std::array<uint32_t, arch::kShaderInputs * 4 * kMaxGroupLanes> word;
  engine::Place place;  // among the groups under way in a shader unit, if the distributor counts them

  void recycle() {
    for (VertexRef& vertex : shaded) vertex = {};
    place = {};
  }
};

// A patch in flight: the memory that its control program writes and its evaluation programs read. It begins
// with the tessellation factors (arch::kPatchOuter, arch::kPatchInner).
struct Patch {
  std::vector<uint32_t> words;
  uint32_t id = 0;
  std::vector<engine::Place> places;  // in the tessellation's memory

  void recycle() { places.clear(); }
};

// The primitives of a group, by lane, each with the lane's invocation number, and the results of their
// programs.
struct GroupPrimitives {
  std::array<PoolRef<WholePrimitive>, kMaxGroupLanes> primitive;
  std::array<PoolRef<Patch>, kMaxGroupLanes> patch;
  std::array<uint32_t, kMaxGroupLanes> id{}, invocation{};
  std::array<func::EmittedStrips, kMaxGroupLanes> emitted;  // with the outputs that the program writes
  engine::Place place;                                      // as that of GroupVertices

  void recycle() {
    for (auto& of_lane : primitive) of_lane = {};
    for (auto& of_lane : patch) of_lane = {};
    place = {};
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
  uint32_t front_end = 0;  // front end of its source, to which it returns
  uint32_t slot = 0;       // of its source
};
inline engine::Place& place_of(VertexGroup& group) {
  return group.vertices ? group.vertices->place : group.primitives->place;
}

// Shader unit → streamer.
struct ShadedVertices {
  PoolRef<GroupVertices> vertices;
  uint32_t lanes = 0;
};

// Shader unit → geometry shading, or tessellation: vertices that a group's programs have emitted, or the
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
  engine::Place place;  // among the groups under way in a cluster, if the distributor counts them

  void recycle() {
    place = {};
    for (; count; count--) { [[maybe_unused]] const InterpolatedQuad dropped = std::move(quad[count - 1]); }
  }
};

// Work distributor → shader unit.
struct FragmentGroup {
  PoolRef<GroupQuads> quads;
  const DrawState* state = nullptr;
  Origin origin;
};

// Results of a quad's shading.
struct FragmentOutputs {
  uint32_t output[arch::kFragmentOutputs][4][4];  // [register][component][lane]
};

// Shader unit → reorder buffer → Z and stencil (late) → color write.
struct ShadedQuad {
  QuadMessage quad;  // mask: live lanes
  PoolRef<FragmentOutputs> outputs;
  uint32_t order = 0;
  uint64_t samples = 0;  // draw end: samples of the draw that queries count, so far before shading
};
inline uint32_t work_of(const ShadedQuad& message) { return message.quad.origin.work; }

// Work distributor → reorder buffer of a ROP, in order: opens an entry; a draw end needs no shading.
struct ReorderEntry {
  uint32_t order = 0;
  const DrawState* state = nullptr;
  Origin origin;
  bool draw_end = false;
};

// Z and stencil test → hierarchical Z: bounds of the depths stored in a tile.
struct HzUpdate {
  arch::Address surface = 0;  // address of the level and layer
  int32_t x = 0, y = 0;       // of the tile's upper left pixel
  float least = 0, greatest = 1;
  uint32_t epoch = 0;        // of the tile's most recent quad
  uint32_t sample = 0;       // the sample described
  bool one_stencil = false;  // all stencils of the tile are `stencil`
  uint8_t stencil = 0;
};

// ---- Texture ----

// A texture or buffer-load instruction of one quad. Members that the host reads together stand together,
// behind the 24 bytes that a pool puts before them.
struct TextureJob {
  uint32_t group = 0, quad = 0;  // of the requesting shader unit
  uint32_t lane_mask = 0;        // lanes whose result is needed
  uint32_t request_quads = 1;    // of the same request: they leave, and come back, in one cycle
  const DrawState* state = nullptr;
  Origin origin;
  uint32_t result[4][4] = {};  // [component][lane]
  isa::Instruction instruction;
  arch::Stage stage{};
  uint32_t requester = 0;  // index of the shader unit among those that share the texture unit
  // For fragments: the quad that it is for, as in its QuadMessage.
  uint8_t sample = 0;
  uint32_t primitive = 0;
  int32_t x = 0, y = 0;
  uint32_t src[3][4][4] = {};  // [source][component][lane], swizzled, with modifiers applied
};
struct TextureMessage {
  PoolRef<TextureJob> job;
};

// ---- Pull-model interpolation ----

// Shader unit → interpolator and back: an interpolant for the lanes of a quad, each at its own place.
struct PullJob {
  PrimitiveRef primitive;
  const DrawState* state = nullptr;
  Origin origin;
  int32_t x = 0, y = 0;               // of lane 0
  uint8_t sample = 0;                 // of the requesting quad
  uint8_t interpolant = 0, mask = 0;  // its index, and components
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

// The payload pools of a machine. They are made before its boxes and wires, so that they outlive them.
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

}  // namespace cutaway::messages
