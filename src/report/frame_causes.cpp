#include "report/frame_causes.h"

#include "database/database.h"
#include "report/explanation.h"

namespace cutaway::report {

std::map<std::string, double> causes_of_frame(RunReader& run, uint64_t frame) {
  std::map<std::string, double> shares;
  for (const Explanation::Cause& cause : causes_of(run, {.frame = frame})) shares[cause.words] += cause.share;
  return shares;
}

std::map<uint64_t, std::map<std::string, double>> add_frame_causes(const std::filesystem::path& path) {
  std::map<uint64_t, std::map<std::string, double>> causes;
  {
    RunReader run(path, RunReader::JustWritten());
    for (const RunReader::Frame& frame : run.frames())
      causes[frame.frame] = causes_of_frame(run, frame.frame);
  }
  database::Database database(path, database::Access::kWrite);
  // A crash leaves the file without its final name.
  database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
  database::Transaction transaction(database);
  database::Statement insert = database.prepare("INSERT INTO frame_cause VALUES (?, ?, ?)");
  for (const auto& [frame, shares] : causes)
    for (const auto& [cause, share] : shares) insert.run(frame, std::string_view(cause), share);
  transaction.commit();
  return causes;
}

}  // namespace cutaway::report
