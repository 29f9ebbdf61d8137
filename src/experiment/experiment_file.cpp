#include "experiment/experiment_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/field.h"
#include "base/installed.h"
#include "base/text.h"
#include "sweep/toml_values.h"

namespace cutaway::experiment {
namespace {

namespace fs = std::filesystem;
using sweep::check_keys;
using sweep::text_in;

class FileReader {
 public:
  FileReader(const fs::path& path, const toml::table& table) : place_{path.string()}, table_(table) {
    file_.path = path;
    file_.name = path.stem().string();
  }

  ExperimentFile read() {
    check_keys(place_, table_, "an experiment",
               {"title", "figure", "about", "facts", "frames", "seconds", "gpu", "set", "axis", "measure",
                "series", "panel", "claim"});
    read_head();
    for (const toml::table* table : sweep::tables_in(place_, table_, "axis")) read_axis(*table);
    columns_.insert(kTransistors);
    for_named("measure",
              [&](const std::string& name, const toml::table& table) { read_measure(name, table); });
    for_named("series", [&](const std::string& name, const toml::table& table) { read_series(name, table); });
    names_ = file_.axis_names();
    check_measures();
    for (const toml::table* table : sweep::tables_in(place_, table_, "panel")) read_panel(*table);
    for (const toml::table* table : sweep::tables_in(place_, table_, "claim")) read_claim(*table);
    return std::move(file_);
  }

