#include "experiment/formula.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/field.h"
#include "base/text.h"

namespace cutaway::experiment {

struct Formula::Node {
  enum class Kind { kNumber, kColumn, kNegate, kAdd, kSubtract, kMultiply, kDivide, kOverall };
  Kind kind;
  double number = 0;
  std::string name;                                              // of a column or function
  std::vector<std::pair<std::string, std::string>> chosen = {};  // axis, label
  std::vector<std::shared_ptr<const Node>> parts = {};
};

namespace {

using Node = Formula::Node;
using Kind = Node::Kind;
using Tree = std::shared_ptr<const Node>;

constexpr const char* kFunctions[] = {"max", "min", "mean", "sum"};
constexpr unsigned kDeepest = 50;  // parentheses and signs within one another

// By recursive descent: sum, product, sign, and what stands alone.
class Parser {
 public:
  Parser(const std::string& text, const std::string& where) : text_(text), where_(where) {}

  Tree parse() {
    Tree tree = sum();
    skip_blanks();
    if (at_ < text_.size()) fail(fmt::format("unexpected '{}'", text_.substr(at_)));
    return tree;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    user_error("{}: in the formula \"{}\": {}", where_, one_line(text_), one_line(what));
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) at_++;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }
  void expect(char c) {
    if (take(c)) return;
    if (at_ == text_.size()) fail(fmt::format("it ends where a '{}' is expected", c));
    fail(fmt::format("expected '{}' before '{}'", c, text_.substr(at_)));
  }
  static Tree both(Kind kind, Tree left, Tree right) {
    return std::make_shared<Node>(
        Node{.kind = kind, .name = {}, .parts = {std::move(left), std::move(right)}});
  }

  Tree sum() {
    Tree left = product();
    while (true) {
      if (take('+')) left = both(Kind::kAdd, left, product());
      else if (take('-')) left = both(Kind::kSubtract, left, product());
      else return left;
    }
  }
  Tree product() {
    Tree left = sign();
    while (true) {
      if (take('*')) left = both(Kind::kMultiply, left, sign());
      else if (take('/')) left = both(Kind::kDivide, left, sign());
      else return left;
    }
  }
  Tree sign() {
    if (++depth_ > kDeepest) fail("too deep");
    Tree tree = take('-') ? std::make_shared<Node>(Node{.kind = Kind::kNegate, .name = {}, .parts = {sign()}})
                          : alone();
    depth_--;
    return tree;
  }

  Tree alone() {
    if (take('(')) {
      Tree tree = sum();
      expect(')');
      return tree;
    }
    const std::string word = plain_word();
    if (word.empty())
      fail(at_ == text_.size() ? "it ends where a value is expected"
                               : fmt::format("expected a value before '{}'", text_.substr(at_)));
    if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '.') return number(word);
    const bool function =
        std::find(std::begin(kFunctions), std::end(kFunctions), word) != std::end(kFunctions);
    if (function && take('(')) {
      Tree inner = sum();
      expect(')');
      return std::make_shared<Node>(Node{.kind = Kind::kOverall, .name = word, .parts = {std::move(inner)}});
    }
    Node node{.kind = Kind::kColumn, .name = word};
    if (take('[')) {
      do node.chosen.push_back(choice());
      while (take(','));
      expect(']');
    }
    return std::make_shared<Node>(std::move(node));
  }
  Tree number(const std::string& word) const {
    size_t used = 0;
    double value = 0;
    try {
      value = std::stod(word, &used);
    } catch (const std::exception&) {}
    if (used != word.size()) fail(fmt::format("'{}' is no number", word));
    return std::make_shared<Node>(Node{.kind = Kind::kNumber, .number = value, .name = {}});
  }
  std::pair<std::string, std::string> choice() {
    const std::string axis = label();
    expect('=');
    return {axis, label()};
  }
  // Letters, digits, _ and . and what else it may have.
  std::string plain_word(std::string_view more = "") {
    skip_blanks();
    const auto belongs = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || more.find(c) != more.npos;
    };
    const size_t begin = at_;
    while (at_ < text_.size() && belongs(text_[at_])) at_++;
    return text_.substr(begin, at_ - begin);
  }
  std::string label() {
    if (!take('\'')) {
      const std::string word = plain_word("-+");
      if (word.empty()) fail("expected an axis or a label between [ and ]");
      return word;
    }
    const size_t end = text_.find('\'', at_);
    if (end == text_.npos) fail("a ' is not closed");
    const std::string word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return word;
  }

  const std::string& text_;
  const std::string& where_;
  size_t at_ = 0;
  unsigned depth_ = 0;
};

