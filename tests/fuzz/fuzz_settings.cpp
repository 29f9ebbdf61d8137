// TOML files: an input is one byte, which says how the rest is read, and the file.
//
//   u8 how   even: an experiment; odd: a sweep
#include <algorithm>

#include "base/error.h"
#include "experiment/experiment_file.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"
#include "sweep/sweep_file.h"

using namespace cutaway;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::MemoryFile memory_file;
  fuzz::Input input(data, size);
  const auto how = input.take<uint8_t>();
  memory_file.fill(input.rest());
  try {
    if (how & 1) {
      sweep::read_sweep_file(memory_file.path());
    } else {
      const experiment::ExperimentFile file = experiment::read_experiment_file(memory_file.path());
      CUTAWAY_CHECK(file.configurations() <= 10'000);
      for (const experiment::Claim& claim : file.claims) claim.chosen.of(file.axis_names());
    }
  } catch (const UserError& error) {
    CUTAWAY_CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
