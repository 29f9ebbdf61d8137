// The command `cutaway`: parses the command line, runs it, and turns errors into exit codes.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <system_error>
#include <unistd.h>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/shortened.h"
#include "base/version.h"
#include "commit.h"

namespace {

using namespace cutaway;

// Standard error may be closed or full: then the error cannot be reported.
int fail(int code, const std::string& text) {
  constexpr size_t kFirstBytes = 3000, kLastBytes = 1000;  // names and texts from outside may be long
  app::tell_error("cutaway: {}\n", shortened(text, kFirstBytes, kLastBytes));
  return code;
}

// A closed standard descriptor would be the number of the next file that is opened, and be written to. Those
// opened here refuse what the closed ones would: standard output cannot be written.
void open_standard_descriptors() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(standard, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", standard == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

// Ends like other programs whose reader is gone (`cutaway gpus attila | head`).
int output_failed(int code, int error) {
  if (error == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  const std::string kept = app::noted_results();
  return fail(code == app::kOk ? app::kUserError : code,
              fmt::format("standard output: cannot be written ({}){}{}", std::strerror(error),
                          kept.empty() ? "" : "; the results are kept: ", kept));
}

int run(int argc, char** argv) {
  const int result = app::command_line(argc, argv);
  return app::failed_output() ? output_failed(result, app::failed_output()) : result;
}

}  // namespace

int main(int argc, char** argv) {
  // Exceeding the file size limit is an error like a full disk. A handler, unlike SIG_IGN, is not inherited
  // by programs.
  std::signal(SIGXFSZ, [](int) {});
  set_commit(CUTAWAY_COMMIT);
  open_standard_descriptors();
  try {
    return run(argc, argv);
  } catch (const UserError& error) {
    // The signal of a reader that is gone interrupts the command.
    if (app::failed_output() == EPIPE) return output_failed(app::kUserError, EPIPE);
    return fail(app::kUserError, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(app::kUserError,
                fmt::format("{}: cannot be used ({})", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    return fail(app::kUserError, fmt::format("the system refuses something: {}", error.what()));
  } catch (const std::bad_alloc&) {
    return fail(app::kUserError, "not enough memory: close other programs, or use fewer --jobs or --threads");
  } catch (const std::exception& error) {
    // A deadlock is told in several lines.
    app::tell_error_lines(fmt::format("cutaway: internal error: {}\n", error.what()));
    return app::kInternalError;
  }
}
