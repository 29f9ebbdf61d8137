#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <toml++/toml.h>
#include <vector>

// Reads the nodes of a sweep file. All errors are UserErrors with file and line.
namespace cutaway::sweep {

struct TomlPlace {
  std::string file;
  std::string at(const toml::node& node) const;  // "file:line"
};

// Parses the file. UserError: it is missing, not TOML, or too large for a `what`.
toml::table parse_toml(const std::filesystem::path& path, std::string_view what);

// Calls `call` for the parameters of machines that a table names, as "unit.name": `memory.channels = ...` is
// a table in a table, `"memory.channels" = ...` is one name. others: keys of the table that are not
// parameters.
using OnParameter = std::function<void(const std::string& path, const toml::node& node)>;
void for_parameters(const TomlPlace& place, const toml::table& table, const OnParameter& call,
                    std::initializer_list<std::string_view> others = {});

// Return a node as a table; the tables of a [[name]] array, none if the key is missing; a non-empty list.
const toml::table& table_in(const TomlPlace& place, const toml::node& node, std::string_view name);
std::vector<const toml::table*> tables_in(const TomlPlace& place, const toml::table& table,
                                          std::string_view name);
const toml::array& list_in(const TomlPlace& place, const toml::node& node, std::string_view name);

// UserError for a key of the table that is not known.
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
