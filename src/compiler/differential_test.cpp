#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>

#include "base/error.h"
#include "compiler/pipeline.h"
#include "compiler/testing/run_shader.h"

// Optimised programs give the same bits as plain ones, over random inputs, constants and texels.
namespace cutaway::compiler {
namespace {

float random_float(std::mt19937& random) {
  const int whole = static_cast<int>(random() % 33) - 16;
  return random() % 3 == 0 ? static_cast<float>(whole) : static_cast<float>(whole) * 0.37f;
}

Bits4 texel(const isa::Instruction& i, const std::array<Bits4, 3>& sources) {
  uint32_t hash = 17 + i.access.resource;
  for (uint32_t c = 0; c < 2; ++c) hash = (hash ^ sources[0][c]) * 0x9e3779b1;
  Vec4 value;
  for (uint32_t c = 0; c < 4; ++c) value[c] = static_cast<float>(hash >> (4 * c) & 255) / 255.0f;
  return bits(value);
}

// The name of the first entry point: OpEntryPoint (15), whose operands are the stage, an id and the name.
std::string entry_of(const std::vector<uint32_t>& spirv) {
  for (size_t at = 5; at < spirv.size() && spirv[at] >> 16; at += spirv[at] >> 16)
    if ((spirv[at] & 0xffff) == 15) return reinterpret_cast<const char*>(&spirv[at + 3]);
  return "main";
}

void compare(arch::Stage stage, const std::vector<uint32_t>& spirv, const std::string& name) {
  const Request request{.stage = stage, .spirv = spirv, .entry = entry_of(spirv)};
  const isa::Program plain = compile(request, {.optimized = false}), optimized = compile(request, Pipeline{});
  EXPECT_LE(optimized.code.size(), plain.code.size()) << name;
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::map<uint32_t, std::array<Bits4, 4>> by_location;
    for (uint32_t location = 0; location < arch::kInterpolants; ++location)
      for (Bits4& lane : by_location[location])
        for (uint32_t& word : lane) word = bits({random_float(random), 0, 0, 0})[0];
    std::vector<uint32_t> buffer(4096);
    for (uint32_t& word : buffer) word = bits({random_float(random), 0, 0, 0})[0];
    std::array<Execution, 2> runs;
    const isa::Program* programs[] = {&plain, &optimized};
    for (int k = 0; k < 2; ++k) {
      Execution& run = runs[k];
      run.texture = texel;
      run.push_constants = buffer;
      for (const isa::Varying& input : programs[k]->inputs)
        run.inputs[input.reg] = by_location[input.location];
      for (uint32_t lane = 0; lane < 4; ++lane) {
        run.inputs[arch::kInputVertexId][lane] = {lane, 0, 0, 0};
        if (stage == arch::Stage::kFragment)
          run.inputs[arch::kInputFragCoord][lane] = bits({lane % 2 + 0.5f, lane / 2 + 0.5f, 0.25f, 1});
        if (stage == arch::Stage::kFragment) run.inputs[arch::kInputFragment][lane] = {~0u, 0, 0, 0};
      }
      for (const isa::ConstantRange& range : programs[k]->constants)
        run.buffers[{range.set, range.binding, range.element}] = buffer;
      for (const isa::SlotBinding& slot : programs[k]->resources)
        run.buffers[{slot.set, slot.binding, slot.element}] = buffer;
      run(*programs[k]);
    }
    ASSERT_EQ(runs[0].survivors, runs[1].survivors) << name;
    for (const isa::Varying& output : plain.outputs)
      for (uint32_t lane = 0; lane < 4; ++lane) {
        if (!(runs[0].survivors >> lane & 1)) continue;
        for (uint32_t c = 0; c < 4; ++c)
          if (output.mask >> c & 1) {
            ASSERT_EQ(runs[0].outputs[output.reg][lane][c], runs[1].outputs[output.reg][lane][c])
                << name << " output " << output.location << " component " << c << " lane " << lane
                << " round " << round << "\n"
                << isa::disassemble(optimized.code) << isa::disassemble(plain.code);
          }
      }
  }
}

TEST(Differential, RealShaders) {
  for (const auto& file : std::filesystem::directory_iterator(CUTAWAY_COMPILER_TESTDATA)) {
    const std::string name = file.path().filename();
    compare(name.find(".vert") != name.npos ? arch::Stage::kVertex : arch::Stage::kFragment,
            assemble_spirv(testdata(name)), name);
  }
}

// More modules, from the folder CUTAWAY_SPIRV_DIR, searched recursively: *.spv.
TEST(Differential, ModulesOfAFolder) {
  const char* folder = std::getenv("CUTAWAY_SPIRV_DIR");
  if (!folder) GTEST_SKIP() << "CUTAWAY_SPIRV_DIR is not set";
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".spv") continue;
    std::ifstream in(file.path(), std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    for (arch::Stage stage : {arch::Stage::kVertex, arch::Stage::kFragment}) {
      try {
        compare(stage, words, file.path());
      } catch (const UserError& error) {
        if (std::string(error.what()).find("entry point") == std::string::npos)
          ADD_FAILURE() << file.path() << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace cutaway::compiler
