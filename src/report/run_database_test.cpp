#include "report/run_database.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error.h"
#include "report/run_reader.h"
#include "run_record/testing/counters.h"

namespace cutaway::report {
namespace {

using ::testing::ElementsAre;

// Two draws, a copy between them, and a second pass.
run_record::FrameRecord example() {
  run_record::FrameRecord r;
  r.counters = {{"gpu.a", "things", "things", "done"}, {"gpu.b", "busy", "cycles", "work was done"}};
  r.wires = {{"gpu.a.out", "gpu.b.in", "int", 1, 2, 3}};
  r.states = {
      {.width = 64,
       .height = 32,
       .targets = R"({"color": [{"address": "0x1000", "width": 64, "height": 32}], "depth": null})",
       .textures =
           R"([{"address": "0x2000", "width": 64, "height": 32}, {"address": "0x2000", "width": 8, "height": 8}])",
       .buffers =
           R"([{"use": "indices", "address": "0x3010", "bytes": 16}, {"use": "vertices", "address": "0x3020", "bytes": 8},
               {"use": "program", "stage": "tessellation control", "address": "0x5000", "bytes": 8}])",
       .program = {256}},
      {.width = 8, .height = 8, .targets = "{}", .textures = "[]", .buffers = "[]", .program = {512}}};
  r.work = {{.kind = "draw",
             .packet = "DRAW",
             .draw = 1,
             .marker = 7,
             .state = 0,
             .vertices = 3,
             .end = 10,
             .marginal_cycles = 10},
            {.kind = "copy",
             .packet = "COPY_BUFFER",
             .compute_queue = true,
             .began = 5,
             .end = 14,
             .marginal_cycles = 4},
            {.kind = "draw",
             .packet = "DRAW",
             .draw = 2,
             .marker = 8,
             .state = 0,
             .began = 8,
             .end = 20,
             .marginal_cycles = 6},
            {.kind = "draw",
             .packet = "DRAW",
             .draw = 3,
             .of_driver = true,
             .state = 1,
             .pass = 1,
             .began = 20,
             .end = 25,
             .marginal_cycles = 5}};
  r.own = {{0, 0, 5}, {2, 0, 6}, {2, 1, 9}};
  r.meanwhile = {{0, 0, 4}, {2, 0, 7}, {1, 1, 9}};
  r.work[2].texture_footprint = 512, r.work[2].texture_cache_footprint = 256;
  r.work[2].texture_first_touches = 3, r.texture_footprint = 768;
  r.instructions = {
      {.work = 0, .instruction = 1, .issued = 2, .lanes = 8, .issue_cycles = 3, .waited_flow = 4},
      {.work = 2, .instruction = 1, .issued = 5, .waited_flow = 6, .waited_output = 7},
      {.work = 2, .instruction = 1, .stage = 4, .issued = 9}};
  r.interval_end = {16, 25};
  r.intervals = {{0, 0, 8}, {1, 0, 3}, {1, 1, 9}};
  r.wire_intervals = {{1, 0, 12, 0.75}};
  return r;
}

run_record::FrameFigures figures() {
  run_record::FrameFigures f;
  f.frame = 4, f.cycles = 25, f.memory_hash = 0xab;
  f.phases = {.draws = 11, .copies = 6, .caches = 4, .display = 3, .commands = 1, .beside_scan_out = 9};
  f.scan_out_cycles = 7;
  f.counters = run_record::testing::counters_of_frame();
  f.clients = {{"texture0", 64, 128}};
  f.wires = {{"gpu.a.out", "gpu.b.in", "Quad", 4, 12, 30, 20, 3}};
  return f;
}

class RunDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(path_);
    Annotations annotations;
    annotations.programs[256] = {"MOV o0, i0\n", "words", "1 2", "glass.vert"};
    annotations.surfaces = {{{0x1000, 64, 32}, "shadow map"}, {{0x2000, 64, 32}, "noise"}};
    // The last two had the same memory at different times.
    annotations.buffers = {{{0x3000, 0x3020}, "mesh"},
                           {{0x3020, 0x3030}, ""},
                           {{0x4ff0, 0x5008}, "heap"},
                           {{0x5000, 0x5008}, "lights"}};
    annotations.labels = {{7, "frame / shadows / near"}, {8, "frame / shadows / nearest"}};
    RunDatabase run(path_, annotations);
    run.add(figures(), example());
    run.finish({.gpu = "attila", .capture = "a.cutaway"}, {{"streamer.queue", "48", "ATT-3", false}}, 16);
  }
  void TearDown() override { std::filesystem::remove(path_); }
  // The first column of all rows, as text.
  std::vector<std::string> rows(std::string_view sql) {
    database::Database database(path_, database::Access::kRead);
    std::vector<std::string> result;
    for (auto statement = database.prepare(sql); statement.step();) result.push_back(statement.text(0));
    return result;
  }
  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_run_{}.sqlite", ::getpid());
};

TEST_F(RunDatabaseTest, TellsWhatTheRunWas) {
  EXPECT_THAT(rows("SELECT value FROM meta WHERE name IN ('gpu', 'interval', 'schema') ORDER BY name"),
              ElementsAre("attila", "16", "12"));
  EXPECT_THAT(rows("SELECT path || value || source || differs FROM parameter"),
              ElementsAre("streamer.queue48ATT-30"));
  EXPECT_THAT(rows("SELECT frame || ' ' || cycles || ' ' || bytes_read || ' ' || bytes_written FROM frame"),
              ElementsAre("4 25 64 128"));
  EXPECT_THAT(rows("SELECT draw_cycles || ' ' || copy_cycles || ' ' || cache_cycles || ' ' || display_cycles "
                   "|| ' ' || command_cycles || ' ' || scan_out_beside || ' ' || scan_out_after FROM frame"),
              ElementsAre("11 6 4 3 1 9 7"));
}

