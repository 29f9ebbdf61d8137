#include "sweep/toml_values.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/field.h"
#include "base/text.h"

namespace cutaway::sweep {
namespace {

constexpr double kMostValues = 1'000'000;

std::string scalar(const toml::node& node) {
  if (const auto* value = node.as_string()) return one_line(value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  return "";
}

// Repeated steps add up to numbers such as 0.30000000000000004; rounds to the intended twelve digits.
std::string number_text(double value, bool whole) {
  return whole ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{:.12g}", value);
}

struct Range {
  double from = 0, to = 0, by = 0;
  bool factor = false, whole = true;
};

double number_of(const TomlPlace& place, const toml::table& table, const char* key, std::string_view name,
                 bool& whole) {
  const toml::node* node = table.get(key);
  if (!node)
    user_error("{}: {}: a range is {{from = ..., to = ..., step = ...}}, or with factor in place of step",
               place.at(table), name);
  const auto value = node->is_number() ? node->value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value)) user_error("{}: {}: {} must be a number", place.at(*node), name, key);
  whole = whole && node->is_integer();
  return *value;
}

Range read_range(const TomlPlace& place, const toml::table& table, std::string_view name) {
  check_keys(place, table, name, {"from", "to", "step", "factor"});
  Range range;
  range.from = number_of(place, table, "from", name, range.whole);
  range.to = number_of(place, table, "to", name, range.whole);
  range.factor = table.contains("factor");
  if (range.factor && table.contains("step"))
    user_error("{}: {}: a range has step or factor, not both", place.at(table), name);
  range.by = number_of(place, table, range.factor ? "factor" : "step", name, range.whole);
  if (range.to < range.from)
    user_error("{}: {}: the range is empty: it ends ({}) before it starts ({})", place.at(table), name,
               range.to, range.from);
  if (range.factor ? range.by <= 1 || range.from <= 0 : range.by <= 0)
    user_error(
        "{}: {}: expected {}", place.at(table), name,
        range.factor ? "a factor greater than 1, and a range that starts above 0" : "a step greater than 0");
  return range;
}

std::vector<std::string> values_of(const TomlPlace& place, const toml::table& table, std::string_view name) {
  const Range range = read_range(place, table, name);
  // The last value may miss the end by a rounding error.
  const double reach = range.factor ? std::log(range.to / range.from) / std::log(range.by)
                                    : (range.to - range.from) / range.by;
  const double count = std::floor(reach + 1e-9) + 1;
  if (count > kMostValues) user_error("{}: {}: more than a million values", place.at(table), name);
  std::vector<std::string> values;
  double product = range.from;
  for (double i = 0; i < count; i++, product *= range.by)
    values.push_back(number_text(range.factor ? product : range.from + i * range.by, range.whole));
  return values;
}

}  // namespace

std::string TomlPlace::at(const toml::node& node) const {
  return fmt::format("{}:{}", file, node.source().begin.line);
}

toml::table parse_toml(const std::filesystem::path& path, std::string_view what) {
  constexpr uint64_t kMostBytes = 16 << 20;
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(path, error)) user_error("{}: no such file", path.string());
  if (!fs::is_regular_file(path, error)) user_error("{}: not a file", path.string());
  if (fs::file_size(path, error) > kMostBytes)
    user_error("{}: more than {} bytes are no {}", path.string(), kMostBytes, what);
  try {
    return toml::parse_file(path.string());
  } catch (const toml::parse_error& parse_error) {
    const auto at = parse_error.source().begin;
    user_error("{}:{}:{}: {}", path.string(), at.line, at.column, parse_error.description());
  }
}

void for_parameters(const TomlPlace& place, const toml::table& table, const OnParameter& call,
                    std::initializer_list<std::string_view> others) {
  for (const auto& [unit, node] : table) {
    if (std::find(others.begin(), others.end(), unit.str()) != others.end()) continue;
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

const toml::table& table_in(const TomlPlace& place, const toml::node& node, std::string_view name) {
  if (!node.is_table()) user_error("{}: {} must be a table: [{}]", place.at(node), name, name);
  return *node.as_table();
}

std::vector<const toml::table*> tables_in(const TomlPlace& place, const toml::table& table,
                                          std::string_view name) {
  std::vector<const toml::table*> tables;
  const toml::node* node = table.get(name);
  if (!node) return tables;
  const toml::array* list = node->as_array();
  if (!list || !list->is_array_of_tables())
    user_error("{}: write [[{}]] before each of them", place.at(*node), name);
  for (const toml::node& element : *list) tables.push_back(element.as_table());
  return tables;
}

const toml::array& list_in(const TomlPlace& place, const toml::node& node, std::string_view name) {
  if (!node.is_array()) user_error("{}: {} must be a list", place.at(node), name);
  if (node.as_array()->empty()) user_error("{}: the list {} is empty", place.at(node), name);
  return *node.as_array();
}

void check_keys(const TomlPlace& place, const toml::table& table, std::string_view what,
                std::initializer_list<const char*> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& [key, node] : table) {
    const std::string name = one_line(key.str());
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string nearest = nearest_name(name, names);
    user_error("{}: {} has no '{}'; {}", place.at(node), what, name,
               nearest.empty() ? fmt::format("there are: {}", fmt::join(names, ", "))
                               : fmt::format("did you mean {}?", nearest));
  }
}

std::string text_in(const TomlPlace& place, const toml::node& node, std::string_view name) {
  const auto* text = node.as_string();
  if (!text || text->get().empty())
    user_error("{}: {} must be a text in quotation marks", place.at(node), name);
  return one_line(text->get());
}

bool truth_in(const TomlPlace& place, const toml::node& node, std::string_view name) {
  if (!node.is_boolean()) user_error("{}: {} must be true or false", place.at(node), name);
  return node.as_boolean()->get();
}

uint64_t count_in(const TomlPlace& place, const toml::node& node, std::string_view name, uint64_t least) {
  const auto* number = node.as_integer();
  if (!number || number->get() < static_cast<int64_t>(least))
    user_error("{}: {} must be a whole number, {} at least", place.at(node), name, least);
  return static_cast<uint64_t>(number->get());
}

std::string value_in(const TomlPlace& place, const toml::node& node, std::string_view name) {
  std::string text;
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& element : *list) {
      const std::string part = element.is_integer() || element.is_string() ? scalar(element) : "";
      if (part.empty()) return value_in(place, element, name);  // rejects it, with its own line
      text += (text.empty() ? "" : ",") + part;
    }
  } else {
    text = scalar(node);
  }
  if (text.empty())
    user_error("{}: {}: a value is a number, true, false, a name, or a list of numbers or names",
               place.at(node), name);
  return text;
}

std::vector<std::string> values_in(const TomlPlace& place, const toml::node& node, std::string_view name) {
  if (const toml::table* table = node.as_table()) return values_of(place, *table, name);
  const toml::array* list = node.as_array();
  if (!list)
    user_error("{}: {}: expected a list of values, or a range {{from = ..., to = ..., step = ...}}",
               place.at(node), name);
  if (list->empty()) user_error("{}: {}: the list of values is empty", place.at(node), name);
  std::vector<std::string> values;
  for (const toml::node& element : *list) values.push_back(value_in(place, element, name));
  return values;
}

}  // namespace cutaway::sweep
