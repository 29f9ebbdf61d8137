#include "report/picture_list.h"

#include <algorithm>
#include <sstream>

#include "base/regular_file.h"

namespace cutaway::report {
namespace {

// Accepts only FOLDER/NUMBER.png, so that a manipulated list can do no harm.
bool is_picture(const std::string& name) {
  const auto named_in = [&](const std::string& folder) {
    if (!name.starts_with(folder + "/") || !name.ends_with(".png")) return false;
    const std::string number = name.substr(folder.size() + 1, name.size() - folder.size() - 5);
    return !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  };
  return std::any_of(std::begin(PictureList::kFolders), std::end(PictureList::kFolders), named_in);
}

}  // namespace

PictureList PictureList::read(const std::filesystem::path& output_folder) {
  PictureList list;
  std::istringstream lines(read_whole(output_folder / kName));
  for (std::string line; std::getline(lines, line);) list.add(line);
  return list;
}

void PictureList::add(const std::filesystem::path& name) {
  if (is_picture(name.string())) names_.insert(name.string());
}

void PictureList::take_out(const std::string& folder, std::vector<std::filesystem::path>& taken) {
  for (auto name = names_.begin(); name != names_.end();) {
    if (!name->starts_with(folder + "/")) {
      ++name;
      continue;
    }
    taken.emplace_back(*name);
    name = names_.erase(name);
  }
}

std::string PictureList::text() const {
  std::string text;
  for (const std::string& name : names_) text += name + "\n";
  return text;
}

}  // namespace cutaway::report
