#include "sweep/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace cutaway::sweep {
namespace {

constexpr uint64_t kMostPoints = 1'000'000;

struct CaptureFrames {
  CaptureFile file;
  std::vector<uint64_t> frames;
  bool sampled = false;
  const std::set<std::string>* pilots = nullptr;
  std::set<uint64_t> of_pilots = {};  // frames that they alone simulate
};

std::set<uint64_t> frames_in(const std::vector<FrameRange>& ranges, const FrameRange& held,
                             const CaptureEntry& entry) {
  std::set<uint64_t> frames;
  for (FrameRange range : ranges) {
    if (range.last == FrameRange::kLast) range.last = held.last;
    if (range.first < held.first || range.last > held.last || range.last < range.first)
      user_error("{}: frames {}: {} holds frame{} {}", entry.where, range.text(), entry.name,
                 held.first == held.last ? "" : "s", held.text());
    for (uint64_t frame = range.first; frame <= range.last; frame++) frames.insert(frame);
  }
  return frames;
}

CaptureFrames frames_of(const CaptureEntry& entry) {
  CaptureFrames capture{.file = identify_capture(entry.name, entry.path),
                        .frames = {},
                        .sampled = entry.sample_error.has_value(),
                        .pilots = &entry.pilots};
  const FrameRange held{capture.file.first_frame, capture.file.last_frame};
  const bool all = entry.frames.empty() && entry.pilots.empty();
  std::set<uint64_t> frames = frames_in(all ? std::vector{held} : entry.frames, held, entry);
  for (const uint64_t frame : frames_in(entry.pilot_frames, held, entry))
    if (frames.insert(frame).second) capture.of_pilots.insert(frame);
  capture.frames.assign(frames.begin(), frames.end());
  return capture;
}

// The machine of one preset and one position on each axis.
struct Variant {
  std::vector<std::pair<std::string, std::string>> settings;
  std::string hash, text;
  std::string broken;  // the rule that it violates; empty: it is legal
};

class Planner {
 public:
  explicit Planner(const SweepFile& file) : file_(file) {
    for (const CaptureEntry& entry : file.captures) captures_.push_back(frames_of(entry));
    for (const std::string& gpu : file.gpus) load_config(configs_.emplace_back(), gpu);
    for (const Axis& axis : file.axes) sizes_.push_back(axis.size());
    check_settings();
  }

  Plan plan() {
    for (const Axis& axis : file_.axes)
      plan_.varied.insert(plan_.varied.end(), axis.paths.begin(), axis.paths.end());
    for (const uint64_t index : indices()) add(index);
    if (plan_.points.empty())
      user_error("{}: no points: {}", file_.path.string(),
                 fmt::format("each of the {} breaks a rule, as \"{}\"",
                             counted(plan_.skipped.size(), "machine"), plan_.skipped.front().reason));
    return std::move(plan_);
  }

 private:
  // Checks every value of every parameter on every preset, to report illegal values at once.
  void check_settings() {
    for (const machine::Config& config : configs_) {
      machine::Config copy = config;
      FieldTable table;
      copy.list(table);
      const auto where = [&](const std::string& at) { return fmt::format("{}: on {}", at, config.name); };
      for (const auto& [path, value] : file_.sets)
        table.set(where(file_.path.string() + ": set"), path, value);
      for (const Axis& axis : file_.axes)
        for (size_t k = 0; k < axis.paths.size(); k++)
          for (const std::string& value : axis.values[k]) table.set(where(axis.where), axis.paths[k], value);
    }
  }

  uint64_t size() const {
    uint64_t size = 0;
    for (const CaptureFrames& capture : captures_) size += capture.frames.size();
    const auto times = [&](uint64_t factor) {
      if (size > std::numeric_limits<uint64_t>::max() / factor)
        user_error("{}: more than 2^64 points", file_.path.string());
      size *= factor;
    };
    times(configs_.size());
    for (const size_t axis : sizes_) times(axis);
    return size;
  }

  std::vector<uint64_t> indices() const {
    const uint64_t all = size(), wanted = file_.sample ? file_.sample->points : all;
    if (wanted > all)
      user_error("{}: sample asks for {} of {}", file_.path.string(), counted(wanted, "point"), all);
    if (wanted > kMostPoints)
      user_error("{}: {} points; a sweep has {} at most: [sample] draws some of them", file_.path.string(),
                 wanted, kMostPoints);
    if (file_.sample) return draw_sample(all, wanted, file_.sample->seed);
    std::vector<uint64_t> every(all);
    std::iota(every.begin(), every.end(), uint64_t{0});
    return every;
  }