TEST_F(RunDatabaseTest, WorkHasItsCostAndItsLabels) {
  EXPECT_THAT(
      rows("SELECT kind || ' ' || coalesce(draw, '') || ' ' || coalesce(label, '') FROM work ORDER BY work"),
      ElementsAre("draw 1 frame / shadows / near", "copy  ", "draw 2 frame / shadows / nearest", "draw 3 "));
  EXPECT_THAT(rows("SELECT occupied_cycles FROM work ORDER BY work"), ElementsAre("10", "9", "12", "5"));
  EXPECT_THAT(rows("SELECT sum(marginal_cycles) FROM work"), ElementsAre("25"));
  EXPECT_THAT(rows("SELECT kind FROM work WHERE compute_queue"), ElementsAre("copy"));
}

TEST_F(RunDatabaseTest, APassHasTheLabelThatItsDrawsShare) {
  EXPECT_THAT(
      rows("SELECT first_work || '-' || last_work || ' ' || draws || ' ' || coalesce(label, '') || ' ' || "
           "marginal_cycles || ' ' || width FROM pass ORDER BY pass"),
      ElementsAre("0-2 2 frame / shadows 20 64", "3-3 1  5 8"));
}

TEST_F(RunDatabaseTest, SurfacesHaveTheNamesThatTheProgramGaveThem) {
  EXPECT_THAT(rows("SELECT targets ->> '$.color[0].name' FROM state WHERE state = 0"),
              ElementsAre("shadow map"));
  EXPECT_THAT(
      rows("SELECT coalesce(textures ->> '$[0].name', '') || ',' || coalesce(textures ->> '$[1].name', '') "
           "FROM state WHERE state = 0"),
      ElementsAre("noise,"));  // the second is another surface at the same address
}

TEST_F(RunDatabaseTest, BuffersHaveTheNamesOfWhereTheyLie) {
  EXPECT_THAT(rows("SELECT value ->> 'use' || ' ' || coalesce(value ->> 'name', '-') FROM state, "
                   "json_each(buffers) WHERE state = 0 ORDER BY key"),
              ElementsAre("indices mesh", "vertices -", "program -"));
}

TEST_F(RunDatabaseTest, ABufferOfOneNameIsCountedWithItsWork) {
  RunReader run(path_);
  const auto buffers = run.named_buffers({.frame = 4});
  ASSERT_EQ(buffers.size(), 1u);
  EXPECT_EQ(buffers[0].name, "mesh");
  EXPECT_EQ(buffers[0].use, "indices");
  EXPECT_EQ(buffers[0].stage, "");
  EXPECT_EQ(buffers[0].works, 2u);  // two draws of the state
}

TEST_F(RunDatabaseTest, CountsOfAPieceOfWorkStandInOneRow) {
  EXPECT_THAT(
      rows("SELECT work || ' ' || name || ' ' || own || ' ' || meanwhile FROM work_counter JOIN counter "
           "USING (counter) ORDER BY work, counter"),
      ElementsAre("0 things 5 4", "1 busy 0 9", "2 things 6 7", "2 busy 9 0"));
  EXPECT_THAT(rows("SELECT value FROM frame_counter ORDER BY counter"), ElementsAre("11", "9"));
}

TEST_F(RunDatabaseTest, InstructionsAreSummedByProgram) {
  EXPECT_THAT(
      rows("SELECT work || ' ' || stage || ' ' || instruction || ' ' || issued FROM instruction ORDER BY "
           "work, stage DESC"),
      ElementsAre("0 vertex 1 2", "2 vertex 1 5", "2 fragment 1 9"));
  EXPECT_THAT(
      rows("SELECT program || ' ' || instruction || ' ' || issued || ' ' || lanes || ' ' || issue_cycles || "
           "' ' || waited_flow || ' ' || waited_output FROM program_instruction ORDER BY program DESC"),
      ElementsAre("256 1 7 8 3 10 7", "0 1 9 0 0 0 0"));
}

TEST_F(RunDatabaseTest, FootprintsStandWithTheirWork) {
  EXPECT_THAT(rows("SELECT work || ' ' || texture_footprint || ' ' || texture_cache_footprint || ' ' || "
                   "texture_first_touches FROM work WHERE texture_footprint"),
              ElementsAre("2 512 256 3"));
  EXPECT_THAT(rows("SELECT texture_footprint FROM frame"), ElementsAre("768"));
}

TEST_F(RunDatabaseTest, IntervalsFollowOneAnother) {
  EXPECT_THAT(rows("SELECT began || '-' || ended FROM interval ORDER BY interval"),
              ElementsAre("0-16", "16-25"));
  EXPECT_THAT(rows("SELECT filling FROM interval_wire"), ElementsAre("0.75"));
  EXPECT_THAT(
      rows("SELECT interval || ' ' || value FROM interval_counter WHERE counter = 0 ORDER BY interval"),
      ElementsAre("0 8", "1 3"));
}

TEST_F(RunDatabaseTest, ProgramsOfItsDrawsComeFromTheAnnotations) {
  EXPECT_THAT(rows("SELECT address || instructions || source_of || name FROM program"),
              ElementsAre("256MOV o0, i0\n1 2glass.vert"));
}

}  // namespace
}  // namespace cutaway::report
