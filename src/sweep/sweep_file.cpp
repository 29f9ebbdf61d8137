#include "sweep/sweep_file.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/text.h"
#include "settings/table.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;
using settings::any;
using settings::list;
using settings::Node;
using settings::required;

constexpr EnumName<bool> kIllegalNames[] = {{false, "refuse"}, {true, "skip"}};

class FileReader {
 public:
  explicit FileReader(const fs::path& path) { file_.path = path; }

  SweepFile read(const Node& root) {
    settings::read_table(
        root, "a sweep file",
        {any(
             "frames", [this](const Node& node) { read_frames_of(frames_, node); }, "frames of all captures"),
         list(
             "captures", [this](const Node& node) { read_capture(node); }, "captures to run frames of"),
         list(
             "gpus", [this](const Node& node) { read_gpu(node); }, "presets, or files of machines"),
         settings::count("warmup", file_.warmup, 0, "frames run before each, to warm up its caches"),
         settings::truth("verify", file_.verify, "each frame is compared with the emulator's"),
         settings::truth("explain", file_.explain,
                         "each point tells what held its frame up, and keeps its run"),
         settings::choice("illegal", file_.skip_illegal, kIllegalNames, "machines that break a rule"),
         settings::parameters(
             "set",
             [this](const std::string& path, const Node& node) {
               file_.sets.emplace_back(path, settings::value_in(node, path));
               file_.places[path] = node.at();
             },
             "parameters that all points share"),
         settings::tables(
             "vary", [this](const Node& node) { read_axis(node); }, "parameters that vary"),
         settings::table(
             "sample", [this](const Node& node) { read_sample(node); }, "part of the points"),
         settings::table(
             "slurm", [this](const Node& node) { read_slurm(node); }, "how jobs are submitted"),
         settings::tables(
             "plot", [this](const Node& node) { read_plot(node); }, "plots of the results")});
    if (file_.captures.empty())
      user_error("{}: no captures; begin with captures = [\"FILE.cutaway\"]", file_.path.string());
    if (file_.gpus.empty()) file_.gpus = {"attila"};
    return std::move(file_);
  }

 private:
  static FrameRange frame_range(const Node& node) {
    const std::string where = node.at() + ": frames";
    if (node.kind != Node::Kind::kWhole && node.kind != Node::Kind::kText)
      user_error("{}: expected frames such as 3, \"2..4\" or [1, \"3..5\"]", where);
    return parse_frames(one_line(node.text), where);
  }
  static std::vector<FrameRange> frames_in(const Node& node) {
    if (node.kind != Node::Kind::kList) return {frame_range(node)};
    std::vector<FrameRange> frames;
    for (const Node::Entry& element : settings::list_in(node, "frames"))
      frames.push_back(frame_range(element.value));
    return frames;
  }

  static void read_frames_of(CaptureEntry& entry, const Node& node) {
    constexpr std::string_view kSample = "sample:";
    entry.where = node.at(), entry.frames.clear(), entry.sample_error.reset();
    if (node.kind == Node::Kind::kText && node.text.starts_with(kSample))
      entry.sample_error =
          parse_sample_error(one_line(node.text).substr(kSample.size()), node.at() + ": frames");
    else entry.frames = frames_in(node);
  }

  // Relative paths start at the sweep file.
  fs::path beside(const std::string& name) const { return fs::absolute(file_.path).parent_path() / name; }

  void read_capture(const Node& node) {
    CaptureEntry entry = frames_;
    entry.where = node.at();
    const auto read_frames = [&](const Node& frames) { read_frames_of(entry, frames); };
    if (node.kind == Node::Kind::kTable)
      settings::read_table(node, "a capture",
                           {required(settings::text("file", entry.name, "path of the capture")),
                            any("frames", read_frames, "its frames")});
    else entry.name = settings::text_in(node, "a capture");
    entry.path = beside(entry.name);
    file_.captures.push_back(std::move(entry));
  }

