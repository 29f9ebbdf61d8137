#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "report/page/run_data.h"

namespace cutaway::report {

// A browser's text holds little more.
constexpr size_t kMostJson = 400'000'000;

// A parameter as the sources declare it.
struct Declaration {
  std::string path, unit, range, meaning;
};

// The page without data, built by web/: beside the command, or installed. UserError: it was not built.
std::string page_template();

// A self-contained file that opens from disk: the template with the data of the runs, as JSON, compressed
// (gzip) and in base64, followed line by line by the parts of the fragment logs. on_run: called before each
// run is read. declarations: of parameters, which the page shows beside their values. UserErrors: the runs';
// more than `most` bytes of JSON or of logs.
std::string report_page(const std::string& page, const std::vector<std::filesystem::path>& runs,
                        const Disassembler& disassemble, const std::function<void(size_t run)>& on_run = {},
                        size_t most = kMostJson, const std::vector<Declaration>& declarations = {});

}  // namespace cutaway::report
