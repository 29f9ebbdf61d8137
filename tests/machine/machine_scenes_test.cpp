#include "gpu_run.h"

namespace cutaway {
namespace {

class Scenes : public testing::TestWithParam<int> {
 protected:
  scenes::Scene scene() const { return scenes::all_scenes()[static_cast<size_t>(GetParam())]; }
};

TEST_P(Scenes, MemoryEqualsTheEmulators) {
  const scenes::Scene tested = scene();
  auto emulator = emulator::make_emulator();
  scenes::play(tested, *emulator);
  machine::Config config;
  machine::Machine gpu(config, arch::Memory(), {.query_values = reported_queries(tested)});
  scenes::play(tested, gpu);
  arch::Fault fault;
  ASSERT_FALSE(gpu.fault(fault)) << fault.text;
  arch::Difference difference;
  if (arch::first_difference(emulator->memory(0), gpu.memory(0), difference))
    ADD_FAILURE() << tested.name << ": first difference at " << std::hex << difference.address
                  << ", color at " << uint64_t{tested.color.address} << ", depth at "
                  << uint64_t{tested.depth.address};
  EXPECT_EQ(emulator->memory(0).hash(), gpu.memory(0).hash());
  printf("%s: %llu cycles\n", tested.name.c_str(), static_cast<unsigned long long>(gpu.cycles()));
}

std::string scene_name(const testing::TestParamInfo<int>& info) {
  std::string name = scenes::all_scenes()[static_cast<size_t>(info.param)].name;
  for (char& c : name)
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Scenes, testing::Range(0, static_cast<int>(scenes::all_scenes().size())),
                         scene_name);

}  // namespace
}  // namespace cutaway
