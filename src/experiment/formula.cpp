#include "experiment/formula.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/field.h"
#include "base/interrupt.h"
#include "base/shortened.h"
#include "base/text.h"

namespace cutaway::experiment {

// A chain of sums or of products is one node, so that only parentheses, functions and signs nest.
struct Formula::Node {
  enum class Kind { kNumber, kColumn, kNegate, kSum, kProduct, kOverall };
  Kind kind;
  double number = 0;
  std::string name;                                              // of a column or function
  std::vector<std::pair<std::string, std::string>> chosen = {};  // axis, label
  std::vector<std::shared_ptr<const Node>> parts = {};
  std::vector<bool> inverse = {};  // by part of a sum or product: it is subtracted, or divides
};

namespace {

using Term = Formula::Node;
using Kind = Term::Kind;
using Tree = std::shared_ptr<const Term>;

constexpr const char* kFunctions[] = {"max", "min", "mean", "sum"};
constexpr size_t kMostShown = 60;                // bytes of a formula that a message repeats
constexpr uint64_t kMostEvaluated = 20'000'000;  // nodes, for one value: seconds

std::string start_of(std::string_view text) { return one_line(shortened(text, kMostShown)); }

// Parses by recursive descent: sum, product, sign, primary.
class Parser {
 public:
  Parser(const std::string& text, const std::string& where) : text_(text), where_(where) {}

  Tree parse() {
    Tree tree = sum();
    skip_blanks();
    if (at_ < text_.size()) fail(fmt::format("unexpected '{}'", rest()));
    return tree;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    user_error("{}: in the formula \"{}\": {}", where_, start_of(text_), what);
  }
  std::string rest() const { return start_of(std::string_view(text_).substr(at_)); }
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
    fail(fmt::format("expected '{}' before '{}'", c, rest()));
  }

  // Parts joined by two operators, of which the second inverts the part after it.
  template <class Part>
  Tree chain(Kind kind, char plain, char inverting, Part&& part) {
    Term node{.kind = kind, .name = {}, .parts = {part()}, .inverse = {false}};
    while (true) {
      const bool inverse = !take(plain);
      if (inverse && !take(inverting)) break;
      node.parts.push_back(part());
      node.inverse.push_back(inverse);
    }
    return node.parts.size() == 1 ? node.parts.front() : std::make_shared<Term>(std::move(node));
  }
  Tree sum() {
    return chain(Kind::kSum, '+', '-', [this] { return product(); });
  }
  Tree product() {
    return chain(Kind::kProduct, '*', '/', [this] { return sign(); });
  }
  Tree sign() {
    if (++depth_ > Formula::kDeepest)
      fail(fmt::format("too deep: parentheses, functions and signs nest {} levels at most",
                       Formula::kDeepest));
    Tree tree = take('-') ? std::make_shared<Term>(Term{.kind = Kind::kNegate, .name = {}, .parts = {sign()}})
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
                               : fmt::format("expected a value before '{}'", rest()));
    if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '.') return number(word);
    const bool function =
        std::find(std::begin(kFunctions), std::end(kFunctions), word) != std::end(kFunctions);
    if (function && take('(')) {
      Tree inner = sum();
      expect(')');
      return std::make_shared<Term>(Term{.kind = Kind::kOverall, .name = word, .parts = {std::move(inner)}});
    }
    Term node{.kind = Kind::kColumn, .name = word};
    if (take('[')) {
      do node.chosen.push_back(choice());
      while (take(','));
      expect(']');
    }
    return std::make_shared<Term>(std::move(node));
  }
  Tree number(const std::string& word) const {
    size_t used = 0;
    double value = 0;
    try {
      value = std::stod(word, &used);
    } catch (const std::exception&) {}
    if (used != word.size()) fail(fmt::format("'{}' is no number", start_of(word)));
    return std::make_shared<Term>(Term{.kind = Kind::kNumber, .number = value, .name = {}});
  }
  std::pair<std::string, std::string> choice() {
    const std::string axis = label();
    expect('=');
    return {axis, label()};
  }
  // A word of letters, digits, _ and . and the characters of `more`.
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

