#include "boxes/memory_controller/memory_controller_spec.h"

namespace cutaway::boxes {

std::vector<std::string_view> MemoryControllerSpec::costs_nothing(bool translated) const {
  std::vector<std::string_view> work = {
      "Reading and setting tags, apart from `memory.tag_lookups` and `memory.clear_blocks`",
      "Commands: their bus is never a bottleneck"};
  if (!translated) work.push_back("Translating addresses, where `translation.pages` is \"none\"");
  if (dram == "simple")
    work.push_back(
        "Rows, banks and refresh, where `memory.dram` is \"simple\", as in the ATTILA paper (ATT-1)");
  if (dram == "banked")
    work.push_back(
        "The limit of four activations (tFAW), and bank groups, where `memory.dram` is \"banked\"");
  return work;
}

}  // namespace cutaway::boxes
