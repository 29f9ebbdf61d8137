#include "structures/bound_context.h"

#include <gtest/gtest.h>

#include "arch/context_space.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::structures::bound_context_test {
namespace {

using engine::testing::Sink;
using engine::testing::Source;
using messages::BindContext;
using messages::MemoryRequest;

// A unit with two clients, of which the second names places in memory.
class Unit final : public engine::Box {
 public:
  explicit Unit(std::string path) : Box(std::move(path)), requests(2) {
    context.exempt(1);
    context.connected();
  }
  engine::Inputs<MemoryRequest> requests;
  BoundContext context{2};

  engine::Cycle tick(engine::Cycle now) override {
    return context.take(now, requests) ? busy(now) : idle(now);
  }
  void list_ports(engine::PortList& list) override {
    list("requests", requests), list("in", context.in), list("out", context.out);
  }
  std::string why_busy() const override { return ""; }
};

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("memory", 1);
  Unit& unit = sim.add<Unit>(clock, "unit");
  Source<BindContext>& processor;
  Sink<BindContext>& bound = sim.add<Sink<BindContext>>(clock, "bound");
  std::vector<Source<MemoryRequest>*> clients;

  explicit Bench(unsigned asking)
      : processor(sim.add<Source<BindContext>>(clock, "processor",
                                               std::vector<BindContext>{{arch::context_base(2)}}, 1, 10)) {
    for (unsigned i = 0; i < 2; i++) {
      clients.push_back(&sim.add<Source<MemoryRequest>>(clock, "client" + std::to_string(i),
                                                        std::vector<MemoryRequest>(i == asking ? 1 : 0)));
      sim.connect(clients[i]->out, unit.requests[i], {1, 1, 2});
    }
    sim.connect(processor.out, unit.context.in, {1, 1, 2});
    sim.connect(unit.context.out, bound.in, {1, 1, 2});
    sim.elaborate();
  }
};

TEST(BoundContext, GivesItsBaseToThoseWhoFollow) {
  Bench bench(1);
  const BoundContext& context = bench.unit.context;
  EXPECT_TRUE(bench.sim.run_until([&] { return context.base() != 0; }, bench.clock, 100));
  EXPECT_EQ(context.place(0, 64), arch::context_base(2) + 64);
  EXPECT_EQ(context.place(1, 64), 64u);
  EXPECT_EQ(context.place(0, arch::context_base(1) + 64), arch::kNowhere);  // another part is out of reach
  EXPECT_TRUE(bench.sim.run_until([&] { return !bench.bound.received.empty(); }, bench.clock, 100));
  EXPECT_EQ(bench.bound.received[0].second.base, arch::context_base(2));
}

TEST(BoundContext, IsNotChangedUnderARequest) {
  Bench bench(0);
  EXPECT_THROW(bench.sim.run_until([] { return false; }, bench.clock, 100), InternalError);
}

}  // namespace
}  // namespace cutaway::structures::bound_context_test
