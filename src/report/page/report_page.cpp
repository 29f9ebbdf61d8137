#include "report/page/report_page.h"

#include <zlib.h>

#include "base/error.h"
#include "base/installed.h"
#include "base/json_text.h"
#include "base/regular_file.h"
#include "report/page/base64.h"
#include "report/page/fragment_data.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kPlace = "CUTAWAY-DATA";  // place of the data in the template
constexpr int kGzip = 15 + 16;                       // zlib's window, with a gzip header

std::string compressed(const std::string& text) {
  z_stream stream{};
  CUTAWAY_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  std::string out(deflateBound(&stream, text.size()), '\0');
  CUTAWAY_CHECK(out.size() <= ~uInt{0}, "{} bytes of JSON", text.size());  // zlib's lengths have 32 bits
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  CUTAWAY_CHECK(result == Z_STREAM_END, "zlib says {}", result);
  return out;
}

}  // namespace

std::string page_template() {
  const fs::path path = installed_file("report_page.html");
  if (path.empty())
    user_error("the page of reports was not built: install node and npm, run cmake again, and build");
  std::string text = read_whole(path);
  if (text.find(kPlace) == std::string::npos) user_error("{}: not the page of reports", path.string());
  return text;
}

std::string report_page(const std::string& page, const std::vector<fs::path>& runs,
                        const Disassembler& disassemble, const std::function<void(size_t run)>& on_run,
                        size_t most, const std::vector<Declaration>& declarations) {
  json data = {{"runs", json::array()}, {"declarations", json::object()}};
  for (const Declaration& one : declarations)
    data["declarations"][one.path] = {one.unit, one.range, one.meaning};
  std::vector<std::string> logs;
  for (size_t i = 0; i < runs.size(); i++) {
    if (on_run) on_run(i);
    data["runs"].push_back(run_data(runs[i], disassemble));
    add_fragments(runs[i], data["runs"].back(), logs);
  }
  // Texts of programs and captures may be invalid UTF-8.
  const std::string text = json_text(data);
  if (text.size() > most)
    user_error(
        "{} MB of figures are too many for a page: name fewer runs, or simulate fewer frames or with a "
        "longer --interval",
        text.size() / 1'000'000);
  std::string lines;
  for (const std::string& log : logs) lines += "\n" + log;
  if (lines.size() > most)
    user_error("{} MB of logs of fragments are too many for a page: name fewer runs, or log fewer frames",
               lines.size() / 1'000'000);
  const size_t place = page.find(kPlace);
  CUTAWAY_CHECK(place != std::string::npos, "the template has no place for data");
  return page.substr(0, place) + base64(compressed(text)) + lines + page.substr(place + kPlace.size());
}

}  // namespace cutaway::report
