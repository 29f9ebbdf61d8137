#pragma once

namespace cutaway::app {

// Parses the command line, runs the subcommand that it names, and returns the exit code. UserError: an
// unusable argument.
int command_line(int argc, char** argv);

}  // namespace cutaway::app
