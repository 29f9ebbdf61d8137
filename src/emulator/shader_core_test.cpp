#include "emulator/shader_core.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cutaway::emulator::shader_core_test {
namespace {

TEST(ShaderCore, RunsInFloatModeOnly) {
  arch::Memory memory;
  Meter meter{1};
  Statistics statistics;
  ShaderCore core(memory, meter, statistics);
  const StageState stage;
  EXPECT_THROW(core.begin(stage), InternalError);
}

}  // namespace
}  // namespace cutaway::emulator::shader_core_test
