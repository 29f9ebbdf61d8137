#include "settings/values.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "settings/table.h"

namespace cutaway::settings {
namespace {

using Kind = Node::Kind;

constexpr double kMostValues = 1'000'000;

// Steps add up to numbers such as 0.30000000000000004; twelve digits are what was meant.
std::string number_text(double value, bool whole) {
  return whole ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{:.12g}", value);
}

struct Range {
  double from = 0, to = 0, by = 0;
  bool factor = false, whole = true;
};

double part_of_range(const Node& table, const char* key, std::string_view name, bool& whole) {
  const Node* node = table.find(key);
  if (!node)
    user_error("{}: {}: a range is {{from = ..., to = ..., step = ...}}, or with factor in place of step",
               table.at(), name);
  whole = whole && node->kind == Kind::kWhole;
  return number_in(*node, fmt::format("{}: {}", name, key));
}

Range read_range(const Node& table, std::string_view name) {
  check_keys(table, name, {"from", "to", "step", "factor"});
  Range range;
  range.from = part_of_range(table, "from", name, range.whole);
  range.to = part_of_range(table, "to", name, range.whole);
  range.factor = table.find("factor");
  if (range.factor && table.find("step"))
    user_error("{}: {}: a range has step or factor, not both", table.at(), name);
  range.by = part_of_range(table, range.factor ? "factor" : "step", name, range.whole);
  if (range.to < range.from)
    user_error("{}: {}: the range is empty: it ends ({}) before it starts ({})", table.at(), name, range.to,
               range.from);
  if (range.factor && (range.by <= 1 || range.from <= 0))
    user_error("{}: {}: expected a factor greater than 1, and a range that starts above 0", table.at(), name);
  if (!range.factor && range.by <= 0) user_error("{}: {}: expected a step greater than 0", table.at(), name);
  return range;
}

std::vector<std::string> values_of_range(const Node& table, std::string_view name) {
  const Range range = read_range(table, name);
  const double reach = range.factor ? std::log(range.to / range.from) / std::log(range.by)
                                    : (range.to - range.from) / range.by;
  constexpr double kRounding = 1e-9;  // by which the last value may miss the end
  const double count = std::floor(reach + kRounding) + 1;
  if (count > kMostValues) user_error("{}: {}: more than a million values", table.at(), name);
  std::vector<std::string> values;
  double product = range.from;
  for (double i = 0; i < count; i++, product *= range.by)
    values.push_back(number_text(range.factor ? product : range.from + i * range.by, range.whole));
  return values;
}

}  // namespace

std::string text_in(const Node& node, std::string_view name) {
  if (node.kind != Kind::kText || node.text.empty())
    user_error("{}: {} must be a text in quotation marks", node.at(), name);
  return one_line(node.text);
}

std::string paragraph_in(const Node& node, std::string_view name) {
  if (node.kind != Kind::kText) user_error("{}: {} must be a text in quotation marks", node.at(), name);
  std::string text = node.text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == text.npos ? "" : one_line(text.substr(begin, end - begin + 1));
}

std::vector<std::string> texts_in(const Node& node, std::string_view name) {
  if (node.kind != Kind::kList) return {text_in(node, name)};
  std::vector<std::string> texts;
  for (const Node::Entry& element : list_in(node, name)) texts.push_back(text_in(element.value, name));
  return texts;
}

bool truth_in(const Node& node, std::string_view name) {
  if (node.kind != Kind::kTruth) user_error("{}: {} must be true or false", node.at(), name);
  return node.truth;
}

uint64_t count_in(const Node& node, std::string_view name, uint64_t least) {
  if (node.kind != Kind::kWhole || node.whole < static_cast<int64_t>(least))
    user_error("{}: {} must be a whole number, {} at least", node.at(), name, least);
  return static_cast<uint64_t>(node.whole);
}

double number_in(const Node& node, std::string_view name) {
  if (!node.is_number() || !std::isfinite(node.real)) user_error("{}: {} must be a number", node.at(), name);
  return node.real;
}

const std::vector<Node::Entry>& list_in(const Node& node, std::string_view name) {
  if (node.kind != Kind::kList) user_error("{}: {} must be a list", node.at(), name);
  if (node.entries.empty()) user_error("{}: the list {} is empty", node.at(), name);
  return node.entries;
}

const Node& table_in(const Node& node, std::string_view name) {
  if (node.kind != Kind::kTable) user_error("{}: {} must be a table: [{}]", node.at(), name, name);
  return node;
}

std::vector<const Node*> tables_in(const Node& node, std::string_view name) {
  std::vector<const Node*> tables;
  for (const Node::Entry& element : node.entries)
    if (node.kind == Kind::kList && element.value.kind == Kind::kTable) tables.push_back(&element.value);
  if (tables.empty() || tables.size() != node.entries.size())
    user_error("{}: write [[{}]] before each of them", node.at(), name);
  return tables;
}

std::string parameter_text(const Node& node) {
  if (node.kind != Kind::kList) return one_line(node.text);
  std::string text;
  for (const Node::Entry& element : node.entries) {
    const Node& value = element.value;
    const bool alike = value.kind == node.entries.front().value.kind;
    if (!alike || (value.kind != Kind::kWhole && value.kind != Kind::kText) || value.text.empty()) return "";
    text += (text.empty() ? "" : ",") + one_line(value.text);
  }
  return text;
}

std::string value_in(const Node& node, std::string_view name) {
  std::string text = parameter_text(node);
  if (text.empty())
    user_error("{}: {}: a value is a number, true, false, a name, or a list of numbers or names", node.at(),
               name);
  return text;
}

std::vector<std::string> values_in(const Node& node, std::string_view name) {
  if (node.kind == Kind::kTable) return values_of_range(node, name);
  if (node.kind != Kind::kList)
    user_error("{}: {}: expected a list of values, or a range {{from = ..., to = ..., step = ...}}",
               node.at(), name);
  if (node.entries.empty()) user_error("{}: {}: the list of values is empty", node.at(), name);
  std::vector<std::string> values;
  for (const Node::Entry& element : node.entries) values.push_back(value_in(element.value, name));
  return values;
}

}  // namespace cutaway::settings
