#include <algorithm>
#include <ctime>

#include "icd/device/device.h"
#include "icd/device/limits.h"

// VK_EXT_calibrated_timestamps: the device's clock beside clocks of the host.
namespace cutaway::icd {
namespace {

constexpr VkTimeDomainEXT kTimeDomains[] = {VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
                                            VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT};

uint64_t nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t resolution(clockid_t clock) {
  timespec step{};
  clock_getres(clock, &step);
  return static_cast<uint64_t>(step.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(step.tv_nsec);
}

uint64_t read_domain(VkTimeDomainEXT domain, uint64_t ticks) {
  switch (domain) {
    case VK_TIME_DOMAIN_DEVICE_EXT:
      return ticks;
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT:
      return nanoseconds(CLOCK_MONOTONIC);
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT:
      return nanoseconds(CLOCK_MONOTONIC_RAW);
    default:
      invalid_usage("time domain {}", static_cast<int>(domain));
  }
}

}  // namespace

VkResult GetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice, uint32_t* count,
                                                      VkTimeDomainEXT* domains) {
  return enumerate(kTimeDomains, count, domains);
}

// The device's clock counts up to the last submission that has ended: it stands still while all are read. So
// none deviates by more than the reading takes, and a step of the coarsest clock.
VkResult GetCalibratedTimestampsEXT(VkDevice device, uint32_t count,
                                    const VkCalibratedTimestampInfoEXT* infos, uint64_t* timestamps,
                                    uint64_t* deviation) {
  return guard([&] {
    object(device)->host_queues().read_clock([&](uint64_t ticks) {
      const uint64_t begin = nanoseconds(CLOCK_MONOTONIC_RAW);
      for (uint32_t i = 0; i < count; i++) timestamps[i] = read_domain(infos[i].timeDomain, ticks);
      const uint64_t step =
          std::max({kTimestampNanoseconds, resolution(CLOCK_MONOTONIC), resolution(CLOCK_MONOTONIC_RAW)});
      *deviation = nanoseconds(CLOCK_MONOTONIC_RAW) - begin + step;
    });
  });
}

}  // namespace cutaway::icd
