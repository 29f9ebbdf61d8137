#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {
namespace {

using arch::Opcode;
using arch::QueryKind;
using arch::QueryPoint;
using arch::Stage;

// A square of two triangles, white.
void square(Builder& b) {
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, "MOV o0, c0.x\nEND\n");
  b.constants(Stage::kFragment, 0, {1, 0, 0, 0});
  b.interpolants({});
  b.vertices({-1, -1, 0.5f, 1, 1, -1, 0.5f, 1, -1, 1, 0.5f, 1, 1, 1, 0.5f, 1}, {4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
}

void query(Builder& b, QueryKind kind, arch::Address address, QueryPoint point) {
  b.commands.packet(Opcode::kWriteQuery,
                    arch::QueryPacket{static_cast<uint32_t>(kind), address, static_cast<uint32_t>(point)});
}

}  // namespace

Scene queries() {
  Builder b("queries");
  b.depth(b.surface(arch::Format::D16_UNORM, 64, 64));
  b.clear(0, 0, 0, 1);
  color_programs(b);
  depth_test(b);
  const arch::Address results = b.allocate(512);
  const auto query = [&](arch::QueryKind kind, uint64_t offset) {
    b.commands.packet(arch::Opcode::kWriteQuery,
                      arch::QueryPacket{static_cast<uint32_t>(kind), results + offset, 0});
  };
  b.registers.query.samples_passed = 1;
  query(arch::QueryKind::kSamplesPassed, 0);
  b.vertices({-1, -1, 0.5f, 1, 1, 0, 0, 1, 1, -1, 0.5f, 1, 1, 0, 0, 1, -1, 1, 0.5f, 1, 1, 0, 0, 1,  //
              1,  1,  0.5f, 1, 1, 0, 0, 1},
             {4, 4});
  b.draw(3);
  query(arch::QueryKind::kSamplesPassed, 8);
  b.draw(3);  // hidden: not nearer
  query(arch::QueryKind::kSamplesPassed, 16);
  // The other half by an indirect draw in a called list.
  const std::vector<uint32_t> indirect = {3, 1, 1, 0};  // vertices 1 to 3
  arch::CommandWriter called;
  called.packet(arch::Opcode::kDrawIndirect, arch::IndirectPacket{b.upload(indirect), 1, 16, 0});
  const arch::Address list = b.upload(called.commands());
  b.send_state();
  b.commands.packet(arch::Opcode::kCall,
                    arch::CallPacket{list, static_cast<uint32_t>(called.commands().size())});
  query(arch::QueryKind::kSamplesPassed, 24);
  // Three indexed draws, some of whose arguments span two sectors; a count allows two. The query counts
  // samples though the program discards all, because it asks for early tests.
  const arch::Address indices = b.upload(std::vector<uint32_t>{0, 1, 2, 1, 2, 3});
  std::vector<uint32_t> indexed(64, 0);
  const std::array<uint32_t, 15> arguments = {3, 1, 0, 0, 0, 3, 2, 3, 0, 0, 6, 1, 0, 0, 0};
  std::copy(arguments.begin(), arguments.end(), indexed.begin() + 9);
  const arch::Address at = b.upload(indexed) + 36;
  const arch::Address most = b.upload(std::vector<uint32_t>{2});
  auto& assembly = b.registers.assembly;
  assembly.index_address = indices, assembly.index_bytes = 24;
  assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint32);
  b.registers.depth.depth_compare = static_cast<uint32_t>(arch::Compare::kEqual);
  b.program(Stage::kFragment, "KIL c0.x\nMOV o0, i0\nEND\n", arch::kShaderKills | arch::kShaderEarlyTests);
  b.constants(Stage::kFragment, 0, {1, 0, 0, 0});
  b.send_state();
  b.commands.packet(arch::Opcode::kDrawIndexedIndirect, arch::IndirectPacket{at, 3, 20, most});
  query(arch::QueryKind::kSamplesPassed, 32);
  b.commands.packet(arch::Opcode::kMarker, uint32_t{5});
  b.commands.packet(arch::Opcode::kWriteValue, arch::WriteValuePacket{results + 256, 42});
  b.commands.packet(arch::Opcode::kWaitValue, arch::WaitValuePacket{results + 256, 41});
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

// At `results`: statistics as values (0) and in slots (512); timestamps in slots (1024, 1056); copied results
// of all of them (2048, 64 bits and availability; 2304, 32 bits; 2560, of a query that is not available).
Scene statistics() {
  Builder b("statistics");
  b.clear(0, 0, 0, 1);
  square(b);
  const arch::Address results = b.allocate(4096);
  query(b, QueryKind::kTimestamp, results + 1024, QueryPoint::kEnd);
  b.registers.query.statistics = 1;
  query(b, QueryKind::kStatistics, results + 512, QueryPoint::kBegin);
  b.draw(4);
  query(b, QueryKind::kStatistics, results, QueryPoint::kValues);
  // Skipped draws are not counted. Each indirect draw puts its number into x.
  const arch::Address predicate = b.upload(std::vector<uint32_t>{0, 1});
  b.commands.packet(Opcode::kPredicate, arch::PredicatePacket{predicate, 0});
  b.draw(4);
  b.commands.packet(Opcode::kPredicate, arch::PredicatePacket{predicate + 4, 0});
  b.program(Stage::kVertex, "U2F r0.x, i33.x\nMUL o0.x, r0.x, i0.x\nMOV o0.yzw, i0\nEND\n");
  b.send_state();
  const arch::Address draws = b.upload(std::vector<uint32_t>{4, 1, 0, 0, 4, 1, 0, 0, 3, 2, 1, 0});
  b.commands.packet(Opcode::kDrawIndirect, arch::IndirectPacket{draws, 3, 16, 0});
  b.commands.packet(Opcode::kPredicate, arch::PredicatePacket{0, 0});
  query(b, QueryKind::kStatistics, results + 512, QueryPoint::kEnd);
  query(b, QueryKind::kTimestamp, results + 1056, QueryPoint::kEnd);
  b.commands.packet(Opcode::kWaitIdle);
  const auto copy = [&](uint64_t from, uint64_t to, uint32_t queries, uint32_t values, uint32_t flags) {
    b.commands.packet(Opcode::kCopyQueries,
                      arch::CopyQueriesPacket{results + from, results + to, 32, queries, 32, values, flags});
  };
  copy(512, 2048, 1, 0b10000011, arch::kQueries64Bit | arch::kQueriesAvailability);
  copy(1024, 2304, 2, 1, arch::kQueriesAvailability);
  copy(1088, 2560, 1, 1, arch::kQueriesAvailability | arch::kQueriesPartial);
  copy(1088, 2576, 1, 1, 0);
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

// At `results`: captured positions of a strip (0, 16 bytes a vertex, room for two of its three triangles),
// the bytes filled (1024), primitives written and needed (1056). A draw takes its vertex count from the bytes
// filled.
Scene transform_feedback() {
  Builder b("transform feedback");
  b.clear(0, 0, 0, 1);
  square(b);
  const arch::Address results = b.allocate(4096);
  auto& feedback = b.registers.feedback;
  feedback.on = 1;
  feedback.outputs = 4;
  feedback.buffer[1] = {results, 112, 16};
  for (uint32_t i = 0; i < 4; i++) feedback.output[i] = arch::FeedbackOutput::make(0, i, 1, 4 * i);
  b.registers.assembly.provoking_vertex = static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  b.registers.raster.rasterizer_discard = 1;
  b.commands.packet(Opcode::kLoadFeedback, arch::FeedbackPacket{1, 0});
  query(b, QueryKind::kPrimitives, results + 1056, QueryPoint::kBegin);
  b.draw(4);
  b.draw(3);
  query(b, QueryKind::kPrimitives, results + 1056, QueryPoint::kEnd);
  b.commands.packet(Opcode::kStoreFeedback, arch::FeedbackPacket{1, results + 1024});
  feedback.on = 0;
  b.registers.raster.rasterizer_discard = 0;
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
  b.registers.assembly.binding[0].address = results;
  b.registers.assembly.binding[0].bytes = 4096;
  b.send_state();
  b.commands.packet(Opcode::kDrawByteCount, arch::DrawByteCountPacket{results + 1024, 0, 16, 1, 0});
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

}  // namespace cutaway::scenes
