// The command `cutaway`: reads the command line, calls, and turns errors into exit codes.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>

#include "app/command_line.h"
#include "app/commands.h"
#include "base/error.h"

int main(int argc, char** argv) {
  using namespace cutaway;
  try {
    const int result = app::command_line(argc, argv);
    if (std::fflush(stdout) != 0) user_error("standard output: cannot be written ({})", std::strerror(errno));
    return result;
  } catch (const UserError& error) {
    fmt::print(stderr, "cutaway: {}\n", error.what());
    return app::kUserError;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "cutaway: {}: cannot be used ({})\n", error.path1().string(), error.code().message());
    return app::kUserError;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cutaway: internal error: {}\n", error.what());
    return app::kInternalError;
  }
}
