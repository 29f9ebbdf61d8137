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

// Simulates the frame of a probe's capture and returns the order in which its fragments end.
probe::Order watch_order(const std::filesystem::path& capture, const machine::Config& config,
                         const std::function<void(uint64_t cycles, double share)>& on_progress);

// Writes pictures of the order in which the fragments of cases ended, and a page of them all, to a folder.
// order_of draws a case. units_per_cluster: of the machine's shader units. Returns the page's path.
std::filesystem::path write_pictures(const std::vector<const probe::Case*>& cases, const std::string& machine,
                                     uint32_t units_per_cluster, const std::filesystem::path& folder,
                                     const std::function<probe::Order(const probe::Case&)>& order_of);

}  // namespace cutaway::app
