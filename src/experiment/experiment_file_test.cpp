#include "experiment/experiment_file.h"

#include <gmock/gmock.h>

#include "sweep/testing/sweep_files.h"

namespace cutaway::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kHead = "title = \"T\"\n";
const std::string kAxis = "[[axis]]\nname = \"units\"\nshader.units = [2, 4]\n";
const std::string kMeasure = "[measure.cycles]\nsql = \"SELECT sum(cycles) FROM frame\"\n";
const std::string kClaim =
    "[[claim]]\nid = \"C1\"\nwords = \"w\"\nsource = \"s\"\nvalue = \"cycles[units = 2] / cycles\"\n";

ExperimentFile read(const std::string& text) { return read_experiment_file(sweep::written("e.toml", text)); }
std::string error(const std::string& text) {
  return sweep::error_of([&] { read(text); });
}

TEST(ExperimentFile, AxesAndTheirLabels) {
  const ExperimentFile file = read(
      kHead + kAxis +
      "[[axis]]\nname = \"machine\"\nlabels = [\"split\", \"unified\"]\ngpu = [\"attila-split\", "
      "\"attila\"]\n"
      "[[axis]]\nname = \"both\"\nlabels = [\"a\", \"b\"]\nrop.units = [1, 2]\nmemory.channels = [4, 8]\n");
  EXPECT_EQ(file.name, "e");
  ASSERT_THAT(file.axes, SizeIs(3));
  EXPECT_THAT(file.axes[0].names.labels, ElementsAre("2", "4"));
  EXPECT_THAT(file.axes[1].gpus, ElementsAre("attila-split", "attila"));
  EXPECT_THAT(file.axes[2].parameters, SizeIs(2));
  EXPECT_EQ(file.configurations(), 8u);
}

TEST(ExperimentFile, ClaimsAndPanels) {
  const ExperimentFile file =
      read(kHead + kAxis + kMeasure + kClaim + "least = 1.8\nunit = \"%\"\nwhere = {units = 4}\n" +
           "[[panel]]\ntitle = \"P\"\nkind = \"bars\"\nx = \"units\"\ny = \"cycles\"\n"
           "[[panel.paper]]\nat = 4\nleast = 1\nmost = 2\nwords = \"p\"\n");
  ASSERT_THAT(file.claims, SizeIs(1));
  EXPECT_EQ(file.claims[0].least, 1.8);
  EXPECT_FALSE(file.claims[0].most);
  EXPECT_THAT(file.claims[0].chosen.of(file.axis_names()), ElementsAre(ElementsAre(1)));
  ASSERT_THAT(file.panels, SizeIs(1));
  ASSERT_THAT(file.panels[0].paper, SizeIs(1));
  EXPECT_EQ(file.panels[0].paper[0].at, "4");
}

TEST(ExperimentFile, DivisorsThatMayBeNegativeAreOpenUnlessTheClaimNamesThem) {
  const std::string share = kHead + kAxis + kMeasure +
                            "[measure.gain]\nformula = \"cycles[units = 2] - cycles\"\n"
                            "[[claim]]\nid = \"C\"\nwords = \"w\"\nsource = \"s\"\nleast = 1\n";
  EXPECT_THAT(read(share + "value = \"1 / cycles\"\n").claims[0].open_divisors, IsEmpty());
  EXPECT_THAT(read(share + "value = \"1 / gain\"\n").claims[0].open_divisors, ElementsAre("gain"));
  EXPECT_THAT(read(share + "value = \"1 / (gain)\"\npositive = [\"gain\"]\n").claims[0].open_divisors,
              IsEmpty());
  EXPECT_THAT(read(share + "value = \"1 / gain\"\npositive = [\"cycles\"]\n").claims[0].open_divisors,
              ElementsAre("gain"));
  EXPECT_THAT(error(share + "value = \"max(gain)\"\npositive = [\"gain\"]\n"),
              HasSubstr("positive: \"gain\" leaves axis units open, and value does not"));
}

// Every claim of the experiments that there are states the signs that it needs.
TEST(ExperimentFile, ClaimsOfTheExperimentsLeaveNoDivisorOpen) {
  for (const std::filesystem::path& path : experiment_files())
    for (const Claim& claim : read_experiment_file(path).claims)
      EXPECT_THAT(claim.open_divisors, IsEmpty()) << path << ": " << claim.id;
}

