// Programs that shared a GPU, in a run's database and back.
#include "report/shared_report.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error.h"
#include "report/explanation.h"
#include "report/roll_up.h"
#include "report/run_database.h"
#include "report/run_reader.h"
#include "run_record/testing/counters.h"

namespace cutaway::report::shared_report_test {
namespace {

using run_record::SharedFigures;
using ::testing::HasSubstr;
using ::testing::Not;

SharedFigures example() {
  SharedFigures run{.gpu = "attila",
                    .schedule = "slices",
                    .core_mhz = 400,
                    .slice_us = 2,
                    .cycles = 100,
                    .together = {.draws = 60, .copies = 5, .caches = 10, .display = 4, .commands = 6},
                    .alone = {.draws = 50, .copies = 5, .caches = 1, .display = 0, .commands = 3},
                    .switches = {1, 2, 3, 4},
                    .preemptions = {1, 7, 64},
                    .programs = {}};
  run.programs.push_back({.name = "game",
                          .capture = "a/game.cutaway",
                          .window = {},
                          .frames = {{2, 0, 60, 40, true, {}}, {3, 60, 100, 30, false, {}}},
                          .waited = 20,
                          .host = SharedFigures::Host{50, 40, 6, 1, 2, 2, 90},
                          .lost = {}});
  run.programs.push_back({.name = "desktop",
                          .capture = "desktop.cutaway",
                          .window = {},
                          .frames = {},
                          .waited = 60,
                          .host = SharedFigures::Host{1, 1, 1, 0, 0, 0, 0},
                          .lost = SharedFigures::Lost{9, 80, "it hangs"}});
  return run;
}

// A program with a window in the first one, which shows the second of its frames.
SharedFigures with_window() {
  SharedFigures run = example();
  run.programs[1].window = "window 1";
  run.programs[1].frames = {{5, 0, 10, 9, true, {}}, {6, 20, 30, 9, false, 3}};
  return run;
}

// Two pieces of work of each program, which use shader programs at one address.
run_record::FrameRecord record() {
  run_record::FrameRecord r;
  r.units = {"gpu.z_stencil0", "gpu.color_write0"};
  r.kinds = {""};
  r.counters = {{"gpu.z_stencil0", "things", "things", "done"}};
  for (const uint32_t context : {0u, 1u}) {
    r.states.push_back({.context = context,
                        .width = 8,
                        .height = 8,
                        .targets = "{}",
                        .textures = "[]",
                        .buffers = "[]",
                        .pass = context,
                        .program = {0, 0, 0, 0, 4096, 0}});
    r.work.push_back({.kind = "draw",
                      .packet = "DRAW",
                      .context = context,
                      .submission = 1,
                      .draw = 1,
                      .marker = 7,
                      .state = static_cast<int32_t>(context),
                      .pass = context,
                      .end = 40 + 60 * context,
                      .marginal_cycles = 40 + 20 * context});
    r.own.push_back({context, 0, 10 + context});
    r.meanwhile.push_back({context, 0, 10 + context});
    r.work_holdups.push_back({context, context, 0, 3});
  }
  r.turns.turns = {{.context = 0,
                    .submission = 1,
                    .began = 1,
                    .end = 40,
                    .how = run_record::TurnRecord::End::kSuspended,
                    .drain_cycles = 7},
                   {.context = 1,
                    .submission = 1,
                    .began = 50,
                    .end = 100,
                    .how = run_record::TurnRecord::End::kStopped,
                    .restored_bytes = 64}};
  r.turns.switches = {{0, 1, 40, 50, 2, 3, 4, true}, {1, 0, 100, 100, 0, 0, 0, false}};
  return r;
}

run_record::FrameFigures figures() {
  run_record::FrameFigures f;
  f.frame = 1, f.cycles = 100;
  f.counters = run_record::testing::counters_of_frame();
  return f;
}

class SharedReport : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(path_);
    Annotations first, second;
    first.programs[4096] = {.instructions = "MOV o0, i0\n", .name = "sky"};
    first.labels[7] = "sky";
    second.programs[4096] = {.instructions = "MOV o0, i1\n", .name = "window"};
    second.labels[7] = "windows";
    RunDatabase run(path_, first);
    run.annotate(second);
    run.add(figures(), record());
    run.add_programs(with_window());
    run.finish({.gpu = "attila"},
               {{"command_processor.schedule", "slices", "", true},
                {"command_processor.slice_us", "2", "", true},
                {"gpu.core_mhz", "400", "", false}},
               100);
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_shared_{}.sqlite", ::getpid());
};

TEST_F(SharedReport, TheDatabaseHoldsAllFiguresOfTheJson) {
  RunReader run(path_);
  const auto read = run.shared();
  ASSERT_TRUE(read);
  EXPECT_EQ(shared_json(*read), shared_json(with_window()));
  EXPECT_EQ(shared_text(*read), shared_text(with_window()));
}

TEST_F(SharedReport, EachProgramHasItsShadersAndLabels) {
  RunReader run(path_);
  const std::vector<RunReader::Work>& work = run.work(1);
  ASSERT_EQ(work.size(), 2u);
  EXPECT_EQ(title_of(work[0]), "draw 1 of submission 1, 'sky', program 'sky', of 1: game");
  EXPECT_EQ(title_of(work[1]), "draw 1 of submission 1, 'windows', program 'window', of 2: desktop");
  EXPECT_EQ(run.program(4096, 1).value().instructions, std::vector<std::string>{"MOV o0, i1"});
}

TEST_F(SharedReport, TwoProgramsOfOneNameStayTwo) {
  database::Database(path_, database::Access::kWrite).execute("UPDATE context SET name = 'game'");
  RunReader run(path_);
  std::vector<std::string> names;
  for (const RollUpRow& row : by_label(run.work(1)))
    if (!row.depth) names.push_back(row.name);
  EXPECT_EQ(names, (std::vector<std::string>{"1: game", "2: game"}));
}

// A pass more than there are pieces of work: nothing is made of it.
TEST_F(SharedReport, DamagedPassesAreRefused) {
  for (const char* pass : {"4294967295", "4000000000", "2"}) {
    database::Database(path_, database::Access::kWrite)
        .execute(fmt::format("UPDATE work SET pass = {} WHERE work = 1", pass));
    RunReader run(path_);
    EXPECT_THROW(run.work(1), UserError) << pass;
  }
}

TEST_F(SharedReport, AProgramIsExplainedByItsOwnWork) {
  RunReader run(path_);
  const Explanation all = explain(run, {.frame = 1}), second = explain(run, {.frame = 1, .context = 1});
  EXPECT_EQ(all.title, "the run");
  EXPECT_EQ(all.cycles, 100u);
  EXPECT_EQ(second.title, "program 2, desktop");
  EXPECT_EQ(second.cycles, 60u);
  ASSERT_EQ(all.causes.size(), 2u);
  ASSERT_EQ(second.causes.size(), 1u);
  EXPECT_EQ(second.causes[0].words, "color write");
  EXPECT_THAT(explanation_text(second), HasSubstr("60.0 % of the run's"));
}

TEST(SharedText, SaysWhatBoundsEachProgram) {
  const std::string text = shared_text(example());
  EXPECT_THAT(text, HasSubstr("game is bound by its host"));
  EXPECT_THAT(text, HasSubstr("desktop is bound by other programs, for which it waits 75 % of its time"));
  EXPECT_THAT(text, HasSubstr("desktop: lost in frame 9 at cycle 80"));
  EXPECT_THAT(text, HasSubstr("game: 1 picture left out"));
  EXPECT_THAT(text, HasSubstr("no submission: waits for the hosts"));
}

TEST(SharedText, SaysWhenAWindowShowsAPicture) {
  EXPECT_THAT(shared_text(with_window()),
              HasSubstr("desktop: its window in game shows 1 picture of it, and 1 never; 0.00 ms from the "
                        "begin of a frame to the end of the first frame that shows it"));
  EXPECT_EQ(with_window().in_window(with_window().programs[1]).latency, 80u);
  EXPECT_THAT(shared_json(with_window()), HasSubstr("\"shown_in\":3"));
}

TEST(SharedText, SharesSumToAll) {
  SharedFigures run = example();
  run.programs[0].waited = 90;  // beside a host that computes
  const auto shares = run.programs[0].shares();
  ASSERT_TRUE(shares);
  EXPECT_GE(shares->gpu, 0);
  EXPECT_DOUBLE_EQ(shares->host + shares->others + shares->gpu, 1);
}

TEST(SharedText, NamesAreLines) {
  SharedFigures run = example();
  run.programs[0].name = "a\nb\x1b[2J";
  EXPECT_THAT(shared_text(run), Not(HasSubstr("\x1b")));
  EXPECT_THAT(shared_text(run), Not(HasSubstr("a\nb")));
}

}  // namespace
}  // namespace cutaway::report::shared_report_test
