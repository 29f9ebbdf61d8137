#pragma once

#include <algorithm>
#include <bitset>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/policy.h"

// Parameters are declared once. A unit's `Spec` is a plain struct, with one line per member. Its member
// initialisers serve a unit that is built alone (tests); what a chip has, and where that figure comes from, a
// preset says.
//
//   struct StreamerSpec {
//     unsigned queue = 48;
//     bool in_order = true;
//     Policy policy = Policy::kOldest;
//     PolicyName<Schedulers> scheduler = "oldest";
//     std::vector<unsigned> order;
//     EnumSet<Stage> stages = {Stage::kVertex};
//     EnumSet<Format, kFormats> formats;
//
//     template <class V> static void fields(V&& v) {
//       using S = StreamerSpec;
//       v("queue", &S::queue, "vertices", 1u, 1024u, "vertices waiting");   // numbers: a range
//       v("in_order", &S::in_order, "", "what it means");                  // bool: none
//       v("policy", &S::policy, kPolicyNames, "what it means");            // enum: its names
//       v("scheduler", &S::scheduler, "what it means");                    // policy: those of its family
//       v("order", &S::order, "", 0u, 7u, "as they come", "what it means");  // list: a range of each number,
//                                                                          // and a name for none
//       v("stages", &S::stages, kStageNames, "what it means");             // set of these: "vertex,fragment"
//       v("formats", &S::formats, kFormatNames, "formats", "what it means");  // set of many names, or "all";
//                                                                          // and what such names are called
//     }
//   };
//
// A FieldTable derives the rest: parsing, range errors, unknown-name errors, listings, text and hash.
namespace cutaway {

// `constexpr EnumName<Policy> kPolicyNames[] = {{Policy::kOldest, "oldest"}, ...};`
template <class E>
struct EnumName {
  E value;
  const char* name;
};

// Some values of an enum, each less than kValues.
template <class E, size_t kValues = 32>
class EnumSet {
 public:
  EnumSet() = default;
  EnumSet(std::initializer_list<E> values) {
    for (E value : values) add(value);
  }
  void add(E value) { bits_.set(static_cast<size_t>(value)); }
  bool has(E value) const { return bits_[static_cast<size_t>(value)]; }
  bool empty() const { return bits_.none(); }
  bool operator==(const EnumSet&) const = default;

 private:
  std::bitset<kValues> bits_;
};

// The set of all values that have names.
template <size_t kValues, class E>
EnumSet<E, kValues> all_of(std::span<const EnumName<E>> names) {
  EnumSet<E, kValues> all;
  for (const auto& entry : names) all.add(entry.value);
  return all;
}
template <size_t kValues, class E, size_t n>
EnumSet<E, kValues> all_of(const EnumName<E> (&names)[n]) {
  return all_of<kValues, E>(std::span<const EnumName<E>>(names));
}

// The values that a parameter may have, for code that enumerates or draws them.
struct ValueRange {
  enum class Kind {
    kWhole,   // a whole number from least to greatest
    kReal,    // a real number from least to greatest
    kChoice,  // one of names
    kList,    // names[0], which is the empty list, or numbers from least to greatest
    kSet,     // "none", or some of names
  };
  Kind kind;
  double least = 0, greatest = 0;
  std::vector<std::string> names = {};
};

// One parameter of one unit, bound to the struct that holds it.
class Field {
 public:
  std::string path;  // "streamer.queue"
  const char* name;
  const char* unit;
  const char* meaning;
  std::string source;  // source of the value, as passed to set(); empty: none was stated
  std::string where;   // the `where` of set()

  Field(const std::string& owner, const char* name, const char* unit, const char* meaning);
  virtual ~Field() = default;
  virtual std::string value() const = 0;
  virtual std::string range() const = 0;  // "1 to 64", "true or false", "oldest, round_robin"
  virtual ValueRange values() const = 0;

  // Returns false, and leaves the struct unchanged, if the text is not a value of the type, or out of range.
  virtual bool parse(std::string_view text) = 0;
  virtual bool in_range() const = 0;
  virtual bool is_list() const { return false; }  // its text is several numbers with commas between
};

class FieldTable {
 public:
  // Adds every field of `spec`, which must outlive the table, as "unit.name". A unit may have several specs,
  // added one after the other.
  template <class S>
  void add(std::string unit, S& spec);

  // Sets "unit.name" from text. `where` begins the error: "--set", or a file and line. source: where the
  // value comes from; empty: `where`. UserError: unknown unit or name (with the nearest one, or all), not a
  // value, out of range.
  void set(std::string_view where, std::string_view path, std::string_view text,
           std::string_view source = {});
  // "UNIT.PARAM=VALUE", as on the command line.
  void set(std::string_view where, std::string_view assignment);
  std::string get(std::string_view path) const { return find("", path).value(); }