TEST(ExperimentFile, ErrorsNameFileAndLine) {
  EXPECT_THAT(error("titles = 1\n"),
              HasSubstr("e.toml:1: an experiment has no 'titles'; did you mean title?"));
  EXPECT_THAT(error(""), HasSubstr("an experiment without title"));
  EXPECT_THAT(error(kHead + "[[axis]]\nname = \"u\"\n"), HasSubstr("e.toml:2: axis u changes nothing"));
  EXPECT_THAT(error(kHead + "[[axis]]\nname = \"u\"\nlabels = [\"a\"]\nshader.units = [1, 2]\n"),
              HasSubstr("axis u has 1 label and shader.units has 2 values"));
  EXPECT_THAT(error(kHead + kAxis + kAxis), HasSubstr("e.toml:5: axis units is there already"));
  EXPECT_THAT(error(kHead + "[[axis]]\nname = \"u\"\nshader.units = [2, 2]\n"), HasSubstr("a label twice"));
  EXPECT_THAT(error(kHead + "[measure.m]\nunit = \"x\"\n"), HasSubstr("give it sql"));
  EXPECT_THAT(error(kHead + "[measure.m]\nsql = \"DROP TABLE frame\"\n"),
              HasSubstr("e.toml:3: sql must be a query"));
  EXPECT_THAT(error(kHead + "[measure.m]\nsql = \"ATTACH 'x' AS y\"\n"), HasSubstr("sql must be a query"));
  EXPECT_THAT(error(kHead + "[measure.m]\nformula = \"n + 1\"\n"),
              HasSubstr("e.toml:3: there is no measure 'n'"));
  EXPECT_THAT(error(kHead + "[measure.m]\nformula = \"m + 1\"\n"), HasSubstr("there is no measure 'm'"));
  EXPECT_THAT(error(kHead + "[measure.transistors]\nformula = \"1\"\n"), HasSubstr("is there already"));
}

TEST(ExperimentFile, ErrorsOfClaimsAndPanels) {
  const std::string begin = kHead + kAxis + kMeasure;
  EXPECT_THAT(error(begin + kClaim), HasSubstr("claim C1 has neither least nor most"));
  EXPECT_THAT(error(begin + kClaim + "least = 2\nmost = 1\n"), HasSubstr("most is below least"));
  EXPECT_THAT(error(begin + kClaim + "least = 2\nleast_part = 3\n"), HasSubstr("lie outside least and most"));
  EXPECT_THAT(error(begin + kClaim + "least = 2\nmost_part = 3\n"), HasSubstr("lie outside least and most"));
  EXPECT_THAT(error(begin + kClaim + "least = 2\n" + kClaim + "least = 2\n"),
              HasSubstr("C1 is there already"));
  EXPECT_THAT(error(begin + kClaim + "least = 1\nwhere = {ways = 1}\n"),
              HasSubstr("there is no axis 'ways'"));
  EXPECT_THAT(error(begin + kClaim + "least = 1\nwhere = {units = [3]}\n"),
              HasSubstr("axis units has no '3'"));
  EXPECT_THAT(
      error(begin + "[[claim]]\nid = \"C\"\nwords = \"w\"\nsource = \"s\"\nvalue = \"cycle\"\nleast = 1\n"),
      HasSubstr("e.toml:11: there is no measure 'cycle' (did you mean cycles?)"));
  const std::string panel = begin + "[[panel]]\ntitle = \"P\"\n";
  EXPECT_THAT(error(panel + "kind = \"pie\"\nx = \"units\"\ny = \"cycles\"\n"), HasSubstr("kind must be"));
  EXPECT_THAT(error(panel + "kind = \"bars\"\nx = \"ways\"\ny = \"cycles\"\n"),
              HasSubstr("there is no axis 'ways'"));
  EXPECT_THAT(error(panel + "kind = \"bars\"\nx = \"units\"\ny = \"cycle\"\n"),
              HasSubstr("no measure 'cycle'"));
  EXPECT_THAT(error(panel + "kind = \"lines\"\nx = \"s\"\ny = \"cycles\"\n"),
              HasSubstr("there is no series 's'"));
  EXPECT_THAT(error(panel + "kind = \"points\"\nx = \"cycles\"\ny = \"cycles\"\nlinear = [1]\n"),
              HasSubstr("linear must be two numbers"));
}

// What lies in experiments/ can be read, and its machines made.
TEST(ExperimentFile, ThoseThatThereAre) {
  const std::vector<std::filesystem::path> files = experiment_files();
  ASSERT_THAT(files, SizeIs(6));
  for (const auto& path : files) {
    const ExperimentFile file = read_experiment_file(path);
    EXPECT_THAT(file.claims, testing::Not(IsEmpty())) << path;
    EXPECT_THAT(file.panels, testing::Not(IsEmpty())) << path;
    EXPECT_THAT(file.facts, testing::Not(IsEmpty())) << path;
    EXPECT_EQ(find_experiment(file.name), path);
  }
  EXPECT_THAT(sweep::error_of([] { find_experiment("attila-fig44"); }),
              HasSubstr("did you mean attila-fig4?"));
}

}  // namespace
}  // namespace cutaway::experiment
