#include <utility>

#include "shape_lists.h"

namespace cutaway::records {

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> joined;
    for (const auto list :
         {whole_machines, rasters_and_caches, shared_units, pages_and_buses, groups_and_registers,
          texture_units, schedulers, texture_slices, clusters, distributions, extremes, front_ends, channels,
          clocks, stages, pulls_and_loads, depths_and_prefetches, slow_memory_clocks})
      for (Shape& shape : list()) joined.push_back(std::move(shape));
    return joined;
  }();
  return all;
}

}  // namespace cutaway::records
