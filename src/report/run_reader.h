#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/frame_record.h"
#include "database/database.h"

namespace cutaway::report {

// Reads run.sqlite (docs/run-database.md).
class RunReader {
 public:
  // The file, or the folder that holds it. UserError: it is not there, damaged, or of another schema.
  explicit RunReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return database_.path(); }
  std::string fact(std::string_view name);  // of the table meta; "" where it has none
  std::optional<std::string> parameter(std::string_view path);

  struct Frame {
    uint64_t frame = 0, cycles = 0, bytes_read = 0, bytes_written = 0;
  };
  std::vector<Frame> frames();

  struct Work {
    uint32_t work = 0, pass = 0;
    std::string kind, packet, label;
    std::optional<uint32_t> draw;
    bool of_driver = false;
    uint64_t submission = 0, vertices = 0, instances = 0, marginal_cycles = 0, occupied_cycles = 0;
    std::string textures;  // JSON of the state
  };
  std::vector<Work> work(uint64_t frame);

  // A frame, or some of its work in a row.
  struct Scope {
    uint64_t frame = 0;
    std::optional<uint32_t> first_work = {}, last_work = {};
  };
  std::map<std::string, uint64_t> holdups(const Scope& scope);  // probes by unit
  struct Counts {
    std::string unit, name;
    uint64_t own = 0, meanwhile = 0;
  };
  std::vector<Counts> counts(const Scope& scope);
  std::optional<FragmentRecord> fragment_log(uint64_t frame);  // report/fragment_reader.h
  void fragment_events(const FragmentPart& part, uint64_t works, std::vector<FragmentEvent>& events) const;
  std::map<std::string, std::string> neighbours();  // port → the unit at the other end of its wire

 private:
  database::Statement scoped(const std::string& sql, const Scope& scope);

  database::Database database_;
};

}  // namespace cutaway::report
