// The host writes to memory between submissions: the next one sees it, those before do not.
#include <span>
#include <string_view>
#include <vector>

#include "base/counter.h"
#include "gpu_run.h"
#include "scenes/clear_scenes.h"
#include "scenes/parts.h"

namespace cutaway::host_writes_test {
namespace {

// A clear has only set the tags of the memory.
TEST(HostWrites, AreSeenInClearedMemory) {
  scenes::Builder b("cleared");
  const arch::Surface depth = b.surface(arch::Format::D32_SFLOAT, 64, 64);
  scenes::clear_depth(b, depth, 0.25f, 0);
  b.end_frame();
  machine::Machine gpu({}, arch::Memory());
  scenes::play(b.take(), gpu);
  gpu.wait();
  ASSERT_GT(counted(gpu, ".blocks_cleared"), 0u);
  const std::vector<float> sector(16, 0.75f);
  gpu.write(0, depth.address, std::as_bytes(std::span(sector)));
  const arch::Memory& memory = gpu.memory(0);
  EXPECT_EQ(memory.read_as<float>(depth.address + 60), 0.75f);
  EXPECT_EQ(memory.read_as<float>(depth.address + 64), 0.25f);
}

std::vector<float> rectangle(float right, float red) {
  return {-1, -1, 0.5f, 1, red, 0, 0, 1, right, -1, 0.5f, 1, red, 0, 0, 1,
          -1, 1,  0.5f, 1, red, 0, 0, 1, right, 1,  0.5f, 1, red, 0, 0, 1};
}

// Two draws with the vertices at one address: the host waits for the first, which it hands over before, and
// overwrites its vertices.
TEST(HostWrites, FollowTheSubmissionThatTheHostAwaits) {
  scenes::Builder b("overwritten");
  arch::Address vertices = 0;
  for (const bool second : {false, true}) {
    b.target(b.color_target());
    scenes::color_programs(b);
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    b.vertices(rectangle(1, 1), {4, 4});
    if (second) b.overwrite(vertices, rectangle(0, 0.5f));
    else vertices = b.registers.assembly.binding[0].address;
    b.registers.assembly.binding[0].address = vertices;
    b.draw(4);
    b.submit_called();
  }
  b.target(b.color_target());
  b.end_frame();
  machine::Config config;
  set(config, "command_processor.submissions", "4");
  expect_memory_of_emulator(b.take(), config);
}

}  // namespace
}  // namespace cutaway::host_writes_test