  Variant make_variant(const machine::Config& base, uint64_t position) const {
    machine::Config config = base;
    FieldTable table;
    config.list(table);
    Variant variant;
    const auto set = [&](const std::string& path, const std::string& value) {
      table.set("", path, value);
      config.statements[path].where = file_.places.at(path);
      variant.settings.emplace_back(path, table.get(path));
    };
    for (const auto& [path, value] : file_.sets) set(path, value);
    std::vector<size_t> at(sizes_.size());
    for (size_t axis = sizes_.size(); axis-- > 0; position /= sizes_[axis])
      at[axis] = position % sizes_[axis];
    for (size_t axis = 0; axis < sizes_.size(); axis++)
      for (size_t k = 0; k < file_.axes[axis].paths.size(); k++)
        set(file_.axes[axis].paths[k], file_.axes[axis].values[k][at[axis]]);
    try {
      check_rules(config);
    } catch (const UserError& error) { variant.broken = error.what(); }
    variant.text = machine_text(config);
    variant.hash = text_hash(variant.text);
    return variant;
  }

  // A sample takes the first frames of a capture as they are: its strata tell them apart.
  uint64_t warmup(const CaptureFrames& capture, uint64_t frame) const {
    return capture.sampled ? std::min(file_.warmup, frame - capture.file.first_frame) : file_.warmup;
  }

  // index: in the grid. Machines change fastest, so that they share frames.
  void add(uint64_t index) {
    end_if_interrupted();
    const uint64_t positions =
        std::accumulate(sizes_.begin(), sizes_.end(), uint64_t{1}, std::multiplies<>());
    const uint64_t machines = positions * configs_.size(), machine = index % machines;
    uint64_t frame = index / machines;
    auto capture = captures_.begin();
    for (; frame >= capture->frames.size(); capture++) frame -= capture->frames.size();
    const size_t gpu = machine / positions;
    auto [it, fresh] = variants_.try_emplace(machine);
    if (fresh) it->second = make_variant(configs_[gpu], machine % positions);
    const Variant& variant = it->second;

    if (capture->of_pilots.contains(capture->frames[frame]) && !capture->pilots->contains(variant.hash))
      return;

    Point point{.hash = {},
                .capture = capture->file,
                .frame = capture->frames[frame],
                .gpu = file_.gpus[gpu],
                .gpu_name = configs_[gpu].name,
                .settings = variant.settings,
                .machine = variant.hash,
                .warmup = warmup(*capture, capture->frames[frame]),
                .verify = file_.verify,
                .record_interval = file_.explain ? kRecordInterval : 0};
    if (!variant.broken.empty()) {
      if (!file_.skip_illegal)
        user_error("{}: point {}: {}; illegal = \"skip\" leaves such machines out", file_.path.string(),
                   point.text(), variant.broken);
      plan_.skipped.push_back({point.text(), variant.broken});
      return;
    }
    if (point.frame < point.capture.first_frame + point.warmup)
      user_error("{}: warmup = {}: {} holds fewer frames before frame {}", file_.path.string(), file_.warmup,
                 point.capture.name, point.frame);
    point.hash = identity_hash(point);
    if (!hashes_.insert(point.hash).second) {
      plan_.duplicates++;
      return;
    }
    plan_.machines.try_emplace(variant.hash, variant.text);
    plan_.points.push_back(std::move(point));
  }

  const SweepFile& file_;
  std::vector<CaptureFrames> captures_;
  std::vector<machine::Config> configs_;  // the presets themselves
  std::vector<size_t> sizes_;             // of the axes
  std::map<uint64_t, Variant> variants_;
  std::set<std::string> hashes_;
  Plan plan_;
};

// Draws a number below `bound`, uniformly: numbers beyond the last whole multiple are drawn again.
uint64_t draw_below(std::mt19937_64& random, uint64_t bound) {
  const uint64_t rest = (~uint64_t{0} % bound + 1) % bound;
  uint64_t number = random();
  while (rest && number > ~uint64_t{0} - rest) number = random();
  return number % bound;
}

}  // namespace

std::vector<uint64_t> draw_sample(uint64_t size, uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::set<uint64_t> drawn;
  // Floyd's algorithm: each step adds one number, `last` if the drawn one is already present.
  for (uint64_t last = size - count; last < size; last++)
    if (!drawn.insert(draw_below(random, last + 1)).second) drawn.insert(last);
  return {drawn.begin(), drawn.end()};
}

Plan make_plan(const SweepFile& file) { return Planner(file).plan(); }

}  // namespace cutaway::sweep
