// The command `cutaway`: parses the command line, runs it, and turns errors into exit codes.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "app/command_line.h"
#include "app/commands.h"
#include "base/error.h"
#include "base/shortened.h"
#include "base/text.h"

namespace {

using namespace cutaway;

// Standard error may be closed or full: then the error cannot be reported.
int fail(int code, const std::string& text) {
  constexpr size_t kFirstBytes = 3000, kLastBytes = 1000;  // names and texts of others may be long
  std::fputs(("cutaway: " + shortened(text, kFirstBytes, kLastBytes) + "\n").c_str(), stderr);
  return code;
}

// Ends like other programs whose reader is gone (`cutaway gpus attila | head`).
int output_failed(int error) {
  if (error == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return fail(app::kUserError, fmt::format("standard output: cannot be written ({})", std::strerror(error)));
}

int run(int argc, char** argv) {
  const int result = app::command_line(argc, argv);
  errno = 0;
  return std::fflush(stdout) == 0 ? result : output_failed(errno);
}

}  // namespace

int main(int argc, char** argv) {
  // Exceeding the file size limit is an error like a full disk. A handler, unlike SIG_IGN, is not inherited
  // by programs.
  std::signal(SIGXFSZ, [](int) {});
  try {
    return run(argc, argv);
  } catch (const UserError& error) {
    return fail(app::kUserError, one_line(error.what()));
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(app::kUserError, fmt::format("{}: cannot be used ({})", one_line(error.path1().string()),
                                             error.code().message()));
  } catch (const std::system_error& error) {
    if (std::ferror(stdout)) return output_failed(error.code().value());
    return fail(app::kUserError, fmt::format("the system refuses something: {}", error.what()));
  } catch (const std::bad_alloc&) {
    return fail(app::kUserError, "not enough memory: close other programs, or use fewer --jobs or --threads");
  } catch (const std::exception& error) {
    return fail(app::kInternalError, fmt::format("internal error: {}", error.what()));
  }
}
