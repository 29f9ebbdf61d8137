#include "report/page/draw_view_data.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "report/run_database.h"
#include "run_record/testing/counters.h"

namespace cutaway::report {
namespace {

using nlohmann::json;
using run_record::DrawName;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kPng = "iVBORw0KGgo";  // how base64 of a PNG begins

// A run of frame 4 with draws 1 and 2 of submission 3: work 0 and 2.
class DrawViewData : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    RunDatabase database(folder_ / "run.sqlite", {});
    run_record::FrameRecord record;
    record.states.resize(1);
    record.work = {{.kind = "draw", .packet = "DRAW", .submission = 3, .draw = 1, .state = 0},
                   {.kind = "copy", .packet = "COPY_BUFFER", .submission = 3},
                   {.kind = "draw", .packet = "DRAW", .submission = 3, .draw = 2, .state = 0}};
    run_record::FrameFigures figures;
    figures.frame = 4, figures.memory_hash = 0xabc;
    figures.counters = run_record::testing::counters_of_frame();
    database.add(figures, record);
    database.finish({.gpu = "attila", .base = "attila", .capture = "a.cutaway"}, {}, 8);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static run_record::ViewedChange change(uint32_t draw, bool before) {
    run_record::ViewedChange change{
        .draw = {3, draw}, .before = before, .x = 1, .y = 2, .width = 2, .height = 1};
    change.rgba = {1, 2, 3, 255, 0, 0, 0, 0};
    return change;
  }
  // Two draws, as an emulator shows them.
  static PictureSource source(size_t most_bytes = 1'000'000, uint64_t memory_hash = 0xabc) {
    PictureSource source{.most_bytes = most_bytes};
    source.frame = [memory_hash](RunReader&, uint64_t, run_record::DrawViewSink& sink) {
      sink.target({.address = 0x1000, .format = "R8G8B8A8_UNORM", .width = 8, .height = 4});
      for (uint32_t draw = 1; draw <= 2 && !sink.full(); draw++) {
        sink.change(change(draw, true));
        sink.texture({.surface = {.width = 1, .height = 1},
                      .width = 64,
                      .height = 64,
                      .level = 6,
                      .rgba = {9, 9, 9, 255}});
        sink.use({3, draw}, 4, 7, draw - 1);
        sink.change(change(draw, false));
        sink.mesh({.draw = {3, draw},
                   .corners = 3,
                   .positions = {0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1},
                   .indices = {0, 1, 2, 2, 1, 0}});
      }
      sink.change(change(99, false));  // a draw that the database does not have
      return PictureSource::Result{.remark = {}, .memory_hash = memory_hash};
    };
    return source;
  }
  json views(const PictureSource& source) {
    json data = {{"frames", {{{"frame", 4}, {"totals", {{"memory_hash", {"0000000000000abc"}}}}}}}};
    room_ = source.most_bytes;
    add_draw_views(folder_, source, room_, data, lines_);
    return data["frames"][0]["views"];
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_draw_views_{}", ::getpid());
  std::vector<std::string> lines_ = {"part of a log"};
  size_t room_ = 0;
};

TEST_F(DrawViewData, NamesTheLinesOfPicturesAndMeshesByWork) {
  const json views = this->views(source());
  EXPECT_EQ(views["remark"], nullptr);
  EXPECT_EQ(views["last"], nullptr);
  EXPECT_EQ(views["targets"]["address"], json::array({"0x1000"}));
  EXPECT_EQ(views["changes"]["work"], (json{0, 0, 2, 2}));
  EXPECT_EQ(views["changes"]["before"], (json{true, false, true, false}));
  EXPECT_EQ(views["changes"]["x"], (json{1, 1, 1, 1}));
  EXPECT_EQ(views["meshes"]["work"], (json{0, 2}));
  EXPECT_EQ(views["meshes"]["vertices"], (json{3, 3}));
  EXPECT_EQ(views["meshes"]["primitives"], (json{2, 2}));
  EXPECT_EQ(views["uses"]["stage"], (json{"fragment", "fragment"}));
  EXPECT_EQ(views["uses"]["texture"], (json{0, 1}));
  EXPECT_EQ(views["textures"]["full_width"], (json{64, 64}));
  // Line 0 of the page is its JSON, line 1 the log.
  EXPECT_EQ(views["changes"]["line"], (json{2, 4, 6, 8}));
  EXPECT_EQ(views["meshes"]["line"], (json{5, 9}));
  ASSERT_EQ(lines_.size(), 9u);
  for (const char* table : {"changes", "textures"})
    for (const json& line : views[table]["line"])
      EXPECT_THAT(lines_[line.get<size_t>() - 1], StartsWith(kPng));
  size_t bytes = 0;
  for (size_t i = 1; i < lines_.size(); i++) bytes += lines_[i].size();
  EXPECT_EQ(room_, 1'000'000 - bytes);
}

TEST_F(DrawViewData, SaysWhereThereWasNoMoreRoom) {
  const json views = this->views(source(10));
  EXPECT_EQ(views["last"], 0);
  EXPECT_EQ(views["changes"]["work"], (json{0, 0}));
  EXPECT_EQ(room_, 0u);
  EXPECT_THAT(this->views(source(0))["remark"].get<std::string>(), HasSubstr("no more room"));
}

TEST_F(DrawViewData, SaysWhenTheCaptureIsNotTheRuns) {
  EXPECT_THAT(views(source(1'000'000, 0xabd))["remark"].get<std::string>(), HasSubstr("pictures may differ"));
  const json none = views({.remark = "The page was made with --pictures 0."});
  EXPECT_THAT(none["remark"].get<std::string>(), HasSubstr("--pictures 0"));
  EXPECT_EQ(none["changes"]["work"], json::array());
}

}  // namespace
}  // namespace cutaway::report
