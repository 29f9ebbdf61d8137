#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "machine/config.h"
#include "probe/cases.h"
#include "probe/order.h"
#include "report/progress.h"

namespace cutaway::app {

// What is seen of the frame of a probe's capture on a machine.
probe::Order watch_order(const std::filesystem::path& capture, const machine::Config& config,
                         const std::function<void(uint64_t cycles, double share)>& on_progress);

// Pictures of the order in which the fragments of cases ended, and a page of them all, in a folder. order_of
// has a case drawn. units_per_cluster: of the machine's shader units. The page's path.
std::filesystem::path write_pictures(const std::vector<const probe::Case*>& cases, const std::string& machine,
                                     uint32_t units_per_cluster, const std::filesystem::path& folder,
                                     const std::function<probe::Order(const probe::Case&)>& order_of);

}  // namespace cutaway::app
