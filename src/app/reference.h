#pragma once

#include <string>

namespace cutaway::app {

// Every parameter with its value in each preset, and every counter and account of the presets' machines, as
// Markdown: docs/reference.md. Everything is derived from the declarations.
std::string reference_page();

}  // namespace cutaway::app
