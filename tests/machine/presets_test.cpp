// What presets state: every parameter, each with a source that can be looked up.
#include <fstream>
#include <regex>

#include "gpu_run.h"

namespace cutaway {
namespace {

std::string text_of(machine::Config config) {
  FieldTable fields;
  config.list(fields);
  return fields.text();
}

TEST(Presets, StateEveryParameterWithItsSource) {
  const std::regex fact("(ATT|NV4|G80|DX|OUT-[A-Z0-9]+)-[0-9]+");
  const auto all = machine::presets();
  ASSERT_FALSE(all.empty());
  for (const machine::PresetInfo& preset : all) {
    EXPECT_NE(preset.description, "") << preset.name;
    machine::Config config;
    machine::load_config(config, preset.name);
    EXPECT_EQ(config.name, preset.name);
    FieldTable fields;
    config.list(fields);
    for (const auto& field : fields.fields()) {
      const machine::Statement& statement = config.statements.at(field->path);
      EXPECT_TRUE(statement.source == "choice" || std::regex_match(statement.source, fact))
          << preset.name << ", " << field->path << ": " << statement.source;
      EXPECT_EQ(statement.preset, "");
    }
  }
}

// The machine that tests build without a preset is attila.
TEST(Presets, TestsRunOnAttila) {
  machine::Config attila;
  machine::load_config(attila, "attila");
  EXPECT_EQ(text_of(attila), text_of({}));
}

struct File {
  std::string path = testing::TempDir() + "chip.toml";
  explicit File(const std::string& text) { std::ofstream(path) << text; }
  ~File() { std::remove(path.c_str()); }
};

TEST(Presets, OthersStartFromThem) {
  const File file("base = \"attila\"\n[streamer]\nqueue = 64\nslots = {value = 96, source = \"ATT-2\"}\n");
  machine::Config config;
  machine::load_config(config, file.path, {"memory.latency=400"});
  EXPECT_EQ(config.streamer.queue, 64u);
  EXPECT_EQ(config.streamer.slots, 96u);
  EXPECT_EQ(config.statements.at("streamer.queue").source, file.path + ":3");
  EXPECT_EQ(config.statements.at("streamer.queue").preset, "48");
  EXPECT_EQ(config.statements.at("streamer.slots").source, "ATT-2");
  EXPECT_EQ(config.statements.at("memory.latency").source, "--set");
  EXPECT_EQ(config.statements.at("streamer.post_cache").preset, "");
}

TEST(Presets, AListIsAnArrayOrItsText) {
  for (const char* list : {"[0, 1, 1]", "\"0,1,1\"", "{value = [0, 1, 1], source = \"G80-1\"}"}) {
    const File file(fmt::format("base = \"attila\"\n[rop]\nmap = {}\n", list));
    machine::Config config;
    machine::load_config(config, file.path);
    EXPECT_EQ(config.rop.map, (std::vector<unsigned>{0, 1, 1})) << list;
    EXPECT_EQ(config.statements.at("rop.map").preset, "diagonal");
    machine::load_config(config, file.path, {"rop.map=diagonal"});
    EXPECT_TRUE(config.rop.map.empty());
  }
}

std::string refusal(const std::string& text) {
  const File file(text);
  machine::Config config;
  try {
    machine::load_config(config, file.path);
  } catch (const UserError& error) { return std::string(error.what()).substr(file.path.size()); }
  return "";
}

TEST(Presets, WhatIsNotStatedIsNamed) {
  EXPECT_EQ(refusal("[streamer]\nqueue = 64\n").find(": gpu.shader_units and "), 0u);
  EXPECT_NE(refusal("[streamer]\nqueue = 64\n").find("base = \"attila\""), std::string::npos);
  const std::string base = "base = \"attila\"\n[streamer]\nqueue = ";
  EXPECT_EQ(refusal(base + "{value = 64}\n").find(":3: streamer.queue has no source"), 0u);
  EXPECT_EQ(refusal(base + "{source = \"choice\"}\n").find(":3: streamer.queue has no value"), 0u);
  EXPECT_EQ(
      refusal(base + "{value = 64, source = \"choice\", why = 1}\n").find(":3: streamer.queue has no 'why'"),
      0u);
  EXPECT_EQ(
      refusal(base + "{value = [1], source = \"choice\"}\n").find(":3: streamer.queue must be a number"), 0u);
  const std::string map = "base = \"attila\"\n[rop]\nmap = ";
  for (const char* list : {"[]", "[0.5]", "[0, \"1\"]", "[[0]]", "true"})
    EXPECT_EQ(refusal(map + list + "\n").find(":3: rop.map must be a list of numbers or a name"), 0u) << list;
  EXPECT_EQ(refusal(map + "[0, -1]\n").find(":3: rop.map = 0,-1: expected diagonal, or a list of 0 to 7"),
            0u);
  EXPECT_EQ(refusal(map + "[0, 8]\n").find(":3: rop.map = 0,8: expected diagonal, or a list of 0 to 7"), 0u);
}

TEST(Presets, MapsOfTilesFitTheirUnits) {
  const auto refused = [](std::vector<std::string> sets) -> std::string {
    machine::Config config;
    try {
      machine::load_config(config, "attila", sets);
    } catch (const UserError& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(refused({"rop.tile=24"}), "rop.tile: 24 does not fit; expected 8, 16, 32, 64 or 128");
  EXPECT_EQ(refused({"rop.map=0,2"}), "rop.map: 2 does not fit; expected less than rop.units (2)");
  EXPECT_EQ(refused({"rop.units=3", "rop.map=0,2", "rop.tile=128"}), "");
}

}  // namespace
}  // namespace cutaway
