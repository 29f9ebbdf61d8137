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
//   cycles                             of the configuration that is looked at
//   cycles[units = 2]                  the same, with 2 units in place of its own number
//   cycles[machine = unified, units = 8]   labels of more than letters, digits and _ . - + stand in '...'
//   max(cycles[units = 2] / cycles)    over the configurations in which the axes that it leaves open differ
class Formula {
 public:
  // UserError that begins with `where`: no formula.
  Formula(const std::string& text, const std::string& where);

  const std::string& text() const { return text_; }
  // The columns that it names.
  std::set<std::string> names() const;
  // UserError: it names what there is not.
  void check(const std::vector<AxisNames>& axes, const std::set<std::string>& columns) const;
  // Its text without blanks and needless parentheses: equal of formulas that are written alike.
  std::string normal_text() const;
  // False: it is 0 or more wherever the columns are, but for those in `signed_columns`. What is subtracted
  // may be the greater, whatever it is.
  bool may_be_negative(const std::set<std::string>& signed_columns) const;
  // What it divides by and may be negative, as normal texts.
  std::vector<std::string> open_divisors(const std::set<std::string>& signed_columns) const;
  // By axis: its value depends on the label. Of a formula that check() has passed, as below.
  std::vector<bool> free_axes(const std::vector<AxisNames>& axes) const;
  // touched: the configurations whose numbers it took, by index, added to what is there; may be null. Of
  // max() and min() these are the configurations of the value that they chose.
  double value(const Table& table, const Domain& domain, const Place& at,
               std::set<size_t>* touched = nullptr) const;

  struct Node;

 private:
  std::string text_, where_;
  std::shared_ptr<const Node> root_;
};

}  // namespace cutaway::experiment
