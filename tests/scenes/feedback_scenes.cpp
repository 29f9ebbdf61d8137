// Transform feedback: the captured vertices lie at `results`, and are drawn.
#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::FeedbackOutput;
using arch::Opcode;
using arch::ProvokingVertex;
using arch::QueryKind;
using arch::QueryPoint;
using arch::Stage;
using arch::Topology;

namespace {

constexpr uint64_t kCaptured = 65536;  // bytes at `results`, before counters and queries

void query(Builder& b, uint32_t stream, arch::Address address, QueryPoint point) {
  const auto kind = stream == 0 ? static_cast<uint32_t>(QueryKind::kPrimitives)
                                : static_cast<uint32_t>(QueryKind::kPrimitivesOfStream1) + stream - 1;
  b.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{kind, address, static_cast<uint32_t>(point)});
}

void load(Builder& b, uint32_t buffer, arch::Address from) {
  b.commands.packet(Opcode::kLoadFeedback, arch::FeedbackPacket{buffer, from});
}
void store(Builder& b, uint32_t buffer, arch::Address to) {
  b.commands.packet(Opcode::kStoreFeedback, arch::FeedbackPacket{buffer, to});
}

// Turns the capture on or off for the following draws.
void capture(Builder& b, bool on) { b.registers.feedback.on = on; }
void capture(Builder& b, std::initializer_list<FeedbackOutput> outputs) {
  auto& feedback = b.registers.feedback;
  feedback.on = 1;
  feedback.outputs = 0;
  for (const FeedbackOutput output : outputs) feedback.output[feedback.outputs++] = output;
}

// Draws triangles of captured vertices (position and color, 4 floats each); a counter gives their number.
void draw_captured(Builder& b, arch::Address from, uint32_t bytes, arch::Address counter) {
  capture(b, false);
  b.registers.raster.rasterizer_discard = 0;
  for (const Stage stage : {Stage::kTessControl, Stage::kTessEvaluation, Stage::kGeometry})
    b.registers.shader[static_cast<uint32_t>(stage)] = {};
  b.registers.assembly.topology = static_cast<uint32_t>(Topology::kTriangleList);
  b.registers.assembly.binding[0].address = from;
  b.registers.assembly.binding[0].bytes = bytes;
  b.registers.assembly.binding[0].stride = 32;
  b.send_state();
  b.commands.packet(Opcode::kDrawByteCount, arch::DrawByteCountPacket{counter, 0, 32, 1, 0});
}

}  // namespace

// Captures draw after draw of triangles into one buffer until it is full, every second draw also rasterized;
// every third draw is not captured. Then draws the captured triangles moved and at half size.
Scene feedback_triangles() {
  Builder b("feedback-triangles");
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64));
  b.clear(0, 0, 0, 1);
  color_programs(b);
  depth_test(b);
  b.vertices(scattered_triangles(200), {4, 4});
  const arch::Address results = b.allocate(kCaptured + 256), counters = results + kCaptured;
  b.registers.feedback.buffer[0] = {results, 16384, 32};
  capture(b, {FeedbackOutput::make(0, 0, 0, 0), FeedbackOutput::make(0, 1, 0, 4),
              FeedbackOutput::make(0, 2, 0, 8), FeedbackOutput::make(0, 3, 0, 12),
              FeedbackOutput::make(1, 0, 0, 16), FeedbackOutput::make(1, 1, 0, 20),
              FeedbackOutput::make(1, 2, 0, 24), FeedbackOutput::make(1, 3, 0, 28)});
  query(b, 0, counters + 64, QueryPoint::kBegin);
  for (uint32_t i = 0; i < 9; i++) {
    capture(b, i % 3 != 2);
    b.registers.raster.rasterizer_discard = i % 2;
    b.draw(90 + i, 1, 50 * i);
  }
  query(b, 0, counters + 64, QueryPoint::kEnd);
  store(b, 0, counters);
  b.program(Stage::kVertex, "MUL o0, i0, c0\nMOV o1, i1\nEND\n");
  b.constants(Stage::kVertex, 0, {-0.5f, 0.5f, 0.2f, 1});
  draw_captured(b, results, 16384, counters);
  return ended_scene(b, results);
}

