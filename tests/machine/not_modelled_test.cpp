// Presets say as data what their chip does and the machine does not, and sources say what was fitted.
#include <fstream>
#include <regex>
#include <set>

#include "chip_file.h"

namespace cutaway {
namespace {

// The fact of a source such as "fitted to G80-3".
std::string fact_of(std::string source) {
  const std::string fitted = "fitted to ";
  return source.starts_with(fitted) ? source.substr(fitted.size()) : source;
}

// The parameters of a preset that a fact is the source of.
std::set<std::string> parameters_from(const machine::Config& config, const std::string& fact) {
  std::set<std::string> found;
  for (const auto& [path, statement] : config.statements)
    if (fact_of(statement.source) == fact) found.insert(path);
  return found;
}

// A fact may say more than the machine does: then the line names all parameters that the rest of it is the
// source of. A new parameter with that source has the line read again.
TEST(NotModelled, FactsOfParametersNameThem) {
  std::set<std::string> seen;  // "fact parameter"
  std::vector<machine::NotModelled> all;
  for (const machine::PresetInfo& preset : machine::presets()) {
    machine::Config config;
    machine::load_config(config, preset.name);
    for (const machine::NotModelled& left_out : config.not_modelled) {
      const std::set<std::string> besides(left_out.besides.begin(), left_out.besides.end());
      EXPECT_EQ(besides.size(), left_out.besides.size()) << preset.name << ": " << left_out.text;
      EXPECT_TRUE(!left_out.fact.empty() || besides.empty()) << preset.name << ": " << left_out.text;
      for (const std::string& parameter : parameters_from(config, left_out.fact)) {
        EXPECT_TRUE(besides.contains(parameter))
            << preset.name << ": " << parameter << " has the source " << left_out.fact
            << ", of which the preset says: " << left_out.text;
        seen.insert(left_out.fact + " " + parameter);
      }
      all.push_back(left_out);
    }
  }
  EXPECT_FALSE(all.empty());
  // A preset that is built on another may give a parameter another source: one preset with this one will do.
  for (const machine::NotModelled& left_out : all)
    for (const std::string& parameter : left_out.besides)
      EXPECT_TRUE(seen.contains(left_out.fact + " " + parameter))
          << left_out.fact << ", besides " << parameter;
}

// Comments say neither what is not modelled nor that nothing is fitted: [[not_modelled]] and sources do.
TEST(NotModelled, CommentsLeaveItToData) {
  const std::regex claim("not modelled|(nothing|none)[^.:;]*fitted", std::regex::icase);
  EXPECT_TRUE(std::regex_search("Nothing has been fitted to measurements yet.", claim));
  for (const machine::PresetInfo& preset : machine::presets()) {
    std::ifstream file(preset.path);
    std::string comments;
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("#")) comments += line.substr(1);
    std::smatch found;
    EXPECT_FALSE(std::regex_search(comments, found, claim)) << preset.name << ": " << found.str();
  }
}

TEST(NotModelled, ABasePassesItOn) {
  const File file(
      "base = \"attila-split\"\n[[not_modelled]]\nfact = \"DX-9\"\ntext = \"Ours.\"\n"
      "besides = [\"streamer.queue\"]\n");
  machine::Config config;
  machine::load_config(config, file.path);
  ASSERT_EQ(config.not_modelled.size(), 2u);
  EXPECT_EQ(config.not_modelled[0].fact, "");
  EXPECT_EQ(config.not_modelled[1].fact, "DX-9");
  EXPECT_EQ(config.not_modelled[1].text, "Ours.");
  EXPECT_EQ(config.not_modelled[1].besides, std::vector<std::string>{"streamer.queue"});
  machine::load_config(config, "attila");
  EXPECT_TRUE(config.not_modelled.empty());
}

TEST(NotModelled, HasTextFactAndParameters) {
  const std::string head = "base = \"attila\"\n";
  EXPECT_EQ(refusal(head + "not_modelled = 1\n"), ":2: write [[not_modelled]] before each of them");
  EXPECT_EQ(refusal(head + "[[not_modelled]]\nfact = \"DX-9\"\n"),
            ":2: not_modelled without text (what the chip does and the machine does not)");
  EXPECT_EQ(refusal(head + "[[not_modelled]]\ntext = 1\n"), ":3: text must be a text in quotation marks");
  EXPECT_EQ(refusal(head + "[[not_modelled]]\nwords = \"w\"\n"),
            ":3: not_modelled has no 'words'; there are: fact, text, besides");
  EXPECT_EQ(refusal(head + "[[not_modelled]]\ntext = \"t\"\nbesides = 3\n"),
            ":4: besides must be a text in quotation marks");
}

}  // namespace
}  // namespace cutaway
