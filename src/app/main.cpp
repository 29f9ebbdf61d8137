// The command `cutaway`: reads the command line, calls, and turns errors into exit codes.
#include <cstdio>
#include <exception>

#include "app/command_line.h"
#include "app/commands.h"
#include "base/error.h"

int main(int argc, char** argv) {
  using namespace cutaway;
  try {
    return app::command_line(argc, argv);
  } catch (const UserError& error) {
    fmt::print(stderr, "cutaway: {}\n", error.what());
    return app::kUserError;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cutaway: internal error: {}\n", error.what());
    return app::kInternalError;
  }
}
