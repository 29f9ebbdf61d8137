#include "report/buffer_evidence.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"

namespace cutaway::report {
namespace {

// "tessellation_control" becomes "tessellation control".
std::string spaced(std::string words) {
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

bool accesses(const std::string& kind, const std::string& stage, const RunReader::NamedBuffer& buffer) {
  if (kind == "memory_controller") return true;
  if (kind == "streamer") return buffer.use == "indices" || buffer.use == "vertices";
  if (kind == "stream_out") return buffer.use == "captured vertices";
  if (kind == "storage_cache") return buffer.use == "program";
  return !stage.empty() && buffer.stage == stage;
}

}  // namespace

std::optional<Finding> buffer_evidence(const std::string& kind, const std::string& stage,
                                       const EvidenceSource& from) {
  constexpr size_t kTold = 3;
  std::string names;
  size_t count = 0;
  for (const RunReader::NamedBuffer& buffer : from.run.named_buffers(from.scope)) {
    if (!accesses(kind, stage, buffer) || ++count > kTold) continue;
    std::string use = buffer.use;
    if (!buffer.stage.empty()) use = fmt::format("by {} programs", spaced(buffer.stage));
    names += fmt::format("{}'{}' ({}, {})", names.empty() ? "" : ", ", buffer.name, use,
                         counted(buffer.works, "time"));
  }
  if (!count) return std::nullopt;
  if (count > kTold) names += fmt::format(" and {} more", count - kTold);
  return Finding{fmt::format("buffers bound for it: {}", names), {}};
}

}  // namespace cutaway::report