size_t axis_of(const std::vector<AxisNames>& axes, const std::string& name) {
  size_t axis = 0;
  while (axis < axes.size() && axes[axis].name != name) axis++;
  return axis;
}
size_t label_of(const AxisNames& axis, const std::string& label) {
  return static_cast<size_t>(std::find(axis.labels.begin(), axis.labels.end(), label) - axis.labels.begin());
}

void collect(const Node& node, std::set<std::string>& names) {
  if (node.kind == Kind::kColumn) names.insert(node.name);
  for (const Tree& part : node.parts) collect(*part, names);
}

void check(const Node& node, const std::string& where, const std::vector<AxisNames>& axes,
           const std::set<std::string>& columns) {
  if (node.kind == Kind::kColumn && !columns.contains(node.name)) {
    const std::vector<std::string> known(columns.begin(), columns.end());
    const std::string nearest = nearest_name(node.name, known);
    user_error("{}: there is no measure '{}'{}; there are: {}", where, one_line(node.name),
               nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest), fmt::join(known, ", "));
  }
  for (const auto& [name, label] : node.chosen) {
    const size_t axis = axis_of(axes, name);
    std::vector<std::string> known;
    for (const AxisNames& there : axes) known.push_back(there.name);
    if (axis == axes.size())
      user_error("{}: there is no axis '{}'; there are: {}", where, one_line(name), fmt::join(known, ", "));
    if (label_of(axes[axis], label) == axes[axis].labels.size())
      user_error("{}: axis {} has no '{}'; it has: {}", where, name, one_line(label),
                 fmt::join(axes[axis].labels, ", "));
  }
  for (const Tree& part : node.parts) check(*part, where, axes, columns);
}

std::string chosen_text(const Node& node) {
  std::vector<std::string> choices;
  for (const auto& [axis, label] : node.chosen) choices.push_back(fmt::format("{} = {}", axis, label));
  return choices.empty() ? "" : fmt::format("[{}]", fmt::join(choices, ", "));
}

// A sum or product as a part of another operation stands in parentheses.
std::string text_of(const Node& node, bool inside = false) {
  const auto both = [&](char sign) {
    const std::string text =
        fmt::format("{} {} {}", text_of(*node.parts[0], true), sign, text_of(*node.parts[1], true));
    return inside ? fmt::format("({})", text) : text;
  };
  switch (node.kind) {
    case Kind::kNumber:
      return fmt::format("{}", node.number);
    case Kind::kColumn:
      return node.name + chosen_text(node);
    case Kind::kNegate:
      return "-" + text_of(*node.parts[0], true);
    case Kind::kAdd:
      return both('+');
    case Kind::kSubtract:
      return both('-');
    case Kind::kMultiply:
      return both('*');
    case Kind::kDivide:
      return both('/');
    case Kind::kOverall:
      return fmt::format("{}({})", node.name, text_of(*node.parts[0]));
  }
  CUTAWAY_CHECK(false);
}

bool negative(const Node& node, const std::set<std::string>& signed_columns) {
  if (node.kind == Kind::kNegate || node.kind == Kind::kSubtract) return true;
  if (node.kind == Kind::kColumn) return signed_columns.contains(node.name);
  return std::any_of(node.parts.begin(), node.parts.end(),
                     [&](const Tree& part) { return negative(*part, signed_columns); });
}

void collect_divisors(const Node& node, const std::set<std::string>& signed_columns,
                      std::vector<std::string>& divisors) {
  if (node.kind == Kind::kDivide && negative(*node.parts[1], signed_columns))
    divisors.push_back(text_of(*node.parts[1]));
  for (const Tree& part : node.parts) collect_divisors(*part, signed_columns, divisors);
}

