#include <ctime>
#include <gtest/gtest.h>

#include "base/error.h"
#include "compiler/compiler.h"
#include "compiler/testing/hostile_modules.h"

namespace cutaway::compiler {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A second of work at most, or a refusal. The bound here allows for sanitizers and slow hosts.
TEST(Hostile, ModulesTakeASecond) {
  for (const HostileModule& module : hostile_modules()) {
    SCOPED_TRACE(module.name);
    const double start = processor_seconds();
    std::string refusal;
    try {
      compile({.stage = arch::Stage::kCompute, .spirv = module.words, .entry = "main"});
    } catch (const UserError& error) { refusal = error.what(); }
    const double seconds = processor_seconds() - start;
    EXPECT_EQ(refusal.empty(), module.is_compiled) << refusal;
    EXPECT_LT(seconds, 5.0);
    if (std::getenv("CUTAWAY_HOSTILE_TIMES"))
      fmt::print("{:32} {:5.2f} s  {}\n", module.name, seconds, refusal.empty() ? "compiled" : refusal);
  }
}

// The text of a module is asked for by pages and commands that show captures of others.
TEST(Hostile, ModulesAreDisassembledInASecond) {
  for (const HostileModule& module : hostile_modules()) {
    if (module.words.size() > 500'000) continue;  // a line each, and nothing else
    SCOPED_TRACE(module.name);
    const double start = processor_seconds();
    EXPECT_FALSE(source_lines(module.words).empty());
    EXPECT_LT(processor_seconds() - start, 10.0);
  }
}

}  // namespace
}  // namespace cutaway::compiler