  // UserError for the first field out of its range. For specs that were not filled by set().
  void validate() const;

  const std::vector<std::unique_ptr<Field>>& fields() const { return fields_; }  // in order of declaration
  const std::vector<std::string>& units() const { return units_; }
  const Field& find(std::string_view where, std::string_view path) const;

  // One line "unit.name = value" per field, in order of path. Equal texts mean equal machines.
  std::string text() const;
  uint64_t hash() const;

 private:
  std::vector<std::unique_ptr<Field>> fields_;
  std::vector<std::string> units_;
};

// The name in `names` that is nearest to `name`, as a suggestion; empty if none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> names);

namespace field_detail {

template <class T>
concept Number =
    std::same_as<T, unsigned> || std::same_as<T, int> || std::same_as<T, uint64_t> || std::same_as<T, double>;

template <Number T>
class NumberField final : public Field {
 public:
  NumberField(const std::string& owner, const char* name_, T* target, const char* unit_, T min, T max,
              const char* meaning_)
      : Field(owner, name_, unit_, meaning_), target_(target), min_(min), max_(max) {}
  std::string value() const override;
  std::string range() const override;
  ValueRange values() const override {
    using enum ValueRange::Kind;
    return {std::integral<T> ? kWhole : kReal, static_cast<double>(min_), static_cast<double>(max_)};
  }
  bool parse(std::string_view text) override;
  bool in_range() const override { return *target_ >= min_ && *target_ <= max_; }

 private:
  T *target_, min_, max_;
};
extern template class NumberField<unsigned>;
extern template class NumberField<int>;
extern template class NumberField<uint64_t>;
extern template class NumberField<double>;

class BoolField final : public Field {
 public:
  BoolField(const std::string& owner, const char* name_, bool* target, const char* unit_,
            const char* meaning_)
      : Field(owner, name_, unit_, meaning_), target_(target) {}
  std::string value() const override { return *target_ ? "true" : "false"; }
  std::string range() const override { return "true or false"; }
  ValueRange values() const override {
    return {.kind = ValueRange::Kind::kChoice, .names = {"false", "true"}};
  }
  bool parse(std::string_view text) override;
  bool in_range() const override { return true; }

 private:
  bool* target_;
};

template <class E>
std::vector<std::string> all_names(std::span<const EnumName<E>> names) {
  std::vector<std::string> all;
  for (const auto& entry : names) all.emplace_back(entry.name);
  return all;
}

template <class E>
class EnumField final : public Field {
 public:
  EnumField(const std::string& owner, const char* name_, E* target, std::span<const EnumName<E>> names,
            const char* meaning_)
      : Field(owner, name_, "", meaning_), target_(target), names_(names) {}
  std::string value() const override { return name_of(*target_); }
  std::string range() const override {
    std::string all;
    for (const auto& entry : names_) all += (all.empty() ? "" : ", ") + std::string(entry.name);
    return all;
  }
  ValueRange values() const override {
    return {.kind = ValueRange::Kind::kChoice, .names = all_names(names_)};
  }
  bool parse(std::string_view text) override {
    for (const auto& entry : names_) {
      if (text != entry.name) continue;
      *target_ = entry.value;
      return true;
    }
    return false;
  }
  bool in_range() const override { return !name_of(*target_).empty(); }

 private:
  std::string name_of(E value) const {
    for (const auto& entry : names_)
      if (entry.value == value) return entry.name;
    return "";
  }
  E* target_;
  std::span<const EnumName<E>> names_;
};

// The name of a policy of a family (base/policy.h).
class PolicyField final : public Field {
 public:
  using Names = std::vector<std::string_view>();

  PolicyField(const std::string& owner, const char* name_, std::string_view* target, Names* names,
              const char* meaning_)
      : Field(owner, name_, "", meaning_), target_(target), names_(names) {}
  std::string value() const override { return std::string(*target_); }
  std::string range() const override;
  ValueRange values() const override;
  bool parse(std::string_view text) override;
  bool in_range() const override;

 private:
  std::string_view* target_;
  Names* names_;
};

// Numbers with commas between them: "0,2,4", at most kLongest; or the name of the empty list.
class ListField final : public Field {
 public:
  static constexpr size_t kLongest = 64;

  ListField(const std::string& owner, const char* name_, std::vector<unsigned>* target, const char* unit_,
            unsigned min, unsigned max, const char* empty, const char* meaning_)
      : Field(owner, name_, unit_, meaning_), target_(target), min_(min), max_(max), empty_(empty) {}
  std::string value() const override;
  std::string range() const override;
  ValueRange values() const override {
    return {ValueRange::Kind::kList, static_cast<double>(min_), static_cast<double>(max_), {empty_}};
  }
  bool parse(std::string_view text) override;
  bool in_range() const override { return legal(*target_); }
  bool is_list() const override { return true; }

