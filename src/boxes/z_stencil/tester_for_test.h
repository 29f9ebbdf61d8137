#pragma once

#include <memory>
#include <vector>

#include "arch/memory.h"
#include "boxes/z_stencil/depth_tester.h"
#include "boxes/z_stencil/quad_tests.h"
#include "messages/testing/draws.h"

// A depth tester over a memory of far depths that answers when it is told to, without a simulator.
namespace cutaway::boxes::z_stencil_bench {

struct TesterBench {
  messages::Pools pools;
  ZStencilCounters counters;
  DepthTester tester;
  arch::Memory memory;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();

  explicit TesterBench(const ZStencilSpec& spec = {}, arch::DepthMode mode = arch::DepthMode::kEarly,
                       arch::Compare compare = arch::Compare::kLess)
      : tester(spec, counters) {
    memory.map(0, 1 << 22);
    const std::vector<uint32_t> far(1 << 14, 0xffffff);
    memory.write(messages::testing::kDepthAddress, far.data(), 4 * far.size());
    messages::testing::add_depth(*state, compare, true, mode);
  }
  messages::QuadMessage quad(float z, int32_t x = 0, int32_t y = 0, uint8_t mask = 15) {
    return messages::testing::quad(messages::testing::cover(pools, *state), x, y, z, mask);
  }
  messages::QuadMessage draw_end() { return messages::testing::draw_end<messages::QuadMessage>(*state); }
  // Answers all requests of the cache; returns how many sectors were read.
  uint32_t answer() {
    uint32_t reads = 0;
    for (; tester.cache().has_request(); tester.cache().pop_request()) {
      const messages::MemoryRequest& request = tester.cache().request();
      messages::MemoryReply reply{.tag = request.tag, .write = request.write};
      if (request.write) {
        for (uint32_t i = 0; i < messages::kSectorBytes; i++)
          if (request.mask >> i & 1) memory.write(request.address + i, &request.data[i], 1);
      } else if (request.opportunistic != messages::Opportunistic::kNo) {
        reply.declined = true;
      } else {
        reads++;
        memory.read(request.address, reply.data.data(), messages::kSectorBytes);
        reply.bring(request.mask);
      }
      tester.cache().reply(reply);
    }
    return reads;
  }
  // The first element, once all is written back.
  uint32_t stored() {
    while (!tester.cache().flush({})) answer();
    uint32_t value = 0;
    memory.read(messages::testing::kDepthAddress, &value, 4);
    return value;
  }
};

}  // namespace cutaway::boxes::z_stencil_bench
