// Time, counters and accounts of small scenes, exactly as recorded. A change of a record is part of the
// change that caused it, which says why: see CONTRIBUTING.md. CUTAWAY_WRITE_RECORDS=1 writes them anew.
#include "records.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace cutaway::records {
namespace {

class Records : public testing::TestWithParam<size_t> {};

void expect_equal(const Figures& recorded, const Figures& measured) {
  unsigned told = 0;
  const auto tell = [&](const std::string& name, const std::array<uint64_t, 2>& was,
                        const std::array<uint64_t, 2>& is) {
    for (size_t frame = 0; frame < 2; frame++)
      if (was[frame] != is[frame] && told++ < 12)
        ADD_FAILURE() << fmt::format("{}, frame {}: {} instead of {} ({:+})", name, frame + 1, is[frame],
                                     was[frame], static_cast<int64_t>(is[frame] - was[frame]));
  };
  for (const auto& [name, was] : recorded) {
    const auto found = measured.find(name);
    tell(name, was, found == measured.end() ? std::array<uint64_t, 2>{} : found->second);
  }
  for (const auto& [name, is] : measured)
    if (!recorded.contains(name)) tell(name, {}, is);
  EXPECT_LE(told, 12u) << "figures that differ, of " << measured.size();
}

TEST_P(Records, AreWhatTheMachineDoes) {
  const Shape& shape = shapes()[GetParam()];
  const machine::Config config = config_of(shape);
  const std::vector<std::string> wanted = scenes_of(shape);
  size_t found = 0;
  for (const scenes::Scene& scene : all_record_scenes()) {
    if (std::find(wanted.begin(), wanted.end(), scene.name) == wanted.end()) continue;
    found++;
    SCOPED_TRACE(fmt::format("{} on {}", scene.name, shape.name));
    const std::string path = path_of(shape.name, scene.name);
    const Figures measured = measure(scene, config);
    if (std::getenv("CUTAWAY_WRITE_RECORDS")) write(shape.name, scene.name, measured);
    ASSERT_TRUE(std::filesystem::exists(path)) << path << ": CUTAWAY_WRITE_RECORDS=1 writes it";
    expect_equal(read(shape.name, scene.name), measured);
  }
  EXPECT_EQ(found, wanted.size()) << "scenes that do not exist";
}

std::string shape_name(const testing::TestParamInfo<size_t>& info) {
  std::string name = shapes()[info.param].name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shapes, Records, testing::Range(size_t{0}, shapes().size()), shape_name);

}  // namespace
}  // namespace cutaway::records
