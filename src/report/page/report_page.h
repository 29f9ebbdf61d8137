#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "report/page/run_data.h"

namespace cutaway::report {

// A text of a browser holds little more.
constexpr size_t kMostJson = 400'000'000;

// The page without data, as web/ builds it: beside the command, or installed. UserError: it was not built.
std::string page_template();

// One file that opens from disk and asks nobody for anything: the template with the data of the runs in it,
// as JSON, compressed (gzip) and written in base64, and after it, line by line, the parts of the logs of
// fragments. on_run: called before each run is read. UserErrors: of the runs; more JSON, or more of the logs,
// than `most` bytes.
std::string report_page(const std::string& page, const std::vector<std::filesystem::path>& runs,
                        const Disassembler& disassemble, const std::function<void(size_t run)>& on_run = {},
                        size_t most = kMostJson);

}  // namespace cutaway::report
