#include "base/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "base/field.h"

namespace cutaway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Greeter {
  virtual ~Greeter() = default;
  virtual std::string greet() const = 0;
};
struct Greeters : PolicyFamily<Greeters, Greeter, const std::string&, int> {};

struct Loud final : Greeter {
  Loud(const std::string& whom, int times) : text(whom + std::string(static_cast<size_t>(times), '!')) {}
  std::string greet() const override { return text; }
  std::string text;
};
struct Plain final : Greeter {
  explicit Plain(const std::string& whom) : text(whom) {}
  std::string greet() const override { return text; }
  std::string text;
};
struct Mute final : Greeter {
  std::string greet() const override { return ""; }
};
const Greeters::Member<Plain> kPlain("plain");
const Greeters::Member<Mute> kMute("mute");
const Greeters::Member<Loud> kLoud("loud");

TEST(Policy, NamesAreInAlphabeticalOrder) {
  EXPECT_THAT(Greeters::names(), ElementsAre("loud", "mute", "plain"));
}

TEST(Policy, EachIsMadeWithAsMuchAsItTakes) {
  EXPECT_EQ(Greeters::make("loud", "you", 2)->greet(), "you!!");
  EXPECT_EQ(Greeters::make("plain", "you", 2)->greet(), "you");
  EXPECT_EQ(Greeters::make("mute", "you", 2)->greet(), "");
  EXPECT_THROW(Greeters::make("shy", "you", 2), InternalError);
}

struct OtherGreeters : PolicyFamily<OtherGreeters, Greeter, const std::string&, int> {};

TEST(Policy, ANameIsTakenOnceInAFamily) {
  EXPECT_THROW(Greeters::Member<Loud>("plain"), InternalError);
  EXPECT_THAT(Greeters::names(), ElementsAre("loud", "mute", "plain"));
  EXPECT_TRUE(OtherGreeters::names().empty());
  OtherGreeters::Member<Loud>("plain");
  EXPECT_THAT(OtherGreeters::names(), ElementsAre("plain"));
}

struct HallSpec {
  PolicyName<Greeters> greeter = "plain";

  template <class V>
  static void fields(V&& v) {
    v("greeter", &HallSpec::greeter, "who stands at the door");
  }
};

TEST(Policy, AParameterNamesOne) {
  HallSpec spec;
  FieldTable table;
  table.add("hall", spec);
  const Field& field = *table.fields()[0];
  EXPECT_EQ(field.value(), "plain");
  EXPECT_EQ(field.range(), "loud, mute, plain");
  EXPECT_EQ(field.values().kind, ValueRange::Kind::kChoice);
  EXPECT_THAT(field.values().names, ElementsAre("loud", "mute", "plain"));
  {
    const std::string passing = "hall.greeter=loud";
    table.set("--set", passing);
  }
  EXPECT_EQ(spec.greeter, "loud");
  EXPECT_THAT([&] { table.set("--set", "hall.greeter=lou"); },
              ThrowsMessage<UserError>(
                  "--set: hall.greeter = lou: expected loud, mute, plain (who stands at the door)"));
  EXPECT_EQ(spec.greeter, "loud");
  table.validate();
  spec.greeter = "shy";
  EXPECT_THAT([&] { table.validate(); }, ThrowsMessage<UserError>(HasSubstr("hall.greeter = shy")));
}

}  // namespace
}  // namespace cutaway
