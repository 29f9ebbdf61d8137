#include "settings/node.h"

#include <algorithm>
#include <toml++/toml.h>

#include "base/error.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "settings/depth.h"

namespace cutaway::settings {
namespace {

namespace fs = std::filesystem;
using Kind = Node::Kind;

class Converter {
 public:
  explicit Converter(const fs::path& path) : file_(std::make_shared<std::string>(path.string())) {}

  Node convert(const toml::node& from) const {
    Node node;
    node.file = file_;
    node.line = from.source().begin.line, node.column = from.source().begin.column;
    from.visit([&](const auto& value) { fill(value, node); });
    return node;
  }

 private:
  static void fill(const toml::value<std::string>& from, Node& node) {
    node.kind = Kind::kText, node.text = from.get();
  }
  static void fill(const toml::value<bool>& from, Node& node) {
    node.kind = Kind::kTruth, node.truth = from.get(), node.text = node.truth ? "true" : "false";
  }
  static void fill(const toml::value<int64_t>& from, Node& node) {
    node.kind = Kind::kWhole, node.whole = from.get(), node.real = static_cast<double>(node.whole);
    node.text = fmt::format("{}", node.whole);
  }
  static void fill(const toml::value<double>& from, Node& node) {
    node.kind = Kind::kReal, node.real = from.get(), node.text = fmt::format("{}", node.real);
  }
  void fill(const toml::array& from, Node& node) const {
    node.kind = Kind::kList;
    for (const toml::node& element : from) node.entries.push_back({"", convert(element)});
  }
  void fill(const toml::table& from, Node& node) const {
    node.kind = Kind::kTable;
    for (const auto& [key, value] : from) node.entries.push_back({one_line(key.str()), convert(value)});
  }
  template <class Other>
  static void fill(const Other&, Node& node) {
    node.kind = Kind::kDate;
  }

  std::shared_ptr<const std::string> file_;
};

}  // namespace

std::string Node::at() const { return fmt::format("{}:{}", *file, line); }

const Node* Node::find(std::string_view key) const {
  if (kind != Kind::kTable) return nullptr;
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

std::vector<const Node::Entry*> in_file_order(const Node& table) {
  std::vector<const Node::Entry*> sorted;
  for (const Node::Entry& entry : table.entries) sorted.push_back(&entry);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::pair(a->value.line, a->value.column) < std::pair(b->value.line, b->value.column);
  });
  return sorted;
}

Node read_file(const fs::path& path, std::string_view what, uint64_t most_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    user_error("{}: {}", path.string(),
               status.type() == fs::file_type::not_found ? "no such file" : error.message());
  const std::string text =
      RegularFile(path, fmt::format("name a TOML file that holds {}", what)).text(most_bytes);
  check_depth(text, path.string());
  try {
    return Converter(path).convert(toml::parse(text, path.string()));
  } catch (const toml::parse_error& parse_error) {
    const auto at = parse_error.source().begin;
    user_error("{}:{}:{}: {}", path.string(), at.line, at.column, parse_error.description());
  }
}

}  // namespace cutaway::settings
