#include "sweep/sweep_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "sweep/toml_values.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;

class FileReader {
 public:
  FileReader(const fs::path& path, const toml::table& table) : place_{path.string()}, table_(table) {
    file_.path = path;
  }

  SweepFile read() {
    check_keys(place_, table_, "a sweep file",
               {"captures", "frames", "gpus", "set", "vary", "sample", "warmup", "verify", "illegal", "slurm",
                "plot"});
    if (const toml::node* node = table_.get("frames")) frames_ = frames_in(*node);
    read_captures();
    read_gpus();
    read_options();
    if (const toml::node* node = table_.get("set"))
      for_parameters(place_, table_in(place_, *node, "set"),
                     [&](const std::string& path, const toml::node& value) {
                       file_.sets.emplace_back(path, value_in(place_, value, path));
                     });
    for (const toml::table* table : tables_in(place_, table_, "vary")) read_axis(*table);
    if (const toml::node* node = table_.get("sample")) read_sample(table_in(place_, *node, "sample"));
    if (const toml::node* node = table_.get("slurm")) read_slurm(table_in(place_, *node, "slurm"));
    for (const toml::table* table : tables_in(place_, table_, "plot")) read_plot(*table);
    return std::move(file_);
  }

 private:
  FrameRange frame_range(const toml::node& node) const {
    const std::string where = place_.at(node) + ": frames";
    if (const auto* number = node.as_integer()) return parse_frames(fmt::format("{}", number->get()), where);
    if (const auto* text = node.as_string()) return parse_frames(one_line(text->get()), where);
    user_error("{}: expected frames such as 3, \"2..4\" or [1, \"3..5\"]", where);
  }
  std::vector<FrameRange> frames_in(const toml::node& node) const {
    if (!node.is_array()) return {frame_range(node)};
    std::vector<FrameRange> frames;
    for (const toml::node& element : list_in(place_, node, "frames")) frames.push_back(frame_range(element));
    return frames;
  }

  // Relative paths start at the sweep file.
  fs::path beside(const std::string& name) const { return fs::absolute(file_.path).parent_path() / name; }

  void read_captures() {
    const toml::node* node = table_.get("captures");
    if (!node) user_error("{}: no captures; begin with captures = [\"FILE.cutaway\"]", file_.path.string());
    for (const toml::node& element : list_in(place_, *node, "captures")) {
      CaptureEntry entry{.name = {}, .path = {}, .frames = frames_, .where = place_.at(element)};
      if (const toml::table* table = element.as_table()) {
        check_keys(place_, *table, "a capture", {"file", "frames"});
        if (!table->contains("file")) user_error("{}: a capture without file", entry.where);
        entry.name = text_in(place_, *table->get("file"), "file");
        if (const toml::node* frames = table->get("frames"))
          entry.frames = frames_in(*frames), entry.where = place_.at(*frames);
      } else {
        entry.name = text_in(place_, element, "a capture");
      }
      entry.path = beside(entry.name);
      file_.captures.push_back(std::move(entry));
    }
  }

  void read_gpus() {
    const toml::node* node = table_.get("gpus");
    if (!node) {
      file_.gpus = {"attila"};
      return;
    }
    for (const toml::node& element : list_in(place_, *node, "gpus")) {
      const std::string name = text_in(place_, element, "a machine of gpus");
      const bool is_file = name.find('/') != name.npos || name.ends_with(".toml");
      file_.gpus.push_back(is_file ? beside(name).lexically_normal().string() : name);
    }
  }

  void read_options() {
    if (const toml::node* node = table_.get("warmup")) file_.warmup = count_in(place_, *node, "warmup", 0);
    if (const toml::node* node = table_.get("verify")) file_.verify = truth_in(place_, *node, "verify");
    if (const toml::node* node = table_.get("illegal")) {
      const std::string text = text_in(place_, *node, "illegal");
      if (text != "skip" && text != "refuse")
        user_error("{}: illegal must be \"refuse\" or \"skip\"", place_.at(*node));
      file_.skip_illegal = text == "skip";
    }
  }

  void read_axis(const toml::table& table) {
    Axis axis{.paths = {}, .values = {}, .where = place_.at(table)};
    for_parameters(place_, table, [&](const std::string& path, const toml::node& node) {
      axis.paths.push_back(path);
      axis.values.push_back(values_in(place_, node, path));
      if (axis.values.back().size() != axis.size())
        user_error(
            "{}: {} has {} and {} has {}: parameters of one [[vary]] change together; give both as "
            "many, or each a [[vary]] of its own",
            place_.at(node), axis.paths.front(), counted(axis.size(), "value"), path,
            counted(axis.values.back().size(), "value"));
    });
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

  void read_sample(const toml::table& table) {
    check_keys(place_, table, "sample", {"points", "seed"});
    for (const char* key : {"points", "seed"})
      if (!table.contains(key)) user_error("{}: sample without {}", place_.at(table), key);
    file_.sample = Sample{count_in(place_, *table.get("points"), "points", 1),
                          count_in(place_, *table.get("seed"), "seed", 0)};
  }

  void read_slurm(const toml::table& table) {
    check_keys(place_, table, "slurm", {"options"});
    const toml::node* node = table.get("options");
    if (!node) return;
    for (const toml::node& element : list_in(place_, *node, "options")) {
      file_.sbatch_options.push_back(text_in(place_, element, "an option of slurm"));
      if (!file_.sbatch_options.back().starts_with("--"))
        user_error("{}: expected an option of sbatch such as \"--partition=long\"", place_.at(element));
    }
  }

  void read_plot(const toml::table& table) {
    check_keys(place_, table, "a plot", {"title", "x", "y", "series"});
    Plot plot{.name = fmt::format("plot{}", file_.plots.size() + 1),
              .title = {},
              .x = {},
              .y = {},
              .series = {},
              .where = place_.at(table)};
    for (const char* key : {"x", "y"})
      if (!table.contains(key)) user_error("{}: a plot without {}", plot.where, key);
    const auto take = [&](const char* key, std::string& to) {
      if (const toml::node* node = table.get(key)) to = text_in(place_, *node, key);
    };
    take("x", plot.x), take("y", plot.y), take("series", plot.series), take("title", plot.title);
    if (plot.title.empty()) plot.title = fmt::format("{} by {}", plot.y, plot.x);
    file_.plots.push_back(std::move(plot));
  }

  TomlPlace place_;
  const toml::table& table_;
  std::vector<FrameRange> frames_;
  SweepFile file_;
};

}  // namespace

SweepFile read_sweep_file(const fs::path& path) {
  const toml::table table = parse_toml(path, "sweep file");
  return FileReader(path, table).read();
}

}  // namespace cutaway::sweep
