// Tests that presets state every parameter, each with a source that can be looked up.
#include <fstream>
#include <regex>
#include <set>

#include "chip_file.h"
#include "gpu_run.h"
#include "machine/box_names.h"

namespace cutaway {
namespace {

std::string text_of(machine::Config config) {
  FieldTable fields;
  config.list(fields);
  return fields.text();
}

TEST(Presets, StateEveryParameterWithItsSource) {
  const std::regex fact("(fitted to )?(ATT|NV4|G80|DX|OUT-[A-Z0-9]+)-[0-9]+|like [a-z_]+");
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

TEST(Presets, OthersStartFromThem) {
  const File file("base = \"attila\"\n[streamer]\nqueue = 64\nslots = {value = 96, source = \"ATT-2\"}\n");
  machine::Config config;
  machine::load_config(config, file.path, {"memory.latency=400"});
  EXPECT_EQ(config.streamer.queue, 64u);
  EXPECT_EQ(config.streamer.slots, 96u);
  EXPECT_EQ(config.statements.at("streamer.queue").source, file.path + ":3");
  EXPECT_EQ(config.statements.at("streamer.queue").preset, "512");
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

TEST(Presets, WhatIsNotStatedIsNamed) {
  EXPECT_EQ(refusal("[streamer]\nqueue = 64\n").find(": gpu.core_mhz and "), 0u);
  EXPECT_NE(refusal("[streamer]\nqueue = 64\n").find("base = \"attila\""), std::string::npos);
  const std::string base = "base = \"attila\"\n[streamer]\nqueue = ";
  EXPECT_EQ(refusal(base + "{value = 64}\n").find(":3: streamer.queue has no source"), 0u);
  EXPECT_EQ(refusal(base + "{source = \"choice\"}\n").find(":3: streamer.queue has no value"), 0u);
  EXPECT_EQ(
      refusal(base + "{value = 64, source = \"choice\", why = 1}\n").find(":3: streamer.queue has no 'why'"),
      0u);
  EXPECT_EQ(
      refusal(base + "{value = [1], source = \"choice\"}\n").find(":3: streamer.queue must be a number"), 0u);
  // A number is no text, nor is true or false; a name is.
  EXPECT_EQ(refusal(base + "\"64\"\n"),
            ":3: streamer.queue = \"64\": expected 1 to 1024 without quotation marks");
  EXPECT_EQ(refusal(base + "{value = \"64\", source = \"choice\"}\n"),
            ":3: streamer.queue = \"64\": expected 1 to 1024 without quotation marks");
  EXPECT_EQ(refusal("base = \"attila\"\n[gpu]\ncore_mhz = \"400\"\n"),
            ":3: gpu.core_mhz = \"400\": expected 1 to 10000 without quotation marks");
  EXPECT_EQ(refusal("base = \"attila\"\n[hierarchical_z]\nenabled = \"true\"\n"),
            ":3: hierarchical_z.enabled = \"true\": expected true or false without quotation marks");
  EXPECT_EQ(refusal("base = \"attila\"\n[memory]\nscheduler = \"oldest\"\n"), "");
  const std::string map = "base = \"attila\"\n[rop]\nmap = ";
  for (const char* list : {"[]", "[0.5]", "[0, \"1\"]", "[[0]]", "true"})
    EXPECT_EQ(refusal(map + list + "\n")
                  .find(":3: rop.map must be a list of whole numbers, a list of names, or a name"),
              0u)
        << list;
  EXPECT_EQ(refusal(map + "[0, -1]\n").find(":3: rop.map = 0,-1: expected diagonal, or a list of 0 to 15"),
            0u);
  EXPECT_EQ(refusal(map + "[0, 16]\n").find(":3: rop.map = 0,16: expected diagonal, or a list of 0 to 15"),
            0u);
}

TEST(Presets, MapsOfTilesFitTheirUnits) {
  const auto refused = [](std::vector<std::string> sets) -> std::string {
    machine::Config config;
    try {
      machine::load_config(config, "attila", sets);
    } catch (const UserError& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(refused({"dac.refresh_hz=0.5"}),
            "--set: dac.refresh_hz: 0.5 does not fit; expected 0, or at least 1");
  EXPECT_EQ(refused({"rop.tile=24"}), "--set: rop.tile: 24 does not fit; expected 8, 16, 32, 64 or 128");
  EXPECT_EQ(refused({"rop.map=0,2"}),
            "--set: rop.map: 2 does not fit; expected less than rop.units (2, preset attila)");
  EXPECT_EQ(refused({"rop.units=3", "rop.map=0,2", "rop.tile=128"}), "");
  EXPECT_EQ(refused({"fragment_generation.pixels_per_cycle=5"}),
            "--set: fragment_generation.pixels_per_cycle: 5 does not fit; expected 0, 4, 8, 16 or 32");
  EXPECT_EQ(refused({"fragment_generation.tile=96"}),
            "--set: fragment_generation.tile: 96 does not fit; expected 8, 16, 32, 64 or 128");
  EXPECT_EQ(refused({"fragment_generation.units=2", "fragment_generation.map=1,2"}),
            "--set: fragment_generation.map: 2 does not fit; expected less than fragment_generation.units "
            "(2, --set)");
}

// The channels of all ROP partitions are those of memory.
TEST(Presets, ChannelsBelongToRopPartitions) {
  const auto refused = [](std::vector<std::string> sets) -> std::string {
    machine::Config config;
    try {
      machine::load_config(config, "attila", sets);
    } catch (const UserError& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(refused({"rop.channels_each=2"}), "");
  EXPECT_EQ(refused({"rop.channels_each=1"}),
            "preset attila: memory.channels: 4 does not fit; expected rop.units (2, preset attila) times "
            "rop.channels_each (1, --set)");
  EXPECT_EQ(refused({"rop.channels_each=1", "rop.units=4"}), "");
  EXPECT_EQ(refused({"rop.channels_each=3", "memory.channels=6"}), "");
  EXPECT_EQ(refused({"memory.channels=5"}), "");  // channels apart from ROPs: any number
}

TEST(Presets, MemoryMovesHalvesOfSectorsOrAll) {
  machine::Config config;
  for (const char* least : {"32", "64"})
    machine::load_config(config, "attila", {std::string("memory.access_bytes=") + least});
  EXPECT_EQ(config.memory.access_bytes, 64u);
  try {
    machine::load_config(config, "attila", {"memory.access_bytes=48"});
    FAIL() << "48 is accepted";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "--set: memory.access_bytes: 48 does not fit; expected 32 or 64");
  }
}

// A class of shader units is a table that states its stages.
TEST(Presets, ShaderClassesAreTables) {
  const File file(
      "base = \"attila\"\n[shader]\nstages = [\"fragment\"]\n"
      "[vertex_unit]\nstages = [\"vertex\", \"geometry\"]\nlike = \"shader\"\nunits = 5\n");
  machine::Config config;
  machine::load_config(config, file.path, {"vertex_unit.group_lanes=8", "vertex_unit.threads=16"});
  ASSERT_EQ(config.shaders.size(), 2u);
  const machine::ShaderClass& made = config.shaders.back();
  EXPECT_EQ(made.name, "vertex_unit");
  EXPECT_EQ(made.topology.units, 5u);
  EXPECT_EQ(made.unit.group_lanes, 8u);
  EXPECT_EQ(made.unit.scalar_latency, config.shaders.front().unit.scalar_latency);
  EXPECT_EQ(config.statements.at("vertex_unit.scalar_latency").source, "like shader");
  EXPECT_EQ(config.statements.at("vertex_unit.units").source, file.path + ":7");
  // Values that the preset does not have differ from it.
  EXPECT_EQ(config.base, "attila");
  EXPECT_TRUE(config.statements.at("vertex_unit.units").differs);
  EXPECT_TRUE(config.statements.at("shader.stages").differs);
  EXPECT_FALSE(config.statements.at("shader.threads").differs);
  EXPECT_EQ(&config.runs(arch::Stage::kVertex), &config.shaders.back());
  EXPECT_EQ(&config.runs(arch::Stage::kFragment), &config.shaders.front());
}

// No name of a class is special: a file that states everything may call its own as it likes.
TEST(Presets, AFileWithoutABaseHasItsOwnClassesAlone) {
  std::string text;
  for (const machine::PresetInfo& preset : machine::presets()) {
    if (preset.name != "attila") continue;
    std::ifstream stream(preset.path);
    text.assign(std::istreambuf_iterator<char>(stream), {});
  }
  const size_t table = text.find("\n[shader]");
  ASSERT_NE(table, std::string::npos);
  const File file(text.replace(table + 2, 6, "unified"));
  machine::Config config;
  machine::load_config(config, file.path);
  ASSERT_EQ(config.shaders.size(), 1u);
  EXPECT_EQ(config.runs(arch::Stage::kVertex).name, "unified");
  EXPECT_EQ(config.base, "");
  EXPECT_TRUE(config.statements.at("unified.units").differs);
}

TEST(Presets, ShaderClassesThatDoNotFitAreRefused) {
  const std::string base = "base = \"attila\"\n";
  const std::string fragments = base + "[shader]\nstages = [\"fragment\"]\n";
  EXPECT_NE(refusal(fragments).find("no shader class runs vertex programs"), std::string::npos);
  const std::string both = "[more]\nlike = \"shader\"\nstages = ";
  EXPECT_NE(refusal(base + both + "[\"vertex\"]\n").find("shader.stages (preset attila) and more.stages ("),
            std::string::npos);
  EXPECT_NE(refusal(base + both + "[\"vertex\"]\n").find("chip.toml:4): both have vertex"),
            std::string::npos);
  EXPECT_EQ(refusal(fragments + both + "[\"vertices\"]\n").find(":6: more.stages = vertices: expected none"),
            0u);
  EXPECT_EQ(refusal(fragments + "[more]\nlike = \"shade\"\nstages = [\"vertex\"]\n")
                .find(":5: like = shade: expected a shader class of the base, or one that stands above more; "
                      "there are: shader"),
            0u);
  EXPECT_EQ(refusal(base + "[shader]\nlike = \"shader\"\n").find(":3: shader is there already"), 0u);
  for (const char* name : {"clipper", "memory_controller", "texture_arbiter", "unit0", "Unit"})
    EXPECT_EQ(refusal(fragments + "[" + name + "]\nlike = \"shader\"\nstages = [\"vertex\"]\n")
                  .find(std::string(":4: '") + name + "' cannot name a shader class"),
              0u);
  EXPECT_EQ(
      refusal("base = \"atilla\"\n").find(":1: base atilla: no such preset (did you mean attila?); there"),
      0u);
  EXPECT_EQ(refusal(fragments + "[more]\nlike = \"shader\"\n").find(":5: more states no stages"), 0u);
  EXPECT_NE(refusal(fragments + "[more]\nstages = [\"vertex\"]\n").find("like = \"shader\""),
            std::string::npos);
  // Without `like` it states everything itself.
  EXPECT_NE(refusal(fragments + "[more]\nstages = [\"vertex\"]\n").find(": more.stores and "),
            std::string::npos);
}

// Programs that store run where their stage does, and ask for a cache of what they store.
TEST(Presets, StoresThatDoNotFitAreRefused) {
  const std::string shader = "base = \"attila\"\n[shader]\nstores = ";
  const std::string cache = "[storage_cache]\nslices = 2\n";
  EXPECT_EQ(refusal(shader + "[\"fragment\"]\n" + cache), "");
  EXPECT_NE(refusal(shader + "[\"fragment\"]\n").find("needs storage_cache.slices (0, "), std::string::npos);
  EXPECT_NE(refusal(shader + "[\"compute\"]\n" + cache).find("compute programs store, but run elsewhere"),
            std::string::npos);
  EXPECT_EQ(refusal(shader + "\"none\"\n[storage_cache]\nline_bytes = 192\n")
                .find(":5: storage_cache.line_bytes: 192 does not fit; expected 64, 128 or 256"),
            0u);
  EXPECT_EQ(refusal(shader + "\"none\"\n[storage_cache]\ninterleave = 64\n")
                .find(":5: storage_cache.interleave: 64 does not fit; expected a multiple of "
                      "storage_cache.line_bytes"),
            0u);
}

// Errors of rules name the file and line of each value, the base, the class that it is like, or the option.
TEST(Presets, ErrorsOfRulesTellWhereTheirValuesStand) {
  const std::string base = "base = \"attila\"\n";
  const std::string of_file = refusal(base + "[shader]\nunits = 3\nunits_per_cluster = 2\n");
  EXPECT_EQ(
      of_file.find(":4: shader.units_per_cluster: 2 does not fit; expected a divisor of shader.units (3, "),
      0u);
  EXPECT_TRUE(of_file.ends_with("chip.toml:3)")) << of_file;
  EXPECT_EQ(
      refusal(base + "[shader]\nsimd_lanes = 3\n"),
      ":3: shader.simd_lanes: 3 does not fit; expected a divisor of shader.group_lanes (4, preset attila)");
  for (const unsigned lanes : {3, 8})
    EXPECT_EQ(refusal(base + fmt::format("[shader]\nvertex_lanes = {}\n", lanes)),
              fmt::format(":3: shader.vertex_lanes: {} does not fit; expected 0, or a power of 2 up to "
                          "shader.group_lanes (4, preset attila)",
                          lanes));
  EXPECT_NE(refusal(base + "[shader]\nvertex_lanes = 1\nthreads = 2048\n").find("make 1024 groups at most"),
            std::string::npos);
  const std::string threads = refusal(base +
                                      "[shader]\nstages = [\"fragment\"]\nthreads = 100\n[more]\n"
                                      "stages = [\"vertex\"]\nlike = \"shader\"\ngroup_lanes = 8\n");
  EXPECT_NE(threads.find("more.threads (100, like shader, "), std::string::npos) << threads;
  EXPECT_NE(threads.find("chip.toml:7) and more.group_lanes (8, "), std::string::npos) << threads;
}

TEST(Presets, UnitsThatNothingFeedsAreRefused) {
  const std::string begin = "base = \"attila\"\n[other]\nlike = \"shader\"\nstages = ";
  for (const char* stages : {"[\"tess-evaluation\"]", "[\"geometry\", \"tess-control\"]", "\"none\""}) {
    const std::string text = refusal(begin + stages + "\n");
    EXPECT_NE(text.find("other.stages ("), std::string::npos) << text;
    EXPECT_NE(text.find(" and other.units (2, like shader, "), std::string::npos) << text;
    EXPECT_NE(text.find("nothing feeds these units"), std::string::npos) << text;
    EXPECT_EQ(refusal(begin + stages + "\nunits = 0\n"), "");
  }
  // Vertices alone do not feed geometry programs that run elsewhere.
  EXPECT_NE(refusal(begin + "[\"geometry\", \"compute\"]\n")
                .find("geometry programs run where vertex programs do; expected both in one class"),
            std::string::npos);
  EXPECT_NE(refusal("base = \"attila\"\n[shader]\nstages = [\"vertex\", \"geometry\", \"fragment\"]\n"
                    "[streamer]\nvertices = 63\n")
                .find("streamer.vertices: 63 does not fit; expected at least 64, since shader.stages ("),
            std::string::npos);
  // Workgroups are one's own affair, or another's.
  EXPECT_EQ(refusal(begin + "[\"compute\"]\n"), "");
  // One that vertices or fragments feed may state other stages too.
  EXPECT_EQ(refusal("base = \"attila\"\n[shader]\nstages = [\"vertex\", \"fragment\", \"compute\"]\n"), "");
}

// A fact about one unit or chip is none about another.
TEST(Presets, ValuesOfABaseAndOfAnotherClassAreToldAsSuch) {
  const File file(
      "base = \"attila-split\"\n[shader]\nunits = 3\n[streamer]\nslots = {value = 96, source = \"ATT-2\"}\n");
  machine::Config config;
  machine::load_config(config, file.path, {"memory.latency=50"});
  EXPECT_EQ(config.statements.at("shader.units").source, file.path + ":3");
  EXPECT_EQ(config.statements.at("streamer.slots").source, "ATT-2");
  EXPECT_EQ(config.statements.at("memory.latency").source, "--set");
  for (const char* parameter :
       {"streamer.queue", "shader.threads", "vertex_shader.units", "vertex_shader.registers_per_thread"})
    EXPECT_EQ(config.statements.at(parameter).source, "base attila-split") << parameter;
  // A preset's own facts remain facts, whatever its base, but those of another class do not.
  machine::load_config(config, "attila-split", {"memory.latency=50"});
  EXPECT_EQ(config.statements.at("wires.vertex_group_queue").source, "ATT-2");
  EXPECT_EQ(config.statements.at("vertex_shader.threads").source, "ATT-2");
  EXPECT_EQ(config.statements.at("vertex_shader.registers_per_thread").source, "like shader");
}

// Names of boxes without numbers, shader units aside.
std::set<std::string> box_names(const machine::Config& config) {
  std::set<std::string> names;
  machine::Machine machine(config, arch::Memory());
  for (const auto& box : machine.simulator().boxes()) {
    const std::string name = box->path().substr(std::string_view("gpu.").size());
    names.insert(name.substr(0, name.find_first_of("0123456789")));
  }
  for (const machine::ShaderClass& shader : config.shaders) names.erase(shader.name);
  return names;
}

// So that a shader class, which is a table, cannot be called as a box.
TEST(Presets, BoxesAreCalledAsTheirTableOrListed) {
  // Group FIFOs and texture arbiters exist where units share, texture and storage caches where chips have
  // them.
  machine::Config sharing;
  sharing.texture_cache.slices = sharing.storage_cache.slices = 1;
  machine::ShaderClass& shader = sharing.shaders.front();
  shader.topology.stages.add(arch::Stage::kCompute);
  shader.topology.stores.add(arch::Stage::kCompute);
  shader.topology.units_per_cluster = shader.topology.units_per_texture = shader.topology.units;
  std::set<std::string> all = box_names(sharing);
  for (const machine::PresetInfo& preset : machine::presets()) {
    machine::Config config;
    machine::load_config(config, preset.name);
    all.merge(box_names(config));
  }
  FieldTable fields;
  sharing.list(fields);
  for (const std::string& unit : fields.units()) all.erase(unit);
  const std::set<std::string> listed(std::begin(machine::kBoxesWithoutTable),
                                     std::end(machine::kBoxesWithoutTable));
  EXPECT_EQ(all, listed);
}

TEST(Presets, UnitsThatDoNotExistAreRefused) {
  const std::string base = "base = \"attila\"\n";
  EXPECT_EQ(refusal(base + "[shade]\nunits = 2\n").find(":2: no unit 'shade' (did you mean shader?)"), 0u);
}

}  // namespace
}  // namespace cutaway
