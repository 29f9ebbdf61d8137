#include "report/page/report_page.h"

#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "report/page/base64.h"
#include "report/run_database.h"
#include "run_record/testing/counters.h"

namespace cutaway::report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// Two units, a wire between them, a draw and a copy.
run_record::FrameRecord example() {
  run_record::FrameRecord r;
  r.counters = {{"gpu.a", "busy", "cycles", "work was done"},
                {"gpu.a", "blocked.out", "cycles", "waited for room"},
                {"gpu.b0", "busy", "cycles", "work was done"},
                {"gpu.b0", "idle", "cycles", "nothing to do"},
                {"gpu.b0", "things", "things", "done"}};
  r.wires = {{"gpu.a.out", "gpu.b0.in", "int", 1, 2, 3}};
  r.states = {{.width = 64,
               .height = 32,
               .samples = 1,
               .topology = "triangle list",
               .targets = R"({"color": []})",
               .textures = "[]",
               .buffers = "[]",
               .settings = R"({"cull": "none"})",
               .program = {0xffff'ffff'ffff}}};
  r.work = {{.kind = "draw",
             .packet = "DRAW",
             .draw = 1,
             .marker = 7,
             .state = 0,
             .vertices = 3,
             .end = 10,
             .marginal_cycles = 10},
            {.kind = "copy", .packet = "COPY_BUFFER", .began = 5, .end = 14, .marginal_cycles = 4}};
  r.work[0].texture_footprint = 512, r.work[0].texture_cache_footprint = 256;
  r.instructions = {{.work = 0, .instruction = 3, .stage = 4, .issued = 4, .waited_issue = 9}};
  r.own = {{0, 0, 5}, {1, 1, 9}, {0, 2, 6}, {1, 3, 8}, {0, 4, 77}};
  r.meanwhile = {{0, 0, 5}, {1, 1, 9}, {0, 2, 6}, {1, 3, 8}, {1, 4, 77}};
  r.interval_end = {8, 14};
  r.intervals = {{1, 0, 5}, {0, 4, 70}, {1, 4, 7}};
  r.wire_intervals = {{1, 0, 12, 0.7512345}};
  return r;
}

class ReportPage : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    RunDatabase database(
        folder_ / "run.sqlite",
        {.programs = {{0xffff'ffff'ffff, {"0: END\n", std::string(8, '\1'), "0", "glass.frag"}}},
         .labels = {{7, "<b>\xff"}}});
    run_record::FrameFigures figures;
    figures.frame = 4, figures.cycles = 14;
    figures.phases = {.draws = 5, .copies = 4, .caches = 3, .display = 2, .commands = 0};
    figures.counters = run_record::testing::counters_of_frame();
    database.add(figures, example());
    database.finish({.gpu = "attila", .base = "attila", .capture = "a.cutaway"}, {{"a.b", "1", "choice"}}, 8);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  json read(const Disassembler& disassemble = [](auto) { return std::vector<std::string>{"OpNop"}; }) {
    return run_data(folder_, disassemble);
  }
  PageContents contents(size_t most = kMostJson) const {
    return {.runs = {folder_}, .disassemble = [](auto) { return std::vector<std::string>(); }, .most = most};
  }
  void change(const std::string& sql) {
    database::Database(folder_ / "run.sqlite", database::Access::kWrite).execute(sql);
  }
  std::string error() {
    try {
      read();
    } catch (const UserError& error) { return error.what(); }
    return "";
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_report_{}", ::getpid());
};

