#pragma once

#include <array>
#include <cstdint>

#include "arch/state.h"

namespace cutaway::draw {

// Pipeline statistics, in Vulkan's order (VkQueryPipelineStatisticFlagBits).
enum class Statistic : uint32_t {
  kInputVertices,
  kInputPrimitives,
  kVertexInvocations,
  kGeometryInvocations,
  kGeometryPrimitives,
  kClippingInvocations,
  kClippingPrimitives,
  kFragmentInvocations,
  kTessControlPatches,
  kTessEvaluationInvocations,
  kComputeInvocations,
};
static_assert(static_cast<uint32_t>(Statistic::kComputeInvocations) + 1 == arch::kStatistics);

// What arch::QueryKind's counters say, from the start of a submission.
struct QueryCounters {
  uint64_t samples_passed = 0;
  uint64_t primitives_written = 0, primitives_needed = 0;  // by transform feedback

  uint64_t& operator[](Statistic statistic) { return statistics_[static_cast<uint32_t>(statistic)]; }

  // Counter `index` of a kind. A timestamp is no counter: 0.
  uint64_t value(arch::QueryKind kind, uint32_t index) const {
    switch (kind) {
      case arch::QueryKind::kSamplesPassed:
        return samples_passed;
      case arch::QueryKind::kTimestamp:
        return 0;
      case arch::QueryKind::kStatistics:
        return statistics_[index];
      case arch::QueryKind::kPrimitives:
        return index == 0 ? primitives_written : primitives_needed;
    }
    return 0;
  }

  QueryCounters& operator+=(const QueryCounters& more) {
    samples_passed += more.samples_passed;
    primitives_written += more.primitives_written;
    primitives_needed += more.primitives_needed;
    for (size_t i = 0; i < statistics_.size(); i++) statistics_[i] += more.statistics_[i];
    return *this;
  }

 private:
  std::array<uint64_t, arch::kStatistics> statistics_{};
};

}  // namespace cutaway::draw
