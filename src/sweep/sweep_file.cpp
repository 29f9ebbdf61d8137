#include "sweep/sweep_file.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/text.h"
#include "sweep/toml_values.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;

using OnParameter = std::function<void(const std::string& path, const toml::node& node)>;

// `memory.channels = ...` is a table in a table, `"memory.channels" = ...` is one name.
void for_parameters(const TomlPlace& place, const toml::table& table, const OnParameter& call) {
  for (const auto& [unit, node] : table) {
    if (unit.str().find('.') != std::string_view::npos) {
      call(one_line(unit.str()), node);
      continue;
    }
    const toml::table* parameters = node.as_table();
    if (!parameters)
      user_error("{}: {}: expected a parameter as UNIT.PARAM, such as memory.channels", place.at(node),
                 one_line(unit.str()));
    for (const auto& [name, value] : *parameters)
      call(fmt::format("{}.{}", one_line(unit.str()), one_line(name.str())), value);
  }
}

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
      for_parameters(place_, table_in(*node, "set"), [&](const std::string& path, const toml::node& value) {
        file_.sets.emplace_back(path, value_in(place_, value, path));
      });
    for (const toml::table* table : tables_in("vary")) read_axis(*table);
    if (const toml::node* node = table_.get("sample")) read_sample(table_in(*node, "sample"));
    if (const toml::node* node = table_.get("slurm")) read_slurm(table_in(*node, "slurm"));
    for (const toml::table* table : tables_in("plot")) read_plot(*table);
    return std::move(file_);
  }

 private:
  const toml::table& table_in(const toml::node& node, const char* name) const {
    if (!node.is_table()) user_error("{}: {} must be a table: [{}]", place_.at(node), name, name);
    return *node.as_table();
  }

  std::vector<const toml::table*> tables_in(const char* name) const {
    std::vector<const toml::table*> tables;
    const toml::node* node = table_.get(name);
    if (!node) return tables;
    const toml::array* list = node->as_array();
    if (!list || !list->is_array_of_tables())
      user_error("{}: write [[{}]] before each of them", place_.at(*node), name);
    for (const toml::node& element : *list) tables.push_back(element.as_table());
    return tables;
  }

  // A list that holds something.
  const toml::array& list_in(const toml::node& node, const char* name) const {
    if (!node.is_array()) user_error("{}: {} must be a list", place_.at(node), name);
    if (node.as_array()->empty()) user_error("{}: the list {} is empty", place_.at(node), name);
    return *node.as_array();
  }

  FrameRange frame_range(const toml::node& node) const {
    const std::string where = place_.at(node) + ": frames";
    if (const auto* number = node.as_integer()) return parse_frames(fmt::format("{}", number->get()), where);
    if (const auto* text = node.as_string()) return parse_frames(one_line(text->get()), where);
    user_error("{}: expected frames such as 3, \"2..4\" or [1, \"3..5\"]", where);
  }
  std::vector<FrameRange> frames_in(const toml::node& node) const {
    if (!node.is_array()) return {frame_range(node)};
    std::vector<FrameRange> frames;
    for (const toml::node& element : list_in(node, "frames")) frames.push_back(frame_range(element));
    return frames;
  }

  // Relative paths start at the sweep file.
  fs::path beside(const std::string& name) const { return fs::absolute(file_.path).parent_path() / name; }

  void read_captures() {
    const toml::node* node = table_.get("captures");
    if (!node) user_error("{}: no captures; begin with captures = [\"FILE.cutaway\"]", file_.path.string());
    for (const toml::node& element : list_in(*node, "captures")) {
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
    for (const toml::node& element : list_in(*node, "gpus")) {
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
    for (const toml::node& element : list_in(*node, "options")) {
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

toml::table parse(const fs::path& path) {
  constexpr uint64_t kMostBytes = 16 << 20;
  std::error_code error;
  if (!fs::exists(path, error)) user_error("{}: no such file", path.string());
  if (!fs::is_regular_file(path, error)) user_error("{}: not a file", path.string());
  if (fs::file_size(path, error) > kMostBytes)
    user_error("{}: more than {} bytes are no sweep file", path.string(), kMostBytes);
  try {
    return toml::parse_file(path.string());
  } catch (const toml::parse_error& parse_error) {
    const auto at = parse_error.source().begin;
    user_error("{}:{}:{}: {}", path.string(), at.line, at.column, parse_error.description());
  }
}

}  // namespace

SweepFile read_sweep_file(const fs::path& path) {
  const toml::table table = parse(path);
  return FileReader(path, table).read();
}

}  // namespace cutaway::sweep