TEST_F(ReportPage, HasTablesAsColumnsAndWhatWasCountedAsSeries) {
  const json run = read();
  EXPECT_EQ(run["units"], (json{"gpu.a", "gpu.b0"}));
  EXPECT_EQ(run["counters"]["name"][4], "things");
  EXPECT_EQ(run["programs"]["address"], (json{"0xffffffffffff"}));
  EXPECT_EQ(run["programs"]["spirv"], (json{{"OpNop"}}));
  EXPECT_EQ(run["programs"]["name"], (json{"glass.frag"}));
  const json& frame = run["frames"][0];
  EXPECT_EQ(frame["frame"], 4);
  EXPECT_EQ(frame["totals"]["cycles"], (json{14}));
  EXPECT_EQ(frame["totals"]["draw_cycles"], (json{5}));
  EXPECT_EQ(frame["totals"]["copy_cycles"], (json{4}));
  EXPECT_EQ(frame["totals"]["cache_cycles"], (json{3}));
  EXPECT_EQ(frame["totals"]["display_cycles"], (json{2}));
  EXPECT_EQ(frame["totals"]["command_cycles"], (json{0}));
  EXPECT_EQ(frame["work"]["kind"], (json{"draw", "copy"}));
  EXPECT_EQ(frame["work"]["draw"], (json{1, nullptr}));
  EXPECT_EQ(frame["states"]["vertex_program"], (json{"0xffffffffffff"}));
  EXPECT_EQ(frame["states"]["settings"][0]["cull"], "none");
  EXPECT_EQ(frame["work_counters"][4],
            (json{{"counter", 4}, {"work", {0, 1}}, {"own", {77, 0}}, {"meanwhile", {0, 77}}}));
  EXPECT_EQ(frame["interval_counters"],
            (json{{{"counter", 0}, {"values", {0, 5}}}, {{"counter", 4}, {"values", {70, 7}}}}));
  EXPECT_EQ(frame["interval_wires"], (json{{{"wire", 0}, {"messages", {0, 12}}, {"filling", {0, 0.751}}}}));
  EXPECT_EQ(frame["picture"], nullptr);
  EXPECT_EQ(frame["tiles"], nullptr);
  EXPECT_EQ(frame["work"]["texture_footprint"], (json{512, 0}));
  EXPECT_EQ(frame["work"]["texture_cache_footprint"], (json{256, 0}));
  for (const auto& [name, value] :
       {std::pair("work", 0), {"instruction", 3}, {"issued", 4}, {"waited_issue", 9}, {"waited_texture", 0}})
    EXPECT_EQ(frame["instructions"][name], (json{value})) << name;
  EXPECT_EQ(frame["instructions"]["stage"], (json{"fragment"}));
}

TEST_F(ReportPage, HasTheTreeOfLabelsOnlyWhereThereAreLabels) {
  change("UPDATE work SET label = 'frame / shadow' WHERE work = 0");
  EXPECT_EQ(read()["frames"][0]["roll_up"], (json{{"name", {"frame", "shadow", "(no label)"}},
                                                  {"depth", {0, 1, 0}},
                                                  {"cycles", {10, 10, 4}},
                                                  {"draws", {1, 1, 0}},
                                                  {"first_work", {0, 0, 1}}}));
  change("UPDATE work SET label = NULL");
  EXPECT_EQ(read()["frames"][0]["roll_up"]["name"], json::array());
}

TEST_F(ReportPage, OffersExperimentsOnWhatBinds) {
  change("INSERT INTO work_holdup VALUES (4, 0, 'gpu.a', '', 9)");
  change("INSERT INTO parameter VALUES ('a.units', '3', 'choice', 0)");
  EXPECT_EQ(read()["frames"][0]["what_ifs"],
            json::array({fmt::format("cutaway explain '{}' --frame 4 --try a.units=6", folder_.string())}));
}

// Waits name the unit at the other end of their wire.
TEST_F(ReportPage, WeighsUnits) {
  const json weights = read()["frames"][0]["weights"];
  ASSERT_EQ(weights.size(), 2u);
  for (const json& unit : weights)
    if (unit[0] == "gpu.a") {
      EXPECT_NEAR(unit[1].get<double>(), 5.0 / 14, 1e-9);
      EXPECT_NEAR(unit[3].get<double>(), 9.0 / 14, 1e-9);
      EXPECT_EQ(unit[6][0][0], "gpu.b0");
      EXPECT_EQ(unit[6][0][1], false);
    }
}