void mark_free(const Node& node, const std::vector<AxisNames>& axes, std::vector<bool>& free) {
  if (node.kind == Kind::kOverall) return;  // it leaves nothing open
  if (node.kind == Kind::kColumn)
    for (size_t axis = 0; axis < axes.size(); axis++)
      free[axis] =
          free[axis] || std::none_of(node.chosen.begin(), node.chosen.end(),
                                     [&](const auto& choice) { return choice.first == axes[axis].name; });
  for (const Tree& part : node.parts) mark_free(*part, axes, free);
}

class Evaluation {
 public:
  Evaluation(const Table& table, const Domain& domain, std::set<size_t>* touched)
      : table_(table), domain_(domain), touched_(touched) {}

  double value(const Node& node, const Place& at) const {
    switch (node.kind) {
      case Kind::kNumber:
        return node.number;
      case Kind::kColumn:
        return column(node, at);
      case Kind::kNegate:
        return -value(*node.parts[0], at);
      case Kind::kAdd:
        return value(*node.parts[0], at) + value(*node.parts[1], at);
      case Kind::kSubtract:
        return value(*node.parts[0], at) - value(*node.parts[1], at);
      case Kind::kMultiply:
        return value(*node.parts[0], at) * value(*node.parts[1], at);
      case Kind::kDivide:
        return quotient(value(*node.parts[0], at), value(*node.parts[1], at));
      case Kind::kOverall:
        return overall(node, at);
    }
    CUTAWAY_CHECK(false);
  }

 private:
  static double quotient(double a, double b) {
    return b == 0 ? std::numeric_limits<double>::quiet_NaN() : a / b;
  }
  double column(const Node& node, Place at) const {
    for (const auto& [name, label] : node.chosen) {
      const size_t axis = axis_of(table_.axes, name);
      at[axis] = label_of(table_.axes[axis], label);
    }
    const size_t index = table_.index(at);
    if (touched_) touched_->insert(index);
    return table_.columns.at(node.name)[index];
  }
  double overall(const Node& node, const Place& at) const {
    std::vector<bool> free(table_.axes.size());
    mark_free(*node.parts[0], table_.axes, free);
    const std::vector<Place> all = places(domain_, free, at);
    const Evaluation aside(table_, domain_, nullptr);
    std::vector<double> values;
    for (const Place& place : all) values.push_back(aside.value(*node.parts[0], place));
    double sum = 0;  // what could not be measured leaves no number
    for (const double one : values) sum += one;
    if (std::isnan(sum) || values.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (node.name == "max" || node.name == "min") {
      const auto best = node.name == "max" ? std::max_element(values.begin(), values.end())
                                           : std::min_element(values.begin(), values.end());
      return value(*node.parts[0], all[static_cast<size_t>(best - values.begin())]);
    }
    if (touched_)
      for (const Place& place : all) value(*node.parts[0], place);
    return node.name == "mean" ? sum / static_cast<double>(values.size()) : sum;
  }

  const Table& table_;
  const Domain& domain_;
  std::set<size_t>* touched_;
};

}  // namespace

Formula::Formula(const std::string& text, const std::string& where)
    : text_(text), where_(where), root_(Parser(text, where).parse()) {}

std::set<std::string> Formula::names() const {
  std::set<std::string> names;
  collect(*root_, names);
  return names;
}

void Formula::check(const std::vector<AxisNames>& axes, const std::set<std::string>& columns) const {
  experiment::check(*root_, where_, axes, columns);
}

std::string Formula::normal_text() const { return text_of(*root_); }

bool Formula::may_be_negative(const std::set<std::string>& signed_columns) const {
  return negative(*root_, signed_columns);
}

std::vector<std::string> Formula::open_divisors(const std::set<std::string>& signed_columns) const {
  std::vector<std::string> divisors;
  collect_divisors(*root_, signed_columns, divisors);
  return divisors;
}

std::vector<bool> Formula::free_axes(const std::vector<AxisNames>& axes) const {
  std::vector<bool> free(axes.size());
  mark_free(*root_, axes, free);
  return free;
}

double Formula::value(const Table& table, const Domain& domain, const Place& at,
                      std::set<size_t>* touched) const {
  return Evaluation(table, domain, touched).value(*root_, at);
}

}  // namespace cutaway::experiment
