#include "settings/depth.h"

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace cutaway::settings {
namespace {

// Walks over a TOML text, strings and comments apart. It counts too much rather than too little: the dots of
// numbers and dates are levels too.
class Scan {
 public:
  Scan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    begin_line();
    while (at_ < text_.size()) step();
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    at_++;
    if (c == '\n') {
      line_++;
      if (open_.empty()) begin_line();
    } else if (c == '[' || c == '{') {
      open_.push_back(depth_);
      deeper();
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      depth_ = open_.back();
      open_.pop_back();
    } else if (c == ',' && !open_.empty()) {
      depth_ = open_.back() + 1;
    } else if (c == '.') {
      deeper();
    }
  }

  // A line outside of brackets: a header, or keys of the table that the last header named.
  void begin_line() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) at_++;
    depth_ = table_;
    if (at_ == text_.size() || text_[at_] != '[') return;
    depth_ = 0;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != ']' && text_[at_] != '#') {
      if (text_[at_] == '"' || text_[at_] == '\'') {
        skip_string(text_[at_]);
        continue;
      }
      if (text_[at_] == '[' || text_[at_] == '.') deeper();
      at_++;
    }
    table_ = depth_;
    while (at_ < text_.size() && text_[at_] == ']') at_++;
  }

  void deeper() {
    if (++depth_ > kDeepest)
      user_error("{}:{}: tables and lists are nested more than {} deep", file_, line_, kDeepest);
  }

  void skip_string(char quote) {
    const bool several = text_.substr(at_, 3) == std::string(3, quote);
    const std::string end(several ? 3 : 1, quote);
    for (at_ += end.size(); at_ < text_.size() && text_.substr(at_, end.size()) != end; at_++) {
      if (text_[at_] == '\\' && quote == '"') at_++;
      if (at_ < text_.size() && text_[at_] == '\n') {
        if (!several) return;  // not closed: the parser says so
        line_++;
      }
    }
    at_ = std::min(at_ + end.size(), text_.size());
  }

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0, line_ = 1;
  size_t depth_ = 0, table_ = 0;  // levels here, and of the table that the last header named
  std::vector<size_t> open_;      // levels around each open bracket
};

}  // namespace

void check_depth(std::string_view text, const std::string& file) { Scan(text, file).run(); }

}  // namespace cutaway::settings
