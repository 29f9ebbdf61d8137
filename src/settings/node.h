#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutaway::settings {

// A value of a TOML file, and where it stands.
struct Node {
  enum class Kind { kText, kTruth, kWhole, kReal, kList, kTable, kDate };
  struct Entry;

  Kind kind = Kind::kTable;
  std::string text;            // of a text: as it is; of a number, true and false: as it is written
  bool truth = false;          // kTruth
  int64_t whole = 0;           // kWhole
  double real = 0;             // kReal and kWhole
  std::vector<Entry> entries;  // of a list, in its order, without keys; of a table, in the order of keys
  std::shared_ptr<const std::string> file;
  uint32_t line = 0, column = 0;

  std::string at() const;  // "file:line", which errors begin with
  // The value of a key of a table; nullptr: there is none.
  const Node* find(std::string_view key) const;
  bool is_number() const { return kind == Kind::kWhole || kind == Kind::kReal; }
};

struct Node::Entry {
  std::string key;  // control characters are written out
  Node value;
};

// A table's entries in the order of the file.
std::vector<const Node::Entry*> in_file_order(const Node& table);

// The table that a whole file is. `what` completes "a file that holds ...": "a sweep". UserError: it is not
// there, not a regular file, larger than `most_bytes`, or not TOML.
Node read_file(const std::filesystem::path& path, std::string_view what, uint64_t most_bytes = 16 << 20);

}  // namespace cutaway::settings
