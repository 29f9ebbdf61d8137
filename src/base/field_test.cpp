#include "base/field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter.h"
#include "base/error.h"

namespace cutaway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

enum class Policy { kOldest, kRoundRobin };
constexpr EnumName<Policy> kPolicyNames[] = {{Policy::kOldest, "oldest"},
                                             {Policy::kRoundRobin, "round_robin"}};

struct UnitSpec {
  unsigned queue = 48;
  int bias = -1;
  uint64_t base = 1ull << 40;
  double rate = 0.5;
  bool in_order = true;
  Policy policy = Policy::kRoundRobin;
  std::vector<unsigned> turns;
  EnumSet<Policy> may;
  EnumSet<Policy, 2> known;

  template <class V>
  static void fields(V&& v) {
    using S = UnitSpec;
    v("queue", &S::queue, "vertices", 1u, 1024u, "vertices waiting");
    v("bias", &S::bias, "", -8, 8, "added to the level");
    v("base", &S::base, "bytes", 0u, ~0ull, "first address");
    v("rate", &S::rate, "1/cycle", 0.25, 4.0, "per cycle");
    v("in_order", &S::in_order, "", "vertices leave in order");
    v("policy", &S::policy, kPolicyNames, "who goes first");
    v("turns", &S::turns, "slots", 1u, 7u, "free", "who goes when");
    v("may", &S::may, kPolicyNames, "who may go");
    v("known", &S::known, kPolicyNames, "policies", "what it knows");
  }
};

struct Units {
  UnitSpec streamer, clipper;
  FieldTable table;
  Units() {
    table.add("streamer", streamer);
    table.add("gpu.clipper", clipper);
  }
};

TEST(Field, IsDescribedFromItsDeclaration) {
  Units units;
  units.streamer.queue = 7;
  ASSERT_EQ(units.table.fields().size(), 18u);
  const Field& queue = *units.table.fields()[0];
  EXPECT_EQ(queue.path, "streamer.queue");
  EXPECT_STREQ(queue.unit, "vertices");
  EXPECT_STREQ(queue.meaning, "vertices waiting");
  EXPECT_EQ(queue.source, "");
  EXPECT_EQ(queue.value(), "7");
  EXPECT_EQ(queue.range(), "1 to 1024");
  EXPECT_EQ(units.table.fields()[5]->range(), "oldest, round_robin");
  EXPECT_EQ(units.table.fields()[6]->range(), "free, or a list of 1 to 7");
  EXPECT_EQ(units.table.fields()[6]->value(), "free");
  units.streamer.turns = {3, 1};
  EXPECT_EQ(units.table.fields()[6]->value(), "3,1");
}

TEST(Field, SetsOfManyNamesHaveOneForAll) {
  Units units;
  const Field& known = units.table.find("", "streamer.known");
  EXPECT_EQ(known.value(), "none");
  EXPECT_EQ(known.range(), "all, none, or a list of policies");
  units.table.set("--set", "streamer.known=all");
  EXPECT_EQ(units.streamer.known, all_of<2>(kPolicyNames));
  EXPECT_EQ(known.value(), "all");
  units.table.set("--set", "streamer.known=round_robin");
  EXPECT_EQ(known.value(), "round_robin");
  units.table.set("--set", "streamer.known=round_robin, oldest");
  EXPECT_EQ(known.value(), "all");
  units.table.set("--set", "streamer.known=none");
  EXPECT_TRUE(units.streamer.known.empty());
  try {
    units.table.set("--set", "streamer.known=oldest,round_robbin");
    ADD_FAILURE() << "is no policy";
  } catch (const UserError& error) {
    EXPECT_STREQ(
        error.what(),
        "--set: streamer.known = oldest,round_robbin: expected all, none, or a list of policies (what it "
        "knows); round_robbin is none of them: did you mean round_robin?");
  }
}

TEST(Field, TellsItsValues) {
  Units units;
  using Kind = ValueRange::Kind;
  const auto of = [&](const char* name) { return units.table.find("", name).values(); };
  const auto is = [&](const char* name, Kind kind, double least, double greatest) {
    const ValueRange values = of(name);
    return values.kind == kind && values.least == least && values.greatest == greatest;
  };
  EXPECT_TRUE(is("streamer.queue", Kind::kWhole, 1, 1024));
  EXPECT_TRUE(is("streamer.bias", Kind::kWhole, -8, 8));
  EXPECT_TRUE(is("streamer.rate", Kind::kReal, 0.25, 4));
  EXPECT_TRUE(is("streamer.turns", Kind::kList, 1, 7));
  EXPECT_TRUE(is("streamer.policy", Kind::kChoice, 0, 0));
  EXPECT_TRUE(is("streamer.in_order", Kind::kChoice, 0, 0));
  EXPECT_TRUE(is("streamer.may", Kind::kSet, 0, 0));
  EXPECT_THAT(of("streamer.turns").names, ElementsAre("free"));
  EXPECT_THAT(of("streamer.policy").names, ElementsAre("oldest", "round_robin"));
  EXPECT_THAT(of("streamer.in_order").names, ElementsAre("false", "true"));
  EXPECT_THAT(of("streamer.may").names, ElementsAre("oldest", "round_robin"));
}

