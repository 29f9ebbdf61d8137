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

// Steps add up to numbers such as 0.30000000000000004; twelve digits are what was meant.
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
      if (part.empty()) return value_in(place, element, name);  // which refuses it, by its own line
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
