#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_text.h"

// SPV_AMD_shader_trinary_minmax for numbers of all widths.
namespace cutaway::compiler::trinary_test {
namespace {

using testing::ElementsAreArray;

struct Numbers {
  const char* type;
  char kind;                          // of the instruction
  std::array<const char*, 3> values;  // ascending
  std::array<std::vector<uint32_t>, 3> words;
};

uint32_t of(float value) { return std::bit_cast<uint32_t>(value); }

const std::vector<Numbers>& numbers() {
  static const std::vector<Numbers>& all = *new std::vector<Numbers>{
      {"f32", 'F', {"-2.5", "1", "1000"}, {{{of(-2.5f)}, {of(1)}, {of(1000)}}}},
      {"f16", 'F', {"-2.5", "1", "1000"}, {{{0xc100}, {0x3c00}, {0x63d0}}}},
      {"f64", 'F', {"-2.5", "1", "1000"}, {{{0, 0xc0040000}, {0, 0x3ff00000}, {0, 0x408f4000}}}},
      {"i8", 'S', {"-128", "-1", "5"}, {{{0x80}, {0xff}, {5}}}},
      {"u8", 'U', {"1", "127", "200"}, {{{1}, {127}, {200}}}},
      {"i16", 'S', {"-32768", "-1", "5"}, {{{0x8000}, {0xffff}, {5}}}},
      {"u16", 'U', {"1", "32767", "40000"}, {{{1}, {32767}, {40000}}}},
      {"i32", 'S', {"-7", "-1", "5"}, {{{-7u}, {-1u}, {5}}}},
      {"u32", 'U', {"1", "5", "4294967295"}, {{{1}, {5}, {~0u}}}},
      {"i64", 'S', {"-4294967296", "-1", "5"}, {{{0, ~0u}, {~0u, ~0u}, {5, 0}}}},
      {"u64", 'U', {"1", "4294967296", "18446744073709551615"}, {{{1, 0}, {0, 1}, {~0u, ~0u}}}},
  };
  return all;
}

// All orders of the operands, in vectors of two.
TEST(Trinary, LeastMostAndMiddle) {
  constexpr uint32_t kOrders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  constexpr const char* kNames[] = {"Min3AMD", "Mid3AMD", "Max3AMD"};
  for (const Numbers& n : numbers()) {
    SCOPED_TRACE(n.type);
    TextModule module;
    module.capabilities =
        "OpExtension \"SPV_AMD_shader_trinary_minmax\"\n"
        "%amd = OpExtInstImport \"SPV_AMD_shader_trinary_minmax\"";
    const std::string type = n.type, vector = type + "v2";
    for (uint32_t k = 0; k < 3; ++k) {
      const std::string i = std::to_string(k);
      module.globals += "%k" + i + " = OpConstant %" + type + " " + n.values[k] + "\n%v" + i +
                        " = OpConstantComposite %" + vector + " %k" + i + " %k" + i + "\n";
    }
    // The operands are not known to the compiler: an invocation could swap two of them.
    module.body = "%swap = OpIEqual %bool %i %c8\n%yes = OpCompositeConstruct %boolv2 %swap %swap\n";
    for (uint32_t k = 0; k < 3; ++k) {
      const std::string i = std::to_string(k);
      module.body +=
          "%d" + i + " = OpSelect %" + vector + " %yes %v" + std::to_string((k + 1) % 3) + " %v" + i + "\n";
    }
    uint32_t first = 0;
    std::vector<uint32_t> of_lane;
    std::string stores;
    for (const auto& order : kOrders)
      for (uint32_t which = 0; which < 3; ++which) {
        const std::string id = "%r" + std::to_string(first);
        module.body += id + " = OpExtInst %" + vector + " %amd " + n.kind + kNames[which];
        for (const uint32_t k : order) module.body += " %d" + std::to_string(k);
        module.body += "\n";
        stores += stored(vector, id, first);
        for (int repeat = 0; repeat < 2; ++repeat)
          of_lane.insert(of_lane.end(), n.words[which].begin(), n.words[which].end());
      }
    module.results = first;
    module.body += stores;
    std::vector<uint32_t> expected;
    for (int lane = 0; lane < 4; ++lane) expected.insert(expected.end(), of_lane.begin(), of_lane.end());
    EXPECT_THAT(module.run({}), ElementsAreArray(expected));
  }
}

}  // namespace
}  // namespace cutaway::compiler::trinary_test
