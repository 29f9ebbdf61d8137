#include "report/page/report_page.h"

#include "base/error.h"
#include "base/installed.h"
#include "base/json_text.h"
#include "base/regular_file.h"
#include "report/page/base64.h"
#include "report/page/compressed.h"
#include "report/page/draw_view_data.h"
#include "report/page/fragment_data.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kPlace = "CUTAWAY-DATA";  // place of the data in the template

}  // namespace

std::string page_template() {
  const fs::path path = installed_file("report_page.html");
  if (path.empty())
    user_error("the page of reports was not built: install node and npm, run cmake again, and build");
  std::string text = read_whole(path);
  if (text.find(kPlace) == std::string::npos) user_error("{}: not the page of reports", path.string());
  return text;
}

std::string report_page(const std::string& page, const PageContents& contents) {
  json data = {{"runs", json::array()}, {"sweeps", contents.sweeps}, {"declarations", json::object()}};
  for (const Declaration& one : contents.declarations)
    data["declarations"][one.path] = {one.unit, one.range, one.meaning};
  std::vector<std::string> logs;
  size_t room = contents.pictures.most_bytes;
  for (size_t i = 0; i < contents.runs.size(); i++) {
    if (contents.on_run) contents.on_run(i);
    const fs::path& run = contents.runs[i];
    json& made = data["runs"].emplace_back(run_data(run, contents.disassemble, contents.keep_legal));
    add_fragments(run, made, logs);
    add_draw_views(run, contents.pictures, room, made, logs);
  }
  // Texts of programs and captures may be invalid UTF-8.
  const std::string text = json_text(data);
  if (text.size() > contents.most)
    user_error(
        "{} MB of figures are too many for a page: name fewer runs, or simulate fewer frames or with a "
        "longer --interval",
        text.size() / 1'000'000);
  std::string lines;
  for (const std::string& log : logs) lines += "\n" + log;
  if (lines.size() > contents.most)
    user_error(
        "{} MB of logs of fragments and pictures are too many for a page: name fewer runs, or log fewer "
        "frames",
        lines.size() / 1'000'000);
  const size_t place = page.find(kPlace);
  CUTAWAY_CHECK(place != std::string::npos, "the template has no place for data");
  return page.substr(0, place) + base64(compressed(text)) + lines + page.substr(place + kPlace.size());
}

}  // namespace cutaway::report
