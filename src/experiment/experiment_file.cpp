#include "experiment/experiment_file.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.h"
#include "base/field.h"
#include "base/installed.h"
#include "base/text.h"
#include "settings/table.h"

namespace cutaway::experiment {
namespace {

namespace fs = std::filesystem;
using settings::any;
using settings::Key;
using settings::Node;
using settings::required;

constexpr uint64_t kMostConfigurations = 10'000;

constexpr EnumName<Measure::Frames> kFramesNames[] = {
    {Measure::Frames::kSum, "sum"}, {Measure::Frames::kMean, "mean"}, {Measure::Frames::kMost, "most"}};
constexpr EnumName<Panel::Kind> kPanelKindNames[] = {{Panel::Kind::kBars, "bars"},
                                                     {Panel::Kind::kPoints, "points"},
                                                     {Panel::Kind::kLines, "lines"},
                                                     {Panel::Kind::kSteps, "steps"}};

// A key whose text is a formula.
Key formula(std::string name, std::optional<Formula>& to, std::string meaning) {
  return any(
      name, [name, &to](const Node& node) { to.emplace(settings::text_in(node, name), node.at()); },
      std::move(meaning));
}

// The key of an SQL query that only reads.
Key query(std::string& to) {
  return any(
      "sql",
      [&to](const Node& node) {
        to = node.kind == Node::Kind::kText ? node.text : "";
        const size_t begin = std::min(to.find_first_not_of(" \n\r\t"), to.size());
        std::string word = to.substr(begin, to.find_first_of(" \n\r\t(", begin) - begin);
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return std::toupper(c); });
        if (word != "SELECT" && word != "WITH")
          user_error("{}: sql must be a query in quotation marks: SELECT ..., or WITH ... SELECT ...",
                     node.at());
      },
      "a query over the database of a run");
}

// Labels of a list: its numbers and names as they are written.
std::vector<std::string> labels_in(const Node& node, std::string_view key) {
  std::vector<std::string> labels;
  for (const Node::Entry& element : settings::list_in(node, key))
    labels.push_back(settings::value_in(element.value, key));
  return labels;
}

Key labels(std::string name, std::vector<std::string>& to, std::string meaning) {
  return any(
      name, [name, &to](const Node& node) { to = labels_in(node, name); }, std::move(meaning));
}

class FileReader {
 public:
  explicit FileReader(const fs::path& path) {
    file_.path = path;
    file_.name = path.stem().string();
    columns_.insert(kTransistors);
  }

  ExperimentFile read(const Node& root) {
    settings::read_table(
        root, "an experiment",
        {required(settings::text("title", file_.title, "one line")),
         settings::text("figure", file_.figure, "the paper's figure"),
         settings::paragraph("about", file_.about, "a paragraph"),
         settings::texts("facts", file_.facts, "the facts of the paper that it repeats"),
         settings::count("frames", file_.frames, 1, "frames of the capture"),
         settings::number("seconds", file_.seconds, "time of one frame of one configuration"),
         settings::text("gpu", file_.gpu, "the machine that all configurations begin with"),
         settings::parameters(
             "set",
             [this](const std::string& path, const Node& node) {
               file_.sets.emplace_back(path, settings::value_in(node, path));
               file_.places[path] = node.at();
             },
             "parameters that all configurations share"),
         settings::tables(
             "axis", [this](const Node& node) { read_axis(node); }, "what configurations differ in"),
         any(
             "measure", [this](const Node& node) { read_measures(node); }, "a number of each configuration"),
         settings::named_tables(
             "series", [this](const std::string& name, const Node& node) { read_series(name, node); },
             "rows of each configuration"),
         settings::tables(
             "panel", [this](const Node& node) { read_panel(node); }, "panels of the figure"),
         settings::tables(
             "claim", [this](const Node& node) { read_claim(node); }, "what the paper claims")});
    return std::move(file_);
  }

 private:
  void read_axis(const Node& table) {
    Axis axis{.names = {}, .gpus = {}, .parameters = {}, .places = {}, .where = table.at()};
    settings::read_table(table, "an axis",
                         {required(settings::text("name", axis.names.name, "what the axis is called")),
                          labels("gpu", axis.gpus, "the machine that each configuration begins with"),
                          labels("labels", axis.names.labels, "the name of each value")},
                         settings::parameters([&](const std::string& path, const Node& node) {
                           axis.parameters.emplace_back(path, settings::values_in(node, path));
                           axis.places[path] = node.at();
                         }));
    if (axis.gpus.empty() && axis.parameters.empty())
      user_error("{}: axis {} changes nothing: give it gpu = [...] or a parameter", axis.where,
                 axis.names.name);
    if (axis.names.labels.empty())
      axis.names.labels = axis.gpus.empty() ? axis.parameters.front().second : axis.gpus;
    check_labels(axis);
    for (const AxisNames& other : names_)
      if (other.name == axis.names.name) user_error("{}: axis {} is there already", axis.where, other.name);
    configurations_ *= axis.names.labels.size();
    if (configurations_ > kMostConfigurations)
      user_error("{}: axis {}: more than {} configurations", axis.where, axis.names.name,
                 grouped(kMostConfigurations));
    names_.push_back(axis.names);
    file_.axes.push_back(std::move(axis));
  }

