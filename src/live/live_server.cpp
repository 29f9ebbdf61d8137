#include "live/live_server.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/error.h"
#include "base/installed.h"
#include "base/interrupt.h"
#include "live/mailbox.h"
#include "live/site.h"

namespace cutaway::live {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::string new_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    user_error("--live: the system gives no random numbers: {}", std::strerror(errno));
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// Closes the command's standard files, so that a reader of its output sees the end when the command ends.
void leave_standard_files() {
  const int null = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, standard);
}

}  // namespace

struct LiveServer::Shared {
  LiveControl control;
  std::atomic<int64_t> read_at{0};  // on the steady clock
  Mailbox state;
};

namespace {

int64_t now() { return Clock::now().time_since_epoch().count(); }

}  // namespace

std::string live_page() {
  std::ifstream file(installed_file("live_page.html"), std::ios::binary);
  if (file) return {std::istreambuf_iterator<char>(file), {}};
  return "<!doctype html><title>Cutaway</title><p>The page was not built: install node and npm, run cmake "
         "again, and build. What it would show is at <a href=state>state</a>.</p>";
}

LiveServer::LiveServer(int port, std::string page) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Pages are allocated on the first write; the mailbox starts as zeros.
  shared_ =
      std::shared_ptr<Shared>(new (memory) Shared, [](Shared* shared) { munmap(shared, sizeof *shared); });
  const std::string token = new_token();

  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) user_error("cannot make a pipe: {}", std::strerror(errno));
  const pid_t self = getpid();
  process_ = fork();
  if (process_ == 0) {
    leave_interrupts_to_parent();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "live-view");
    if (getppid() != self) _exit(1);
    leave_standard_files();
    Shared& shared = *shared_;
    const Site site{.token = token,
                    .page = std::move(page),
                    .control = shared.control,
                    .state = [&shared] { return shared.state.get(); },
                    .on_read = [&shared] { shared.read_at = now(); }};
    try {
      serve(site, port, [&ends](int bound) {
        [[maybe_unused]] const auto written = write(ends[1], &bound, sizeof bound);
        close(ends[1]);
      });
    } catch (const std::exception&) {}  // the simulation continues without a view
    _exit(0);
  }
  close(ends[1]);
  int bound = 0;
  const bool told = process_ > 0 && read(ends[0], &bound, sizeof bound) == sizeof bound;
  close(ends[0]);
  if (told && bound) {
    address_ = fmt::format("http://127.0.0.1:{}/{}/", bound, token);
    return;
  }
  end();
  if (port)
    user_error("--live {}: cannot listen on this port; choose another, or give none for a free one", port);
  user_error("--live: no port of 127.0.0.1 is available");
}

LiveServer::~LiveServer() { end(); }

void LiveServer::end() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
  process_ = -1;
}

LiveControl& LiveServer::control() { return shared_->control; }

void LiveServer::tell(const std::string& members) { shared_->state.put(members); }

void LiveServer::finish(const std::string& members) {
  constexpr milliseconds kSeen{1500}, kPatience{1000}, kAnswer{50};
  tell(members);
  const int64_t told = now(), until = told + Clock::duration(kPatience).count();
  const bool seen = told - shared_->read_at < Clock::duration(kSeen).count() && shared_->read_at > 0;
  while (seen && now() < until && shared_->read_at < told && !interrupted())
    std::this_thread::sleep_for(milliseconds(10));
  if (seen) std::this_thread::sleep_for(kAnswer);  // lets the answer reach the page
  end();
}

}  // namespace cutaway::live
