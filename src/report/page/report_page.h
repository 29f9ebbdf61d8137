#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "report/declaration.h"
#include "report/page/draw_view_data.h"
#include "report/page/run_data.h"

namespace cutaway::report {

// A browser's text holds little more.
constexpr size_t kMostJson = 400'000'000;

// The page without data, built by web/: beside the command, or installed. UserError: it was not built.
std::string page_template();

struct PageContents {
  std::vector<std::filesystem::path> runs;  // folders or databases
  std::vector<nlohmann::json> sweeps;       // sweep/page_data.h
  Disassembler disassemble;
  PictureSource pictures;
  KeepLegal keep_legal;                    // of what evidence suggests; may be empty
  std::vector<Declaration> declarations;   // of parameters, which the page shows beside their values
  std::function<void(size_t run)> on_run;  // called before each run is read; may be empty
  size_t most = kMostJson;                 // bytes of JSON, and of logs and pictures
};

// A self-contained file that opens from disk: the template with the data of runs and sweeps, as JSON,
// compressed (gzip) and in base64, followed line by line by the parts of the fragment logs, pictures and
// meshes. UserErrors: the runs'; more than `most` bytes.
std::string report_page(const std::string& page, const PageContents& contents);

}  // namespace cutaway::report