TEST(Field, IsSetByName) {
  Units units;
  units.table.set("--set", "streamer.queue=1024");
  units.table.set("--set", "streamer.bias=-8");
  units.table.set("--set", "gpu.clipper.base=0xffffffffffffffff");
  units.table.set("--set", "streamer.rate=2.5");
  units.table.set("--set", "streamer.in_order=false");
  units.table.set("preset", "streamer.policy", "oldest");
  EXPECT_EQ(units.streamer.queue, 1024u);
  EXPECT_EQ(units.streamer.bias, -8);
  EXPECT_EQ(units.clipper.base, ~0ull);
  EXPECT_EQ(units.streamer.rate, 2.5);
  EXPECT_FALSE(units.streamer.in_order);
  EXPECT_EQ(units.streamer.policy, Policy::kOldest);
  EXPECT_EQ(units.table.get("gpu.clipper.queue"), "48");
  units.table.set("--set", "streamer.turns=7,1,0x3");
  EXPECT_THAT(units.streamer.turns, ElementsAre(7, 1, 3));
  EXPECT_EQ(units.table.get("streamer.turns"), "7,1,3");
  units.table.set("--set", "streamer.turns=5");
  EXPECT_THAT(units.streamer.turns, ElementsAre(5));
  units.table.set("--set", "streamer.turns=free");
  EXPECT_TRUE(units.streamer.turns.empty());
}

TEST(Field, KnowsWhereItsValueComesFrom) {
  Units units;
  units.table.set("chip.toml:7", "streamer.queue", "9", "ATT-2");
  EXPECT_EQ(units.table.find("", "streamer.queue").source, "ATT-2");
  units.table.set("--set", "streamer.queue=10");
  EXPECT_EQ(units.table.find("", "streamer.queue").source, "--set");
  EXPECT_THROW(units.table.set("chip.toml:8", "streamer.queue", "0", "ATT-3"), UserError);
  EXPECT_EQ(units.table.find("", "streamer.queue").source, "--set");
}

void expect_error(const char* assignment, const char* text) {
  Units units;
  const std::string before = units.table.text();
  EXPECT_THAT([&] { units.table.set("--set", assignment); }, ThrowsMessage<UserError>(text)) << assignment;
  EXPECT_EQ(units.table.text(), before);
}

TEST(Field, RefusesWithOneLineThatSaysWhatIsExpected) {
  expect_error("streamer.queue=0",
               "--set: streamer.queue = 0: expected 1 to 1024 vertices (vertices waiting)");
  expect_error("streamer.queue=1025",
               "--set: streamer.queue = 1025: expected 1 to 1024 vertices (vertices waiting)");
  for (const char* value : {"", "-1", "4.5", "4x", " 4", "many", "99999999999999999999"})
    expect_error(
        fmt::format("streamer.queue={}", value).c_str(),
        fmt::format("--set: streamer.queue = {}: expected 1 to 1024 vertices (vertices waiting)", value)
            .c_str());
  expect_error("streamer.bias=9", "--set: streamer.bias = 9: expected -8 to 8 (added to the level)");
  expect_error("streamer.rate=nan", "--set: streamer.rate = nan: expected 0.25 to 4 1/cycle (per cycle)");
  expect_error("streamer.in_order=1",
               "--set: streamer.in_order = 1: expected true or false (vertices leave in order)");
  expect_error("streamer.policy=newest",
               "--set: streamer.policy = newest: expected oldest, round_robin (who goes first)");
  for (const char* value : {"", "0", "1,8", "1,,2", "1,2,", ",1", "1, 2", "free,1", "1.5", "-1"})
    expect_error(
        fmt::format("streamer.turns={}", value).c_str(),
        fmt::format("--set: streamer.turns = {}: expected free, or a list of 1 to 7 slots (who goes when)",
                    value)
            .c_str());
  expect_error("streamer.qeue=1",
               "--set: streamer.qeue: streamer has no parameter qeue; did you mean queue?");
  expect_error("streamer.zzzzzz=1",
               "--set: streamer.zzzzzz: streamer has no parameter zzzzzz; "
               "there are: queue, bias, base, rate, in_order, policy, turns, may, known");
  expect_error("steamer.queue=1", "--set: steamer.queue: unknown unit steamer; did you mean streamer?");
  expect_error("dac.queue=1", "--set: dac.queue: unknown unit dac; there are: streamer, gpu.clipper");
  expect_error("queue=1", "--set: queue: expected a parameter as UNIT.PARAM, such as streamer.queue");
  expect_error("streamer.queue", "--set streamer.queue: expected UNIT.PARAM=VALUE");
}