// Strips and fans with restarts and instances, with both provoking vertices; two buffers, one of them with
// gaps.
Scene feedback_strips() {
  Builder b("feedback-strips");
  b.clear(0, 0, 0, 1);
  color_programs(b);
  b.vertices(scattered_triangles(40), {4, 4});
  const arch::Address results = b.allocate(kCaptured + 256), counters = results + kCaptured;
  b.registers.feedback.buffer[0] = {results + 4, 12000, 28};
  b.registers.feedback.buffer[2] = {results + 32768, 20000, 12};
  capture(b, {FeedbackOutput::make(0, 0, 0, 0), FeedbackOutput::make(0, 3, 0, 24),
              FeedbackOutput::make(0, 1, 0, 8), FeedbackOutput::make(1, 0, 2, 8),
              FeedbackOutput::make(1, 1, 2, 4), FeedbackOutput::make(0, 2, 2, 0)});
  std::vector<uint16_t> order;
  for (uint16_t i = 0; i < 90; i++)
    order.push_back(i % 13 == 12 ? 0xffff : static_cast<uint16_t>(i * 7 % 120));
  b.registers.assembly.index_address = b.upload(order);
  b.registers.assembly.index_bytes = static_cast<uint32_t>(order.size() * 2);
  load(b, 0, 0);
  query(b, 0, counters + 64, QueryPoint::kBegin);
  for (const Topology topology : {Topology::kTriangleStrip, Topology::kTriangleFan, Topology::kLineStrip})
    for (const ProvokingVertex provoking : {ProvokingVertex::kFirst, ProvokingVertex::kLast}) {
      b.registers.assembly.topology = static_cast<uint32_t>(topology);
      b.registers.assembly.provoking_vertex = static_cast<uint32_t>(provoking);
      b.registers.assembly.primitive_restart = provoking == ProvokingVertex::kLast;
      b.draw_indexed(40);
      b.registers.assembly.primitive_restart = 1;
      b.draw_indexed(90, 2);
      b.draw(23, 2, 10);
      // The next draws append here.
      store(b, 0, counters);
      load(b, 0, counters);
    }
  query(b, 0, counters + 64, QueryPoint::kEnd);
  store(b, 2, counters + 4);
  return ended_scene(b, results);
}

// Points into four buffers, a word each; enough for each front end to have many.
Scene feedback_points() {
  Builder b("feedback-points");
  b.clear(0, 0.2f, 0, 1);
  color_programs(b);
  b.registers.raster.rasterizer_discard = 1;
  b.registers.assembly.topology = static_cast<uint32_t>(Topology::kPointList);
  b.vertices(scattered_triangles(200), {4, 4});
  const arch::Address results = b.allocate(kCaptured + 256), counters = results + kCaptured;
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++)
    b.registers.feedback.buffer[i] = {results + 16384 * i, 8000 - 2000 * i, 4};
  capture(b, {FeedbackOutput::make(0, 0, 0, 0), FeedbackOutput::make(0, 1, 1, 0),
              FeedbackOutput::make(1, 2, 2, 0), FeedbackOutput::make(1, 3, 3, 0)});
  b.draw(600);
  capture(b, {FeedbackOutput::make(0, 0, 0, 0), FeedbackOutput::make(0, 1, 1, 0)});
  b.draw(300, 3, 7);
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++) store(b, i, counters + 4 * i);
  return ended_scene(b, results);
}

// Each invocation emits points to streams 0 to 3, each captured by its own buffer; the buffer of stream 3 is
// soon full, and stream 2 has none.
Scene feedback_streams() {
  Builder b("feedback-streams");
  b.clear(0, 0, 0.3f, 1);
  color_programs(b, arch::Interpolation::kFlat);
  b.registers.assembly.topology = static_cast<uint32_t>(Topology::kPointList);
  b.vertices(scattered_triangles(50), {4, 4});
  geometry_program(b, R"(
      LDV o0, c0.x, v0
      LDV o1, c0.x, v1
      EMIT 0
      LDV r0, c0.x, v1
      ADD o1, r0, c1.w
      EMIT 1
      MOV o1.x, c1.w
      EMIT 1
      EMIT 2
      SGE r1.x, r0.x, c1.w
      IF r1.x
        EMIT 3
        EMIT 0
      ENDIF
      END)",
                   Topology::kPointList, 6, 2);
  const arch::Address results = b.allocate(kCaptured + 1024), counters = results + kCaptured;
  b.registers.feedback.buffer[0] = {results, 20000, 16};
  b.registers.feedback.buffer[1] = {results + 20480, 20000, 20};
  b.registers.feedback.buffer[3] = {results + 45056, 500, 4};
  capture(b, {FeedbackOutput::make(0, 0, 0, 4, 0), FeedbackOutput::make(1, 0, 0, 12, 0),
              FeedbackOutput::make(1, 1, 1, 16, 1), FeedbackOutput::make(1, 0, 1, 0, 1),
              FeedbackOutput::make(0, 1, 3, 0, 3)});
  for (uint32_t i = 0; i < arch::kStreams; i++) query(b, i, counters + 128 + 128 * i, QueryPoint::kBegin);
  b.draw(90);
  capture(b, false);
  b.draw(30, 1, 60);
  capture(b, true);
  b.draw(100, 2, 20);
  for (uint32_t i = 0; i < arch::kStreams; i++) query(b, i, counters + 128 + 128 * i, QueryPoint::kEnd);
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++) store(b, i, counters + 4 * i);
  return ended_scene(b, results);
}

std::vector<Scene> feedback_scenes() {
  std::vector<Scene> all;
  for (const auto make :
       {transform_feedback, feedback_triangles, feedback_strips, feedback_points, feedback_streams})
    all.push_back(make());
  return all;
}

}  // namespace cutaway::scenes