void collect(const Term& node, std::set<std::string>& names) {
  if (node.kind == Kind::kColumn) names.insert(node.name);
  for (const Tree& part : node.parts) collect(*part, names);
}

void check(const Term& node, const std::string& where, const std::vector<AxisNames>& axes,
           const std::set<std::string>& columns) {
  if (node.kind == Kind::kColumn && !columns.contains(node.name)) {
    const std::vector<std::string> known(columns.begin(), columns.end());
    const std::string nearest = nearest_name(node.name, known);
    user_error("{}: there is no measure '{}'{}; there are: {}", where, start_of(node.name),
               nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest), fmt::join(known, ", "));
  }
  for (const auto& [name, label] : node.chosen) {
    const size_t axis = axis_of(axes, name);
    std::vector<std::string> known;
    for (const AxisNames& there : axes) known.push_back(there.name);
    if (axis == axes.size())
      user_error("{}: there is no axis '{}'; there are: {}", where, start_of(name), fmt::join(known, ", "));
    if (label_of(axes[axis], label) == axes[axis].labels.size())
      user_error("{}: axis {} has no '{}'; it has: {}", where, name, start_of(label),
                 fmt::join(axes[axis].labels, ", "));
  }
  for (const Tree& part : node.parts) check(*part, where, axes, columns);
}

std::string chosen_text(const Term& node) {
  std::vector<std::string> choices;
  for (const auto& [axis, label] : node.chosen) choices.push_back(fmt::format("{} = {}", axis, label));
  return choices.empty() ? "" : fmt::format("[{}]", fmt::join(choices, ", "));
}

std::string text_of(const Term& node, bool inside);

// "(a + b) - c": a chain is evaluated from the left.
std::string text_of_chain(const Term& node, const char* plain, const char* inverting) {
  std::string text(node.parts.size() - 2, '(');
  text += text_of(*node.parts[0], true);
  for (size_t i = 1; i < node.parts.size(); i++) {
    text += node.inverse[i] ? inverting : plain;
    text += text_of(*node.parts[i], true);
    if (i + 1 < node.parts.size()) text += ')';
  }
  return text;
}

// A sum or product as a part of another operation stands in parentheses.
std::string text_of(const Term& node, bool inside = false) {
  const auto chain = [&](const char* plain, const char* inverting) {
    const std::string text = text_of_chain(node, plain, inverting);
    return inside ? fmt::format("({})", text) : text;
  };
  switch (node.kind) {
    case Kind::kNumber:
      return fmt::format("{}", node.number);
    case Kind::kColumn:
      return node.name + chosen_text(node);
    case Kind::kNegate:
      return "-" + text_of(*node.parts[0], true);
    case Kind::kSum:
      return chain(" + ", " - ");
    case Kind::kProduct:
      return chain(" * ", " / ");
    case Kind::kOverall:
      return fmt::format("{}({})", node.name, text_of(*node.parts[0]));
  }
  CUTAWAY_CHECK(false);
}

bool negative(const Term& node, const std::set<std::string>& signed_columns) {
  if (node.kind == Kind::kNegate) return true;
  if (node.kind == Kind::kSum &&
      std::find(node.inverse.begin(), node.inverse.end(), true) != node.inverse.end())
    return true;
  if (node.kind == Kind::kColumn) return signed_columns.contains(node.name);
  return std::any_of(node.parts.begin(), node.parts.end(),
                     [&](const Tree& part) { return negative(*part, signed_columns); });
}

void collect_divisors(const Term& node, const std::set<std::string>& signed_columns,
                      std::vector<std::string>& divisors) {
  for (size_t i = 0; i < node.parts.size(); i++) {
    const bool divisor = node.kind == Kind::kProduct && node.inverse[i];
    if (divisor && negative(*node.parts[i], signed_columns)) divisors.push_back(text_of(*node.parts[i]));
    collect_divisors(*node.parts[i], signed_columns, divisors);
  }
}