 private:
  bool legal(std::span<const unsigned> list) const;

  std::vector<unsigned>* target_;
  unsigned min_, max_;
  const char* empty_;
};

// Splits "a,b" into "a" and "b".
std::vector<std::string_view> list_parts(std::string_view text);
// Trims spaces: " a " becomes "a".
std::string_view without_spaces(std::string_view text);

// A set of a few names, or of many, which are called `many` and have a name for the whole set too.
template <class E, size_t kValues>
class SetField final : public Field {
 public:
  using Set = EnumSet<E, kValues>;

  SetField(const std::string& owner, const char* name_, Set* target, std::span<const EnumName<E>> names,
           const char* many, const char* meaning_)
      : Field(owner, name_, "", meaning_), target_(target), names_(names), many_(many) {}
  std::string value() const override {
    if (many_ && *target_ == all_of<kValues>(names_)) return "all";
    std::string all;
    for (const auto& entry : names_)
      if (target_->has(entry.value)) all += (all.empty() ? "" : ",") + std::string(entry.name);
    return all.empty() ? "none" : all;
  }
  std::string range() const override {
    if (many_) return "all, none, or a list of " + std::string(many_);
    std::string all = "none, or of";
    for (const auto& entry : names_) all += " " + std::string(entry.name);
    return all;
  }
  ValueRange values() const override { return {.kind = ValueRange::Kind::kSet, .names = all_names(names_)}; }
  bool parse(std::string_view text) override {
    Set set;
    const bool all = many_ && text == "all";
    if (all) set = all_of<kValues>(names_);
    for (std::string_view part : all || text == "none" ? std::vector<std::string_view>{} : list_parts(text)) {
      const auto entry = std::find_if(names_.begin(), names_.end(),
                                      [&](const auto& e) { return without_spaces(part) == e.name; });
      if (entry == names_.end()) return false;
      set.add(entry->value);
    }
    *target_ = set;
    return true;
  }
  bool in_range() const override { return true; }
  bool is_list() const override { return true; }

 private:
  Set* target_;
  std::span<const EnumName<E>> names_;
  const char* many_;  // nullptr for a small set
};

template <class S>
struct Binder {
  std::vector<std::unique_ptr<Field>>& fields;
  const std::string& owner;
  S& spec;

  template <Number T>
  void operator()(const char* name, T S::*member, const char* unit, std::type_identity_t<T> min,
                  std::type_identity_t<T> max, const char* meaning) {
    fields.push_back(std::make_unique<NumberField<T>>(owner, name, &(spec.*member), unit, min, max, meaning));
  }
  void operator()(const char* name, bool S::*member, const char* unit, const char* meaning) {
    fields.push_back(std::make_unique<BoolField>(owner, name, &(spec.*member), unit, meaning));
  }
  void operator()(const char* name, std::vector<unsigned> S::*member, const char* unit, unsigned min,
                  unsigned max, const char* empty, const char* meaning) {
    fields.push_back(
        std::make_unique<ListField>(owner, name, &(spec.*member), unit, min, max, empty, meaning));
  }
  template <class E, size_t n>
  void operator()(const char* name, E S::*member, const EnumName<E> (&names)[n], const char* meaning) {
    fields.push_back(std::make_unique<EnumField<E>>(owner, name, &(spec.*member), names, meaning));
  }
  template <class Family>
  void operator()(const char* name, PolicyName<Family> S::*member, const char* meaning) {
    fields.push_back(
        std::make_unique<PolicyField>(owner, name, &(spec.*member).name, &Family::names, meaning));
  }
  template <class E, size_t kValues, size_t n>
  void operator()(const char* name, EnumSet<E, kValues> S::*member, const EnumName<E> (&names)[n],
                  const char* meaning) {
    (*this)(name, member, names, nullptr, meaning);
  }
  template <class E, size_t kValues, size_t n>
  void operator()(const char* name, EnumSet<E, kValues> S::*member, const EnumName<E> (&names)[n],
                  const char* many, const char* meaning) {
    fields.push_back(
        std::make_unique<SetField<E, kValues>>(owner, name, &(spec.*member), names, many, meaning));
  }
};

}  // namespace field_detail

template <class S>
void FieldTable::add(std::string unit, S& spec) {
  if (units_.empty() || units_.back() != unit) units_.push_back(std::move(unit));
  S::fields(field_detail::Binder<S>{fields_, units_.back(), spec});
}

}  // namespace cutaway
