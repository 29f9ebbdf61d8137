#include "machine/not_modelled.h"

#include "base/error.h"
#include "base/text.h"

namespace cutaway::machine {
namespace {

std::string where(const std::string& path, const toml::node& node) {
  return fmt::format("{}:{}", path, node.source().begin.line);
}

std::string text_at(const std::string& path, const toml::node& node, std::string_view key) {
  if (!node.is_string()) user_error("{}: {} must be a text in quotation marks", where(path, node), key);
  return one_line(node.as_string()->get());
}

NotModelled one_in(const std::string& path, const toml::table& table) {
  NotModelled found;
  for (const auto& [key, node] : table) {
    const std::string name = one_line(key.str());
    if (name == "fact") found.fact = text_at(path, node, name);
    else if (name == "text") found.text = text_at(path, node, name);
    else if (name != "besides")
      user_error("{}: not_modelled has no '{}'; it has fact, text and besides", where(path, node), name);
    else if (!node.is_array())
      user_error("{}: besides must be a list of parameters, each in quotation marks", where(path, node));
    else
      for (const toml::node& parameter : *node.as_array())
        found.besides.push_back(text_at(path, parameter, name));
  }
  if (found.text.empty()) user_error("{}: not_modelled without text", where(path, table));
  return found;
}

}  // namespace

std::vector<NotModelled> not_modelled_in(const std::string& path, const toml::node& tables) {
  if (!tables.is_array_of_tables())
    user_error("{}: not_modelled must be tables: [[not_modelled]]", where(path, tables));
  std::vector<NotModelled> found;
  for (const toml::node& table : *tables.as_array()) found.push_back(one_in(path, *table.as_table()));
  return found;
}

}  // namespace cutaway::machine