void mark_free(const Term& node, const std::vector<AxisNames>& axes, std::vector<bool>& free) {
  if (node.kind == Kind::kOverall) return;  // it leaves no axis open
  if (node.kind == Kind::kColumn)
    for (size_t axis = 0; axis < axes.size(); axis++)
      free[axis] =
          free[axis] || std::none_of(node.chosen.begin(), node.chosen.end(),
                                     [&](const auto& choice) { return choice.first == axes[axis].name; });
  for (const Tree& part : node.parts) mark_free(*part, axes, free);
}

class Evaluation {
 public:
  // evaluated: counts nodes; where: the formula's, for errors.
  Evaluation(const Table& table, const Domain& domain, std::set<size_t>* touched, uint64_t& evaluated,
             const std::string& where)
      : table_(table), domain_(domain), touched_(touched), evaluated_(evaluated), where_(where) {}

  double value(const Term& node, const Place& at) const {
    end_if_interrupted();
    if (++evaluated_ > kMostEvaluated)
      user_error("{}: the formula takes more than {} steps: nest fewer functions", where_,
                 grouped(kMostEvaluated));
    switch (node.kind) {
      case Kind::kNumber:
        return node.number;
      case Kind::kColumn:
        return column(node, at);
      case Kind::kNegate:
        return -value(*node.parts[0], at);
      case Kind::kSum:
      case Kind::kProduct:
        return chain(node, at);
      case Kind::kOverall:
        return overall(node, at);
    }
    CUTAWAY_CHECK(false);
  }

 private:
  static double quotient(double a, double b) {
    return b == 0 ? std::numeric_limits<double>::quiet_NaN() : a / b;
  }
  double chain(const Term& node, const Place& at) const {
    double result = value(*node.parts[0], at);
    for (size_t i = 1; i < node.parts.size(); i++) {
      const double part = value(*node.parts[i], at);
      if (node.kind == Kind::kSum) result = node.inverse[i] ? result - part : result + part;
      else result = node.inverse[i] ? quotient(result, part) : result * part;
    }
    return result;
  }
  double column(const Term& node, Place at) const {
    for (const auto& [name, label] : node.chosen) {
      const size_t axis = axis_of(table_.axes, name);
      at[axis] = label_of(table_.axes[axis], label);
    }
    const size_t index = table_.index(at);
    if (touched_) touched_->insert(index);
    return table_.columns.at(node.name)[index];
  }
  double overall(const Term& node, const Place& at) const {
    std::vector<bool> free(table_.axes.size());
    mark_free(*node.parts[0], table_.axes, free);
    const std::vector<Place> all = places(domain_, free, at);
    const Evaluation aside(table_, domain_, nullptr, evaluated_, where_);
    std::vector<double> values;
    for (const Place& place : all) values.push_back(aside.value(*node.parts[0], place));
    double sum = 0;  // unmeasured values (NaN) yield NaN
    for (const double one : values) sum += one;
    if (std::isnan(sum) || values.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (node.name == "max" || node.name == "min") {
      const auto best = node.name == "max" ? std::max_element(values.begin(), values.end())
                                           : std::min_element(values.begin(), values.end());
      // Once more, for the configurations that it used.
      return touched_ ? value(*node.parts[0], all[static_cast<size_t>(best - values.begin())]) : *best;
    }
    if (touched_)
      for (const Place& place : all) value(*node.parts[0], place);
    return node.name == "mean" ? sum / static_cast<double>(values.size()) : sum;
  }

  const Table& table_;
  const Domain& domain_;
  std::set<size_t>* touched_;
  uint64_t& evaluated_;
  const std::string& where_;
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
  uint64_t evaluated = 0;
  return Evaluation(table, domain, touched, evaluated, where_).value(*root_, at);
}

}  // namespace cutaway::experiment