TEST_F(ReportPage, HasADiagramWithTheUnitsOfEachBox) {
  const json diagram = read()["diagram"];
  ASSERT_EQ(diagram["boxes"].size(), 2u);
  EXPECT_EQ(diagram["boxes"][1]["units"], (json{"gpu.b0"}));
  EXPECT_EQ(diagram["lines"].size(), 1u);
}

TEST_F(ReportPage, TakesTheColumnsOfTilesThatThereAre) {
  change(
      "DROP TABLE tile; CREATE TABLE tile (frame, pass, x, y, heat); INSERT INTO tile VALUES (4, 0, 1, 2, "
      "3), (5, 0, 0, 0, "
      "9)");
  EXPECT_EQ(read()["frames"][0]["tiles"], (json{{"pass", {0}}, {"x", {1}}, {"y", {2}}, {"heat", {3}}}));
  change("DROP TABLE tile; CREATE TABLE tile (frame, pass, x)");
  EXPECT_THAT(error(), HasSubstr("tiles have no column y"));
}

TEST_F(ReportPage, ShowsNoSpirvThatCannotBeRead) {
  EXPECT_EQ(read([](auto) -> std::vector<std::string> { user_error("no"); })["programs"]["spirv"],
            (json{nullptr}));
}

TEST_F(ReportPage, NamesDamagedData) {
  change("UPDATE interval_counter SET interval = 2 WHERE interval = 1");
  EXPECT_THAT(error(), HasSubstr("names a row 2 where there are 2"));
  change("UPDATE interval_counter SET interval = -1 WHERE counter = 0");
  EXPECT_THAT(error(), HasSubstr("names a row -1"));
}

TEST_F(ReportPage, RefusesInstructionsOfWorkThatHasNone) {
  change("UPDATE instruction SET work = 1");
  EXPECT_THAT(error(), HasSubstr("instructions of work that is no draw"));
  change("UPDATE instruction SET work = 2");
  EXPECT_THAT(error(), HasSubstr("names a row 2 where there are 2"));
}

TEST_F(ReportPage, RefusesWhatCountsInWords) {
  change("UPDATE frame SET cycles = 'many'");
  EXPECT_THAT(error(), HasSubstr("\"cycles\" is not of its type"));
}

TEST_F(ReportPage, RefusesOtherSchemas) {
  change("UPDATE meta SET value = '0' WHERE name = 'schema'");
  EXPECT_THAT(error(), HasSubstr("states no schema"));
  change("UPDATE meta SET value = '1000' WHERE name = 'schema'");
  EXPECT_THAT(error(), HasSubstr("schema 1000"));
}

// The page returns the data unchanged; invalid UTF-8 is replaced.
TEST_F(ReportPage, PutsCompressedDataIntoTheTemplate) {
  const std::string page = report_page("<i>CUTAWAY-DATA</i>", contents());
  ASSERT_TRUE(page.starts_with("<i>") && page.ends_with("</i>"));
  EXPECT_EQ(page.find('<', 3), page.size() - 4) << "nothing of the data is markup";
  const std::string text = page.substr(3, page.size() - 7);
  ASSERT_EQ(text.size() % 4, 0u);
  std::string bytes;
  uint32_t bits = 0;
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < text.size(); i++) {
    bits = bits << 6 | (text[i] == '=' ? 0 : static_cast<uint32_t>(kDigits.find(text[i])));
    if (i % 4 == 3)
      for (const int shift : {16, 8, 0}) bytes += static_cast<char>(bits >> shift & 255);
  }
  std::string out(1 << 20, '\0');
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 31), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data()), stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data()), stream.avail_out = static_cast<uInt>(out.size());
  ASSERT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  const json data = json::parse(out);
  EXPECT_EQ(data["runs"][0]["frames"][0]["work"]["label"][0], "<b>\xef\xbf\xbd");
}

TEST_F(ReportPage, RefusesMoreThanABrowserTakes) {
  EXPECT_NO_THROW(report_page("CUTAWAY-DATA", contents(100'000)));
  EXPECT_THROW(report_page("CUTAWAY-DATA", contents(1'000)), UserError);
}

TEST(Base64, PadsToFour) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace cutaway::report