 private:
  // The text of a required key.
  std::string needed(const toml::table& table, const char* what, const char* key) const {
    const toml::node* node = table.get(key);
    if (!node) user_error("{}: {} without {}", place_.at(table), what, key);
    return text_in(place_, *node, key);
  }
  std::string given(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    return node ? text_in(place_, *node, key) : "";
  }
  std::optional<double> number(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (!node) return std::nullopt;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) user_error("{}: {} must be a number", place_.at(*node), key);
    return value;
  }
  std::vector<std::string> texts(const toml::node& node, const char* key) const {
    if (!node.is_array()) return {text_in(place_, node, key)};
    std::vector<std::string> texts;
    for (const toml::node& element : sweep::list_in(place_, node, key))
      texts.push_back(text_in(place_, element, key));
    return texts;
  }
  template <class Read>
  void for_named(const char* key, const Read& read) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    // In file order: a TOML table is sorted by name.
    std::vector<std::pair<std::string, const toml::table*>> tables;
    for (const auto& [name, element] : sweep::table_in(place_, *node, key)) {
      if (!element.is_table())
        user_error("{}: expected a table: [{}.{}]", place_.at(element), key, one_line(name.str()));
      tables.emplace_back(one_line(name.str()), element.as_table());
    }
    std::sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) {
      return a.second->source().begin.line < b.second->source().begin.line;
    });
    for (const auto& [name, element] : tables) read(name, *element);
  }

  // Joins a text of several lines into one.
  std::string paragraph(const char* key) const {
    const toml::node* node = table_.get(key);
    if (!node) return "";
    if (!node->is_string()) user_error("{}: {} must be a text in quotation marks", place_.at(*node), key);
    std::string text = node->as_string()->get();
    std::replace(text.begin(), text.end(), '\n', ' ');
    const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
    return begin == text.npos ? "" : one_line(text.substr(begin, end - begin + 1));
  }

  void read_head() {
    file_.title = needed(table_, "an experiment", "title");
    file_.figure = given(table_, "figure"), file_.about = paragraph("about");
    if (const toml::node* node = table_.get("facts")) file_.facts = texts(*node, "facts");
    if (const toml::node* node = table_.get("frames"))
      file_.frames = sweep::count_in(place_, *node, "frames", 1);
    file_.seconds = number(table_, "seconds").value_or(0);
    if (table_.contains("gpu")) file_.gpu = given(table_, "gpu");
    if (const toml::node* node = table_.get("set"))
      sweep::for_parameters(place_, sweep::table_in(place_, *node, "set"),
                            [&](const std::string& path, const toml::node& value) {
                              file_.sets.emplace_back(path, sweep::value_in(place_, value, path));
                            });
  }

  // A label per value: numbers and names as they are written.
  std::vector<std::string> labels_in(const toml::node& node, const char* key) const {
    std::vector<std::string> labels;
    for (const toml::node& element : sweep::list_in(place_, node, key))
      labels.push_back(sweep::value_in(place_, element, key));
    return labels;
  }

  void read_axis(const toml::table& table) {
    Axis axis{.names = {needed(table, "an axis", "name"), {}},
              .gpus = {},
              .parameters = {},
              .where = place_.at(table)};
    if (const toml::node* node = table.get("gpu")) axis.gpus = labels_in(*node, "gpu");
    sweep::for_parameters(place_, table,
                          [&](const std::string& path, const toml::node& node) {
                            axis.parameters.emplace_back(path, sweep::values_in(place_, node, path));
                          },
                          {"name", "labels", "gpu"});
    if (axis.gpus.empty() && axis.parameters.empty())
      user_error("{}: axis {} changes nothing: give it gpu = [...] or a parameter", axis.where,
                 axis.names.name);
    if (const toml::node* node = table.get("labels")) axis.names.labels = labels_in(*node, "labels");
    else axis.names.labels = axis.gpus.empty() ? axis.parameters.front().second : axis.gpus;
    const size_t size = axis.names.labels.size();
    const auto check = [&](const std::string& what, size_t values) {
      if (values != size)
        user_error("{}: axis {} has {} and {} has {}: give both as many", axis.where, axis.names.name,
                   counted(size, "label"), what, counted(values, "value"));
    };
    if (!axis.gpus.empty()) check("gpu", axis.gpus.size());
    for (const auto& [path, values] : axis.parameters) check(path, values.size());
    const std::set<std::string> different(axis.names.labels.begin(), axis.names.labels.end());
    if (different.size() != size) user_error("{}: axis {} has a label twice", axis.where, axis.names.name);
    for (const Axis& other : file_.axes)
      if (other.names.name == axis.names.name)
        user_error("{}: axis {} is there already", axis.where, axis.names.name);
    file_.axes.push_back(std::move(axis));
  }

  void read_measure(const std::string& name, const toml::table& table) {
    check_keys(place_, table, "measure " + name, {"unit", "sql", "formula", "frames"});
    Measure measure{.name = name,
                    .unit = given(table, "unit"),
                    .sql = query(table),
                    .formula = {},
                    .where = place_.at(table)};
    if (table.contains("formula"))
      measure.formula.emplace(given(table, "formula"), place_.at(*table.get("formula")));
    if (measure.sql.empty() == !measure.formula)
      user_error("{}: measure {}: give it sql = \"...\" or formula = \"...\", one of them", measure.where,
                 name);
    if (table.contains("frames")) {
      const std::string frames = given(table, "frames");
      if (frames != "sum" && frames != "mean" && frames != "most")
        user_error("{}: frames must be \"sum\", \"mean\" or \"most\"", place_.at(*table.get("frames")));
      measure.frames = frames == "sum"    ? Measure::Frames::kSum
                       : frames == "mean" ? Measure::Frames::kMean
                                          : Measure::Frames::kMost;
    }
    if (!columns_.insert(name).second) user_error("{}: measure {} is there already", measure.where, name);
    file_.measures.push_back(std::move(measure));
  }

  // A read-only query, possibly of several lines.
  std::string query(const toml::table& table) const {
    const toml::node* node = table.get("sql");
    if (!node) return "";
    const std::string text = node->is_string() ? node->as_string()->get() : "";
    const size_t begin = text.find_first_not_of(" \n\r\t");
    std::string word =
        begin == text.npos ? "" : text.substr(begin, text.find_first_of(" \n\r\t(", begin) - begin);
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
    if (word != "SELECT" && word != "WITH")
      user_error("{}: sql must be a query in quotation marks: SELECT ..., or WITH ... SELECT ...",
                 place_.at(*node));
    return text;
  }

  void read_series(const std::string& name, const toml::table& table) {
    check_keys(place_, table, "series " + name, {"sql"});
    Series series{name, query(table), place_.at(table)};
    if (series.sql.empty()) user_error("{}: series {} without sql", series.where, name);
    file_.series.push_back(std::move(series));
  }

  // A formula may name queries and earlier formulas.
  void check_measures() {
    std::set<std::string> known = {kTransistors};
    for (const Measure& measure : file_.measures)
      if (!measure.formula) known.insert(measure.name);
    for (const Measure& measure : file_.measures) {
      if (!measure.formula) continue;
      measure.formula->check(names_, known);
      known.insert(measure.name);
    }
  }

  Chosen chosen_in(const toml::table& table) {
    Chosen chosen;
    const toml::node* node = table.get("where");
    if (!node) return chosen;
    for (const auto& [name, element] : sweep::table_in(place_, *node, "where")) {
      const auto axis = std::find_if(names_.begin(), names_.end(),
                                     [&](const AxisNames& names) { return names.name == name.str(); });
      if (axis == names_.end())
        user_error("{}: where: there is no axis '{}'", place_.at(element), one_line(name.str()));
      std::vector<std::string> labels;
      if (element.is_array()) labels = labels_in(element, "where");
      else labels = {sweep::value_in(place_, element, "where")};
      for (const std::string& label : labels)
        if (std::find(axis->labels.begin(), axis->labels.end(), label) == axis->labels.end())
          user_error("{}: where: axis {} has no '{}'; it has: {}", place_.at(element), axis->name, label,
                     fmt::join(axis->labels, ", "));
      chosen.labels.emplace_back(axis->name, std::move(labels));
    }
    return chosen;
  }

  void check_axis(const toml::table& table, const char* key, const std::string& name) const {
    for (const AxisNames& axis : names_)
      if (axis.name == name) return;
    user_error("{}: {}: there is no axis '{}'", place_.at(*table.get(key)), key, name);
  }
  void check_column(const toml::table& table, const char* key, const std::string& name) const {
    if (!columns_.contains(name))
      Formula(name, place_.at(*table.get(key)) + ": " + key).check(names_, columns_);
  }

  void read_panel(const toml::table& table) {
    check_keys(place_, table, "a panel",
               {"title", "kind", "x", "y", "x_title", "y_title", "along", "linear", "top", "where", "paper"});
    Panel panel;
    panel.where = place_.at(table);
    panel.title = needed(table, "a panel", "title"), panel.x = needed(table, "a panel", "x");
    if (!table.contains("y")) user_error("{}: a panel without y", panel.where);
    panel.y = texts(*table.get("y"), "y");
    panel.x_title = given(table, "x_title"), panel.y_title = given(table, "y_title");
    if (const toml::node* node = table.get("linear")) panel.linear = point_in(*node);
    panel.along = given(table, "along"), panel.top = number(table, "top");
    panel.where_chosen = chosen_in(table);
    panel.kind = kind_of(table);
    if (panel.kind == Panel::Kind::kBars) check_axis(table, "x", panel.x);
    if (panel.kind == Panel::Kind::kPoints) check_column(table, "x", panel.x);
    if (panel.kind == Panel::Kind::kBars || panel.kind == Panel::Kind::kPoints) {
      if (panel.y.size() != 1) user_error("{}: y: such a panel shows one measure", panel.where);
      check_column(table, "y", panel.y[0]);
    } else {
      const bool there = std::any_of(file_.series.begin(), file_.series.end(),
                                     [&](const Series& series) { return series.name == panel.x; });
      if (!there) user_error("{}: x: there is no series '{}'", place_.at(*table.get("x")), panel.x);
    }
    if (!panel.along.empty()) check_axis(table, "along", panel.along);
    for (const toml::table* value : sweep::tables_in(place_, table, "paper"))
      panel.paper.push_back(paper_value(*value));
    file_.panels.push_back(std::move(panel));
  }
  std::pair<double, double> point_in(const toml::node& node) const {
    const toml::array& list = sweep::list_in(place_, node, "linear");
    const auto x = list[0].value<double>(), y = list.size() == 2 ? list[1].value<double>() : std::nullopt;
    if (!x || !y || !(*x > 0) || !(*y > 0))
      user_error("{}: linear must be two numbers above 0: [x, y]", place_.at(node));
    return {*x, *y};
  }
  Panel::Kind kind_of(const toml::table& table) const {
    const std::string kind = needed(table, "a panel", "kind");
    if (kind == "bars") return Panel::Kind::kBars;
    if (kind == "points") return Panel::Kind::kPoints;
    if (kind == "lines") return Panel::Kind::kLines;
    if (kind == "steps") return Panel::Kind::kSteps;
    user_error("{}: kind must be \"bars\", \"points\", \"lines\" or \"steps\"",
               place_.at(*table.get("kind")));
  }
  PaperValue paper_value(const toml::table& table) const {
    check_keys(place_, table, "a value of the paper", {"at", "least", "most", "words"});
    PaperValue value;
    if (table.contains("at")) value.at = sweep::value_in(place_, *table.get("at"), "at");
    const auto least = number(table, "least"), most = number(table, "most");
    if (!least || !most || *most < *least)
      user_error("{}: a value of the paper has least and most", place_.at(table));
    value.least = *least, value.most = *most, value.words = needed(table, "a value of the paper", "words");
    return value;
  }

  void read_claim(const toml::table& table) {
    check_keys(
        place_, table, "a claim",
        {"id", "words", "source", "value", "unit", "least", "most", "least_part", "most_part", "where"});
    Claim claim;
    claim.where = place_.at(table);
    claim.id = needed(table, "a claim", "id"), claim.words = needed(table, "a claim", "words");
    claim.source = needed(table, "a claim", "source"), claim.unit = given(table, "unit");
    const std::string formula = needed(table, "a claim", "value");
    claim.value.emplace(formula, place_.at(*table.get("value")));
    claim.value->check(names_, columns_);
    claim.least = number(table, "least"), claim.most = number(table, "most");
    claim.least_part = number(table, "least_part"), claim.most_part = number(table, "most_part");
    if (!claim.least && !claim.most)
      user_error("{}: claim {} has neither least nor most", claim.where, claim.id);
    if (claim.least && claim.most && *claim.most < *claim.least)
      user_error("{}: claim {}: most is below least", claim.where, claim.id);
    if ((claim.least_part && (!claim.least || *claim.least_part > *claim.least)) ||
        (claim.most_part && (!claim.most || *claim.most_part < *claim.most)))
      user_error("{}: claim {}: least_part and most_part lie outside least and most", claim.where, claim.id);
    claim.chosen = chosen_in(table);
    for (const Claim& other : file_.claims)
      if (other.id == claim.id) user_error("{}: claim {} is there already", claim.where, claim.id);
    file_.claims.push_back(std::move(claim));
  }

  sweep::TomlPlace place_;
  const toml::table& table_;
  ExperimentFile file_;
  std::vector<AxisNames> names_;
  std::set<std::string> columns_;  // names of all measures
};