  static void check_labels(const Axis& axis) {
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
  }

  // Formulas name queries anywhere in the file, and formulas before them.
  void read_measures(const Node& node) {
    settings::read_named(node, "measure",
                         [this](const std::string& name, const Node& table) { read_measure(name, table); });
    std::set<std::string> known = {kTransistors};
    for (const Measure& measure : file_.measures)
      if (!measure.formula) known.insert(measure.name);
    for (const Measure& measure : file_.measures) {
      if (!measure.formula) continue;
      measure.formula->check(names_, known);
      known.insert(measure.name);
      if (measure.formula->may_be_negative(signed_)) signed_.insert(measure.name);
    }
  }

  void read_measure(const std::string& name, const Node& table) {
    Measure measure{.name = name, .unit = {}, .sql = {}, .formula = {}, .where = table.at()};
    settings::read_table(
        table, "measure " + name,
        {settings::text("unit", measure.unit, "its unit"), query(measure.sql),
         formula("formula", measure.formula, "an expression over other measures"),
         settings::choice("frames", measure.frames, kFramesNames, "what several frames come to")});
    if (measure.sql.empty() == !measure.formula)
      user_error("{}: measure {}: give it sql = \"...\" or formula = \"...\", one of them", measure.where,
                 name);
    if (!columns_.insert(name).second) user_error("{}: measure {} is there already", measure.where, name);
    file_.measures.push_back(std::move(measure));
  }

  void read_series(const std::string& name, const Node& table) {
    Series series{name, {}, table.at()};
    if (name.find('/') != name.npos || name.starts_with("."))
      user_error("{}: series {}: expected a name for its file, without / and no . at its beginning",
                 table.at(), name);
    settings::read_table(table, "series " + name, {required(query(series.sql))});
    file_.series.push_back(std::move(series));
  }

  // The configurations that are looked at: labels by axis.
  Key chosen(Chosen& to) {
    const auto read_axis = [this, &to](const Node& node) {
      for (const Node::Entry& entry : node.entries) {
        const auto axis = std::find_if(names_.begin(), names_.end(),
                                       [&](const AxisNames& names) { return names.name == entry.key; });
        if (axis == names_.end()) user_error("{}: where: there is no axis '{}'", entry.value.at(), entry.key);
        const bool several = entry.value.kind == Node::Kind::kList;
        to.labels.emplace_back(axis->name, several ? labels_in(entry.value, "where")
                                                   : std::vector{settings::value_in(entry.value, "where")});
        for (const std::string& label : to.labels.back().second)
          if (std::find(axis->labels.begin(), axis->labels.end(), label) == axis->labels.end())
            user_error("{}: where: axis {} has no '{}'; it has: {}", entry.value.at(), axis->name, label,
                       fmt::join(axis->labels, ", "));
      }
    };
    return settings::table("where", read_axis, "the configurations that are looked at");
  }

  void check_axis(const Node& table, const char* key, const std::string& name) const {
    for (const AxisNames& axis : names_)
      if (axis.name == name) return;
    user_error("{}: {}: there is no axis '{}'", table.find(key)->at(), key, name);
  }
  void check_column(const Node& table, const char* key, const std::string& name) const {
    if (!columns_.contains(name)) Formula(name, table.find(key)->at() + ": " + key).check(names_, columns_);
  }

  void read_panel(const Node& table) {
    Panel panel;
    panel.where = table.at();
    settings::read_table(
        table, "a panel",
        {required(settings::text("title", panel.title, "one line")),
         required(settings::text("x", panel.x, "an axis, a measure or a series")),
         required(settings::texts("y", panel.y, "a measure, or columns of the series")),
         settings::text("x_title", panel.x_title, "below the x axis"),
         settings::text("y_title", panel.y_title, "beside the y axis"),
         any(
             "linear", [&](const Node& node) { panel.linear = point_in(node); },
             "a point of a straight line"),
         settings::text("along", panel.along, "the axis whose points a line joins"),
         settings::number("top", panel.top, "the end of the y axis"), chosen(panel.where_chosen),
         required(settings::choice("kind", panel.kind, kPanelKindNames, "how values are drawn")),
         settings::tables(
             "paper", [&](const Node& node) { panel.paper.push_back(paper_value(node)); },
             "what the paper says")});
    check_panel(table, panel);
    file_.panels.push_back(std::move(panel));
  }

  void check_panel(const Node& table, const Panel& panel) const {
    if (panel.kind == Panel::Kind::kBars) check_axis(table, "x", panel.x);
    if (panel.kind == Panel::Kind::kPoints) check_column(table, "x", panel.x);
    if (panel.kind == Panel::Kind::kBars || panel.kind == Panel::Kind::kPoints) {
      if (panel.y.size() != 1) user_error("{}: y: such a panel shows one measure", panel.where);
      check_column(table, "y", panel.y[0]);
    } else {
      const bool there = std::any_of(file_.series.begin(), file_.series.end(),
                                     [&](const Series& series) { return series.name == panel.x; });
      if (!there) user_error("{}: x: there is no series '{}'", table.find("x")->at(), panel.x);
    }
    if (!panel.along.empty()) check_axis(table, "along", panel.along);
  }

