#include "sampling/study.h"

#include <gmock/gmock.h>
#include <numeric>

#include "sampling/walk_for_test.h"

namespace cutaway::sampling {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Machines of which the slower of two units decides, with 1, 2 or 4 of the second one, and two kinds of a
// part that hardly matters.
std::vector<MachineValues> machines_on(const Walk& walk, Random& random) {
  std::vector<MachineValues> machines;
  for (const double units : {1, 2, 4})
    for (const bool late : {false, true}) {
      MachineValues& machine = machines.emplace_back();
      machine.machine = std::to_string(units) + (late ? " late" : " early");
      for (size_t i = 0; i < walk.plain.size(); i++) {
        const double fixed = walk.vertices[i] + 0.5 * walk.glass[i],
                     shading = walk.plain[i] + 3 * walk.glass[i];
        machine.values["cycles"][i + 1] =
            fixed + shading / units + (late ? 0.02 * walk.plain[i] : 0) + 0.01 * normal(random);
        machine.values["shaded"][i + 1] = shading;
      }
    }
  return machines;
}

Study study_of(const Walk& walk, const std::vector<MachineValues>& machines, double error, uint64_t seed) {
  return {.selection = {walk.table, 0, seed}, .error = error, .pilots = {machines.front().machine}};
}

TEST(Study, BeginsWithOnePilotAndAddsTheWidest) {
  Random random(21);
  const Walk walk(random);
  const std::vector<MachineValues> machines = machines_on(walk, random);
  Study study = study_of(walk, machines, 0.05, 1);
  EXPECT_EQ(study.frames_of(machines[0].machine), study.selection.representatives());
  EXPECT_THAT(study.frames_of(machines[1].machine), IsEmpty());

  while (study.shared.empty()) ASSERT_TRUE(go_on(study, {machines.front()}));
  EXPECT_THAT(study.pilots, ElementsAre(machines[0].machine));
  EXPECT_THAT(study.shared, SizeIs(kFewestShared));
  EXPECT_EQ(study.frames_of(machines[1].machine), study.shared);
  const std::vector<uint64_t> all = study.selection.representatives();
  EXPECT_TRUE(std::includes(all.begin(), all.end(), study.shared.begin(), study.shared.end()));

  study.error = 0.02;
  while (study.pilots.size() == 1) ASSERT_TRUE(go_on(study, machines));
  EXPECT_THAT(study.pilots.back(), ::testing::StartsWith("4"));  // least like the first
}

// Sharing frames would spare the other machines less than half of the representatives.
TEST(Study, OfFewRepresentativesHasAllMachinesSimulateAll) {
  Random random(22);
  const Walk walk(random);
  const std::vector<MachineValues> machines = machines_on(walk, random);
  FeatureTable few{.first_frame = 1, .frames = 12, .features = {{"plain", "plain", walk.plain}}};
  few.features[0].by_frame.resize(12);
  Study study{.selection = {few, 0, 1}, .error = 0.5, .pilots = {machines[0].machine}};
  EXPECT_TRUE(go_on(study, {machines.front()}));
  EXPECT_THAT(study.pilots, IsEmpty());
  EXPECT_THAT(study.shared, IsEmpty());
  EXPECT_EQ(study.frames_of(machines[3].machine), study.selection.representatives());
  EXPECT_FALSE(go_on(study, machines));
}

// Counts over 200 samples whether the interval of each machine holds the truth.
TEST(StudyCoverage, OfPilotsAndFollowersIsTheConfidence) {
  constexpr int kSamples = 200;
  Random random(23);
  const Walk walk(random);
  const std::vector<MachineValues> machines = machines_on(walk, random);
  std::vector<double> covered(machines.size());
  double simulated = 0, alone = 0, inside = 0, frames = 0;
  for (uint64_t seed = 1; seed <= kSamples; seed++) {
    Study study = study_of(walk, machines, 0.03, seed), of_all = study;
    of_all.pilots.clear();
    while (go_on(study, machines)) {}
    while (go_on(of_all, machines)) {}
    alone += static_cast<double>(machines.size() * of_all.selection.representatives().size());
    const StudyEstimates estimates(study, machines);
    for (size_t m = 0; m < machines.size(); m++) {
      simulated += static_cast<double>(study.frames_of(machines[m].machine).size());
      const Values& cycles = machines[m].values.at("cycles");
      const double truth = std::accumulate(cycles.begin(), cycles.end(), 0.0,
                                           [](double sum, const auto& value) { return sum + value.second; });
      const Estimate total = estimates.total(machines[m], "cycles");
      EXPECT_LE(total.share(), 0.03);
      covered[m] += (std::abs(total.value - truth) <= total.bound) / double{kSamples};
      if (seed > 20) continue;
      for (const auto& [frame, estimate] : estimates.frames(machines[m]))
        inside += std::abs(estimate.value - cycles.at(frame)) <= estimate.bound, frames++;
    }
  }
  for (size_t m = 0; m < machines.size(); m++) EXPECT_GE(covered[m], kLeastCovered) << machines[m].machine;
  EXPECT_GT(inside / frames, kLeastCovered);  // of the frames that are not simulated
  EXPECT_LT(simulated, 0.6 * alone);
}

// Work that does not depend on the machine is that of the pilot.
TEST(Study, HasEqualTotalsOfEqualWork) {
  Random random(24);
  const Walk walk(random);
  const std::vector<MachineValues> machines = machines_on(walk, random);
  Study study = study_of(walk, machines, 0.05, 1);
  while (go_on(study, machines)) {}
  const StudyEstimates estimates(study, machines);
  ASSERT_FALSE(study.is_pilot(machines[1].machine));
  const Estimate pilot = estimates.total(machines[0], "shaded"),
                 other = estimates.total(machines[1], "shaded");
  EXPECT_NEAR(other.value, pilot.value, 1e-9 * pilot.value);
  EXPECT_NEAR(other.bound, pilot.bound, 1e-6 * pilot.value);
}

}  // namespace
}  // namespace cutaway::sampling
