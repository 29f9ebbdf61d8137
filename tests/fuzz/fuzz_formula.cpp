// Formulas of experiments: an input is the text of one, computed over a small table.
#include <fmt/format.h>

#include "base/error.h"
#include "experiment/formula.h"
#include "fuzz/fuzz_target.h"

namespace {

using namespace cutaway;
using namespace cutaway::experiment;

// Two machines with three numbers of units each.
const Table kTable{{{"machine", {"split", "all in one"}}, {"units", {"2", "4", "8"}}},
                   {{"cycles", {100, 60, 50, 90, 50, 45}}, {"area", {40, 70, 130, 30, 60, 120}}}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const Formula formula({reinterpret_cast<const char*>(data), size}, "f.toml:1");
    const std::string text = formula.normal_text();
    formula.may_be_negative({"area"});
    formula.open_divisors({"area"});
    formula.names();
    CUTAWAY_CHECK(Formula(text, "f.toml:1").names() == formula.names());
    formula.check(kTable.axes, {"cycles", "area"});
    const std::vector<bool> free = formula.free_axes(kTable.axes);
    const Domain domain = whole(kTable.axes);
    for (const Place& place : places(domain, free, {0, 0})) {
      std::set<size_t> touched;
      formula.value(kTable, domain, place, &touched);
      CUTAWAY_CHECK(touched.empty() || *touched.rbegin() < kTable.size());
    }
  } catch (const UserError& error) {
    CUTAWAY_CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
    CUTAWAY_CHECK(std::string_view(error.what()).size() < 1000);
  }
  return 0;
}
