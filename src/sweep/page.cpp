#include "base/text.h"
#include "base/xml.h"
#include "sweep/export.h"

namespace cutaway::sweep {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{0}</title><style>
body {{ font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; }}
table {{ border-collapse: collapse; font-size: 13px; }}
th, td {{ border-bottom: 1px solid #ddd; padding: 2px 8px; text-align: right; white-space: nowrap; }}
th {{ position: sticky; top: 0; background: #fff; }}
.wide {{ overflow-x: auto; max-height: 40em; }}
svg {{ max-width: 100%; height: auto; }}
</style></head><body><h1>{0}</h1>
)";

std::string table(const Store& store) {
  database::Statement rows = store.database().prepare("SELECT * FROM sweep");
  std::string html = "<div class=\"wide\"><table><thead><tr>";
  for (int column = 0; column < rows.columns(); column++)
    html += "<th>" + xml_text(rows.column_name(column)) + "</th>";
  html += "</tr></thead><tbody>\n";
  while (rows.step()) {
    html += "<tr>";
    for (int column = 0; column < rows.columns(); column++)
      html += "<td>" + xml_text(rows.text(column)) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::string page_html(const Page& page) {
  const SweepOutcome& outcome = page.outcome;
  std::string html = fmt::format(kHead, xml_text(page.file.path.stem().string()));
  html += fmt::format("<p>{} of {} finished; hash of the results {}; program {}.</p>\n", outcome.finished,
                      counted(outcome.points, "point"), page.results_hash, program_hash());
  for (size_t i = 0; i < page.plots.size(); i++) {
    const std::string& svg = page.plots[i];
    const size_t begin = svg.find("<svg");
    if (begin != svg.npos) html += "<figure>" + svg.substr(begin) + "</figure>\n";
  }
  const auto list = [&](const char* title, const auto& entries, auto text) {
    if (entries.empty()) return;
    html += fmt::format("<h2>{}</h2><ul>\n", title);
    for (const auto& entry : entries) html += "<li>" + xml_text(text(entry)) + "</li>\n";
    html += "</ul>\n";
  };
  list("Failed", outcome.failures,
       [](const Failure& failure) { return failure.point + ": " + failure.reason; });
  list("Left out: machines that break a rule", page.plan.skipped,
       [](const Plan::Skipped& skipped) { return skipped.point + ": " + skipped.reason; });
  html += "<h2>Points</h2>\n" + table(page.store);
  return html + "</body></html>\n";
}

}  // namespace cutaway::sweep