TEST(Field, IsValidatedWhenSetInCode) {
  Units units;
  units.table.validate();
  units.clipper.queue = 0;
  EXPECT_THAT(
      [&] { units.table.validate(); },
      ThrowsMessage<UserError>("gpu.clipper.queue = 0: expected 1 to 1024 vertices (vertices waiting)"));
  units.clipper.queue = 1;
  units.clipper.policy = static_cast<Policy>(9);
  EXPECT_THAT([&] { units.table.validate(); }, ThrowsMessage<UserError>(HasSubstr("gpu.clipper.policy")));
  units.clipper.policy = Policy::kOldest;
  units.clipper.turns = {1, 8};
  EXPECT_THAT([&] { units.table.validate(); },
              ThrowsMessage<UserError>(HasSubstr("gpu.clipper.turns = 1,8: expected free, or")));
}

TEST(Field, AListIsOfBoundedLength) {
  Units units;
  std::string list = "1";
  while (list.size() < 2 * 64 - 1) list += ",1";
  units.table.set("--set", "streamer.turns", list);
  EXPECT_EQ(units.streamer.turns.size(), 64u);
  EXPECT_THROW(units.table.set("--set", "streamer.turns", list + ",1"), UserError);
}

TEST(Field, TextAndHashAreOfTheValues) {
  Units units, same, other;
  other.table.set("--set", "streamer.turns=2");
  EXPECT_NE(units.table.hash(), other.table.hash());
  other.table.set("--set", "streamer.turns=free");
  EXPECT_EQ(units.table.hash(), other.table.hash());
  other.table.set("--set", "streamer.rate=0.75");
  EXPECT_THAT(units.table.text(), HasSubstr("gpu.clipper.bias = -1\ngpu.clipper.in_order = true\n"));
  EXPECT_EQ(units.table.hash(), same.table.hash());
  EXPECT_NE(units.table.hash(), other.table.hash());
}

struct UnitCounters {
  uint64_t vertices = 3, indices = 5;

  template <class V>
  static void fields(V&& v) {
    v("vertices", &UnitCounters::vertices, "vertices", "sent to shading", CounterRole::kVerticesShaded);
    v("indices", &UnitCounters::indices, "indices", "read");
  }
};

TEST(Counter, TableIsInOrderOfNames) {
  UnitCounters counters, moved;
  CounterTable table, reordered, changed;
  table.add("gpu.streamer1", counters);
  table.add("gpu.streamer0", counters);
  reordered.add("gpu.streamer0", counters);
  reordered.add("gpu.streamer1", counters);
  std::vector<std::string> names;
  for (const Counter& counter : table.counters()) names.push_back(counter.full_name());
  EXPECT_THAT(names, ElementsAre("gpu.streamer0.indices", "gpu.streamer0.vertices", "gpu.streamer1.indices",
                                 "gpu.streamer1.vertices"));
  EXPECT_EQ(table.value("gpu.streamer1.vertices"), 3u);
  EXPECT_EQ(table.hash(), reordered.hash());
  moved.vertices++;
  changed.add("gpu.streamer0", counters);
  changed.add("gpu.streamer1", moved);
  EXPECT_NE(table.hash(), changed.hash());
  EXPECT_THAT([&] { table.add("gpu.streamer0", counters); },
              ThrowsMessage<InternalError>(HasSubstr("two counters")));
}

TEST(Counter, UndeclaredCounterHasNoValue) {
  UnitCounters counters;
  CounterTable table;
  table.add("gpu.streamer0", counters);
  EXPECT_THAT([&] { table.value("gpu.streamer0.vertex"); },
              ThrowsMessage<InternalError>(HasSubstr("gpu.streamer0.vertex")));
  EXPECT_THROW(table.value("gpu.streamer1.vertices"), InternalError);
}

TEST(Counter, HasTheRoleThatItsDeclarationSays) {
  UnitCounters counters;
  CounterTable table;
  table.add("gpu.streamer", counters);
  EXPECT_EQ(table.counters()[0].role, CounterRole::kNone);  // indices
  EXPECT_EQ(table.counters()[1].role, CounterRole::kVerticesShaded);
  EXPECT_EQ(table.counters()[1].of, CountOf::kAll);
}

}  // namespace
}  // namespace cutaway
