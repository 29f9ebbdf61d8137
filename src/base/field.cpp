#include "base/field.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/hash.h"

namespace cutaway {

Field::Field(const std::string& owner, const char* name_, const char* unit_, const char* meaning_)
    : path(owner + "." + name_), name(name_), unit(unit_), meaning(meaning_) {}

namespace {

template <class T>
bool parse_number(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_integral_v<T>) {
    const bool hex = text.starts_with("0x");
    result = std::from_chars(text.data() + (hex ? 2 : 0), end, value, hex ? 16 : 10);
  } else {
    result = std::from_chars(text.data(), end, value);
  }
  return result.ec == std::errc{} && result.ptr == end && !text.empty();
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string suggestion(std::string_view name, const std::vector<std::string>& names) {
  const std::string near = nearest_name(name, names);
  if (!near.empty()) return fmt::format("did you mean {}?", near);
  return fmt::format("there are: {}", fmt::join(names, ", "));
}

}  // namespace

namespace field_detail {

template <Number T>
std::string NumberField<T>::value() const {
  return fmt::format("{}", *target_);
}

template <Number T>
std::string NumberField<T>::range() const {
  return fmt::format("{} to {}", min_, max_);
}

template <Number T>
bool NumberField<T>::parse(std::string_view text) {
  T value{};
  if (!parse_number(text, value) || !(value >= min_ && value <= max_)) return false;
  *target_ = value;
  return true;
}

template class NumberField<unsigned>;
template class NumberField<int>;
template class NumberField<uint64_t>;
template class NumberField<double>;

bool BoolField::parse(std::string_view text) {
  if (text != "true" && text != "false") return false;
  *target_ = text == "true";
  return true;
}

std::string ListField::value() const {
  return target_->empty() ? empty_ : fmt::format("{}", fmt::join(*target_, ","));
}

std::string ListField::range() const { return fmt::format("{}, or a list of {} to {}", empty_, min_, max_); }

bool ListField::parse(std::string_view text) {
  std::vector<unsigned> list;
  if (text != empty_) {
    for (const std::string_view part : list_parts(text))
      if (!parse_number(part, list.emplace_back())) return false;
  }
  if (!legal(list)) return false;
  *target_ = std::move(list);
  return true;
}

bool ListField::legal(std::span<const unsigned> list) const {
  return list.size() <= kLongest && std::all_of(list.begin(), list.end(), [this](unsigned number) {
           return number >= min_ && number <= max_;
         });
}

std::vector<std::string_view> list_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0, end; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace field_detail

std::string nearest_name(std::string_view name, std::span<const std::string> names) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : names) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

namespace {

// The field of a path. UserError if there is none, which says what might be meant.
Field& field_at(const std::vector<std::unique_ptr<Field>>& fields, const std::vector<std::string>& units,
                std::string_view where, std::string_view path) {
  const std::string begin = where.empty() ? "" : std::string(where) + ": ";
  for (const auto& field : fields)
    if (field->path == path) return *field;
  const size_t dot = path.rfind('.');
  if (dot == path.npos)
    user_error("{}{}: expected a parameter as UNIT.PARAM, such as {}", begin, path, fields[0]->path);
  const std::string unit(path.substr(0, dot));
  if (std::find(units.begin(), units.end(), unit) == units.end())
    user_error("{}{}: unknown unit {}; {}", begin, path, unit, suggestion(unit, units));
  std::vector<std::string> names;
  for (const auto& field : fields)
    if (field->path == unit + "." + field->name) names.push_back(field->name);
  const std::string name(path.substr(dot + 1));
  user_error("{}{}: {} has no parameter {}; {}", begin, path, unit, name, suggestion(name, names));
}

// Names the first word of `text` that a set of names lacks; empty if it has all, or is none.
std::string unknown_name(const Field& field, std::string_view text) {
  const ValueRange values = field.values();
  if (values.kind != ValueRange::Kind::kSet) return "";
  for (const std::string_view part : field_detail::list_parts(text)) {
    const std::string name(field_detail::without_spaces(part));
    if (name.empty() || std::find(values.names.begin(), values.names.end(), name) != values.names.end())
      continue;
    const std::string near = nearest_name(name, values.names);
    return fmt::format("; {} is none of them{}", name,
                       near.empty() ? "" : fmt::format(": did you mean {}?", near));
  }
  return "";
}

}  // namespace

const Field& FieldTable::find(std::string_view where, std::string_view path) const {
  return field_at(fields_, units_, where, path);
}

void FieldTable::set(std::string_view where, std::string_view path, std::string_view text,
                     std::string_view source) {
  Field& field = field_at(fields_, units_, where, path);
  if (field.parse(text)) {
    field.source = source.empty() ? where : source;
    field.where = where;
    return;
  }
  const std::string begin = where.empty() ? "" : std::string(where) + ": ";
  user_error("{}{} = {}: expected {}{}{} ({}){}", begin, path, text, field.range(), *field.unit ? " " : "",
             field.unit, field.meaning, unknown_name(field, text));
}

void FieldTable::set(std::string_view where, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == assignment.npos) user_error("{} {}: expected UNIT.PARAM=VALUE", where, assignment);
  set(where, assignment.substr(0, equals), assignment.substr(equals + 1));
}

void FieldTable::validate() const {
  for (const auto& field : fields_) {
    if (field->in_range()) continue;
    user_error("{} = {}: expected {}{}{} ({})", field->path, field->value(), field->range(),
               *field->unit ? " " : "", field->unit, field->meaning);
  }
}

std::string FieldTable::text() const {
  std::vector<std::string> lines;
  for (const auto& field : fields_) lines.push_back(field->path + " = " + field->value() + "\n");
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

uint64_t FieldTable::hash() const {
  const std::string all = text();
  return hash_bytes(all.data(), all.size());
}

}  // namespace cutaway
