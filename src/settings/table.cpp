#include "settings/table.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::settings {
namespace {

// Binds a variable to a function that reads a value of its kind.
template <class T, class Read, class... More>
Key bound(std::string name, T& to, std::string meaning, Read read, More... more) {
  return {name, std::move(meaning),
          [name, &to, read, more...](const Node& node) { to = read(node, name, more...); }};
}

// "a, b or c", each in quotation marks.
std::string one_of(std::span<const std::string> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); i++)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + fmt::format("\"{}\"", names[i]);
  return text;
}

}  // namespace

Key required(Key key) {
  key.required = true;
  return key;
}

Key text(std::string name, std::string& to, std::string meaning) {
  return bound(std::move(name), to, std::move(meaning), text_in);
}
Key paragraph(std::string name, std::string& to, std::string meaning) {
  return bound(std::move(name), to, std::move(meaning), paragraph_in);
}
Key texts(std::string name, std::vector<std::string>& to, std::string meaning) {
  return bound(std::move(name), to, std::move(meaning), texts_in);
}
Key truth(std::string name, bool& to, std::string meaning) {
  return bound(std::move(name), to, std::move(meaning), truth_in);
}
Key count(std::string name, uint64_t& to, uint64_t least, std::string meaning) {
  return bound(std::move(name), to, std::move(meaning), count_in, least);
}
Key number(std::string name, double& to, std::string meaning) {
  return bound(std::move(name), to, std::move(meaning), number_in);
}
Key number(std::string name, std::optional<double>& to, std::string meaning) {
  return bound(std::move(name), to, std::move(meaning), number_in);
}

Key any(std::string name, Reader read, std::string meaning) {
  return {std::move(name), std::move(meaning), std::move(read)};
}

Key list(std::string name, Reader read, std::string meaning) {
  return {name, std::move(meaning), [name, read](const Node& node) {
            for (const Node::Entry& element : list_in(node, name)) read(element.value);
          }};
}

Key table(std::string name, Reader read, std::string meaning) {
  return {name, std::move(meaning), [name, read](const Node& node) { read(table_in(node, name)); }};
}

Key tables(std::string name, Reader read, std::string meaning) {
  return {name, std::move(meaning), [name, read](const Node& node) {
            for (const Node* each : tables_in(node, name)) read(*each);
          }};
}

Key named_tables(std::string name, NamedReader read, std::string meaning) {
  return {name, std::move(meaning), [name, read](const Node& node) { read_named(node, name, read); }};
}

void read_named(const Node& node, std::string_view name, const NamedReader& read) {
  for (const Node::Entry* entry : in_file_order(table_in(node, name))) {
    if (entry->value.kind != Node::Kind::kTable)
      user_error("{}: expected a table: [{}.{}]", entry->value.at(), name, entry->key);
    read(entry->key, entry->value);
  }
}

NamedReader parameters(NamedReader read) {
  return [read](const std::string& unit, const Node& node) {
    if (unit.find('.') != unit.npos) {
      read(unit, node);
      return;
    }
    if (node.kind != Node::Kind::kTable)
      user_error("{}: {}: expected a parameter as UNIT.PARAM, such as memory.channels", node.at(), unit);
    for (const Node::Entry& entry : node.entries) read(unit + "." + entry.key, entry.value);
  };
}

Key parameters(std::string name, NamedReader read, std::string meaning) {
  return table(
      name, [name, read](const Node& node) { read_table(node, name, {}, parameters(read)); },
      std::move(meaning));
}

void check_keys(const Node& table, std::string_view what, const std::vector<std::string>& known) {
  for (const Node::Entry& entry : table.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::string nearest = nearest_name(entry.key, known);
    user_error("{}: {} has no '{}'; {}", entry.value.at(), what, entry.key,
               nearest.empty() ? fmt::format("there are: {}", fmt::join(known, ", "))
                               : fmt::format("did you mean {}?", nearest));
  }
}

void read_table(const Node& node, std::string_view what, std::vector<Key> keys, const NamedReader& others) {
  if (node.kind != Node::Kind::kTable) user_error("{}: {} must be a table", node.at(), what);
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  if (!others) check_keys(node, what, names);
  for (const Key& key : keys)
    if (key.required && !node.find(key.name))
      user_error("{}: {} without {} ({})", node.at(), what, key.name, key.meaning);
  for (const Key& key : keys)
    if (const Node* value = node.find(key.name)) key.read(*value);
  if (!others) return;
  for (const Node::Entry& entry : node.entries)
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) others(entry.key, entry.value);
}

namespace detail {

size_t index_in(const Node& node, std::string_view key, std::span<const std::string> names) {
  const auto found = std::find(names.begin(), names.end(), node.kind == Node::Kind::kText ? node.text : "");
  if (found == names.end()) user_error("{}: {} must be {}", node.at(), key, one_of(names));
  return static_cast<size_t>(found - names.begin());
}

}  // namespace detail
}  // namespace cutaway::settings
