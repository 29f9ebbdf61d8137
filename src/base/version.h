#pragma once

#include <string>

namespace cutaway {

// "0.1.0", or "0.1.0 (829f56df)" once the commit is known. The command line, manual pages and run databases
// state it.
std::string version();

// Sets the commit that the program was built from; "": none is known.
void set_commit(const std::string& commit);

}  // namespace cutaway
