#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/sampled_sweep.h"
#include "app/text.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "sweep/point_values.h"

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
  // regression: the sample's.
  MachineReport(const CaptureSample& sample, const sampling::Regression& regression,
                const MachinePoints& machine, const sweep::Store& store)
      : sample_(sample),
        regression_(regression),
        machine_(machine),
        values_(values_of(store, machine.points)) {}

  Json json() const {
    Json json{{"machine", machine_.machine},
              {"simulated_frames", sample_.selection.representatives().size()}};
    Json& totals = json["totals"] = Json::object();
    for (const auto& [name, values] : values_) totals[name] = interval(total(name));
    json["cycles_by_frame"] = curve();
    if (!sample_.held_back.empty()) json["check"] = check();
    return json;
  }

  // The cycles alone.
  std::string summary() const { return line(machine_.machine, total("cycles")); }

  // The main totals.
  std::string text() const {
    std::string text = fmt::format("{}\n", machine_.machine);
    const auto add = [&](const std::string& name, const std::string& shown) {
      if (const Estimate estimate = total(name); estimate.value != 0) text += line(shown, estimate);
    };
    add("cycles", "cycles");
    for (const auto& [name, values] : values_) {
      const bool bytes = name.ends_with(": bytes read") || name.ends_with(": bytes written");
      const bool cache = name.ends_with("cache_hits") || name.ends_with("cache_misses") ||
                         name.ends_with(".hits") || name.ends_with(".misses");
      if (bytes || cache) add(name, name);
    }
    for (const char* name : {"bytes_read", "bytes_written", "instructions", "fragments_generated"})
      add(name, name);
    if (!sample_.held_back.empty()) text += check_text();
    return text;
  }

 private:
  static std::string line(const std::string& name, const Estimate& estimate) {
    return fmt::format("  {:<44} {:>18} ± {:>14}  {:6.2f} %\n", name,
                       grouped(static_cast<uint64_t>(whole(estimate.value))),
                       grouped(static_cast<uint64_t>(std::ceil(estimate.bound))), 100 * estimate.share());
  }

  double value(const std::string& name, uint64_t frame) const {
    const sweep::ValuesByFrame& values = values_.at(name);
    const auto at = values.find(frame);
    return at == values.end() ? 0 : at->second;
  }

  sampling::Prediction prediction(const std::string& name) const {
    sweep::ValuesByFrame values;
    for (const uint64_t frame : sample_.selection.representatives()) values[frame] = value(name, frame);
    return sample_.selection.predict(regression_, values);
  }
  Estimate total(const std::string& name) const {
    return prediction(name).total(sampling::confidence_in_rounds(kConfidence));
  }

  // The estimate of each frame that is no representative.
  std::map<uint64_t, Estimate> frames() const {
    std::map<uint64_t, Estimate> frames;
    const sampling::Prediction cycles = prediction("cycles");
    for (size_t h = 0; h < cycles.residuals.size(); h++) {
      const sampling::Stratum& stratum = sample_.selection.strata()[h];
      const Estimate residual = single_frame(cycles.residuals[h], kConfidence);
      for (size_t i = stratum.drawn; i < stratum.frames.size(); i++) {
        Estimate& estimate = frames[stratum.frames[i]] = residual;
        estimate.value += cycles.by_frame[stratum.frames[i] - sample_.frames.first];
      }
    }
    return frames;
  }

  Json curve() const {
    Json curve = Json::array();
    const std::map<uint64_t, Estimate> estimated = frames();
    for (uint64_t frame = sample_.frames.first; frame <= sample_.frames.last; frame++) {
      const auto at = estimated.find(frame);
      const bool simulated = at == estimated.end();
      Json entry{{"frame", frame}, {"simulated", simulated}};
      entry.update(interval(simulated ? Estimate{.value = value("cycles", frame)} : at->second));
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
    const std::map<uint64_t, Estimate> estimated = frames();
    for (const uint64_t frame : sample_.held_back) {
      const Estimate& estimate = estimated.at(frame);
      const double cycles = value("cycles", frame);
      check.simulated += cycles, check.estimated += estimate.value;
      check.inside += std::abs(estimate.value - cycles) <= estimate.bound;
    }
    return check;
  }
  Json check() const {
    const Check check = checked();
    Json frames = Json::array();
    for (const uint64_t frame : sample_.held_back)
      frames.push_back({{"frame", frame}, {"cycles", whole(value("cycles", frame))}});
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
  const sampling::Regression& regression_;
  const MachinePoints& machine_;
  std::map<std::string, sweep::ValuesByFrame> values_;
};

Json strata_json(const CaptureSample& sample) {
  Json strata = Json::array();
  for (const sampling::Stratum& stratum : sample.selection.strata()) {
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
  for (const sampling::Stratum& stratum : sample.selection.strata()) {
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

}  // namespace

std::string report_samples(const sweep::Plan& plan, const sweep::SweepFile& file,
                           const std::vector<CaptureSample>& samples, const sweep::Store& store,
                           const std::filesystem::path& folder) {
  Json captures = Json::array();
  std::string text;
  for (const CaptureSample& sample : samples) {
    const std::string& name = file.captures[sample.entry].name;
    const sampling::Selection& selection = sample.selection;
    text += fmt::format("{}: {} of {} simulated, in {}\n", name, selection.representatives().size(),
                        counted(selection.frames(), "frame"), counted(selection.strata().size(), "group"));
    text += strata_text(sample);
    text += fmt::format("totals of all frames, each within ± with {:.0f} % confidence:\n", 100 * kConfidence);
    const sampling::Regression regression = selection.regression();
    const std::vector<MachinePoints> points = machines_of(plan, file, sample);
    const bool in_full = points.size() <= kMachinesInFull;
    if (!in_full) text += "cycles (sample.json has the other totals):\n";
    Json machines = Json::array();
    for (const MachinePoints& machine : points) {
      const MachineReport report(sample, regression, machine, store);
      machines.push_back(report.json());
      text += in_full ? report.text() : report.summary();
    }
    captures.push_back({{"capture", name},
                        {"first_frame", sample.frames.first},
                        {"last_frame", sample.frames.last},
                        {"warmup", file.warmup},
                        {"error", sample.error},
                        {"characteristics", regression.characteristics()},
                        {"parameters", regression.parameters()},
                        {"strata", strata_json(sample)},
                        {"machines", machines}});
  }
  const Json json{{"format", kFormat}, {"confidence", kConfidence}, {"captures", captures}};
  write_whole(folder / "sample.json", json_text(json, 1) + "\n");
  return text;
}

}  // namespace cutaway::app
