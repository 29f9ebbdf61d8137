#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/levers.h"
#include "report/run_file.h"
#include "report/run_reader.h"

namespace cutaway::report {

// "gpu.texture1" becomes "texture"; a unit's counters for its clients belong to its own kind.
std::string kind_of(const std::string& unit);

// Counts by kind of unit and name. Counters of a part of a unit have the part's name before theirs:
// "primitives.instructions".
class Figures {
 public:
  explicit Figures(const std::vector<RunReader::Counts>& counts);
  uint64_t own(const std::string& kind, const std::string& name) const { return find(kind, name).own; }
  uint64_t meanwhile(const std::string& kind, const std::string& name) const {
    return find(kind, name).meanwhile;
  }
  bool is_shader(const std::string& kind) const { return sums_.contains({kind, "instructions"}); }

 private:
  struct Sum {
    uint64_t own = 0, meanwhile = 0;
  };
  Sum find(const std::string& kind, const std::string& name) const;
  std::map<std::pair<std::string, std::string>, Sum> sums_;
};

// The figures that evidence of a scope is made of.
struct EvidenceSource {
  RunReader& run;
  const RunReader::Scope& scope;
  const std::vector<RunReader::Counts>& counts;
  const Figures& figures;
  const std::vector<RunReader::Instruction> instructions;  // recorded by work, so that intervals have none
  uint64_t cycles;
  const Disassembler& disassemble;
};

// What the figures tell of units of a kind that hold the machine up. stage: of the programs that they run;
// "": none.
std::vector<Finding> evidence_of(const std::string& kind, const std::string& stage,
                                 const EvidenceSource& from);

}  // namespace cutaway::report
