#pragma once

#include <initializer_list>
#include <string>
#include <toml++/toml.h>
#include <vector>

// What a sweep file's nodes are read with. All errors are UserErrors with file and line.
namespace cutaway::sweep {

struct TomlPlace {
  std::string file;
  std::string at(const toml::node& node) const;  // "file:line"
};

// UserError for a key of the table that is not among those known.
void check_keys(const TomlPlace& place, const toml::table& table, std::string_view what,
                std::initializer_list<const char*> known);

std::string text_in(const TomlPlace& place, const toml::node& node, std::string_view name);
bool truth_in(const TomlPlace& place, const toml::node& node, std::string_view name);
uint64_t count_in(const TomlPlace& place, const toml::node& node, std::string_view name, uint64_t least);

// The values of one parameter, as --set takes them: a list, or a range {from, to, step} or {from, to,
// factor}.
std::vector<std::string> values_in(const TomlPlace& place, const toml::node& node, std::string_view name);
// A single value of a parameter: a number, a name, true, false, or a list of numbers or names.
std::string value_in(const TomlPlace& place, const toml::node& node, std::string_view name);

}  // namespace cutaway::sweep
