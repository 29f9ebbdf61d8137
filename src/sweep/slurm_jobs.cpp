#include "sweep/slurm_jobs.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/regular_file.h"
#include "base/whole_file.h"
#include "sweep/engine.h"
#include "sweep/program.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAdvice =
    "install Slurm (Debian: slurm-wlm), or run the sweep here with --engine local";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// Parses a number from 1 on.
size_t number_in(const std::string& text) {
  size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Final states of squeue --states.
bool ended(const std::string& state) {
  constexpr const char* kEnded[] = {"COMPLETED", "CANCELLED", "FAILED",   "TIMEOUT",
                                    "NODE_FAIL", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY"};
  return std::find(std::begin(kEnded), std::end(kEnded), state) != std::end(kEnded);
}

}  // namespace

SlurmJobs::SlurmJobs(const Queue& queue, unsigned at_a_time, std::vector<std::string> options)
    : queue_(queue), at_a_time_(at_a_time), options_(std::move(options)) {
  name_ = fmt::format("cutaway-{}-", text_hash(fs::canonical(queue.folder()).string()));
}

size_t SlurmJobs::most_tasks() {
  constexpr size_t kUsual = 1000;  // default MaxArraySize is 1001
  const ProgramOutput shown = run_program({"scontrol", "show", "config"}, kAdvice);
  for (const std::string& line : split(shown.output, '\n')) {
    const size_t equals = line.find("= ");
    if (line.starts_with("MaxArraySize") && equals != line.npos)
      return std::clamp<size_t>(number_in(line.substr(equals + 2)), 2, 100'000) - 1;
  }
  return kUsual;
}

void SlurmJobs::submit(const std::vector<std::string>& hashes) {
  std::error_code error;
  fs::create_directories(folder(), error);
  size_t serial = 1;
  while (fs::exists(folder() / std::to_string(serial))) serial++;
  const std::string number = std::to_string(serial);
  const fs::path list_file = folder() / number;
  write_whole(list_file, fmt::format("{}\n", fmt::join(hashes, "\n")));

  std::string worker = "exec";
  for (const std::string& word : worker_command(queue_, "slurm")) worker += " " + shell_word(word);
  worker += fmt::format(" \"$(sed -n \"${{SLURM_ARRAY_TASK_ID}}p\" {})\"", shell_word(list_file.string()));
  std::vector<std::string> command = {
      "sbatch",
      "--parsable",
      "--requeue",
      "--job-name=" + name_ + number,
      fmt::format("--array=1-{}{}", hashes.size(), at_a_time_ ? fmt::format("%{}", at_a_time_) : ""),
      "--chdir=" + queue_.folder().string(),
      "--output=" + (folder() / (number + "-%a.log")).string()};
  command.insert(command.end(), options_.begin(), options_.end());
  command.insert(command.end(), {"--wrap", worker});
  const ProgramOutput result = run_program(command, kAdvice);
  if (result.code) {
    fs::remove(list_file, error);
    user_error("sbatch refuses: {}; finished points are kept, and the same command goes on",
               result.last_error().empty() ? fmt::format("exit code {}", result.code) : result.last_error());
  }
  // "ID", or "ID;CLUSTER"
  jobs_.insert(last_line(result.output).substr(0, last_line(result.output).find(';')));
  lists_[number] = hashes;
  for (size_t i = 0; i < hashes.size(); i++)
    logs_[hashes[i]] = folder() / fmt::format("{}-{}.log", number, i + 1);
}

const std::vector<std::string>& SlurmJobs::list(const std::string& number) {
  auto [it, fresh] = lists_.try_emplace(number);
  if (fresh) it->second = split(read_whole(folder() / number), '\n');
  return it->second;
}

std::optional<std::set<std::string>> SlurmJobs::alive() {
  const ProgramOutput shown =
      run_program({"squeue", "--noheader", "--array", "--format=%j|%F|%K|%T"}, kAdvice);
  if (shown.code) {
    silence_ = shown.last_error();
    return std::nullopt;
  }
  std::set<std::string> hashes;
  for (const std::string& line : split(shown.output, '\n')) {
    const std::vector<std::string> parts = split(line, '|');
    if (parts.size() != 4 || !parts[0].starts_with(name_) || ended(parts[3])) continue;
    const std::vector<std::string>& points = list(parts[0].substr(name_.size()));
    const size_t task = number_in(parts[2]);
    jobs_.insert(parts[1]);
    if (task >= 1 && task <= points.size()) hashes.insert(points[task - 1]);
  }
  return hashes;
}

void SlurmJobs::cancel() {
  if (jobs_.empty()) return;
  std::vector<std::string> command = {"scancel"};
  command.insert(command.end(), jobs_.begin(), jobs_.end());
  run_program(command, kAdvice);
  for (int i = 0; i < 20; i++) {
    const auto left = alive();
    if (!left || left->empty()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
}

std::string SlurmJobs::log_of(const std::string& hash) const {
  const auto log = logs_.find(hash);
  return log == logs_.end() ? "" : last_line(read_whole(log->second));
}

}  // namespace cutaway::sweep
