#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "experiment/table.h"

namespace cutaway::experiment {

// A formula over a table: numbers, + - * / and parentheses, columns, and max(), min(), mean() and sum() of a
// formula.
//
//   cycles                             in the current configuration
//   cycles[units = 2]                  the same, but with 2 units
//   cycles[machine = unified, units = 8]   labels with characters beyond letters, digits and _ . - + need
//   '...'
//   max(cycles[units = 2] / cycles)    over the configurations that differ in the axes left open
class Formula {
 public:
  // UserError that begins with `where`: no formula, or nested deeper than kDeepest.
  Formula(const std::string& text, const std::string& where);

  const std::string& text() const { return text_; }
  // The columns that it uses.
  std::set<std::string> names() const;
  // UserError: it uses something that does not exist.
  void check(const std::vector<AxisNames>& axes, const std::set<std::string>& columns) const;
  // Its text without blanks and needless parentheses: equal of formulas that are written alike.
  std::string normal_text() const;
  // False: it is 0 or more wherever the columns are, but for those in `signed_columns`. What is subtracted
  // may be the greater, whatever it is.
  bool may_be_negative(const std::set<std::string>& signed_columns) const;
  // Normal texts of the divisors that may be negative.
  std::vector<std::string> open_divisors(const std::set<std::string>& signed_columns) const;
  // By axis: its value depends on the label. Of a formula that check() has passed, as below.
  std::vector<bool> free_axes(const std::vector<AxisNames>& axes) const;
  // touched: receives the indices of the configurations whose numbers were used, in addition to its contents;
  // may be null. For max() and min() these are the configurations of the chosen value. UserError: functions
  // in functions over many configurations take too long, or interrupted.
  double value(const Table& table, const Domain& domain, const Place& at,
               std::set<size_t>* touched = nullptr) const;

  // Deepest nesting of parentheses, functions and signs. Chains of + - * / may be of any length.
  static constexpr unsigned kDeepest = 50;
  struct Node;

 private:
  std::string text_, where_;
  std::shared_ptr<const Node> root_;
};

}  // namespace cutaway::experiment