  static std::pair<double, double> point_in(const Node& node) {
    std::vector<double> point;
    for (const Node::Entry& element : settings::list_in(node, "linear"))
      if (element.value.is_number() && element.value.real > 0) point.push_back(element.value.real);
    if (point.size() != 2 || node.entries.size() != 2)
      user_error("{}: linear must be two numbers above 0: [x, y]", node.at());
    return {point[0], point[1]};
  }

  static PaperValue paper_value(const Node& table) {
    PaperValue value;
    std::optional<double> least, most;
    settings::read_table(
        table, "a value of the paper",
        {any(
             "at", [&](const Node& node) { value.at = settings::value_in(node, "at"); },
             "a label of the x axis"),
         settings::number("least", least, "its lower end"), settings::number("most", most, "its upper end"),
         required(settings::text("words", value.words, "the paper's"))});
    if (!least || !most || *most < *least)
      user_error("{}: a value of the paper has least and most", table.at());
    value.least = *least, value.most = *most;
    return value;
  }

  void read_claim(const Node& table) {
    Claim claim;
    claim.where = table.at();
    settings::read_table(table, "a claim",
                         {required(settings::text("id", claim.id, "its name")),
                          required(settings::text("words", claim.words, "the paper's, or what they come to")),
                          required(settings::text("source", claim.source, "where the paper says so")),
                          required(formula("value", claim.value, "an expression over measures")),
                          any(
                              "positive", [&](const Node& node) { read_positive(node, claim); },
                              "expressions that must be above 0, or the claim cannot be told"),
                          settings::text("unit", claim.unit, "% where values are shares"),
                          settings::number("least", claim.least, "it holds from here"),
                          settings::number("most", claim.most, "it holds up to here"),
                          settings::number("least_part", claim.least_part, "it holds in part from here"),
                          settings::number("most_part", claim.most_part, "it holds in part up to here"),
                          chosen(claim.chosen)});
    check_claim(claim);
    claim.open_divisors = open_divisors(claim);
    file_.claims.push_back(std::move(claim));
  }

  static void read_positive(const Node& node, Claim& claim) {
    for (const std::string& text : settings::texts_in(node, "positive"))
      claim.positive.emplace_back(text, node.at() + ": positive");
  }

  // The divisors of the value that may be negative, and that the claim does not state to be positive.
  std::vector<std::string> open_divisors(const Claim& claim) const {
    std::vector<std::string> divisors = claim.value->open_divisors(signed_);
    std::erase_if(divisors, [&](const std::string& divisor) {
      return std::any_of(claim.positive.begin(), claim.positive.end(),
                         [&](const Formula& formula) { return formula.normal_text() == divisor; });
    });
    return divisors;
  }

  void check_positive(const Claim& claim) const {
    const std::vector<bool> open = claim.value->free_axes(names_);
    for (const Formula& formula : claim.positive) {
      formula.check(names_, columns_);
      const std::vector<bool> free = formula.free_axes(names_);
      for (size_t axis = 0; axis < names_.size(); axis++)
        if (free[axis] && !open[axis])
          user_error("{}: claim {}: positive: \"{}\" leaves axis {} open, and value does not", claim.where,
                     claim.id, formula.normal_text(), names_[axis].name);
    }
  }

  void check_claim(const Claim& claim) const {
    claim.value->check(names_, columns_);
    check_positive(claim);
    if (!claim.least && !claim.most)
      user_error("{}: claim {} has neither least nor most", claim.where, claim.id);
    if (claim.least && claim.most && *claim.most < *claim.least)
      user_error("{}: claim {}: most is below least", claim.where, claim.id);
    if ((claim.least_part && (!claim.least || *claim.least_part > *claim.least)) ||
        (claim.most_part && (!claim.most || *claim.most_part < *claim.most)))
      user_error("{}: claim {}: least_part and most_part lie outside least and most", claim.where, claim.id);
    for (const Claim& other : file_.claims)
      if (other.id == claim.id) user_error("{}: claim {} is there already", claim.where, claim.id);
  }

  ExperimentFile file_;
  uint64_t configurations_ = 1;
  std::vector<AxisNames> names_;
  std::set<std::string> columns_;  // of all measures
  std::set<std::string> signed_;   // measures that may be negative
};

// Found like presets.
fs::path experiment_folder() { return installed_folder("experiments", "attila-fig4.toml"); }

}  // namespace

Domain Chosen::of(const std::vector<AxisNames>& axes) const {
  Domain domain = whole(axes);
  for (const auto& [name, wanted] : labels)
    for (size_t axis = 0; axis < axes.size(); axis++)
      if (axes[axis].name == name)
        std::erase_if(domain[axis], [&, &wanted = wanted](size_t label) {
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
  return FileReader(path).read(settings::read_file(path, "an experiment"));
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
