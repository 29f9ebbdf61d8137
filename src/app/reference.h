#pragma once

#include <string>

namespace cutaway::app {

// Every parameter with its value in each preset, and every counter and account of the machines that the
// presets make, as Markdown: docs/reference.md. All of it comes from the declarations.
std::string reference_page();

}  // namespace cutaway::app
