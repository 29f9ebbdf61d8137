#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field.h"
#include "settings/values.h"

// Tables of TOML are declared: one line a key, with its name, its kind, the variable that it fills, and its
// meaning.
//
//   read_table(node, "sample", {required(count("points", sample.points, 1, "points to draw")),
//                               count("seed", sample.seed, 0, "seed of the random numbers"),
//                               choice("order", sample.order, kOrderNames, "order of the points")});
//
// read_table() derives the rest: an error for an unknown key with the nearest known one, for a missing key,
// and for a value of another kind or outside its range. All errors are UserErrors that begin with file and
// line.
namespace cutaway::settings {

struct Key {
  std::string name;
  std::string meaning;
  std::function<void(const Node&)> read;  // UserError: not such a value
  bool required = false;
};

Key required(Key key);

// The kinds of keys. The variable keeps its value where the key is missing.
Key text(std::string name, std::string& to, std::string meaning);
Key paragraph(std::string name, std::string& to, std::string meaning);
Key texts(std::string name, std::vector<std::string>& to, std::string meaning);
Key truth(std::string name, bool& to, std::string meaning);
Key count(std::string name, uint64_t& to, uint64_t least, std::string meaning);
Key number(std::string name, double& to, std::string meaning);
Key number(std::string name, std::optional<double>& to, std::string meaning);
template <class E, size_t n>
Key choice(std::string name, E& to, const EnumName<E> (&names)[n], std::string meaning);

// Keys whose values are read by a function: any value; each element of a list; a table; each table below
// [[name]]; each table [name.KEY], in the order of the file.
using Reader = std::function<void(const Node&)>;
using NamedReader = std::function<void(const std::string& key, const Node&)>;
Key any(std::string name, Reader read, std::string meaning);
Key list(std::string name, Reader read, std::string meaning);
Key table(std::string name, Reader read, std::string meaning);
Key tables(std::string name, Reader read, std::string meaning);
Key named_tables(std::string name, NamedReader read, std::string meaning);

// Reads each table [name.KEY] of a node, which is a table, in the order of the file.
void read_named(const Node& node, std::string_view name, const NamedReader& read);

// Parameters of machines by "UNIT.PARAM", in the order of their names: `memory.channels = ...` is a table in
// a table, `"memory.channels" = ...` one key. As the other keys of a table, and as a key whose table they
// are.
NamedReader parameters(NamedReader read);
Key parameters(std::string name, NamedReader read, std::string meaning);

// Reads a table: first the declared keys, in the order of their declaration; then `others` gets each other
// key, in the order of names. what: what the table is, in errors: "a plot". UserError: a key that is neither
// declared nor taken by `others`, a required key that is missing, not a table.
void read_table(const Node& node, std::string_view what, std::vector<Key> keys,
                const NamedReader& others = {});

// UserError for a key of the table that is not among those known.
void check_keys(const Node& table, std::string_view what, const std::vector<std::string>& known);

namespace detail {
// The index of the text among the names. UserError: it is none of them.
size_t index_in(const Node& node, std::string_view key, std::span<const std::string> names);
}  // namespace detail

template <class E, size_t n>
Key choice(std::string name, E& to, const EnumName<E> (&names)[n], std::string meaning) {
  return {name, std::move(meaning), [name, &to, &names](const Node& node) {
            to = names[detail::index_in(node, name, field_detail::all_names<E>(names))].value;
          }};
}

}  // namespace cutaway::settings
