#include "sweep/queue.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/abandoned_files.h"
#include "base/error.h"
#include "base/json_depth.h"
#include "base/json_text.h"
#include "base/regular_file.h"
#include "base/whole_file.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kPoints = "points", *kStarted = "started", *kDone = "done";

Json to_json(const Attempt& attempt) {
  return {{"attempt", attempt.name},    {"engine", attempt.engine},  {"host", attempt.host},
          {"process", attempt.process}, {"start", attempt.start},    {"end", attempt.end},
          {"outcome", attempt.outcome}, {"message", attempt.message}};
}

Attempt from_json(const Json& json) {
  return {.name = json.at("attempt"),
          .engine = json.at("engine"),
          .host = json.at("host"),
          .process = json.at("process"),
          .start = json.at("start"),
          .end = json.at("end"),
          .outcome = json.at("outcome"),
          .message = json.at("message")};
}

int open_point(const fs::path& path) {
  return open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
}

void lock(const fs::path& path, int descriptor, int how, bool& locked) {
  int result = 0;
  while ((result = flock(descriptor, how)) && errno == EINTR) {}
  locked = result == 0;
  if (!locked && errno != EWOULDBLOCK)
    user_error("{}: cannot be locked: {}; a sweep needs a file system with locks", path.string(),
               std::strerror(errno));
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) user_error("{}: cannot be made: {}", folder.string(), error.message());
}

// Names with a dot are files being written.
std::vector<std::string> hashes_in(const fs::path& folder) {
  std::vector<std::string> hashes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!entry.path().has_extension()) hashes.push_back(entry.path().filename());
  if (error) user_error("{}: cannot be read: {}", folder.string(), error.message());
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace

PointLock::~PointLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Attempt new_attempt(const std::string& engine) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t process = getpid();
  return {.name = fmt::format("{}-{}-{}", host, process, std::chrono::nanoseconds(now).count()),
          .engine = engine,
          .host = host,
          .process = process,
          .start = seconds_now(),
          .end = 0,
          .outcome = {},
          .message = {}};
}

void Queue::make() const {
  for (const char* name : {kPoints, kStarted, kDone}) make_folder(folder_ / name);
}

// A point's content never changes: an existing file stays, and with it the lock of its worker. Only the path
// of its capture may be out of date, which does not matter to a worker that has begun.
void Queue::put(const Point& point) const {
  const fs::path path = folder_ / kPoints / point.hash;
  const std::string job = encode_job(point);
  if (read_whole(path) == job) return;
  PointLock held;
  if ((held.descriptor_ = open_point(path)) >= 0) {
    bool locked = false;
    lock(path, held.descriptor_, LOCK_EX | LOCK_NB, locked);
    if (!locked) return;
  }
  write_whole(path, job);
}

std::vector<std::string> Queue::points() const { return hashes_in(folder_ / kPoints); }
std::vector<std::string> Queue::done() const { return hashes_in(folder_ / kDone); }

void Queue::remove_half_made(const std::string& hash) const {
  remove_abandoned_files(record(hash));
  remove_abandoned_files(folder_ / kDone / hash);
}

bool Queue::is_done(const std::string& hash) const {
  std::error_code error;
  return fs::exists(folder_ / kDone / hash, error);
}

// One line of JSON, then the frame.
std::optional<Outcome> Queue::outcome(const std::string& hash) const {
  const std::string text = read_whole(folder_ / kDone / hash);
  const size_t end = text.find('\n');
  if (end == text.npos || !is_shallow_json(std::string_view(text).substr(0, end))) return std::nullopt;
  try {
    const Json json = Json::parse(text.begin(), text.begin() + static_cast<ptrdiff_t>(end));
    Outcome outcome{from_json(json), text.substr(end + 1), json.at("causes")};
    if (std::string(json.at("frame_hash")) != text_hash(outcome.frame)) return std::nullopt;
    return outcome;
  } catch (const Json::exception&) { return std::nullopt; }
}

void Queue::finish(const std::string& hash, const Outcome& outcome) const {
  Json json = to_json(outcome.attempt);
  json["frame_hash"] = text_hash(outcome.frame);
  json["causes"] = outcome.causes;
  write_whole(folder_ / kDone / hash, json_text(json) + "\n" + outcome.frame);
}

void Queue::remove(const std::string& hash) const {
  fs::remove_all(folder_ / kStarted / hash);
  fs::remove(folder_ / kPoints / hash);
  fs::remove(folder_ / kDone / hash);  // last: see above
}

void Queue::remove_if_empty() const {
  std::error_code error;  // files that cannot be removed do no harm
  if (points().empty() && done().empty()) fs::remove_all(folder_, error);
}

bool Queue::running(const std::string& hash) const {
  PointLock held;
  if ((held.descriptor_ = open_point(folder_ / kPoints / hash)) < 0) return false;
  bool locked = false;
  lock(folder_ / kPoints / hash, held.descriptor_, LOCK_EX | LOCK_NB, locked);
  return !locked;
}

std::vector<Attempt> Queue::started(const std::string& hash) const {
  std::vector<Attempt> attempts;
  std::error_code error;  // no folder: no attempt has begun
  for (const auto& entry : fs::directory_iterator(folder_ / kStarted / hash, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".part")) continue;
    const std::string text = read_whole(entry.path());
    const Json json = Json::parse(is_shallow_json(text) ? text : "", nullptr, false);
    Attempt attempt;
    try {
      if (json.is_object()) attempt = from_json(json);
    } catch (const Json::exception&) {}  // damaged: only its name is known
    attempt.name = name, attempt.outcome = "lost";
    attempts.push_back(std::move(attempt));
  }
  return attempts;
}

std::optional<PointLock> Queue::claim(const std::string& hash) const {
  const fs::path path = folder_ / kPoints / hash;
  PointLock held;
  if ((held.descriptor_ = open_point(path)) < 0) {
    if (errno == ENOENT) return std::nullopt;
    user_error("{}: cannot be opened: {}", path.string(), std::strerror(errno));
  }
  bool locked = false;
  lock(path, held.descriptor_, LOCK_EX, locked);
  // In this order: the sweep removes points/HASH before done/HASH.
  if (is_done(hash)) return std::nullopt;
  struct stat mine {
  }, there{};
  const bool same = !fstat(held.descriptor_, &mine) && !stat(path.c_str(), &there) &&
                    mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
  if (!same) return fs::exists(path) ? claim(hash) : std::nullopt;
  return held;
}

Point Queue::job(const std::string& hash) const {
  const fs::path path = folder_ / kPoints / hash;
  Point point = decode_job(read_whole(path), path.string());
  point.hash = hash;
  return point;
}

void Queue::begin(const std::string& hash, const Attempt& attempt) const {
  make_folder(folder_ / kStarted / hash);
  write_whole(folder_ / kStarted / hash / attempt.name, json_text(to_json(attempt)) + "\n");
}

}  // namespace cutaway::sweep
