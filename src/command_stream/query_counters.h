#pragma once

#include <array>
#include <cstdint>

#include "arch/registers.h"
#include "arch/state.h"

namespace cutaway::command_stream {

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

// Values of arch::QueryKind's counters since the start of a submission.
struct QueryCounters {
  uint64_t samples_passed = 0;
  // By stream: primitives of transform feedback, and output of the last stage before the rasteriser.
  std::array<uint64_t, arch::kStreams> primitives_written{}, primitives_needed{}, primitives_generated{};

  uint64_t operator[](Statistic statistic) const { return statistics_[static_cast<uint32_t>(statistic)]; }
  uint64_t& operator[](Statistic statistic) { return statistics_[static_cast<uint32_t>(statistic)]; }

  // Counter `index` of a kind; 0 for a timestamp, which is not a counter.
  uint64_t value(arch::QueryKind kind, uint32_t index) const {
    switch (kind) {
      case arch::QueryKind::kSamplesPassed:
        return samples_passed;
      case arch::QueryKind::kTimestamp:
        return 0;
      case arch::QueryKind::kStatistics:
        return statistics_[index];
      case arch::QueryKind::kPrimitives:
      case arch::QueryKind::kPrimitivesOfStream1:
      case arch::QueryKind::kPrimitivesOfStream2:
      case arch::QueryKind::kPrimitivesOfStream3: {
        const auto stream = static_cast<uint32_t>(kind) - static_cast<uint32_t>(arch::QueryKind::kPrimitives);
        return index == 0 ? primitives_written[stream] : primitives_needed[stream];
      }
      case arch::QueryKind::kGeneratedOfStream0:
      case arch::QueryKind::kGeneratedOfStream1:
      case arch::QueryKind::kGeneratedOfStream2:
      case arch::QueryKind::kGeneratedOfStream3:
        return primitives_generated[static_cast<uint32_t>(kind) -
                                    static_cast<uint32_t>(arch::QueryKind::kGeneratedOfStream0)];
    }
    return 0;
  }

  QueryCounters& operator+=(const QueryCounters& more) {
    samples_passed += more.samples_passed;
    for (uint32_t i = 0; i < arch::kStreams; i++) {
      primitives_written[i] += more.primitives_written[i];
      primitives_needed[i] += more.primitives_needed[i];
      primitives_generated[i] += more.primitives_generated[i];
    }
    for (size_t i = 0; i < statistics_.size(); i++) statistics_[i] += more.statistics_[i];
    return *this;
  }

 private:
  std::array<uint64_t, arch::kStatistics> statistics_{};
};

}  // namespace cutaway::command_stream
