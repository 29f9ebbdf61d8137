#include "sweep/point.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/json_depth.h"
#include "base/json_text.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "capture/reader.h"

namespace cutaway::sweep {
namespace {

using Json = nlohmann::ordered_json;

// Hashes in pieces, each seeded with the hash of the previous ones: files may be larger than memory.
std::string file_hash(const std::filesystem::path& path) {
  constexpr size_t kPiece = 16 << 20;
  const RegularFile file(path, "name a file that can be read");
  std::vector<char> piece(kPiece);
  uint64_t hash = 0, at = 0;
  for (size_t got = kPiece; got == kPiece; at += got) {
    end_if_interrupted();
    got = file.read(at, piece.data(), piece.size());
    hash = hash_bytes(piece.data(), got, hash);
  }
  return hash_text(hash);
}

}  // namespace

CaptureFile identify_capture(const std::string& name, const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status)) user_error("{}: {}", path.string(), std::strerror(errno));
  const capture::Reader reader(path, {.check = false});
  return {.name = name,
          .path = path,
          .hash = file_hash(path),
          .bytes = static_cast<uint64_t>(status.st_size),
          .modified = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
          .first_frame = reader.info().first_frame(),
          .last_frame = reader.info().last_frame()};
}

std::string Point::text() const {
  std::string text = fmt::format("{} frame {}, {}", capture.name, frame, gpu_name);
  for (const auto& [path, value] : settings) text += fmt::format(", {} = {}", path, value);
  return text;
}

std::vector<std::string> settings_of(const Point& point) {
  std::vector<std::string> sets;
  for (const auto& [path, value] : point.settings) sets.push_back(path + "=" + value);
  return sets;
}

std::string machine_text(machine::Config& config) {
  FieldTable table;
  config.list(table);
  std::string text;
  for (const auto& field : table.fields()) text += field->path + " = " + field->value() + "\n";
  return text;
}

const std::string& program_hash() {
  static const std::string hash = file_hash("/proc/self/exe");
  return hash;
}

std::string hash_text(uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string text_hash(std::string_view text) { return hash_text(hash_bytes(text.data(), text.size())); }

std::string identity_hash(const Point& point) {
  std::string text =
      fmt::format("capture {}\nframe {}\nwarmup {}\nverify {}\nmachine {}\nprogram {}\n", point.capture.hash,
                  point.frame, point.warmup, point.verify, point.machine, program_hash());
  if (point.record_interval) text += fmt::format("record {}\n", point.record_interval);
  return text_hash(text);
}

// The worker needs paths as they are, whatever their bytes.
std::string encode_job(const Point& point) {
  const Json job = {{"capture", escape_bytes(point.capture.path.string())},
                    {"name", escape_bytes(point.capture.name)},
                    {"capture_hash", point.capture.hash},
                    {"bytes", point.capture.bytes},
                    {"modified", point.capture.modified},
                    {"frame", point.frame},
                    {"gpu", escape_bytes(point.gpu)},
                    {"settings", settings_of(point)},
                    {"machine", point.machine},
                    {"warmup", point.warmup},
                    {"verify", point.verify},
                    {"record_interval", point.record_interval}};
  return json_text(job, 1) + "\n";
}

Point decode_job(const std::string& json, const std::string& where) {
  try {
    if (!is_shallow_json(json)) user_error("{}: not a point of a sweep: nested too deep", where);
    const Json job = Json::parse(json);
    Point point;
    const auto path = [&](const char* member) { return unescape_bytes(std::string(job.at(member))); };
    point.capture = {.name = path("name"),
                     .path = path("capture"),
                     .hash = job.at("capture_hash"),
                     .bytes = job.at("bytes"),
                     .modified = job.at("modified")};
    point.frame = job.at("frame"), point.gpu = path("gpu"), point.machine = job.at("machine");
    point.warmup = job.at("warmup"), point.verify = job.at("verify");
    point.record_interval = job.at("record_interval");
    for (const std::string setting : job.at("settings")) {
      const size_t equals = setting.find('=');
      point.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    return point;
  } catch (const Json::exception& error) {
    user_error("{}: not a point of a sweep: {}", where, error.what());
  }
}

}  // namespace cutaway::sweep