// Found like presets.
fs::path experiment_folder() { return installed_folder("experiments", "attila-fig4.toml"); }

}  // namespace

Domain Chosen::of(const std::vector<AxisNames>& axes) const {
  Domain domain = whole(axes);
  for (const auto& [name, wanted] : labels)
    for (size_t axis = 0; axis < axes.size(); axis++)
      if (axes[axis].name == name)
        std::erase_if(domain[axis], [&](size_t label) {
          return std::find(wanted.begin(), wanted.end(), axes[axis].labels[label]) == wanted.end();
        });
  return domain;
}

std::vector<AxisNames> ExperimentFile::axis_names() const {
  std::vector<AxisNames> names;
  for (const Axis& axis : axes) names.push_back(axis.names);
  return names;
}

size_t ExperimentFile::configurations() const {
  size_t count = 1;
  for (const Axis& axis : axes) count *= axis.names.labels.size();
  return count;
}

ExperimentFile read_experiment_file(const fs::path& path) {
  const toml::table table = sweep::parse_toml(path, "experiment");
  return FileReader(path, table).read();
}

std::vector<fs::path> experiment_files() {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(experiment_folder(), error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

fs::path find_experiment(const std::string& name) {
  if (name.find('/') != name.npos || name.ends_with(".toml")) return name;
  std::vector<std::string> known;
  for (const fs::path& file : experiment_files()) {
    if (file.stem() == name) return file;
    known.push_back(file.stem().string());
  }
  const std::string nearest = nearest_name(name, known);
  user_error("{}: no such experiment{}; there are: {}; or give the path of a TOML file", one_line(name),
             nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest), fmt::join(known, ", "));
}

}  // namespace cutaway::experiment