  void read_gpu(const Node& node) {
    const std::string name = settings::text_in(node, "a machine of gpus");
    const bool is_file = name.find('/') != name.npos || name.ends_with(".toml");
    file_.gpus.push_back(is_file ? beside(name).lexically_normal().string() : name);
  }

  void read_axis(const Node& table) {
    Axis axis{.paths = {}, .values = {}, .where = table.at()};
    const auto read_parameter = [&](const std::string& path, const Node& node) {
      axis.paths.push_back(path);
      file_.places[path] = node.at();
      axis.values.push_back(settings::values_in(node, path));
      if (axis.values.back().size() != axis.size())
        user_error(
            "{}: {} has {} and {} has {}: parameters of one [[vary]] change together; give both as many, or "
            "each a [[vary]] of its own",
            node.at(), axis.paths.front(), counted(axis.size(), "value"), path,
            counted(axis.values.back().size(), "value"));
    };
    settings::read_table(table, "a [[vary]]", {}, settings::parameters(read_parameter));
    if (axis.paths.empty()) user_error("{}: a [[vary]] without a parameter", axis.where);
    for (const std::string& path : axis.paths) check_new(axis.where, path);
    file_.axes.push_back(std::move(axis));
  }

  void check_new(const std::string& where, const std::string& path) const {
    const auto same = [&](const std::string& other) { return other == path; };
    const bool varied = std::any_of(file_.axes.begin(), file_.axes.end(), [&](const Axis& axis) {
      return std::any_of(axis.paths.begin(), axis.paths.end(), same);
    });
    const bool set = std::any_of(file_.sets.begin(), file_.sets.end(),
                                 [&](const auto& entry) { return same(entry.first); });
    if (varied || set) user_error("{}: {} is given twice", where, path);
  }

  void read_sample(const Node& table) {
    Sample& sample = file_.sample.emplace();
    settings::read_table(table, "sample",
                         {required(settings::count("points", sample.points, 1, "points drawn from the grid")),
                          required(settings::count("seed", sample.seed, 0, "seed of the random numbers"))});
  }

  void read_slurm(const Node& table) {
    const auto read_option = [this](const Node& node) {
      file_.sbatch_options.push_back(settings::text_in(node, "an option of slurm"));
      if (!file_.sbatch_options.back().starts_with("--"))
        user_error("{}: expected an option of sbatch such as \"--partition=long\"", node.at());
    };
    settings::read_table(table, "slurm", {list("options", read_option, "options handed on to sbatch")});
  }

  void read_plot(const Node& table) {
    Plot plot{.name = fmt::format("plot{}", file_.plots.size() + 1),
              .title = {},
              .x = {},
              .y = {},
              .series = {},
              .where = table.at()};
    settings::read_table(table, "a plot",
                         {required(settings::text("x", plot.x, "a column of the results")),
                          required(settings::text("y", plot.y, "a column of the results, or a counter")),
                          settings::text("series", plot.series, "a column whose values get a line each"),
                          settings::text("title", plot.title, "the title above it")});
    if (plot.title.empty()) plot.title = fmt::format("{} by {}", plot.y, plot.x);
    file_.plots.push_back(std::move(plot));
  }

  CaptureEntry frames_{};  // only its frames: of captures without their own
  SweepFile file_;
};

}  // namespace

double parse_sample_error(std::string_view text, std::string_view where) {
  const std::string_view number = text.substr(0, text.find('%'));
  double percent = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
  if (error != std::errc{} || end != number.data() + number.size() || number.size() + 1 != text.size() ||
      !(percent >= 0.01 && percent <= 50))
    user_error("{} {}: expected an error from 0.01% to 50%, such as 1%", where, text);
  return percent / 100;
}

SweepFile read_sweep_file(const fs::path& path) {
  return FileReader(path).read(settings::read_file(path, "a sweep"));
}

}  // namespace cutaway::sweep
