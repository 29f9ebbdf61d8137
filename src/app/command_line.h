#pragma once

namespace cutaway::app {

// Parses the command line and runs the subcommand that it names; the exit code. UserError: an argument that
// cannot be used.
int command_line(int argc, char** argv);

}  // namespace cutaway::app
