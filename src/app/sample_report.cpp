#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/sampled_sweep.h"
#include "app/text.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"

namespace cutaway::app {
namespace {

using Json = nlohmann::ordered_json;
using sampling::Estimate;

constexpr int64_t kFormat = 1;  // of sample.json

int64_t whole(double value) { return std::llround(value); }

Json interval(const Estimate& estimate) {
  Json json{{"value", whole(estimate.value)}};
  if (std::isfinite(estimate.bound)) json["bound"] = static_cast<int64_t>(std::ceil(estimate.bound));
  else json["bound"] = nullptr;
  return json;
}

// With more machines, text shows the cycles of each alone.
constexpr size_t kMachinesInFull = 4;

// One capture on one machine.
class MachineReport {
 public:
  MachineReport(const CaptureSample& sample, const sampling::StudyEstimates& estimates,
                const MachinePoints& machine, const sampling::MachineValues& values)
      : sample_(sample), estimates_(estimates), machine_(machine), values_(values) {}

  Json json() const {
    Json json{{"machine", machine_.name},
              {"simulated_frames", sample_.study.frames_of(values_.machine).size()}};
    if (!is_pilot()) json["slopes"] = estimates_.slopes(values_);
    Json& totals = json["totals"] = Json::object();
    for (const auto& [name, values] : values_.values) totals[name] = interval(total(name));
    json["cycles_by_frame"] = curve();
    if (!sample_.held_back.empty() && is_pilot()) json["check"] = check();
    return json;
  }

  // The cycles alone.
  std::string summary() const { return line(machine_.brief, total("cycles")); }

  // The main totals.
  std::string text() const {
    std::string text = fmt::format("{}\n", machine_.brief);
    const auto add = [&](const std::string& name, const std::string& shown) {
      if (const Estimate estimate = total(name); estimate.value != 0) text += line(shown, estimate);
    };
    add("cycles", "cycles");
    for (const auto& [name, values] : values_.values) {
      const bool bytes = name.ends_with(": bytes read") || name.ends_with(": bytes written");
      const bool cache = name.ends_with("cache_hits") || name.ends_with("cache_misses") ||
                         name.ends_with(".hits") || name.ends_with(".misses");
      if (bytes || cache) add(name, name);
    }
    for (const char* name : {"bytes_read", "bytes_written", "instructions", "fragments_generated"})
      add(name, name);
    if (!sample_.held_back.empty() && is_pilot()) text += check_text();
    return text;
  }

 private:
  static std::string line(const std::string& name, const Estimate& estimate) {
    return fmt::format("  {:<44} {:>18} ± {:>14}  {:6.2f} %\n", name,
                       grouped(static_cast<uint64_t>(whole(estimate.value))),
                       grouped(static_cast<uint64_t>(std::ceil(estimate.bound))), 100 * estimate.share());
  }

  double cycles(uint64_t frame) const { return values_.value("cycles", frame); }
  Estimate total(const std::string& name) const { return estimates_.total(values_, name); }

  bool is_pilot() const { return sample_.study.is_pilot(values_.machine); }

  Json curve() const {
    Json curve = Json::array();
    const std::map<uint64_t, Estimate> estimated = estimates_.frames(values_);
    for (uint64_t frame = sample_.frames.first; frame <= sample_.frames.last; frame++) {
      const auto at = estimated.find(frame);
      const bool simulated = at == estimated.end();
      Json entry{{"frame", frame}, {"simulated", simulated}};
      entry.update(interval(simulated ? Estimate{.value = cycles(frame)} : at->second));
      curve.push_back(std::move(entry));
    }
    return curve;
  }

  struct Check {
    double simulated = 0, estimated = 0;
    size_t inside = 0;
    double error() const { return simulated > 0 ? estimated / simulated - 1 : 0; }
  };
  Check checked() const {
    Check check;
    const std::map<uint64_t, Estimate> estimated = estimates_.frames(values_);
    for (const uint64_t frame : sample_.held_back) {
      const Estimate& estimate = estimated.at(frame);
      check.simulated += cycles(frame), check.estimated += estimate.value;
      check.inside += std::abs(estimate.value - cycles(frame)) <= estimate.bound;
    }
    return check;
  }
  Json check() const {
    const Check check = checked();
    Json frames = Json::array();
    for (const uint64_t frame : sample_.held_back)
      frames.push_back({{"frame", frame}, {"cycles", whole(cycles(frame))}});
    return {{"frames", frames},
            {"simulated_cycles", whole(check.simulated)},
            {"estimated_cycles", whole(check.estimated)},
            {"inside_their_interval", check.inside}};
  }
  std::string check_text() const {
    const Check check = checked();
    return fmt::format(
        "  held back: {}, {} cycles, estimated {} ({:+.2f} %); {} inside their own interval\n",
        counted(sample_.held_back.size(), "frame"), grouped(static_cast<uint64_t>(check.simulated)),
        grouped(static_cast<uint64_t>(whole(check.estimated))), 100 * check.error(), check.inside);
  }

  const CaptureSample& sample_;
  const sampling::StudyEstimates& estimates_;
  const MachinePoints& machine_;
  const sampling::MachineValues& values_;
};

Json strata_json(const CaptureSample& sample) {
  Json strata = Json::array();
  for (const sampling::Stratum& stratum : sample.study.selection.strata()) {
    std::vector<uint64_t> representatives(
        stratum.frames.begin(), stratum.frames.begin() + static_cast<std::ptrdiff_t>(stratum.drawn));
    std::vector<uint64_t> frames = stratum.frames;
    std::sort(frames.begin(), frames.end());
    std::sort(representatives.begin(), representatives.end());
    strata.push_back({{"representatives", representatives},
                      {"each_stands_for", stratum.weight()},
                      {"cold", stratum.certain},
                      {"frames", frames}});
  }
  return strata;
}

// "1, 4..9, 12", of frames in order; long lists are cut.
std::string ranges(std::vector<uint64_t> frames) {
  constexpr size_t kMost = 8;
  std::sort(frames.begin(), frames.end());
  std::vector<FrameRange> ranges;
  for (const uint64_t frame : frames) {
    if (!ranges.empty() && ranges.back().last + 1 == frame) ranges.back().last = frame;
    else ranges.push_back({frame, frame});
  }
  std::string text;
  for (size_t i = 0; i < ranges.size() && i < kMost; i++) text += (i ? ", " : "") + ranges[i].text();
  return ranges.size() > kMost ? text + ", ..." : text;
}

std::string strata_text(const CaptureSample& sample) {
  std::string text;
  for (const sampling::Stratum& stratum : sample.study.selection.strata()) {
    const auto end = stratum.frames.begin() + static_cast<std::ptrdiff_t>(stratum.drawn);
    text += fmt::format(
        "  frame{} {} stand{} for {}\n", stratum.drawn == 1 ? "" : "s", ranges({stratum.frames.begin(), end}),
        stratum.drawn == 1 ? "s" : "",
        stratum.drawn == stratum.frames.size()
            ? std::string(stratum.drawn == 1 ? "itself" : "themselves")
            : fmt::format("{}: {}", counted(stratum.frames.size(), "frame"), ranges(stratum.frames)));
  }
  return text;
}

// The names of the machines that simulate all representatives.
Json pilots_json(const CaptureSample& sample, const std::map<std::string, std::string>& names) {
  Json pilots = Json::array();
  for (const std::string& pilot : sample.study.pilots) pilots.push_back(names.at(pilot));
  return pilots;
}

std::string pilots_text(const CaptureSample& sample, size_t machines) {
  if (sample.study.pilots.empty()) return "";
  return fmt::format("  {} simulated all of these, and predict{} {} others, which simulated {}\n",
                     counted(sample.study.pilots.size(), "machine"),
                     sample.study.pilots.size() == 1 ? "s" : "", machines - sample.study.pilots.size(),
                     counted(sample.study.shared.size(), "frame"));
}

}  // namespace

std::string report_samples(const sweep::Plan& plan, const sweep::SweepFile& file,
                           const std::vector<CaptureSample>& samples, const sweep::Store& store,
                           const std::filesystem::path& folder) {
  Json captures = Json::array();
  std::string text;
  for (const CaptureSample& sample : samples) {
    const std::string& name = file.captures[sample.entry].name;
    const sampling::Selection& selection = sample.study.selection;
    const std::vector<MachinePoints> points = machines_of(plan, file, sample);
    const std::vector<sampling::MachineValues> values = values_of(store, points);
    const sampling::StudyEstimates estimates(sample.study, values);
    text += fmt::format("{}: {} of {} simulated, in {}\n", name, selection.representatives().size(),
                        counted(selection.frames(), "frame"), counted(selection.strata().size(), "group"));
    text += strata_text(sample) + pilots_text(sample, points.size());
    text += fmt::format("totals of all frames, each within ± with {:.0f} % confidence:\n",
                        100 * sampling::kConfidence);
    const bool in_full = points.size() <= kMachinesInFull;
    if (!in_full) text += "cycles (sample.json has the other totals):\n";
    Json machines = Json::array();
    std::map<std::string, std::string> names;
    for (size_t m = 0; m < points.size(); m++) {
      const MachineReport report(sample, estimates, points[m], values[m]);
      names[points[m].machine] = points[m].name;
      machines.push_back(report.json());
      text += in_full ? report.text() : report.summary();
    }
    captures.push_back({{"capture", name},
                        {"first_frame", sample.frames.first},
                        {"last_frame", sample.frames.last},
                        {"warmup", file.warmup},
                        {"error", sample.study.error},
                        {"characteristics", estimates.regression().characteristics()},
                        {"parameters", estimates.regression().parameters()},
                        {"pilots", pilots_json(sample, names)},
                        {"shared_frames", sample.study.shared},
                        {"strata", strata_json(sample)},
                        {"machines", machines}});
  }
  const Json json{{"format", kFormat}, {"confidence", sampling::kConfidence}, {"captures", captures}};
  write_whole(folder / "sample.json", json_text(json, 1) + "\n");
  return text;
}

}  // namespace cutaway::app
